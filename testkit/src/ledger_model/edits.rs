//! Changes of an existing product.

use pointbook_domain::{OrderStatus, Product, ProductId};
use pointbook_store::ports::{
    CatalogueVersion, ProductEdit, ProductEditOutcome, ProductEditRefusal, StoredProduct, UpsertOutcome,
};

use super::NaiveTenant;

impl NaiveTenant {
    /// Changes the stock by a difference, or the regular price. Plans have no other changes.
    pub(super) fn edit(&mut self, id: &ProductId, edit: &ProductEdit) -> ProductEditOutcome {
        let Some(naive) = self.products.get(id).filter(|naive| !naive.is_retired) else {
            return ProductEditOutcome::Unknown;
        };
        let before = naive.product.clone();
        let after = match changed(before.clone(), edit) {
            Ok(after) => after,
            Err(refusal) => return ProductEditOutcome::Refused(refusal),
        };
        if after == before {
            return self.shown(id, UpsertOutcome::Unchanged);
        }
        self.version += 1;
        let naive = self.products.get_mut(id).unwrap();
        (naive.product, naive.version) = (after, self.version);
        self.shown(id, UpsertOutcome::Replaced)
    }

    fn shown(&self, id: &ProductId, outcome: UpsertOutcome) -> ProductEditOutcome {
        let naive = &self.products[id];
        let stored = StoredProduct {
            product: naive.product.clone(),
            reserved: self.pieces(id, |order| order.status == OrderStatus::Placed),
            version: CatalogueVersion(naive.version),
        };
        ProductEditOutcome::Stored(outcome, Box::new(stored))
    }
}

fn changed(product: Product, edit: &ProductEdit) -> Result<Product, ProductEditRefusal> {
    match edit {
        ProductEdit::AddStock(difference) => match product.stock {
            None => Err(ProductEditRefusal::UnlimitedStock),
            Some(left) if i64::from(left) + difference < 0 => Err(ProductEditRefusal::TooFewPieces),
            Some(left) => {
                let left = u32::try_from(i64::from(left) + difference).unwrap();
                Ok(Product { stock: Some(left), ..product })
            }
        },
        ProductEdit::Patch(patch) => {
            let regular_price = patch.regular_price.unwrap();
            match product.sale_price {
                Some(sale) if sale > regular_price => Err(ProductEditRefusal::SaleAboveRegular),
                _ => Ok(Product { regular_price, ..product }),
            }
        }
        ProductEdit::Put(_) | ProductEdit::Retire => unreachable!("not planned"),
    }
}

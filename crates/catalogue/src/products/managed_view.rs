//! A product for the back office.

use pointbook_domain::{CategoryId, Price, Product};
use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::ports::{CatalogueVersion, StoredProduct};

view! {
    /// The documented fields, with the description as the operator sent it, and the fields that only the operator sees.
    #[derive(Debug)]
    pub struct ManagedProductView<'p> as "ManagedProduct" {
        id: &'p str => Schema::id(),
        title: &'p str,
        sku: &'p str,
        /// HTML as you sent it. Customers get it without unsafe elements.
        description: &'p str,
        regular_price: i64 => Schema::price(),
        sale_price: Option<i64> => Schema::price().or_null(),
        thumbnail: &'p str,
        gallery: &'p [String],
        categories: Vec<&'p str> => Schema::list(Schema::id()),
        /// Pieces that customers can order. Null for unlimited.
        stock: Option<u32> => Schema::integer(0..=i64::from(u32::MAX)).or_null(),
        /// Pieces in placed orders.
        reserved: u64,
        popular: bool,
        published_at: DateTimeView,
        /// Whether customers see the product after `published_at`.
        active: bool,
        /// The version of the catalogue at the last change of the product that customers could see.
        version: u64,
    }
}

impl Sample for ManagedProductView<'_> {
    const SAMPLE: &'static str = include_str!("managed_product.json");
}

impl<'p> From<&'p StoredProduct> for ManagedProductView<'p> {
    fn from(stored: &'p StoredProduct) -> Self {
        let StoredProduct { product, reserved, version: CatalogueVersion(version) } = stored;
        let Product {
            id,
            sku,
            title,
            description: _,
            description_source,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories,
            stock,
            popular,
            published_at,
            active,
        } = product;
        Self {
            id: id.as_str(),
            title,
            sku,
            description: description_source,
            regular_price: regular_price.get(),
            sale_price: sale_price.map(Price::get),
            thumbnail,
            gallery,
            categories: categories.iter().map(CategoryId::as_str).collect(),
            stock: *stock,
            reserved: *reserved,
            popular: *popular,
            published_at: DateTimeView(*published_at),
            active: *active,
            version: *version,
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::build::{price, product};

    use super::*;

    #[test]
    fn a_product_is_shown_with_what_was_given_and_what_is_counted() {
        let mut stored = StoredProduct {
            product: Product {
                sale_price: Some(price(90)),
                gallery: vec!["a.png".to_owned()],
                categories: vec![CategoryId::new("c1").unwrap()],
                stock: Some(7),
                popular: true,
                ..product("p1")
            },
            reserved: 2,
            version: CatalogueVersion(5),
        };
        let json = |stored: &StoredProduct| serde_json::to_string(&ManagedProductView::from(stored)).unwrap();
        assert_eq!(
            json(&stored),
            r#"{"id":"p1","title":"Product p1","sku":"sku-p1","description":"<p>Good.","regular_price":100,"sale_price":90,"thumbnail":"","gallery":["a.png"],"categories":["c1"],"stock":7,"reserved":2,"popular":true,"published_at":"2024-02-29T12:00:00.000000Z","active":true,"version":5}"#
        );
        (stored.product.stock, stored.product.sale_price) = (None, None);
        let json = json(&stored);
        assert!(json.contains(r#""sale_price":null,"#) && json.contains(r#""stock":null,"#), "{json}");
    }
}

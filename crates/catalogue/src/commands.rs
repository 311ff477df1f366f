//! The commands that change products and categories. The use cases that run them are in the folders of the nouns.

use pointbook_domain::{CategoryTree, ProductId, Timestamp};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::{
    ProductCondition, ProductEdit, ProductEditOutcome, ProductEditStep, ProductUpsert, UpsertOutcome,
};
use pointbook_store::schema::rows::tree_text;

use crate::categories::stored;
use crate::categories::stored::TreeText;
use crate::products::write;

/// Replaces the whole category tree. Raises the version, unless the tree is the same.
pub struct ReplaceCategories(pub TreeText);

impl ReplaceCategories {
    pub fn with(tree: &CategoryTree) -> Self {
        Self(TreeText::of(tree))
    }
}

impl Command for ReplaceCategories {
    type Outcome = UpsertOutcome;

    const NAME: &'static str = "replace_categories";

    fn needs(&self, needs: &mut Needs) {
        stored::need(needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<UpsertOutcome, CommandError> {
        stored::replace(facts, &self.0)
    }
}

/// Replaces the category tree that a writer knows. Does nothing when another tree is stored, and says so with `false`.
pub struct ChangeCategories {
    pub before: TreeText,
    pub after: TreeText,
}

impl Command for ChangeCategories {
    type Outcome = bool;

    const NAME: &'static str = "change_categories";

    fn needs(&self, needs: &mut Needs) {
        stored::need(needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let is_known = &*stored::text(facts)? == self.before.as_str()
            // A migration wrote this tree, in another order.
            || tree_text(&stored::tree(facts)?) == self.before.as_str();
        if is_known {
            stored::replace(facts, &self.after)?;
        }
        Ok(is_known)
    }
}

/// Creates or replaces products, all or none. A later product wins over an earlier one with the same id. Returns one outcome per
/// product, in order. Raises the version once, and only when something changed.
pub struct UpsertProducts(pub Vec<ProductUpsert>);

impl Command for UpsertProducts {
    type Outcome = Vec<UpsertOutcome>;

    const NAME: &'static str = "upsert_products";

    fn needs(&self, needs: &mut Needs) {
        for upsert in &self.0 {
            write::need(needs, &upsert.product.id);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<UpsertOutcome>, CommandError> {
        self.0.iter().map(|upsert| write::upsert(facts, upsert)).collect()
    }
}

/// Changes a product if the condition holds. No other write happens in between, orders included. Raises the version like
/// [`UpsertProducts`].
pub struct EditProduct {
    pub id: ProductId,
    pub edit: ProductEdit,
    pub condition: ProductCondition,
    pub at: Timestamp,
}

impl Command for EditProduct {
    type Outcome = ProductEditOutcome;

    const NAME: &'static str = "edit_product";

    fn needs(&self, needs: &mut Needs) {
        write::need(needs, &self.id);
    }

    fn decide(&self, facts: &mut Facts) -> Result<ProductEditOutcome, CommandError> {
        edited(facts, &self.id, &self.edit, &self.condition, self.at)
    }
}

fn edited(
    facts: &mut Facts,
    id: &ProductId,
    edit: &ProductEdit,
    condition: &ProductCondition,
    at: Timestamp,
) -> Result<ProductEditOutcome, CommandError> {
    let upsert = match edit.decide(write::product(facts, id)?.as_ref(), condition) {
        Err(outcome) => return Ok(outcome),
        Ok(ProductEditStep::Retire) => {
            write::retire(facts, id, at)?;
            return Ok(ProductEditOutcome::Retired);
        }
        Ok(ProductEditStep::Put(upsert)) => upsert,
    };
    let outcome = write::upsert(facts, &upsert)?;
    let stored = write::product(facts, id)?;
    let stored = stored.ok_or_else(|| CommandError::missing("products", id.as_str()))?;
    Ok(ProductEditOutcome::Stored(outcome, Box::new(stored)))
}

/// Changes many products in the same way, as [`EditProduct`] does with each. Returns one outcome per product, in order: a product that
/// cannot be changed so does not stop the others.
pub struct EditProducts {
    pub ids: Vec<ProductId>,
    pub edit: ProductEdit,
    pub at: Timestamp,
}

impl Command for EditProducts {
    type Outcome = Vec<ProductEditOutcome>;

    const NAME: &'static str = "edit_products";

    fn needs(&self, needs: &mut Needs) {
        for id in &self.ids {
            write::need(needs, id);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<Vec<ProductEditOutcome>, CommandError> {
        let Self { ids, edit, at } = self;
        ids.iter().map(|id| edited(facts, id, edit, &ProductCondition::Exists, *at)).collect()
    }
}

/// Retires products: their rows stay. Returns how many were not retired before.
pub struct RetireProducts {
    pub ids: Vec<ProductId>,
    pub at: Timestamp,
}

impl Command for RetireProducts {
    type Outcome = u64;

    const NAME: &'static str = "retire_products";

    fn needs(&self, needs: &mut Needs) {
        for id in &self.ids {
            write::need(needs, id);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<u64, CommandError> {
        let mut retired = 0;
        for id in &self.ids {
            retired += u64::from(write::retire(facts, id, self.at)?);
        }
        Ok(retired)
    }
}

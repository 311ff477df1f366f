//! Two persons who change one product: what each of them changed stays, and fields that both changed are shown to the second one.

use pointbook_domain::{CategoryId, Product};
use pointbook_store::ports::{FieldChange, ProductPatch};

use super::fields::{Field, Seen, Texts};
use crate::products::draft::{ProductDraft, ProductPatchDraft, StockDraft};

/// A form beside the product that is stored now.
pub(super) struct Merged {
    /// What this operator typed, and the stored text where the operator changed nothing.
    pub(super) texts: Texts,
    /// The stored texts of the fields that both changed.
    pub(super) conflicts: Vec<(Field, String)>,
    /// Whether another person saved a field in between.
    pub(super) is_late: bool,
}

/// `seen` is what the form showed at first.
pub(super) fn merge(seen: &Seen, mine: &Texts, theirs: &Texts) -> Merged {
    let is_mine = |field| seen.is_changed(field, mine);
    let both = |field: &Field| {
        is_mine(*field) && seen.is_changed(*field, theirs) && mine.get(*field) != theirs.get(*field)
    };
    let conflicts = Field::ALL.into_iter().filter(both);
    Merged {
        texts: Texts::chosen(mine, theirs, is_mine),
        conflicts: conflicts.map(|field| (field, theirs.get(field).to_owned())).collect(),
        is_late: Field::ALL.into_iter().any(|field| seen.is_changed(field, theirs)),
    }
}

/// The fields of the draft that are changed.
pub(super) fn patch(
    draft: ProductDraft,
    stored: &Product,
    is_changed: impl Fn(Field) -> bool,
) -> ProductPatchDraft {
    let ProductDraft {
        id: _,
        sku,
        title,
        description,
        regular_price,
        sale_price,
        thumbnail,
        gallery,
        categories,
        stock: StockDraft::Keep | StockDraft::Set(_),
        popular,
        published_at,
        active,
    } = draft;
    let sale_price =
        if is_changed(Field::SalePrice) { FieldChange::Set(sale_price) } else { FieldChange::Keep };
    let others = ProductPatch {
        sku: is_changed(Field::Sku).then_some(sku),
        title: is_changed(Field::Title).then_some(title),
        description: None,
        regular_price: is_changed(Field::RegularPrice).then_some(regular_price),
        sale_price,
        thumbnail: is_changed(Field::Thumbnail).then_some(thumbnail),
        gallery: is_changed(Field::Gallery).then_some(gallery),
        categories: is_changed(Field::Categories).then(|| in_order_of(&stored.categories, categories)),
        stock: FieldChange::Keep,
        popular: is_changed(Field::Popular).then_some(popular),
        published_at: published_at.filter(|_| is_changed(Field::PublishedAt)),
        active: is_changed(Field::Active).then_some(active),
    };
    ProductPatchDraft { description: is_changed(Field::Description).then_some(description), others }
}

/// The chosen categories: those that the product has, in their order, and then the new ones.
fn in_order_of(stored: &[CategoryId], chosen: Vec<CategoryId>) -> Vec<CategoryId> {
    let kept: Vec<CategoryId> = stored.iter().filter(|id| chosen.contains(id)).cloned().collect();
    let new: Vec<CategoryId> = chosen.into_iter().filter(|id| !kept.contains(id)).collect();
    kept.into_iter().chain(new).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn categories_that_stay_keep_their_order() {
        let ids = |text: &str| text.split(' ').map(|id| CategoryId::new(id).unwrap()).collect::<Vec<_>>();
        assert_eq!(in_order_of(&ids("c a b"), ids("a c d")), ids("c a d"));
    }
}

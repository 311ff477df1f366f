//! Takes a step from the tree that is stored now, even while another person changes it.

use data_encoding::HEXLOWER;
use pointbook_access::console_kit::Visit;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::json::Json;
use pointbook_domain::{CategoryId, CategoryTree};
use pointbook_http::body::{BodyFields, new_id, title};
use pointbook_http::pages::PageError;
use pointbook_store::StoreError;
use pointbook_store::limits::MAX_TITLE_CHARS;
use sha2::{Digest, Sha256};

use super::step::{Impossible, Step};
use crate::categories::edit::change_categories;

/// The path of the section.
pub(super) const SECTION: &str = "/categories";

/// How often a step is taken anew, because another person changed the tree in between.
const ATTEMPTS: usize = 5;

/// The step names categories by id and not by place, so it means the same in a tree that another person changed.
pub(super) async fn take(visit: &Visit<'_>, step: &Step) -> Result<Result<(), Impossible>, PageError> {
    take_from(visit, step, None).await
}

/// As [`take`], from the tree of this version only. A step that was taken already is none, also in another version.
pub(super) async fn take_from(
    visit: &Visit<'_>,
    step: &Step,
    seen: Option<&str>,
) -> Result<Result<(), Impossible>, PageError> {
    for _ in 0..ATTEMPTS {
        let before = visit.served.data.categories().await?;
        let after = match step.applied_to(&before) {
            Ok(after) => after,
            Err(why) => return Ok(Err(why)),
        };
        if after == before {
            return Ok(Ok(()));
        }
        if seen.is_some_and(|seen| seen != version(&before)) {
            return Ok(Err(Impossible::Late));
        }
        if change_categories(&visit.context()?, before, after).await? {
            return Ok(Ok(()));
        }
    }
    Err(PageError::Store(StoreError::Overloaded))
}

/// The bytes of the hash of a version.
const VERSION_BYTES: usize = 16;

/// A hash of the order of the tree: the same while no category is added, moved or removed. Labels do not count.
pub(super) fn version(tree: &CategoryTree) -> String {
    let mut hash = Sha256::new();
    tree.visit(&mut |category, parent, _| {
        let parent = parent.map_or("", |parent| parent.id.as_str());
        for id in [category.id.as_str(), parent] {
            hash.update((id.len() as u64).to_be_bytes());
            hash.update(id);
        }
    });
    let hash: [u8; 32] = hash.finalize().into();
    HEXLOWER.encode(hash.get(..VERSION_BYTES).unwrap_or_default())
}

/// The id and the label that an operator typed.
pub(super) fn read_new(typed_id: &str, label: &str) -> Result<(CategoryId, String), FieldErrors> {
    let members = members(label);
    let mut fields = BodyFields::new(&members, FieldErrors::default());
    let category_id = fields.beside("id", typed_id.to_owned(), new_id(CategoryId::new));
    let label = fields.required("label", title(MAX_TITLE_CHARS));
    fields.finish(|| Some((category_id?, label?)))
}

pub(super) fn read_label(label: &str) -> Result<String, FieldErrors> {
    let members = members(label);
    let mut fields = BodyFields::new(&members, FieldErrors::default());
    let label = fields.required("label", title(MAX_TITLE_CHARS));
    fields.finish(|| label)
}

fn members(label: &str) -> [(String, Json); 1] {
    [("label".to_owned(), Json::Text(label.trim().to_owned()))]
}

/// The category above. Empty for the top level.
pub(super) fn read_parent(typed: &str) -> Result<Option<CategoryId>, Impossible> {
    let typed = typed.trim();
    if typed.is_empty() {
        return Ok(None);
    }
    CategoryId::new(typed).map(Some).map_err(|_| Impossible::UnknownParent)
}

#[cfg(test)]
mod tests {
    use pointbook_domain::Category;

    use super::*;

    fn tree(children: &str, label: &str) -> CategoryTree {
        let category = |id: &str, children| Category {
            id: CategoryId::new(id).unwrap(),
            label: label.to_owned(),
            children,
        };
        let below = children.split(' ').map(|id| category(id, Vec::new())).collect();
        CategoryTree::new(vec![category("a", below)]).unwrap()
    }

    #[test]
    fn a_version_is_that_of_the_order_and_not_of_the_labels() {
        let known = version(&tree("b c", "X"));
        assert_eq!(version(&tree("b c", "Y")), known);
        for other in [tree("c b", "X"), tree("b", "X"), tree("bc", "X"), CategoryTree::default()] {
            assert_ne!(version(&other), known);
        }
    }
}

//! Takes a step from the tree that is stored now, even while another person changes it.

use pointbook_app::limits::MAX_TITLE_CHARS;
use pointbook_app::{StoreError, change_categories};
use pointbook_domain::CategoryId;
use pointbook_errors::FieldErrors;
use pointbook_json::Json;
use pointbook_page_kit::PageError;
use pointbook_requests::body::{BodyFields, id, title};

use super::step::{Impossible, Step};
use pointbook_console_kit::visit::Visit;

/// The path of the section.
pub(super) const SECTION: &str = "/categories";

/// How often a step is taken anew, because another person changed the tree in between.
const ATTEMPTS: usize = 5;

/// The step names categories by id and not by place, so it means the same in a tree that another person changed.
pub(super) async fn take(visit: &Visit<'_>, step: &Step) -> Result<Result<(), Impossible>, PageError> {
    for _ in 0..ATTEMPTS {
        let before = visit.served.data.categories().await?;
        let after = match step.applied_to(&before) {
            Ok(after) => after,
            Err(why) => return Ok(Err(why)),
        };
        if change_categories(&visit.context()?, before, after).await? {
            return Ok(Ok(()));
        }
    }
    Err(PageError::Store(StoreError::Overloaded))
}

/// The id and the label that an operator typed.
pub(super) fn read_new(typed_id: &str, label: &str) -> Result<(CategoryId, String), FieldErrors> {
    let members = members(label);
    let mut fields = BodyFields::new(&members, FieldErrors::default());
    let category_id = fields.beside("id", typed_id.to_owned(), id(CategoryId::new));
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

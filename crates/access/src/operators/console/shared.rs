//! The operator that the path of a page names, and the texts of refused changes.

use pointbook_domain::{Operator, OperatorId};
use pointbook_http::pages::PageError;

use crate::console_kit::Visit;
use crate::console_kit::path_part::segment;
use crate::operators::manage::OperatorRefusal;
use crate::sessions::find_operator;

pub(super) const SECTION: &str = "/operators";

/// The address of the page of an operator.
pub(super) fn address(visit: &Visit<'_>, id: &OperatorId) -> String {
    visit.path(&format!("{SECTION}/{}", segment(id.as_str())))
}

/// The operator of the path.
pub(super) async fn of_path(visit: &Visit<'_>) -> Result<Operator, PageError> {
    let id = OperatorId::new(visit.param("id")?).map_err(|_| PageError::NotFound)?;
    find_operator(&*visit.served.data, &id).await?.ok_or(PageError::NotFound)
}

/// The id of the text of a refusal.
pub(super) fn refused(refusal: OperatorRefusal) -> &'static str {
    match refusal {
        OperatorRefusal::EmailTaken => "operator-email-taken",
        OperatorRefusal::TooMany => "operator-too-many",
        OperatorRefusal::FirstIsNoOwner | OperatorRefusal::LastOwner => "operator-last-owner",
        OperatorRefusal::Unknown => "operator-unknown",
    }
}

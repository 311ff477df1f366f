//! Where the pages of members are, and what all of them ask.

use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::{Scope, TransactionId, User, UserId};
use pointbook_http::pages::PageError;

use crate::members::read::member;

/// The path of the section.
pub(super) const SECTION: &str = "/members";

/// The path of a member's page, or of one below it.
pub(super) fn member_path(visit: &Visit<'_>, id: &UserId, rest: &str) -> String {
    visit.path(&format!("{SECTION}/{}{rest}", segment(id.as_str())))
}

/// The member in the path.
///
/// # Errors
/// [`PageError::NotFound`] for an unknown one.
pub(super) async fn find(visit: &Visit<'_>) -> Result<User, PageError> {
    let id = UserId::new(visit.param("id")?).map_err(|_| PageError::NotFound)?;
    member(&visit.served, &id, visit.now).await?.ok_or(PageError::NotFound)
}

/// Whether the role of the operator has the scope.
pub(super) fn may(visit: &Visit<'_>, scope: Scope) -> Result<bool, PageError> {
    Ok(visit.signed_in()?.operator.role.has(scope))
}

/// The path of the page of a row, or of one below it.
pub(super) fn row_path(visit: &Visit<'_>, user: &UserId, row: &str, rest: &str) -> String {
    member_path(visit, user, &format!("/transactions/{}{rest}", segment(row)))
}

/// The member and the row in the path.
pub(super) fn ids(visit: &Visit<'_>) -> Result<(UserId, TransactionId), PageError> {
    let user = UserId::new(visit.param("id")?).map_err(|_| PageError::NotFound)?;
    let row = TransactionId::new(visit.param("row")?).map_err(|_| PageError::NotFound)?;
    Ok((user, row))
}

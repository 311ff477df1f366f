//! Puts a category where an operator drops it: one step, however far it goes.

use pointbook_access::console_kit::Visit;
use pointbook_domain::CategoryId;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{Form, PageError, see_other};

use super::change::{read_parent, take_from};
use super::step::{Impossible, Step};
use super::tree::{address, refused};

/// The id of the category that follows it then.
const BEFORE: &str = "before";
/// The id of the category that it follows then.
const AFTER: &str = "after";
/// The id of the category whose last child it becomes. Empty for the top level.
const BELOW: &str = "below";

pub(super) async fn place(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let id = CategoryId::new(visit.param("id")?).map_err(|_| PageError::NotFound)?;
    let taken = match read(&form, id)? {
        Ok(step) => take_from(visit, &step, Some(form.field("version")?)).await?,
        Err(why) => Err(why),
    };
    match taken {
        Ok(()) => Ok(see_other(&address(visit, "?said=category-moved&"))),
        Err(why) => refused(visit, why).await,
    }
}

fn read(form: &Form, id: CategoryId) -> Result<Result<Step, Impossible>, PageError> {
    if let Some(other) = form.optional(BEFORE) {
        let other = CategoryId::new(other).map_err(|_| PageError::BadRequest)?;
        return Ok(Ok(Step::PutBefore { id, other }));
    }
    if let Some(other) = form.optional(AFTER) {
        let other = CategoryId::new(other).map_err(|_| PageError::BadRequest)?;
        return Ok(Ok(Step::PutAfter { id, other }));
    }
    Ok(read_parent(form.field(BELOW)?).map(|parent| Step::PutBelow { id, parent }))
}

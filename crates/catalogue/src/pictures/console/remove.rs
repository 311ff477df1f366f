//! Removes a picture that no product shows.

use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::PictureId;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};

use crate::pictures::console::card::REMOVED;
use crate::pictures::console::list::{Said, address, page};
use crate::pictures::console::paths::PICTURES;
use crate::pictures::{NamedProducts, PictureRemoval, remove_picture};

/// A form that is sent twice removes one picture.
pub(crate) async fn remove(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let id = PictureId::parse(form.field(REMOVED)?).map_err(|_| PageError::BadRequest)?;
    let said = match remove_picture(&visit.context()?, id).await? {
        PictureRemoval::Removed => "said=picture-removed&",
        PictureRemoval::Unknown => "said=picture-gone&",
        PictureRemoval::Used(product) => {
            let stored = visit.served.data.product(&product).await?;
            let title = stored.map(|stored| stored.product.title).unwrap_or_default();
            let first = vec![(product.as_str().to_owned(), title)];
            return page(visit, &Said::Used(NamedProducts { count: 1, first })).await;
        }
    };
    Ok(see_other(&address(visit, PICTURES, said)))
}

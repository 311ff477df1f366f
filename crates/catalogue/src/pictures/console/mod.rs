//! The page of the console with all pictures of a tenant: which products show them, the upload, and the removal.
//!
//! The section of products uploads pictures and offers stored ones too. It takes [`upload`] and [`choice`] from here.

mod card;
pub(crate) mod choice;
mod list;

use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;

pub(crate) use crate::pictures::console::list::PICTURES;

const READ: Access = Access::Scope(Scope::ProductsRead);
const WRITE: Access = Access::Scope(Scope::ProductsWrite);

pub(crate) static PAGES: [PageSpec; 3] = [
    page!("console.pictures", GET "/pictures", READ, ["manage.pictures.list"], list::show),
    page!("console.pictures.add", POST "/pictures", WRITE, ["manage.pictures.add"], list::add, crate::pictures::upload::UPLOAD),
    page!("console.pictures.remove", POST "/pictures/remove", WRITE, ["manage.pictures.remove"], crate::pictures::console::list::remove),
];

//! Categories: the tree, and its steps. Each step replaces the whole tree, as the operation does.

mod change;
pub(crate) mod choice;
pub(crate) mod list;
mod one;
pub(crate) mod paths;
mod step;
mod tree;

use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;

const READ: Access = Access::Scope(Scope::ProductsRead);
const WRITE: Access = Access::Scope(Scope::CategoriesWrite);

pub(crate) static PAGES: [PageSpec; 8] = [
    page!("console.categories", GET "/categories", READ, ["manage.categories.show"], tree::show),
    page!("console.categories.move", POST "/categories", WRITE, ["manage.categories.put"], tree::shift),
    page!("console.categories.add", POST "/new-category", WRITE, ["manage.categories.put"], tree::add),
    page!("console.category", GET "/categories/{id}", READ, ["manage.categories.show"], one::show),
    page!("console.category.rename", POST "/categories/{id}/rename", WRITE, ["manage.categories.put"], one::rename),
    page!("console.category.move", POST "/categories/{id}/move", WRITE, ["manage.categories.put"], one::put_below),
    page!("console.category.place", POST "/categories/{id}/place", WRITE, ["manage.categories.put"], crate::categories::console::paths::place),
    page!("console.category.remove", POST "/categories/{id}/remove", WRITE, ["manage.categories.put"], one::remove),
];

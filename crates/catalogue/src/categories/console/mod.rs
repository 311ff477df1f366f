//! Categories: the tree, and its steps. Each step replaces the whole tree, as the operation does.

mod change;
pub(crate) mod choice;
pub(crate) mod list;
mod one;
pub(crate) mod paths;
mod step;
mod tree;

use pointbook_access::console_kit::navigation::{Count, Counting};
use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::{Scope, Timestamp};
use pointbook_store::ServedTenant;

const READ: Access = Access::Scope(Scope::ProductsRead);
const WRITE: Access = Access::Scope(Scope::CategoriesWrite);

/// How many categories there are, on all levels.
fn categories(served: &ServedTenant, _: Timestamp) -> Counting<'_> {
    Box::pin(async {
        let mut number = 0;
        served.data.categories().await?.visit(&mut |_, _, _| number += 1);
        Ok(Some(Count::of(number)))
    })
}

pub(crate) static PAGES: [PageSpec; 8] = [
    page!("console.categories", GET "/categories", READ, ["manage.categories.show"], tree::show)
        .counting(categories),
    page!("console.categories.move", POST "/categories", WRITE, ["manage.categories.put"], tree::shift),
    page!("console.categories.add", POST "/new-category", WRITE, ["manage.categories.put"], tree::add),
    page!("console.category", GET "/categories/{id}", READ, ["manage.categories.show"], one::show),
    page!("console.category.rename", POST "/categories/{id}/rename", WRITE, ["manage.categories.put"], one::rename),
    page!("console.category.move", POST "/categories/{id}/move", WRITE, ["manage.categories.put"], one::put_below),
    page!("console.category.place", POST "/categories/{id}/place", WRITE, ["manage.categories.put"], crate::categories::console::paths::place),
    page!("console.category.remove", POST "/categories/{id}/remove", WRITE, ["manage.categories.put"], one::remove),
];

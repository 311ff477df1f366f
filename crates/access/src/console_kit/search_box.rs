//! The search box in the bar of every page.

use maud::{Markup, html};
use pointbook_domain::Scope;

use crate::console_kit::visit::{SignedIn, Visit};

/// The path of the search.
pub const PATH: &str = "/search";
/// The parameter with what is searched for.
pub const QUERY: &str = "q";
/// More than an id of a member, a space and a source id have.
const MAX_CHARS: usize = 600;

/// The box, for roles that can find something.
pub fn search_box(visit: &Visit<'_>, signed_in: &SignedIn) -> Markup {
    let scopes = [Scope::UsersRead, Scope::OrdersRead, Scope::ProductsRead];
    let can_find = scopes.iter().any(|scope| signed_in.operator.role.has(*scope));
    let label = visit.words.say("search-label");
    html! {
        @if can_find {
            form .search role="search" method="get" action=(visit.path(PATH)) {
                input type="search" name=(QUERY) value=(visit.query(QUERY)) maxlength=(MAX_CHARS) aria-label=(label) placeholder=(label);
                button { (visit.words.say("search")) }
            }
        }
    }
}

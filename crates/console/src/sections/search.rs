//! The search of the whole console: members, activities, orders and products, each for the roles that may see them.

mod find;

use find::{Group, Kind};
use maud::{Markup, html};
use pointbook_access::console_kit::components::{PATH, QUERY, clipped, search_box};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::visit::single_spaced;
use pointbook_access::console_kit::{Access, PageSpec, Visit, page};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, see_other};

/// Every operator may search. Each finds what the role may see.
pub(super) static PAGES: [PageSpec; 1] =
    [page!("console.search", GET "/search", Access::Operator, [], search)];

/// How much of the text a page repeats.
const SHOWN_CHARS: usize = 100;

async fn search(visit: &Visit<'_>) -> Result<Response, PageError> {
    let typed = visit.query(QUERY);
    let text = single_spaced(&typed);
    let mut groups = groups_of(visit, &text).await?;
    // An id or a title may have several spaces, or U+3000.
    if text != typed.trim() && !has_hits(&groups) {
        groups = groups_of(visit, typed.trim()).await?;
    }
    let mut exact = groups.iter().flat_map(|group| &group.hits).filter(|hit| hit.is_exact);
    if let (Some(only), None) = (exact.next(), exact.next()) {
        return Ok(see_other(&only.path));
    }
    let words = visit.words;
    let content = html! {
        // The box at the top is only in wide windows.
        div .on-phone { @if let Some(signed_in) = &visit.signed_in { (search_box(visit, signed_in)) } }
        @if text.is_empty() {
            (hint(visit))
        } @else if !has_hits(&groups) {
            p .empty { (words.with("search-none", "name", clipped(&text, SHOWN_CHARS))) }
            (hint(visit))
        }
        @for group in groups.iter().filter(|group| !group.hits.is_empty()) { (results(visit, group)) }
    };
    Ok(Sheet::new(visit, PATH, words.say("search")).respond(&content))
}

/// What the role may see of all that the text names.
async fn groups_of(visit: &Visit<'_>, text: &str) -> Result<Vec<Group>, PageError> {
    let role = visit.signed_in()?.operator.role;
    let mut groups = Vec::new();
    if !text.is_empty() {
        for kind in Kind::ALL.iter().filter(|kind| role.has(kind.scope())) {
            groups.push(kind.find(visit, text).await?);
        }
    }
    Ok(groups)
}

fn has_hits(groups: &[Group]) -> bool {
    groups.iter().any(|group| !group.hits.is_empty())
}

/// What can be searched for.
fn hint(visit: &Visit<'_>) -> Markup {
    let can_find = |kind: &&Kind| {
        let signed_in = visit.signed_in.as_ref();
        signed_in.is_some_and(|signed_in| signed_in.operator.role.has(kind.scope()))
    };
    let kinds: Vec<_> = Kind::ALL.iter().filter(can_find).collect();
    html! {
        @if kinds.is_empty() { p .empty { (visit.words.say("search-nothing-allowed")) } }
        ul .quiet { @for kind in kinds { li { (visit.words.say(kind.hint())) } } }
    }
}

fn results(visit: &Visit<'_>, group: &Group) -> Markup {
    html! {
        section {
            h2 { (visit.words.say(group.kind.title())) }
            ul .found {
                @for hit in &group.hits { li { a href=(hit.path) { (hit.title) } " " span .quiet { (hit.more) } } }
            }
            @if let Some(all) = &group.all { p { a href=(all) { (visit.words.say("search-all")) } } }
        }
    }
}

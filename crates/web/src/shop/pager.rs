//! Links to the pages of a list.

use maud::{Markup, html};
use pointbook_domain::PageWindow;

use crate::visit::Visit;

/// Links to the page before and after this one. `shared` is the address without the number of the page, and ends with its name. Nothing for
/// a list of one page.
pub(super) fn pager(visit: &Visit<'_>, window: &PageWindow, shared: &str) -> Markup {
    let PageWindow { current_page, last_page, .. } = *window;
    let words = visit.words;
    let link = |page: u64, text: &str, rel: &str| html! { a rel=(rel) href={ (shared) (page) } { (words.say(text)) } };
    html! {
        @if last_page > 1 {
            nav .pager aria-label=(words.say("pages")) {
                @if current_page > 1 { (link(current_page.min(last_page + 1) - 1, "page-before", "prev")) }
                span { (words.with_all("page-of", [("page", current_page.to_string()), ("pages", last_page.to_string())])) }
                @if current_page < last_page { (link(current_page + 1, "page-after", "next")) }
            }
        }
    }
}

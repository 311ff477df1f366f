//! Links to the pages of a list.

use maud::{Markup, html};
use pointbook_domain::PageWindow;

use crate::words::Words;

/// Links to the page before and after this one; beyond the last page, to the last one. `shared` is the address without the number of the page,
/// and ends with its name. Nothing for a list of one page.
pub fn pager(words: &Words, window: &PageWindow, shared: &str) -> Markup {
    let PageWindow { current_page, last_page, .. } = *window;
    let before = window.prev().map(|page| page.min(last_page));
    let link = |page: u64, text: &str, rel: &str| html! { a rel=(rel) href={ (shared) (page) } { (words.say(text)) } };
    html! {
        @if before.is_some() || window.next().is_some() {
            nav .pager aria-label=(words.say("pages")) {
                @if let Some(page) = before { (link(page, "page-before", "prev")) }
                span { (words.with_all("page-of", [("page", current_page.to_string()), ("pages", last_page.to_string())])) }
                @if let Some(page) = window.next() { (link(page, "page-after", "next")) }
            }
        }
    }
}

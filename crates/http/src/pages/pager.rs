//! Links to the pages of a list.

use maud::{Markup, html};
use pointbook_domain::PageWindow;

use crate::pages::words::Words;

/// Links to the page before and after this one. `shared` is the address without the number of the page, and ends with its name. Nothing for a
/// list of one page.
pub fn pager(words: &Words, window: &PageWindow, shared: &str) -> Markup {
    let PageWindow { current_page, last_page, .. } = *window;
    if current_page > last_page {
        return beyond(words, window, shared);
    }
    html! {
        @if last_page > 1 {
            nav .pager aria-label=(words.say("pages")) {
                @if let Some(page) = window.prev() { a rel="prev" href={ (shared) (page) } { (words.say("page-before")) } }
                span { (words.with_all("page-of", [("page", current_page.to_string()), ("pages", last_page.to_string())])) }
                @if let Some(page) = window.next() { a rel="next" href={ (shared) (page) } { (words.say("page-after")) } }
            }
        }
    }
}

/// Says that the list has no such page, and leads to its ends. Nothing for an empty list, which says so itself.
fn beyond(words: &Words, window: &PageWindow, shared: &str) -> Markup {
    let PageWindow { current_page, last_page, .. } = *window;
    html! {
        @if window.total > 0 {
            p .empty { (words.with("page-beyond", "page", current_page.to_string())) }
            nav .pager aria-label=(words.say("pages")) {
                a href={ (shared) "1" } { (words.say("page-first")) }
                @if last_page > 1 { a href={ (shared) (last_page) } { (words.say("page-last")) } }
            }
        }
    }
}

//! Whole documents, and the pages of errors.

use http::HeaderValue;
use maud::{DOCTYPE, Markup, html};

use crate::kernel::Response;
use crate::pages::page;
use crate::pages::page::PageError;
use crate::pages::words::Words;

/// A whole document with these stylesheets, which are paths on this server.
pub fn document(language: &str, title: &str, stylesheets: &[&str], body: &Markup) -> Markup {
    document_with(language, title, stylesheets, [&html! {}, body])
}

/// As [`document`], with more in its head.
pub fn document_with(
    language: &str,
    title: &str,
    stylesheets: &[&str],
    [head, body]: [&Markup; 2],
) -> Markup {
    html! {
        (DOCTYPE)
        html lang=(language) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (title) }
                link rel="icon" href="/favicon.ico";
                @for stylesheet in stylesheets { link rel="stylesheet" href=(stylesheet); }
                script src="/pointbook.js" defer {}
                (head)
            }
            body { (body) }
        }
    }
}

/// What a page says of an error.
pub fn message(words: &Words, error: &PageError) -> Markup {
    let [heading, hint] = error.texts();
    html! { section .message { h1 { (words.say(heading)) } p { (words.say(hint)) } } }
}

/// The response with the page of an error.
pub fn error_page(language: &HeaderValue, markup: Markup, error: PageError) -> Response {
    let mut response = page::html_in(language, error.status(), markup);
    error.add_headers(&mut response);
    response
}

/// The page of an error where no tenant has pages.
pub fn error_outside(words: &Words, stylesheets: &[&str], error: PageError) -> Response {
    let [heading, _] = error.texts();
    let body = html! {
        main .inside {
            (message(words, &error))
            p .message { a .button href="/" { (words.say("to-home")) } }
        }
    };
    let markup = document(words.tag, &words.say(heading), stylesheets, &body);
    error_page(&words.content_language, markup, error)
}

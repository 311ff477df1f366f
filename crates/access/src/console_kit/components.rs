//! The parts that pages are made of.

use std::borrow::Cow;

use http::StatusCode;
use maud::{Markup, Render, html};
use pointbook_domain::PageWindow;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, html_in};

use crate::console_kit::layout::page;
use crate::console_kit::visit::Visit;

/// A response with a page of a section. `section` is the path of the section in the navigation.
pub fn respond(visit: &Visit<'_>, section: &str, title: &str, content: &Markup) -> Response {
    respond_with(visit, StatusCode::OK, section, title, content)
}

/// As [`respond`], with another status, such as that of a form with mistakes.
pub fn respond_with(
    visit: &Visit<'_>,
    status: StatusCode,
    section: &str,
    title: &str,
    content: &Markup,
) -> Response {
    html_in(&visit.words.content_language, status, page(visit, section, title, content))
}

/// The page of a form with mistakes. It begins with [`nothing_saved`].
pub fn respond_mistaken(visit: &Visit<'_>, section: &str, title: &str, content: &Markup) -> Response {
    let content = html! { (nothing_saved(visit)) (content) };
    respond_with(visit, StatusCode::UNPROCESSABLE_ENTITY, section, title, &content)
}

/// Says above a form that nothing was saved, and that the fields below say why. It stays in sight, because the script brings the first
/// mistake into the window.
pub fn nothing_saved(visit: &Visit<'_>) -> Markup {
    html! { p .toast .failed role="alert" { (visit.words.say("form-mistakes")) } }
}

/// The first characters of a text, for a cell of a table.
pub fn clipped(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()).into(),
        None => text.into(),
    }
}

/// A table with these headings, as ids of texts, and one row for each list of cells. It scrolls sideways on small screens.
/// Nothing without rows.
pub fn table(visit: &Visit<'_>, headings: &[&str], rows: &[Vec<Markup>]) -> Markup {
    if rows.is_empty() {
        return html! {};
    }
    html! {
        div .scroll tabindex="0" role="region" aria-label=(headings.first().map(|first| visit.words.say(first)).unwrap_or_default()) {
            table {
                thead { tr { @for heading in headings { th scope="col" { (visit.words.say(heading)) } } } }
                tbody { @for row in rows { tr { @for cell in row { td { (cell) } } } } }
            }
        }
    }
}

/// What a list says when it has no rows.
pub fn empty(visit: &Visit<'_>, text: &str) -> Markup {
    html! { p .empty { (visit.words.say(text)) } }
}

/// As [`empty`], for a list with pages. Says nothing on a page beyond the last one: there, the pager says that the list has no such page.
pub fn empty_list(visit: &Visit<'_>, window: &PageWindow, text: &str) -> Markup {
    html! { @if window.total == 0 { (empty(visit, text)) } }
}

/// Names, as ids of texts, and values.
pub fn facts<'f>(visit: &Visit<'_>, facts: impl IntoIterator<Item = (&'f str, Markup)>) -> Markup {
    html! { dl .facts { @for (name, value) in facts { div { dt { (visit.words.say(name)) } dd { (value) } } } } }
}

/// A form of the session with these fields and one button, whose text has this id.
///
/// # Errors
/// [`PageError::SignedOut`] without a session.
pub fn form(visit: &Visit<'_>, action: &str, button: &str, fields: impl Render) -> Result<Markup, PageError> {
    let token = &visit.signed_in()?.form_token;
    Ok(html! {
        form .stack method="post" action=(action) {
            (form_token(token))
            (fields)
            button { (visit.words.say(button)) }
        }
    })
}

/// A form behind a summary with the same text, for what cannot be undone.
///
/// # Errors
/// [`PageError::SignedOut`] without a session.
pub fn danger(
    visit: &Visit<'_>,
    action: &str,
    button: &str,
    fields: impl Render,
) -> Result<Markup, PageError> {
    let token = &visit.signed_in()?.form_token;
    Ok(html! {
        details .danger {
            summary { (visit.words.say(button)) }
            form .stack method="post" action=(action) {
                (form_token(token))
                (fields)
                button .danger { (visit.words.say(button)) }
            }
        }
    })
}

/// A field with its label, whose text has this id.
pub fn field(visit: &Visit<'_>, label: &str, input: impl Render) -> Markup {
    html! { label .field { span { (visit.words.say(label)) } (input) } }
}

/// A field with its label, and with the mistake in it, if there is one.
pub fn checked_field(visit: &Visit<'_>, label: &str, mistake: Option<&str>, input: impl Render) -> Markup {
    html! {
        label .field .mistaken[mistake.is_some()] {
            span { (visit.words.say(label)) }
            (input)
            @if let Some(mistake) = mistake { span .error role="alert" { (mistake) } }
        }
    }
}

/// A secret that this page alone shows, right after it was made.
pub fn shown_once(visit: &Visit<'_>, hint: &str, secret: &str) -> Markup {
    html! {
        section .once {
            p { (visit.words.say(hint)) }
            pre tabindex="0" { (secret) }
            p .quiet { (visit.words.say("once-hint")) }
        }
    }
}

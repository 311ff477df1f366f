//! The parts that pages are made of.

use std::borrow::Cow;
use std::ops::RangeInclusive;

use maud::{Markup, Render, html};
use pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES;
use pointbook_domain::errors::FieldErrors;
use pointbook_domain::{PageWindow, Scope};
use pointbook_http::pages::{PageError, Words, form_token, number};

use crate::console_kit::icons::{Icon, icon};
use crate::console_kit::visit::{SignedIn, Visit};

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

/// A number in which nothing stands out when it is 0.
pub fn quiet_number(value: i64, words: &Words) -> Markup {
    html! { @if value == 0 { span .quiet { "0" } } @else { (number(value, words)) } }
}

/// What a list says when it has no rows.
pub fn empty(visit: &Visit<'_>, text: &str) -> Markup {
    html! { p .empty { (visit.words.say(text)) } }
}

/// As [`empty`], with the button of what one does first: its path below the console, and the id of its text.
pub fn empty_with(visit: &Visit<'_>, text: &str, first: Option<(&str, &str)>) -> Markup {
    let Some((path, button)) = first else { return empty(visit, text) };
    html! { div .empty { p { (visit.words.say(text)) } a .button href=(visit.path(path)) { (visit.words.say(button)) } } }
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
            @if let Some(text) = mistake { (self::mistake(text)) }
        }
    }
}

/// What is wrong with what stands beside it.
pub fn mistake(text: &str) -> Markup {
    html! { span .error role="alert" { (text) } }
}

/// A secret that this page alone shows, right after it was made. The texts say what it is, and how to take care of it.
pub fn shown_once(visit: &Visit<'_>, [hint, care]: [&str; 2], secret: &str) -> Markup {
    html! {
        section .once {
            p { (visit.words.say(hint)) }
            pre tabindex="0" { (secret) }
            button type="button" hidden data-copy=(visit.words.say("copied")) { (visit.words.say("copy")) }
            p .quiet { (visit.words.say(care)) }
        }
    }
}

/// What stands for the values of a text until they are in it: characters of no language.
const PLACES: RangeInclusive<char> = '\u{e000}'..='\u{e0ff}';

/// The text of this id, with these parts of a page in the places of its values.
pub fn filled(words: &Words, id: &str, values: &[(&str, Markup)]) -> Markup {
    let places: Vec<char> = PLACES.take(values.len()).collect();
    let arguments = values.iter().zip(&places).map(|((name, _), place)| (*name, place.to_string()));
    let text = words.with_all(id, arguments);
    let is_place = |found: char| PLACES.contains(&found);
    html! {
        @for piece in text.split_inclusive(is_place) {
            @let place = piece.chars().next_back().and_then(|last| places.iter().position(|place| *place == last));
            (piece.trim_end_matches(is_place))
            @if let Some((_, value)) = place.and_then(|at| values.get(at)) { (value) }
        }
    }
}

/// The path of the search.
pub const PATH: &str = "/search";
/// The parameter with what is searched for.
pub const QUERY: &str = "q";
/// More than an id of a member, a space and a source id have.
const MAX_CHARS: usize = 600;

/// Whether the operator's role can find something.
pub fn may_search(signed_in: &SignedIn) -> bool {
    let scopes = [Scope::UsersRead, Scope::OrdersRead, Scope::ProductsRead];
    scopes.iter().any(|scope| signed_in.operator.role.has(*scope))
}

/// The box, for roles that can find something. Enter searches.
pub fn search_box(visit: &Visit<'_>, signed_in: &SignedIn) -> Markup {
    let label = visit.words.say("search-label");
    html! {
        @if may_search(signed_in) {
            form .search role="search" method="get" action=(visit.path(PATH)) {
                (icon(Icon::Search))
                input type="search" name=(QUERY) value=(visit.query(QUERY)) maxlength=(MAX_CHARS) aria-label=(label) placeholder=(label) data-slash;
                kbd aria-hidden="true" { "/" }
                button .unseen tabindex="-1" { (visit.words.say("search")) }
            }
        }
    }
}

/// What is wrong with the field of this name, or with one of its items, each text once.
pub fn mistakes(visit: &Visit<'_>, errors: &FieldErrors, name: &str) -> Markup {
    let is_of_field =
        |key: &str| key.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'));
    let mut texts: Vec<String> = Vec::new();
    for (key, code, message) in errors.problems().filter(|(key, ..)| is_of_field(key)) {
        let own = visit.words.say(&format!("mistake-{code}"));
        let text = if own.is_empty() { message.to_owned() } else { own.into_owned() };
        let text = match item(key) {
            Some(number) => visit.words.with_all("mistake-of-item", [("number", number), ("reason", text)]),
            None => text,
        };
        if !texts.contains(&text) {
            texts.push(text);
        }
    }
    html! { @for text in texts { (mistake(&text)) } }
}

/// The number of the item from 1, of a key such as `gallery.0`.
fn item(key: &str) -> Option<String> {
    let (_, place) = key.rsplit_once('.')?;
    Some((place.parse::<usize>().ok()? + 1).to_string())
}

/// The bonus kinds that the interface names.
const DOCUMENTED_BONUS_KINDS: [&str; 2] = ["birthday", "campaign"];

/// A documented type in the language of the page. A tenant's own type as the tenant wrote it.
pub fn activity_type<'w>(kind: &'w str, words: &'w Words) -> Cow<'w, str> {
    named("activity-type", kind, &DOCUMENTED_ACTIVITY_TYPES, words)
}

/// A documented kind in the language of the page. Any other kind as its campaign or the back office wrote it.
pub fn bonus_kind<'w>(kind: &'w str, words: &'w Words) -> Cow<'w, str> {
    named("bonus-kind", kind, &DOCUMENTED_BONUS_KINDS, words)
}

fn named<'w>(prefix: &str, kind: &'w str, documented: &[&str], words: &'w Words) -> Cow<'w, str> {
    if documented.contains(&kind) { words.say(&format!("{prefix}-{kind}")) } else { kind.into() }
}

//! What is wrong with a field, beside it.

use maud::{Markup, html};
use pointbook_domain::errors::FieldErrors;

use crate::console_kit::visit::Visit;

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
    html! { @for text in texts { span .error role="alert" { (text) } } }
}

/// The number of the item from 1, of a key such as `gallery.0`.
fn item(key: &str) -> Option<String> {
    let (_, place) = key.rsplit_once('.')?;
    Some((place.parse::<usize>().ok()? + 1).to_string())
}

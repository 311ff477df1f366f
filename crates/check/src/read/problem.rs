//! Bodies of errors.

use crate::answer::Answer;
use crate::cursor::{Cursor, Flaws};
use crate::rule::ERRORS_BODY;

/// Whether this is the body of a 401, by its message.
pub(crate) fn is_unauthenticated(answer: &Answer) -> bool {
    answer.message() == Some("Unauthenticated.")
}

/// Reads the body of a 422; gives the names of its fields.
pub(crate) fn validation_fields(answer: &Answer, flaws: &mut Flaws) -> Vec<String> {
    let Ok(json) = &answer.json else { return Vec::new() };
    let root = Cursor::root(&ERRORS_BODY, json);
    if let Some(message) = root.member("message", flaws)
        && message.json().as_text() != Some("The given data was invalid.")
    {
        message.refuse("is \"The given data was invalid.\"", flaws);
    }
    let fields = root.member("errors", flaws).and_then(|errors| errors.members(flaws)).unwrap_or_default();
    if fields.is_empty() && flaws.is_empty() {
        root.refuse("names a field in errors", flaws);
    }
    for (_, messages) in &fields {
        let items = messages.items(flaws).unwrap_or_default();
        if items.is_empty() {
            messages.refuse("has a message", flaws);
        }
        for item in items {
            item.text(flaws);
        }
    }
    fields.into_iter().map(|(name, _)| name.to_owned()).collect()
}

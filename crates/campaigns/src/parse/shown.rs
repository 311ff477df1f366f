//! Values of a definition as messages repeat them: short, also when the definition is hostile.

use serde_json::Value;

/// The most characters of a name or a string that a message repeats.
const MAX_SHOWN_CHARS: usize = 60;

pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => shown_text(text),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

pub(super) fn shown_text(text: &str) -> String {
    format!("{:?}", cut(text))
}

pub(super) fn cut(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown: String = chars.by_ref().take(MAX_SHOWN_CHARS).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

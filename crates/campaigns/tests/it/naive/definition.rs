//! Reads members of a campaign definition. The model expects valid definitions and panics on others.

use serde_json::Value;

/// `None` when the member is absent or null.
pub(crate) fn optional(value: &Value) -> Option<&Value> {
    if value.is_null() { None } else { Some(value) }
}

pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

pub(crate) fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(text).collect()
}

pub(crate) fn number(value: &Value) -> i128 {
    i128::from(value.as_i64().unwrap())
}

pub(crate) fn id(campaign: &Value) -> &str {
    text(&campaign["id"])
}

/// The `type` of the campaign's entries in the breakdown.
pub(crate) fn kind(campaign: &Value) -> &str {
    optional(&campaign["kind"]).map_or("campaign", text)
}

pub(crate) fn priority(campaign: &Value) -> i128 {
    optional(&campaign["priority"]).map_or(0, number)
}

/// The title in the member's locale, else in its language, else in the tenant's own locale.
pub(crate) fn title<'a>(campaign: &'a Value, locale: Option<&str>, own_locale: &str) -> &'a str {
    let titles = &campaign["title"];
    let language = locale.map(|locale| locale.split('-').next().unwrap());
    let choices = [locale, language, Some(own_locale)];
    choices.into_iter().flatten().find_map(|choice| titles[choice].as_str()).unwrap()
}

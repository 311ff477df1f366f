//! Changing JSON that came.

use pointbook_check::Json;

use crate::proxy::Asked;

/// A member, where there is one.
pub(super) fn member<'j>(json: &'j mut Json, name: &str) -> Option<&'j mut Json> {
    let Json::Object(members) = json else { return None };
    members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// Gives a member another value, where there is one.
pub(super) fn set(json: &mut Json, name: &str, value: Json) {
    if let Some(found) = member(json, name) {
        *found = value;
    }
}

pub(super) fn remove(json: &mut Json, name: &str) {
    if let Json::Object(members) = json {
        members.retain(|(key, _)| key != name);
    }
}

pub(super) fn add(json: &mut Json, name: &str, value: Json) {
    if let Json::Object(members) = json {
        members.push((name.to_owned(), value));
    }
}

/// Adds to an integer, where there is one.
pub(super) fn raise(json: &mut Json, name: &str, by: i128) {
    if let Some(Json::Integer(value)) = member(json, name) {
        *value += by;
    }
}

/// Adds to an integer of a member.
pub(super) fn raise_in(json: &mut Json, object: &str, name: &str, by: i128) {
    if let Some(object) = member(json, object) {
        raise(object, name, by);
    }
}

pub(super) fn text(value: &str) -> Json {
    Json::Text(value.to_owned())
}

/// The items of `data`, where that is an array.
pub(super) fn items(json: &mut Json) -> Option<&mut Vec<Json>> {
    let Some(Json::List(items)) = member(json, "data") else { return None };
    Some(items)
}

/// The days of a history.
pub(super) fn days(json: &mut Json) -> Option<&mut Vec<(String, Json)>> {
    let Some(Json::Object(days)) = member(json, "data") else { return None };
    Some(days)
}

/// Every transaction of a history.
pub(super) fn transactions(json: &mut Json, mut change: impl FnMut(&mut Json)) {
    for (_, groups) in days(json).into_iter().flatten() {
        let Json::List(groups) = groups else { continue };
        for group in groups {
            items(group).into_iter().flatten().for_each(&mut change);
        }
    }
}

/// Whether products are listed.
pub(super) fn is_list(asked: &Asked) -> bool {
    asked.path == "/v1/store/products"
}

/// Whether one product is asked for.
pub(super) fn is_detail(asked: &Asked) -> bool {
    asked.path.starts_with("/v1/store/products/")
}

pub(super) fn is_categories(asked: &Asked) -> bool {
    asked.path == "/v1/store/categories"
}

pub(super) fn is_history(asked: &Asked) -> bool {
    asked.path == "/v1/user/point-history"
}

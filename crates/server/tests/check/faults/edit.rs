//! Changes JSON of responses.

use pointbook_exchange::check::Json;

use crate::proxy::ProxiedRequest;

pub(crate) fn member<'j>(json: &'j mut Json, name: &str) -> Option<&'j mut Json> {
    let Json::Object(members) = json else { return None };
    members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// Sets a member that exists.
pub(crate) fn set(json: &mut Json, name: &str, value: Json) {
    if let Some(found) = member(json, name) {
        *found = value;
    }
}

pub(crate) fn remove(json: &mut Json, name: &str) {
    if let Json::Object(members) = json {
        members.retain(|(key, _)| key != name);
    }
}

pub(crate) fn add(json: &mut Json, name: &str, value: Json) {
    if let Json::Object(members) = json {
        members.push((name.to_owned(), value));
    }
}

/// Adds to a value that is an integer.
pub(crate) fn raise(json: &mut Json, name: &str, by: i128) {
    if let Some(Json::Integer(value)) = member(json, name) {
        *value += by;
    }
}

/// Adds to an integer member.
pub(crate) fn raise_in(json: &mut Json, object: &str, name: &str, by: i128) {
    if let Some(object) = member(json, object) {
        raise(object, name, by);
    }
}

pub(crate) fn text(value: &str) -> Json {
    Json::Text(value.to_owned())
}

/// The items of `data`, when it is an array.
pub(crate) fn items(json: &mut Json) -> Option<&mut Vec<Json>> {
    let Some(Json::List(items)) = member(json, "data") else { return None };
    Some(items)
}

/// Keeps only these items and corrects the counts.
pub(crate) fn retain(json: &mut Json, keeps: impl Fn(&Json) -> bool) {
    let Some(items) = items(json) else { return };
    items.retain(keeps);
    let count = i128::try_from(items.len()).unwrap();
    if let Some(meta) = member(json, "meta") {
        let first = Json::Integer(count.min(1));
        let whole = [("total", Json::Integer(count)), ("from", first), ("to", Json::Integer(count))];
        for (name, value) in whole {
            set(meta, name, value);
        }
    }
}

/// The days of a history.
pub(crate) fn days(json: &mut Json) -> Option<&mut Vec<(String, Json)>> {
    let Some(Json::Object(days)) = member(json, "data") else { return None };
    Some(days)
}

/// Every transaction of a history.
pub(crate) fn transactions(json: &mut Json, mut change: impl FnMut(&mut Json)) {
    for (_, groups) in days(json).into_iter().flatten() {
        let Json::List(groups) = groups else { continue };
        for group in groups {
            items(group).into_iter().flatten().for_each(&mut change);
        }
    }
}

/// Whether the request lists products.
pub(crate) fn is_list(request: &ProxiedRequest) -> bool {
    request.path == "/v1/store/products"
}

/// Whether the request is for one product.
pub(crate) fn is_detail(request: &ProxiedRequest) -> bool {
    request.path.starts_with("/v1/store/products/")
}

pub(crate) fn is_categories(request: &ProxiedRequest) -> bool {
    request.path == "/v1/store/categories"
}

pub(crate) fn is_history(request: &ProxiedRequest) -> bool {
    request.path == "/v1/user/point-history"
}

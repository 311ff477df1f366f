//! Faults of categories.

use pointbook_exchange::check::Json;

use super::edit::{add, is_categories, items, member, remove, set, text};
use super::{Fault, in_request, in_response};
use crate::proxy::{ProxiedRequest, ProxiedResponse};

const FIELDS: &str = "categories.fields";

fn edit_response(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_categories(request) {
        response.edit(change);
    }
}

/// Changes every category without children.
fn leaves(json: &mut Json, change: fn(&mut Json)) {
    let Json::List(categories) = json else { return };
    for category in categories {
        match member(category, "children") {
            Some(children @ Json::List(_)) if children.to_string() != "[]" => leaves(children, change),
            _ => change(category),
        }
    }
}

fn all_leaves(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_categories(request) {
        response.edit(|json| member(json, "data").into_iter().for_each(|data| leaves(data, change)));
    }
}

pub(super) const FAULTS: &[Fault] = &[
    in_response("no children are null", FIELDS, |request, response, _| {
        all_leaves(request, response, |category| set(category, "children", Json::Null));
    }),
    in_response("no children are no key", FIELDS, |request, response, _| {
        all_leaves(request, response, |category| remove(category, "children"));
    }),
    in_response("a label is null", FIELDS, |request, response, _| {
        all_leaves(request, response, |category| set(category, "label", Json::Null));
    }),
    in_response("categories have pages", "categories.shape", |request, response, _| {
        edit_response(request, response, |json| add(json, "meta", Json::Object(Vec::new())));
    }),
    in_response("categories are not wrapped", "categories.shape", |request, response, _| {
        edit_response(request, response, |json| {
            let data = json.get("data").cloned();
            *json = data.unwrap_or(Json::Null);
        });
    }),
    in_response("all leaves have one id", "categories.ids", |request, response, _| {
        all_leaves(request, response, |category| set(category, "id", text("leaf")));
    }),
    in_request(
        "the filter of categories is ignored",
        "categories.filter",
        |request| {
            if is_categories(request) {
                request.replace("filter[category]=", "was[category]=");
            }
        },
        |_, _, _| {},
    ),
    in_response("the filter gives the category itself", "categories.filter", |request, response, _| {
        if is_categories(request) && request.query_has("filter") {
            response.edit(|json| {
                if let Some(items) = items(json) {
                    items.push(Json::Object(vec![
                        ("id".to_owned(), text("itself")),
                        ("label".to_owned(), text("Itself")),
                        ("children".to_owned(), Json::List(Vec::new())),
                    ]));
                }
            });
        }
    }),
    in_response("an unknown category is 404", "categories.unknown", |request, response, _| {
        if is_categories(request)
            && response.body.contains(r#""data":[]"#)
            && request.query_has("pointbook-check")
        {
            response.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
];

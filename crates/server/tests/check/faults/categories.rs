//! Categories that are not as documented.

use pointbook_check::Json;

use super::edit::{add, is_categories, items, member, remove, set, text};
use super::{Fault, heard, told};
use crate::proxy::{ApiRequest, Told};

const FIELDS: &str = "categories.fields";

fn answer(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_categories(asked) {
        told.edit(change);
    }
}

/// Changes every category that has no children.
fn leaves(json: &mut Json, change: fn(&mut Json)) {
    let Json::List(categories) = json else { return };
    for category in categories {
        match member(category, "children") {
            Some(children @ Json::List(_)) if children.to_string() != "[]" => leaves(children, change),
            _ => change(category),
        }
    }
}

fn all_leaves(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_categories(asked) {
        told.edit(|json| member(json, "data").into_iter().for_each(|data| leaves(data, change)));
    }
}

pub(super) const FAULTS: &[Fault] = &[
    told("no children are null", FIELDS, |asked, told, _| {
        all_leaves(asked, told, |category| set(category, "children", Json::Null));
    }),
    told("no children are no key", FIELDS, |asked, told, _| {
        all_leaves(asked, told, |category| remove(category, "children"));
    }),
    told("a label is null", FIELDS, |asked, told, _| {
        all_leaves(asked, told, |category| set(category, "label", Json::Null));
    }),
    told("categories have pages", "categories.shape", |asked, told, _| {
        answer(asked, told, |json| add(json, "meta", Json::Object(Vec::new())));
    }),
    told("categories are not wrapped", "categories.shape", |asked, told, _| {
        answer(asked, told, |json| {
            let data = json.get("data").cloned();
            *json = data.unwrap_or(Json::Null);
        });
    }),
    told("all leaves have one id", "categories.ids", |asked, told, _| {
        all_leaves(asked, told, |category| set(category, "id", text("leaf")));
    }),
    heard(
        "the filter of categories is ignored",
        "categories.filter",
        |asked| {
            if is_categories(asked) {
                asked.replace("filter[category]=", "was[category]=");
            }
        },
        |_, _, _| {},
    ),
    told("the filter gives the category itself", "categories.filter", |asked, told, _| {
        if is_categories(asked) && asked.asks("filter") {
            told.edit(|json| {
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
    told("an unknown category is 404", "categories.unknown", |asked, told, _| {
        if is_categories(asked) && told.body.contains(r#""data":[]"#) && asked.asks("pointbook-check") {
            told.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
];

//! Products that are not as documented.

use pointbook_check::Json;

use super::edit::{add, is_detail, is_list, items, raise_in, remove, set, text};
use super::{Fault, told};
use crate::proxy::{ApiRequest, Told};

const FIELDS: &str = "products.fields";

/// Changes the third product of every list.
fn third(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_list(asked) {
        told.edit(|json| items(json).and_then(|items| items.get_mut(2)).into_iter().for_each(change));
    }
}

fn detail(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_detail(asked) {
        told.edit(change);
    }
}

pub(super) const FAULTS: &[Fault] = &[
    told("a sale price is above the regular one", "products.amounts", |asked, told, _| {
        third(asked, told, |item| {
            if let Some(Json::Integer(price)) = item.get("regular_price") {
                let price = price + 1;
                set(item, "sale_price", Json::Integer(price));
            }
        });
    })
    .also(&["detail", "sort", "filters"]),
    told("an odd id is another path", "detail.odd", |asked, told, _| {
        if is_detail(asked) && asked.path.contains("xxxxx") {
            told.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
    told("a key is missing", FIELDS, |asked, told, _| third(asked, told, |item| remove(item, "sku"))),
    told("a description is null", FIELDS, |asked, told, _| {
        third(asked, told, |item| set(item, "description", Json::Null));
    }),
    told("a price is a string", FIELDS, |asked, told, _| {
        third(asked, told, |item| set(item, "regular_price", text("650")));
    }),
    told("a price has a fraction", FIELDS, |asked, told, _| {
        third(asked, told, |item| set(item, "regular_price", Json::Fraction(650.0)));
    }),
    told("an id is a number", FIELDS, |asked, told, _| {
        if is_list(asked) {
            told.edit(|json| {
                let mugs = items(json).into_iter().flatten();
                let mug = text("cafe-mug");
                mugs.filter(|item| item.get("id") == Some(&mug))
                    .for_each(|item| set(item, "id", Json::Integer(7)));
            });
        }
    }),
    told("no discount is false", FIELDS, |asked, told, _| {
        third(asked, told, |item| set(item, "sale_price", Json::Bool(false)));
    }),
    told("an empty gallery is null", FIELDS, |asked, told, _| {
        third(asked, told, |item| set(item, "gallery", Json::Null));
    }),
    told("a gallery is one string", FIELDS, |asked, told, _| {
        third(asked, told, |item| set(item, "gallery", text("https://images.example/1.jpg")));
    }),
    told("a list tells success", "products.envelope", |asked, told, _| {
        if is_list(asked) {
            told.edit(|json| add(json, "success", Json::Bool(true)));
        }
    }),
    told("items are an object", "products.envelope", |asked, told, _| {
        if is_list(asked) {
            told.edit(|json| set(json, "data", Json::Object(Vec::new())));
        }
    }),
    told("an id stands twice", "products.ids", |asked, told, _| {
        third(asked, told, |item| set(item, "id", text("cafe-mug")));
    })
    .also(&["links", "filters", "sort", "meta"]),
    told("a product is another one alone", "detail.same", |asked, told, _| {
        detail(asked, told, |json| {
            raise_in(json, "data", "regular_price", 1);
        });
    }),
    told("a product alone is not wrapped", "detail.shape", |asked, told, _| {
        detail(asked, told, |json| {
            let data = json.get("data").cloned();
            *json = data.unwrap_or(Json::Null);
        });
    }),
    told("success is a string", "detail.shape", |asked, told, _| {
        detail(asked, told, |json| set(json, "success", text("true")));
    }),
    told("an unknown product is 200", "detail.unknown", |asked, told, _| {
        if is_detail(asked) && told.status == 404 {
            told.status = 200;
        }
    }),
    told("an unknown product is like any other path", "detail.unknown", |asked, told, _| {
        if is_detail(asked) && told.status == 404 {
            told.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
];

//! Faults of products.

use pointbook_exchange::check::Json;

use super::edit::{add, is_detail, is_list, items, raise_in, remove, set, text};
use super::{Fault, in_response};
use crate::proxy::{ProxiedRequest, ProxiedResponse};

const FIELDS: &str = "products.fields";

/// Changes the third product of every list.
fn third(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_list(request) {
        response.edit(|json| items(json).and_then(|items| items.get_mut(2)).into_iter().for_each(change));
    }
}

fn detail(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_detail(request) {
        response.edit(change);
    }
}

pub(super) const FAULTS: &[Fault] = &[
    in_response("a sale price is above the regular one", "products.amounts", |request, response, _| {
        third(request, response, |item| {
            if let Some(Json::Integer(price)) = item.get("regular_price") {
                let price = price + 1;
                set(item, "sale_price", Json::Integer(price));
            }
        });
    })
    .also(&["detail", "sort", "filters"]),
    in_response("an odd id is another path", "detail.odd", |request, response, _| {
        if is_detail(request) && request.path.contains("xxxxx") {
            response.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
    in_response("a key is missing", FIELDS, |request, response, _| {
        third(request, response, |item| remove(item, "sku"));
    }),
    in_response("a description is null", FIELDS, |request, response, _| {
        third(request, response, |item| set(item, "description", Json::Null));
    }),
    in_response("a price is a string", FIELDS, |request, response, _| {
        third(request, response, |item| set(item, "regular_price", text("650")));
    }),
    in_response("a price has a fraction", FIELDS, |request, response, _| {
        third(request, response, |item| set(item, "regular_price", Json::Fraction(650.0)));
    }),
    in_response("an id is a number", FIELDS, |request, response, _| {
        if is_list(request) {
            response.edit(|json| {
                let mugs = items(json).into_iter().flatten();
                let mug = text("cafe-mug");
                mugs.filter(|item| item.get("id") == Some(&mug))
                    .for_each(|item| set(item, "id", Json::Integer(7)));
            });
        }
    }),
    in_response("no discount is false", FIELDS, |request, response, _| {
        third(request, response, |item| set(item, "sale_price", Json::Bool(false)));
    }),
    in_response("an empty gallery is null", FIELDS, |request, response, _| {
        third(request, response, |item| set(item, "gallery", Json::Null));
    }),
    in_response("a gallery is one string", FIELDS, |request, response, _| {
        third(request, response, |item| set(item, "gallery", text("https://images.example/1.jpg")));
    }),
    in_response("a list tells success", "products.envelope", |request, response, _| {
        if is_list(request) {
            response.edit(|json| add(json, "success", Json::Bool(true)));
        }
    }),
    in_response("items are an object", "products.envelope", |request, response, _| {
        if is_list(request) {
            response.edit(|json| set(json, "data", Json::Object(Vec::new())));
        }
    }),
    in_response("an id stands twice", "products.ids", |request, response, _| {
        third(request, response, |item| set(item, "id", text("cafe-mug")));
    })
    .also(&["links", "filters", "sort", "meta"]),
    in_response("a product is another one alone", "detail.same", |request, response, _| {
        detail(request, response, |json| {
            raise_in(json, "data", "regular_price", 1);
        });
    }),
    in_response("a product alone is not wrapped", "detail.shape", |request, response, _| {
        detail(request, response, |json| {
            let data = json.get("data").cloned();
            *json = data.unwrap_or(Json::Null);
        });
    }),
    in_response("success is a string", "detail.shape", |request, response, _| {
        detail(request, response, |json| set(json, "success", text("true")));
    }),
    in_response("an unknown product is 200", "detail.unknown", |request, response, _| {
        if is_detail(request) && response.status == 404 {
            response.status = 200;
        }
    }),
    in_response("an unknown product is like any other path", "detail.unknown", |request, response, _| {
        if is_detail(request) && response.status == 404 {
            response.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
];

//! Faults of filters and sort orders.

use pointbook_exchange::check::Json;

use super::edit::{is_list, items, raise, retain};
use super::{Fault, in_request, in_response};
use crate::proxy::{ProxiedRequest, ProxiedResponse};

/// Renames a filter, so that the correct server does not apply it. `remember` restores the name in links.
fn forget(request: &mut ProxiedRequest, filter: &str) {
    request.replace(&format!("filter[{filter}]="), &format!("was[{filter}]="));
}

fn remember(response: &mut ProxiedResponse) {
    response.replace("was%5B", "filter%5B");
}

/// The body of a 422.
const INVALID: &str = r#"{"message":"The given data was invalid.","errors":{"filter":["No."]}}"#;

/// A price bound in the query.
fn bound(request: &ProxiedRequest, name: &str) -> Option<i128> {
    let readable = request.query.replace("%5B", "[").replace("%5D", "]");
    let value = readable.split('&').find_map(|pair| pair.strip_prefix(name).map(str::to_owned));
    value.and_then(|value| value.parse().ok())
}

fn integer(json: &Json, name: &str) -> Option<i128> {
    let Some(Json::Integer(value)) = json.get(name) else { return None };
    Some(*value)
}

pub(super) const SINGLE: &[Fault] = &[
    in_request(
        "onSale is ignored",
        "filters.sale",
        |request| forget(request, "onSale"),
        |_, response, _| remember(response),
    ),
    in_request(
        "onSale finds the opposite",
        "filters.sale",
        |_| {},
        |request, response, origin| {
            if is_list(request) && request.query_has("filter[onSale]=") && !request.query_has("onSale]=false")
            {
                let all = ProxiedRequest { query: "page[size]=100".to_owned(), ..request.clone() };
                *response = origin.send(&all);
                response.edit(|json| {
                    retain(json, |item| item.get("sale_price") == Some(&Json::Null));
                });
            }
        },
    )
    .also(&["meta", "links", "filters"]),
    in_request(
        "a filter tells other prices",
        "filters.store",
        |_| {},
        |request, response, _| {
            if is_list(request) && request.query_has("filter[category]") {
                response.edit(|json| {
                    for item in items(json).into_iter().flatten() {
                        raise(item, "regular_price", 1);
                    }
                });
            }
        },
    )
    .also(&["filters"]),
    in_request(
        "a flag knows no digits",
        "filters.flags",
        |request| request.replace("filter[onSale]=1", "filter[onSale]=false"),
        |_, response, _| response.replace("onSale%5D=false", "onSale%5D=1"),
    )
    .also(&["links"]),
    in_response("a minimum above the maximum is refused", "filters.price-empty", |request, response, _| {
        if let (Some(min), Some(max)) =
            (bound(request, "filter[minPrice]="), bound(request, "filter[maxPrice]="))
            && min > max
        {
            response.become_json(422, INVALID);
        }
    }),
    in_response("a category has nothing of what is below it", "filters.tree", |request, response, _| {
        if is_list(request) && request.query_has("filter[category]=home&") {
            response.edit(|json| retain(json, |_| false));
        }
    })
    .also(&["meta", "links"]),
    in_response("bounds are excluded", "filters.price-effective", |request, response, _| {
        let (min, max) = (bound(request, "filter[minPrice]="), bound(request, "filter[maxPrice]="));
        if is_list(request) && (min.is_some() || max.is_some()) {
            response.edit(|json| {
                retain(json, |item| {
                    let price = integer(item, "sale_price").or(integer(item, "regular_price")).unwrap();
                    min.is_none_or(|min| price > min) && max.is_none_or(|max| price < max)
                });
            });
        }
    })
    .also(&["meta", "links"]),
    in_response("categories are no list", "filters.category-list", |request, response, _| {
        if is_list(request) && request.query_has("%2C") {
            response.become_json(422, INVALID);
        }
    }),
    in_response("titles are as they are written", "filters.title-fold", |request, response, _| {
        let value = request.query.split("title%5D=").nth(1).and_then(|rest| rest.split('&').next());
        if is_list(request)
            && value.is_some_and(|value| value.chars().all(|found| found.is_ascii_uppercase()))
        {
            response.edit(|json| retain(json, |_| false));
        }
    })
    .also(&["meta", "links"]),
    in_request(
        "minPrice is ignored",
        "filters.price",
        |request| forget(request, "minPrice"),
        |_, response, _| remember(response),
    )
    .also(&["errors"]),
    in_request(
        "maxPrice is ignored",
        "filters.price",
        |request| forget(request, "maxPrice"),
        |_, response, _| remember(response),
    )
    .also(&["errors"]),
    in_request(
        "maxPrice is the minimum",
        "filters.price",
        |request| request.replace("filter[maxPrice]=", "filter[minPrice]="),
        |request, response, _| {
            if request.query_has("maxPrice") {
                response.replace("filter%5BminPrice%5D", "filter%5BmaxPrice%5D");
            }
        },
    )
    .also(&["links"]),
    in_request(
        "category is ignored",
        "filters.category",
        |request| {
            if is_list(request) {
                forget(request, "category");
            }
        },
        |_, response, _| remember(response),
    ),
    in_request(
        "title is ignored",
        "filters.title",
        |request| forget(request, "title"),
        |_, response, _| remember(response),
    ),
    in_response("title finds whole words", "filters.title-part", |request, response, _| {
        let value = request.query.split("title%5D=").nth(1).and_then(|rest| rest.split('&').next());
        let Some(value) = value.filter(|_| is_list(request)) else { return };
        response.edit(|json| {
            let has_word = |item: &Json| {
                let title = item.get("title").and_then(Json::as_text).unwrap_or_default();
                title.split(' ').any(|word| word == value)
            };
            if let Some(items) = items(json) {
                items.retain(has_word);
            }
        });
    })
    .also(&["filters", "meta", "links"]),
    in_response("title finds nothing", "filters.title", |request, response, _| {
        if is_list(request) && request.query_has("filter[title]") {
            response.edit(|json| items(json).into_iter().for_each(Vec::clear));
        }
    })
    .also(&["meta", "links"]),
];

pub(super) const TOGETHER: &[Fault] = &[
    in_request(
        "only the first filter counts",
        "filters.combined",
        |request| request.query = request.query.replace("&filter%5B", "&was%5B"),
        |_, response, _| remember(response),
    ),
    in_request(
        "a filter forgets the order",
        "sort.price",
        |request| request.replace("sort=price", "order=price"),
        |_, response, _| response.replace("order=price", "sort=price"),
    ),
];

pub(super) const ORDERS: &[Fault] = &[
    in_request(
        "ascending is descending",
        "sort.price",
        |request| {
            if request.query_has("sort=price") {
                request.replace("sort=price", "sort=-price");
            } else {
                request.replace("sort=-price", "sort=price");
            }
        },
        |request, response, _| {
            if request.query_has("sort=price") {
                response.replace("sort=-price", "sort=price");
            } else {
                response.replace("sort=price", "sort=-price");
            }
        },
    ),
    in_request(
        "descending is ascending",
        "sort.descending",
        |request| request.replace("sort=-price", "sort=price"),
        |request, response, _| {
            if request.query_has("sort=-price") {
                response.replace("sort=price", "sort=-price");
            }
        },
    ),
    in_response("products of one price change places", "sort.ties", |request, response, _| {
        if is_list(request) && request.query_has("sort=") {
            response.edit(|json| {
                let price = |item: &Json| {
                    let sale = item.get("sale_price").filter(|sale| **sale != Json::Null);
                    sale.or(item.get("regular_price")).cloned()
                };
                if let Some(items) = items(json) {
                    for place in 1..items.len() {
                        if price(&items[place - 1]) == price(&items[place]) {
                            items.swap(place - 1, place);
                        }
                    }
                }
            });
        }
    }),
    in_response("the order is of regular prices", "sort.effective", |request, response, origin| {
        if !is_list(request) || !request.query_has("sort=") || request.query_has("filter") {
            return;
        }
        let all = ProxiedRequest { query: "page[size]=100".to_owned(), ..request.clone() };
        let mut all = Json::parse(origin.send(&all).body.as_bytes()).unwrap();
        let mut sorted = items(&mut all).cloned().unwrap_or_default();
        sorted.sort_by_key(|item| integer(item, "regular_price"));
        if request.query_has("sort=-") {
            sorted.reverse();
        }
        response.edit(|json| {
            let from = json.get("meta").and_then(|meta| integer(meta, "from")).unwrap_or(1);
            let before = usize::try_from(from).unwrap().saturating_sub(1);
            for (place, item) in items(json).into_iter().flatten().zip(sorted.into_iter().skip(before)) {
                *place = item;
            }
        });
    }),
    in_response("a page is in order, but not the whole", "sort.price", |request, response, _| {
        if is_list(request) && request.query_has("sort=price") && request.page() == 2 {
            response.edit(|json| items(json).into_iter().for_each(|items| items.reverse()));
        }
    }),
    in_response("an order leaves a product out", "sort.complete", |request, response, _| {
        if is_list(request) && request.query_has("sort") && request.page() == 1 {
            response.edit(|json| {
                if let Some(items) = items(json)
                    && let [first, .., last] = items.as_mut_slice()
                {
                    *last = first.clone();
                }
                if let Some(items) = items(json) {
                    items.rotate_right(1);
                }
            });
        }
    })
    .also(&["products", "links", "sort", "filters"]),
];

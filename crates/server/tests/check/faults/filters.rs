//! Filters and orders that do not what they say.

use pointbook_check::Json;

use super::edit::{is_list, items, raise, retain};
use super::{Fault, heard, told};
use crate::proxy::{ApiRequest, Told};

/// What the right server does not know is kept in links, and can be found there again.
fn forget(asked: &mut ApiRequest, filter: &str) {
    asked.replace(&format!("filter[{filter}]="), &format!("was[{filter}]="));
}

fn remember(told: &mut Told) {
    told.replace("was%5B", "filter%5B");
}

/// The body of a refusal.
const INVALID: &str = r#"{"message":"The given data was invalid.","errors":{"filter":["No."]}}"#;

/// A bound of the price, where it is asked for.
fn bound(asked: &ApiRequest, name: &str) -> Option<i128> {
    let readable = asked.query.replace("%5B", "[").replace("%5D", "]");
    let value = readable.split('&').find_map(|pair| pair.strip_prefix(name).map(str::to_owned));
    value.and_then(|value| value.parse().ok())
}

fn integer(json: &Json, name: &str) -> Option<i128> {
    let Some(Json::Integer(value)) = json.get(name) else { return None };
    Some(*value)
}

pub(super) const SINGLE: &[Fault] = &[
    heard("onSale is ignored", "filters.sale", |asked| forget(asked, "onSale"), |_, told, _| remember(told)),
    heard(
        "onSale finds the opposite",
        "filters.sale",
        |_| {},
        |asked, told, origin| {
            if is_list(asked) && asked.asks("filter[onSale]=") && !asked.asks("onSale]=false") {
                let all = ApiRequest { query: "page[size]=100".to_owned(), ..asked.clone() };
                *told = origin.ask(&all);
                told.edit(|json| {
                    retain(json, |item| item.get("sale_price") == Some(&Json::Null));
                });
            }
        },
    )
    .also(&["meta", "links", "filters"]),
    heard(
        "a filter tells other prices",
        "filters.store",
        |_| {},
        |asked, told, _| {
            if is_list(asked) && asked.asks("filter[category]") {
                told.edit(|json| {
                    for item in items(json).into_iter().flatten() {
                        raise(item, "regular_price", 1);
                    }
                });
            }
        },
    )
    .also(&["filters"]),
    heard(
        "a flag knows no digits",
        "filters.flags",
        |asked| asked.replace("filter[onSale]=1", "filter[onSale]=false"),
        |_, told, _| told.replace("onSale%5D=false", "onSale%5D=1"),
    )
    .also(&["links"]),
    told("a minimum above the maximum is refused", "filters.price-empty", |asked, told, _| {
        if let (Some(min), Some(max)) = (bound(asked, "filter[minPrice]="), bound(asked, "filter[maxPrice]="))
            && min > max
        {
            told.become_json(422, INVALID);
        }
    }),
    told("a category has nothing of what is below it", "filters.tree", |asked, told, _| {
        if is_list(asked) && asked.asks("filter[category]=home&") {
            told.edit(|json| retain(json, |_| false));
        }
    })
    .also(&["meta", "links"]),
    told("bounds are excluded", "filters.price-effective", |asked, told, _| {
        let (min, max) = (bound(asked, "filter[minPrice]="), bound(asked, "filter[maxPrice]="));
        if is_list(asked) && (min.is_some() || max.is_some()) {
            told.edit(|json| {
                retain(json, |item| {
                    let price = integer(item, "sale_price").or(integer(item, "regular_price")).unwrap();
                    min.is_none_or(|min| price > min) && max.is_none_or(|max| price < max)
                });
            });
        }
    })
    .also(&["meta", "links"]),
    told("categories are no list", "filters.category-list", |asked, told, _| {
        if is_list(asked) && asked.asks("%2C") {
            told.become_json(422, INVALID);
        }
    }),
    told("titles are as they are written", "filters.title-fold", |asked, told, _| {
        let value = asked.query.split("title%5D=").nth(1).and_then(|rest| rest.split('&').next());
        if is_list(asked) && value.is_some_and(|value| value.chars().all(|found| found.is_ascii_uppercase()))
        {
            told.edit(|json| retain(json, |_| false));
        }
    })
    .also(&["meta", "links"]),
    heard(
        "minPrice is ignored",
        "filters.price",
        |asked| forget(asked, "minPrice"),
        |_, told, _| remember(told),
    )
    .also(&["errors"]),
    heard(
        "maxPrice is ignored",
        "filters.price",
        |asked| forget(asked, "maxPrice"),
        |_, told, _| remember(told),
    )
    .also(&["errors"]),
    heard(
        "maxPrice is the minimum",
        "filters.price",
        |asked| asked.replace("filter[maxPrice]=", "filter[minPrice]="),
        |asked, told, _| {
            if asked.asks("maxPrice") {
                told.replace("filter%5BminPrice%5D", "filter%5BmaxPrice%5D");
            }
        },
    )
    .also(&["links"]),
    heard(
        "category is ignored",
        "filters.category",
        |asked| {
            if is_list(asked) {
                forget(asked, "category");
            }
        },
        |_, told, _| remember(told),
    ),
    heard("title is ignored", "filters.title", |asked| forget(asked, "title"), |_, told, _| remember(told)),
    told("title finds whole words", "filters.title-part", |asked, told, _| {
        let value = asked.query.split("title%5D=").nth(1).and_then(|rest| rest.split('&').next());
        let Some(value) = value.filter(|_| is_list(asked)) else { return };
        told.edit(|json| {
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
    told("title finds nothing", "filters.title", |asked, told, _| {
        if is_list(asked) && asked.asks("filter[title]") {
            told.edit(|json| items(json).into_iter().for_each(Vec::clear));
        }
    })
    .also(&["meta", "links"]),
];

pub(super) const TOGETHER: &[Fault] = &[
    heard(
        "only the first filter counts",
        "filters.combined",
        |asked| asked.query = asked.query.replace("&filter%5B", "&was%5B"),
        |_, told, _| remember(told),
    ),
    heard(
        "a filter forgets the order",
        "sort.price",
        |asked| asked.replace("sort=price", "order=price"),
        |_, told, _| told.replace("order=price", "sort=price"),
    ),
];

pub(super) const ORDERS: &[Fault] = &[
    heard(
        "ascending is descending",
        "sort.price",
        |asked| {
            if asked.asks("sort=price") {
                asked.replace("sort=price", "sort=-price");
            } else {
                asked.replace("sort=-price", "sort=price");
            }
        },
        |asked, told, _| {
            if asked.asks("sort=price") {
                told.replace("sort=-price", "sort=price");
            } else {
                told.replace("sort=price", "sort=-price");
            }
        },
    ),
    heard(
        "descending is ascending",
        "sort.descending",
        |asked| asked.replace("sort=-price", "sort=price"),
        |asked, told, _| {
            if asked.asks("sort=-price") {
                told.replace("sort=price", "sort=-price");
            }
        },
    ),
    told("products of one price change places", "sort.ties", |asked, told, _| {
        if is_list(asked) && asked.asks("sort=") {
            told.edit(|json| {
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
    told("the order is of regular prices", "sort.effective", |asked, told, origin| {
        if !is_list(asked) || !asked.asks("sort=") || asked.asks("filter") {
            return;
        }
        let all = ApiRequest { query: "page[size]=100".to_owned(), ..asked.clone() };
        let mut all = Json::parse(origin.ask(&all).body.as_bytes()).unwrap();
        let mut sorted = items(&mut all).cloned().unwrap_or_default();
        sorted.sort_by_key(|item| integer(item, "regular_price"));
        if asked.asks("sort=-") {
            sorted.reverse();
        }
        told.edit(|json| {
            let from = json.get("meta").and_then(|meta| integer(meta, "from")).unwrap_or(1);
            let before = usize::try_from(from).unwrap().saturating_sub(1);
            for (place, item) in items(json).into_iter().flatten().zip(sorted.into_iter().skip(before)) {
                *place = item;
            }
        });
    }),
    told("a page is in order, but not the whole", "sort.price", |asked, told, _| {
        if is_list(asked) && asked.asks("sort=price") && asked.page() == 2 {
            told.edit(|json| items(json).into_iter().for_each(|items| items.reverse()));
        }
    }),
    told("an order leaves a product out", "sort.complete", |asked, told, _| {
        if is_list(asked) && asked.asks("sort") && asked.page() == 1 {
            told.edit(|json| {
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

//! Filters and orders that do not what they say.

use pointbook_check::Json;

use super::edit::{is_list, items, set, text};
use super::{Fault, heard, told};
use crate::proxy::{Asked, Told};

/// What the right server does not know is kept in links, and can be found there again.
fn forget(asked: &mut Asked, filter: &str) {
    asked.replace(&format!("filter[{filter}]="), &format!("was[{filter}]="));
}

fn remember(told: &mut Told) {
    told.replace("was%5B", "filter%5B");
}

pub(super) const SINGLE: &[Fault] = &[
    heard("onSale is ignored", "filters.sale", |asked| forget(asked, "onSale"), |_, told, _| remember(told)),
    heard(
        "onSale finds the opposite",
        "filters.sale",
        |_| {},
        |asked, told, _| {
            if is_list(asked) && asked.asks("filter[onSale]=true") {
                told.edit(|json| {
                    for item in items(json).into_iter().flatten() {
                        set(item, "id", text("x"));
                    }
                });
            }
        },
    )
    .also(&["products", "links"]),
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

//! Pages, numbers and links that are not as documented.

use pointbook_check::Json;

use super::edit::{is_list, items, member, raise, set, text};
use super::{Fault, heard, told};
use crate::proxy::{ApiRequest, Told};

fn meta(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_list(asked) {
        told.edit(|json| member(json, "meta").into_iter().for_each(change));
    }
}

fn links(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_list(asked) {
        told.edit(|json| member(json, "links").into_iter().for_each(change));
    }
}

/// Changes the text of every link.
fn rewrite(links: &mut Json, change: fn(&str) -> String) {
    let Json::Object(members) = links else { return };
    for (_, link) in members {
        if let Json::Text(found) = link {
            *found = change(found);
        }
    }
}

fn without(link: &str, parameter: &str) -> String {
    let (start, query) = link.split_once('?').unwrap_or((link, ""));
    let kept: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with(parameter)).collect();
    format!("{start}?{}", kept.join("&"))
}

pub(super) const NUMBERS: &[Fault] = &[
    told("total is one too many", "meta.total", |asked, told, _| {
        meta(asked, told, |meta| raise(meta, "total", 1));
    })
    .also(&["links"]),
    told("from counts from 0", "meta.counts", |asked, told, _| {
        meta(asked, told, |meta| raise(meta, "from", -1));
    }),
    told("to is the number of items", "meta.counts", |asked, told, _| {
        if asked.page() > 1 {
            meta(asked, told, |meta| raise(meta, "to", -1));
        }
    }),
    told("last_page is rounded down", "meta.counts", |asked, told, _| {
        if asked.asks("page[size]") {
            meta(asked, told, |meta| raise(meta, "last_page", -1));
        }
    })
    .also(&["links"]),
    told("per_page is a string", "meta.fields", |asked, told, _| {
        meta(asked, told, |meta| set(meta, "per_page", text("15")));
    }),
    told("path has the query", "meta.path", |asked, told, _| {
        meta(asked, told, |meta| {
            let path = meta.get("path").and_then(Json::as_text).unwrap_or_default().to_owned();
            set(meta, "path", text(&format!("{path}?page%5Bnumber%5D=1")));
        });
    }),
    told("path leads elsewhere", "meta.path", |asked, told, _| {
        meta(asked, told, |meta| set(meta, "path", text("/v1/store/products")));
    }),
    heard(
        "the default is ten items",
        "meta.defaults",
        |asked| {
            if is_list(asked) && !asked.asks("page[size]") {
                asked.query.push_str("&page[size]=10");
            }
        },
        |_, _, _| {},
    ),
    heard(
        "page[size] is ignored",
        "meta.size",
        |asked| asked.replace("page[size]=", "was[size]="),
        |_, told, _| told.replace("was%5Bsize%5D=", "page%5Bsize%5D="),
    )
    .also(&["errors"]),
    heard(
        "page[number] is ignored",
        "meta.page",
        |asked| asked.replace("page[number]=", "was[number]="),
        |_, told, _| told.replace("was%5Bnumber%5D=", "&x="),
    )
    .also(&["links", "sort", "filters", "history", "errors"]),
];

pub(super) const OF_LINKS: &[Fault] = &[
    told("links lose page[size]", "links.parameters", |asked, told, _| {
        links(asked, told, |links| rewrite(links, |link| without(link, "page%5Bsize")));
    })
    .also(&["meta", "sort", "filters"]),
    told("links lose the filters", "links.parameters", |asked, told, _| {
        links(asked, told, |links| rewrite(links, |link| without(link, "filter")));
    })
    .also(&["meta", "sort", "filters"]),
    told("links lose the order", "links.parameters", |asked, told, _| {
        links(asked, told, |links| rewrite(links, |link| without(link, "sort")));
    })
    .also(&["sort", "filters"]),
    told("links have no host", "links.base", |asked, told, _| {
        links(asked, told, |links| {
            rewrite(links, |link| format!("/{}", link.splitn(4, '/').nth(3).unwrap_or_default()));
        });
    }),
    told("links lead to an inner host", "links.base", |asked, told, _| {
        links(asked, told, |links| {
            rewrite(links, |link| link.replace("http://localhost:", "http://inside:1"));
        });
    }),
    told("next is never null", "links.pages", |asked, told, _| {
        links(asked, told, |links| {
            if let (Some(Json::Null), Some(last)) = (links.get("next"), links.get("last").cloned()) {
                set(links, "next", last);
            }
        });
    }),
    told("prev is always null", "links.pages", |asked, told, _| {
        links(asked, told, |links| set(links, "prev", Json::Null));
    }),
    told("last is the page before", "links.pages", |asked, told, _| {
        if asked.page() == 1 && asked.asks("page[size]") {
            links(asked, told, |links| {
                let first = links.get("first").cloned().unwrap_or(Json::Null);
                set(links, "last", first);
            });
        }
    }),
    told("no previous page is false", "links.fields", |asked, told, _| {
        links(asked, told, |links| set(links, "prev", Json::Bool(false)));
    }),
];

pub(super) const OF_ITEMS: &[Fault] = &[
    told("an item comes on two pages", "links.walk", |asked, told, origin| {
        if is_list(asked) && asked.page() == 2 {
            let mut before = asked.clone();
            before.replace("page[number]=2", "page[number]=1");
            let mut first = Json::parse(origin.ask(&before).body.as_bytes()).unwrap();
            let last = items(&mut first).and_then(|items| items.last().cloned());
            told.edit(|json| {
                if let (Some(place), Some(last)) = (items(json).and_then(|items| items.first_mut()), last) {
                    *place = last;
                }
            });
        }
    })
    .also(&["sort", "filters"]),
    told("an item falls between two pages", "meta.counts", |asked, told, _| {
        if asked.page() == 2 {
            told.edit(|json| drop(items(json).and_then(Vec::pop)));
        }
    })
    .also(&["links", "sort", "filters", "history"]),
    told("the order is another one every time", "order.steady", |asked, told, _| {
        if is_list(asked) && asked.asks("page[size]=14") && !asked.asks("sort") {
            told.edit(|json| items(json).into_iter().for_each(|items| items.reverse()));
        }
    }),
    told("a page beyond the last is 404", "pages.beyond", |asked, told, _| {
        if is_list(asked) && told.body.contains(r#""data":[]"#) && asked.page() > 1 {
            told.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
    told("a large page is refused", "pages.capped", |asked, told, _| {
        if is_list(asked) && asked.asks("page[size]=1000") {
            told.become_json(
                422,
                r#"{"message":"The given data was invalid.","errors":{"page.size":["No."]}}"#,
            );
        }
    }),
    told("a large page tells no size", "pages.capped", |asked, told, _| {
        if is_list(asked) && asked.asks("page[size]=1000") {
            meta(asked, told, |meta| set(meta, "per_page", Json::Null));
        }
    }),
    told("nothing found is null", "pages.empty", |asked, told, _| {
        if is_list(asked) && told.body.contains(r#""data":[]"#) {
            meta(asked, told, |meta| raise(meta, "to", 1));
        }
    }),
];

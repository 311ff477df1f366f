//! Faults of pages, numbers and links.

use pointbook_exchange::check::Json;

use super::edit::{is_list, items, member, raise, set, text};
use super::{Fault, in_request, in_response};
use crate::proxy::{ProxiedRequest, ProxiedResponse};

fn meta(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_list(request) {
        response.edit(|json| member(json, "meta").into_iter().for_each(change));
    }
}

fn links(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_list(request) {
        response.edit(|json| member(json, "links").into_iter().for_each(change));
    }
}

/// Changes every link.
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
    in_response("total is one too many", "meta.total", |request, response, _| {
        meta(request, response, |meta| raise(meta, "total", 1));
    })
    .also(&["links"]),
    in_response("from counts from 0", "meta.counts", |request, response, _| {
        meta(request, response, |meta| raise(meta, "from", -1));
    }),
    in_response("to is the number of items", "meta.counts", |request, response, _| {
        if request.page() > 1 {
            meta(request, response, |meta| raise(meta, "to", -1));
        }
    }),
    in_response("last_page is rounded down", "meta.counts", |request, response, _| {
        if request.query_has("page[size]") {
            meta(request, response, |meta| raise(meta, "last_page", -1));
        }
    })
    .also(&["links"]),
    in_response("per_page is a string", "meta.fields", |request, response, _| {
        meta(request, response, |meta| set(meta, "per_page", text("15")));
    }),
    in_response("path has the query", "meta.path", |request, response, _| {
        meta(request, response, |meta| {
            let path = meta.get("path").and_then(Json::as_text).unwrap_or_default().to_owned();
            set(meta, "path", text(&format!("{path}?page%5Bnumber%5D=1")));
        });
    }),
    in_response("path leads elsewhere", "meta.path", |request, response, _| {
        meta(request, response, |meta| set(meta, "path", text("/v1/store/products")));
    }),
    in_request(
        "the default is ten items",
        "meta.defaults",
        |request| {
            if is_list(request) && !request.query_has("page[size]") {
                request.query.push_str("&page[size]=10");
            }
        },
        |_, _, _| {},
    ),
    in_request(
        "page[size] is ignored",
        "meta.size",
        |request| request.replace("page[size]=", "was[size]="),
        |_, response, _| response.replace("was%5Bsize%5D=", "page%5Bsize%5D="),
    )
    .also(&["errors"]),
    in_request(
        "page[number] is ignored",
        "meta.page",
        |request| request.replace("page[number]=", "was[number]="),
        |_, response, _| response.replace("was%5Bnumber%5D=", "&x="),
    )
    .also(&["links", "sort", "filters", "history", "errors"]),
];

pub(super) const OF_LINKS: &[Fault] = &[
    in_response("links lose page[size]", "links.parameters", |request, response, _| {
        links(request, response, |links| rewrite(links, |link| without(link, "page%5Bsize")));
    })
    .also(&["meta", "sort", "filters"]),
    in_response("links lose the filters", "links.parameters", |request, response, _| {
        links(request, response, |links| rewrite(links, |link| without(link, "filter")));
    })
    .also(&["meta", "sort", "filters"]),
    in_response("links lose the order", "links.parameters", |request, response, _| {
        links(request, response, |links| rewrite(links, |link| without(link, "sort")));
    })
    .also(&["sort", "filters"]),
    in_response("links have no host", "links.base", |request, response, _| {
        links(request, response, |links| {
            rewrite(links, |link| format!("/{}", link.splitn(4, '/').nth(3).unwrap_or_default()));
        });
    }),
    in_response("links lead to an inner host", "links.base", |request, response, _| {
        links(request, response, |links| {
            rewrite(links, |link| link.replace("http://localhost:", "http://inside:1"));
        });
    }),
    in_response("next is never null", "links.pages", |request, response, _| {
        links(request, response, |links| {
            if let (Some(Json::Null), Some(last)) = (links.get("next"), links.get("last").cloned()) {
                set(links, "next", last);
            }
        });
    }),
    in_response("prev is always null", "links.pages", |request, response, _| {
        links(request, response, |links| set(links, "prev", Json::Null));
    }),
    in_response("last is the page before", "links.pages", |request, response, _| {
        if request.page() == 1 && request.query_has("page[size]") {
            links(request, response, |links| {
                let first = links.get("first").cloned().unwrap_or(Json::Null);
                set(links, "last", first);
            });
        }
    }),
    in_response("no previous page is false", "links.fields", |request, response, _| {
        links(request, response, |links| set(links, "prev", Json::Bool(false)));
    }),
];

pub(super) const OF_ITEMS: &[Fault] = &[
    in_response("an item comes on two pages", "links.walk", |request, response, origin| {
        if is_list(request) && request.page() == 2 {
            let mut before = request.clone();
            before.replace("page[number]=2", "page[number]=1");
            let mut first = Json::parse(origin.send(&before).body.as_bytes()).unwrap();
            let last = items(&mut first).and_then(|items| items.last().cloned());
            response.edit(|json| {
                if let (Some(place), Some(last)) = (items(json).and_then(|items| items.first_mut()), last) {
                    *place = last;
                }
            });
        }
    })
    .also(&["sort", "filters"]),
    in_response("an item falls between two pages", "meta.counts", |request, response, _| {
        if request.page() == 2 {
            response.edit(|json| drop(items(json).and_then(Vec::pop)));
        }
    })
    .also(&["links", "sort", "filters", "history"]),
    in_response("the order is another one every time", "order.steady", |request, response, _| {
        if is_list(request) && request.query_has("page[size]=14") && !request.query_has("sort") {
            response.edit(|json| items(json).into_iter().for_each(|items| items.reverse()));
        }
    }),
    in_response("a page beyond the last is 404", "pages.beyond", |request, response, _| {
        if is_list(request) && response.body.contains(r#""data":[]"#) && request.page() > 1 {
            response.become_json(404, r#"{"message":"Not found."}"#);
        }
    }),
    in_response("a large page is refused", "pages.capped", |request, response, _| {
        if is_list(request) && request.query_has("page[size]=1000") {
            response.become_json(
                422,
                r#"{"message":"The given data was invalid.","errors":{"page.size":["No."]}}"#,
            );
        }
    }),
    in_response("a large page tells no size", "pages.capped", |request, response, _| {
        if is_list(request) && request.query_has("page[size]=1000") {
            meta(request, response, |meta| set(meta, "per_page", Json::Null));
        }
    }),
    in_response("nothing found is null", "pages.empty", |request, response, _| {
        if is_list(request) && response.body.contains(r#""data":[]"#) {
            meta(request, response, |meta| raise(meta, "to", 1));
        }
    }),
];

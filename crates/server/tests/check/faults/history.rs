//! Faults of histories.

use pointbook_exchange::check::Json;

use super::edit::{add, days, is_history, items, member, raise, raise_in, remove, set, text, transactions};
use super::{Fault, in_request, in_response};
use crate::proxy::{ProxiedRequest, ProxiedResponse};

const DATES: &str = "dates.format";

fn page(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_history(request) {
        response.edit(change);
    }
}

/// Changes the first group of every page.
fn group(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    page(request, response, |_| {});
    if is_history(request) {
        response.edit(|json| {
            let Some((_, Json::List(groups))) = days(json).and_then(|days| days.first_mut()) else { return };
            groups.first_mut().into_iter().for_each(change);
        });
    }
}

fn transaction(request: &ProxiedRequest, response: &mut ProxiedResponse, change: fn(&mut Json)) {
    if is_history(request) {
        response.edit(|json| transactions(json, change));
    }
}

/// Changes `created_at`.
fn created_at(transaction: &mut Json, change: fn(&str) -> String) {
    let found = transaction.get("created_at").and_then(Json::as_text).map(change);
    if let Some(time) = found {
        set(transaction, "created_at", Json::Text(time));
    }
}

fn has_bonus(transaction: &Json) -> bool {
    transaction.get("bonus_breakdown").is_some()
}

pub(super) const WHOLE: &[Fault] = &[
    in_response("an empty history is an array", "history.shape", |request, response, _| {
        if is_history(request) {
            response.replace(r#""data":{}"#, r#""data":[]"#);
            response.edit(|json| {
                if request.page() > 1 {
                    set(json, "data", Json::List(Vec::new()));
                }
            });
        }
    }),
    in_response("a history has links", "history.shape", |request, response, _| {
        page(request, response, |json| add(json, "links", Json::Object(Vec::new())));
    }),
    in_response("user_points is a string", "history.shape", |request, response, _| {
        page(request, response, |json| set(json, "user_points", text("5")));
    }),
    in_response("user_points is one too many", "history.points", |request, response, _| {
        page(request, response, |json| raise(json, "user_points", 1));
    }),
    in_response("user_points is of the page", "history.steady", |request, response, _| {
        if request.page() > 1 {
            page(request, response, |json| raise(json, "user_points", 100));
        }
    }),
    in_response("the page size can be chosen", "history.size", |request, response, _| {
        if is_history(request) && request.query_has("page[size]=1") {
            page(request, response, |json| raise_in(json, "meta", "last_page", 5));
        }
    }),
    in_response("a page beyond the last is the last", "history.beyond", |request, response, origin| {
        if is_history(request) && response.body.contains(r#""data":{}"#) && request.page() > 1 {
            *response = origin.send(&ProxiedRequest { query: String::new(), ..request.clone() });
        }
    }),
    in_response("total counts groups", "history.meta", |request, response, _| {
        page(request, response, |json| {
            raise_in(json, "meta", "total", 17);
        });
    }),
    in_response("per_page is missing", "history.meta", |request, response, _| {
        page(request, response, |json| {
            if let Some(meta) = member(json, "meta") {
                remove(meta, "per_page");
            }
        });
    }),
    in_request(
        "every page is the first",
        "history.meta",
        |request| {
            if is_history(request) {
                request.replace("page[number]=", "was[number]=");
            }
        },
        |_, _, _| {},
    )
    .also(&["errors"]),
    in_response("another user has the same history", "auth.other-history", |request, response, origin| {
        if is_history(request) && request.authorization.as_deref() == Some("Bearer demo-ben") {
            let authorization = Some("Bearer demo-aiko".to_owned());
            *response = origin.send(&ProxiedRequest { authorization, ..request.clone() });
        }
    }),
];

pub(super) const OF_DAYS: &[Fault] = &[
    in_response("the oldest day comes first", "history.newest", |request, response, _| {
        page(request, response, |json| days(json).into_iter().for_each(|days| days.reverse()));
    }),
    in_response("a day is split over two pages", "history.days", |request, response, origin| {
        if is_history(request) && request.page() == 2 {
            let first = ProxiedRequest { query: String::new(), ..request.clone() };
            let mut first = Json::parse(origin.send(&first).body.as_bytes()).unwrap();
            let last = days(&mut first).and_then(Vec::pop);
            response.edit(|json| {
                if let (Some(place), Some(last)) = (days(json).and_then(|days| days.first_mut()), last) {
                    *place = last;
                }
            });
        }
    }),
    in_response("a day stands twice", "history.days", |request, response, _| {
        page(request, response, |json| {
            if let Some([first, second, ..]) = days(json).map(Vec::as_mut_slice) {
                second.0.clone_from(&first.0);
            }
        });
    }),
    in_response("days are times", "history.days", |request, response, _| {
        page(request, response, |json| {
            days(json).into_iter().flatten().for_each(|(date, _)| date.push_str("T00:00:00Z"));
        });
    }),
    in_response("days are local days", "history.utc", |request, response, _| {
        page(request, response, |json| {
            if let Some([_, second, ..]) = days(json).map(Vec::as_mut_slice)
                && let Json::List(groups) = &mut second.1
            {
                for group in groups {
                    let items = items(group).into_iter().flatten();
                    items.for_each(|item| created_at(item, |_| "2019-05-05T23:30:00.000000Z".to_owned()));
                }
            }
        });
    }),
];

pub(super) const OF_GROUPS: &[Fault] = &[
    in_response("totalPoints counts the bonus", "history.sums", |request, response, _| {
        group(request, response, |group| raise(group, "totalPoints", 7));
    }),
    in_response("totalBonusPoints is 1", "history.sums", |request, response, _| {
        group(request, response, |group| raise(group, "totalBonusPoints", 1));
    }),
    in_response("a title is in other letters", "history.groups", |request, response, _| {
        group(request, response, |group| {
            let title = group.get("groupTitle").cloned().unwrap_or(Json::Null);
            remove(group, "groupTitle");
            add(group, "group_title", title);
        });
    }),
    in_response("a day has two groups of one type", "history.one-group", |request, response, _| {
        page(request, response, |json| {
            if let Some((_, Json::List(groups))) = days(json).and_then(|days| days.first_mut()) {
                groups.extend(groups.first().cloned());
            }
        });
    }),
    in_response("a day has no groups", "history.groups", |request, response, _| {
        page(request, response, |json| {
            if let Some((_, groups)) = days(json).and_then(|days| days.first_mut()) {
                *groups = Json::List(Vec::new());
            }
        });
    }),
];

pub(super) const OF_TRANSACTIONS: &[Fault] = &[
    in_response("a type is another than its group's", "history.types", |request, response, _| {
        transaction(request, response, |transaction| set(transaction, "type", text("gift")));
    }),
    in_response("a type is of its own", "history.known-types", |request, response, _| {
        page(request, response, |json| {
            for (_, groups) in days(json).into_iter().flatten() {
                let Json::List(groups) = groups else { continue };
                for group in groups {
                    set(group, "type", text("gift"));
                    items(group).into_iter().flatten().for_each(|item| set(item, "type", text("gift")));
                }
            }
        });
    })
    .also(&["history"]),
    in_response("a subtitle is null", "history.transactions", |request, response, _| {
        transaction(request, response, |transaction| set(transaction, "subtitle", Json::Null));
    }),
    in_response("points are a string", "history.transactions", |request, response, _| {
        transaction(request, response, |transaction| set(transaction, "points", text("5")));
    }),
    in_response("times have no microseconds", DATES, |request, response, _| {
        transaction(request, response, |found| {
            created_at(found, |time| format!("{}Z", time.split('.').next().unwrap_or_default()));
        });
    }),
    in_response("times have milliseconds", DATES, |request, response, _| {
        transaction(request, response, |found| {
            created_at(found, |time| format!("{}Z", time.get(..23).unwrap_or_default()));
        });
    }),
    in_response("times have an offset", DATES, |request, response, _| {
        transaction(request, response, |found| created_at(found, |time| time.replace('Z', "+02:00")));
    }),
    in_response("times have a blank", DATES, |request, response, _| {
        transaction(request, response, |found| created_at(found, |time| time.replace('T', " ")));
    }),
    in_response("the oldest transaction comes first", "history.order", |request, response, _| {
        page(request, response, |json| {
            for (_, groups) in days(json).into_iter().flatten() {
                let Json::List(groups) = groups else { continue };
                for items in groups.iter_mut().filter_map(items) {
                    items.reverse();
                }
            }
        });
    }),
];

pub(super) const OF_BONUSES: &[Fault] = &[
    in_response("no bonus is an empty breakdown", "history.bonus-there", |request, response, _| {
        transaction(request, response, |found| {
            if !has_bonus(found) {
                add(found, "bonus_breakdown", Json::List(Vec::new()));
            }
        });
    }),
    in_response("no bonus is null", "history.bonus-there", |request, response, _| {
        transaction(request, response, |found| {
            if !has_bonus(found) {
                add(found, "bonus_breakdown", Json::Null);
            }
        });
    }),
    in_response("a bonus has no breakdown", "history.bonus-there", |request, response, _| {
        transaction(request, response, |found| remove(found, "bonus_breakdown"));
    }),
    in_response("bonuses do not come to their sum", "history.bonus-sums", |request, response, _| {
        transaction(request, response, |found| {
            if let Some(Json::List(bonuses)) = member(found, "bonus_breakdown") {
                bonuses.first_mut().into_iter().for_each(|bonus| raise(bonus, "points", 1));
            }
        });
    }),
    in_response("bonus points come from nowhere", "history.bonus-sums", |request, response, _| {
        transaction(request, response, |found| {
            if has_bonus(found) {
                set(found, "bonus_breakdown", Json::List(Vec::new()));
            }
        });
    }),
    in_response("a bonus has no title", "history.bonus-fields", |request, response, _| {
        transaction(request, response, |found| {
            if let Some(Json::List(bonuses)) = member(found, "bonus_breakdown") {
                bonuses.first_mut().into_iter().for_each(|bonus| remove(bonus, "title"));
            }
        });
    }),
];

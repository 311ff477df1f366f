//! Histories that are not as documented.

use pointbook_check::Json;

use super::edit::{add, days, is_history, items, member, raise, raise_in, remove, set, text, transactions};
use super::{Fault, heard, told};
use crate::proxy::{ApiRequest, Told};

const DATES: &str = "dates.format";

fn page(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_history(asked) {
        told.edit(change);
    }
}

/// Changes the first group of every page.
fn group(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    page(asked, told, |_| {});
    if is_history(asked) {
        told.edit(|json| {
            let Some((_, Json::List(groups))) = days(json).and_then(|days| days.first_mut()) else { return };
            groups.first_mut().into_iter().for_each(change);
        });
    }
}

fn transaction(asked: &ApiRequest, told: &mut Told, change: fn(&mut Json)) {
    if is_history(asked) {
        told.edit(|json| transactions(json, change));
    }
}

/// Changes the text of `created_at`.
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
    told("an empty history is an array", "history.shape", |asked, told, _| {
        if is_history(asked) {
            told.replace(r#""data":{}"#, r#""data":[]"#);
            told.edit(|json| {
                if asked.page() > 1 {
                    set(json, "data", Json::List(Vec::new()));
                }
            });
        }
    }),
    told("a history has links", "history.shape", |asked, told, _| {
        page(asked, told, |json| add(json, "links", Json::Object(Vec::new())));
    }),
    told("user_points is a string", "history.shape", |asked, told, _| {
        page(asked, told, |json| set(json, "user_points", text("5")));
    }),
    told("user_points is one too many", "history.points", |asked, told, _| {
        page(asked, told, |json| raise(json, "user_points", 1));
    }),
    told("user_points is of the page", "history.steady", |asked, told, _| {
        if asked.page() > 1 {
            page(asked, told, |json| raise(json, "user_points", 100));
        }
    }),
    told("the page size can be chosen", "history.size", |asked, told, _| {
        if is_history(asked) && asked.asks("page[size]=1") {
            page(asked, told, |json| raise_in(json, "meta", "last_page", 5));
        }
    }),
    told("a page beyond the last is the last", "history.beyond", |asked, told, origin| {
        if is_history(asked) && told.body.contains(r#""data":{}"#) && asked.page() > 1 {
            *told = origin.ask(&ApiRequest { query: String::new(), ..asked.clone() });
        }
    }),
    told("total counts groups", "history.meta", |asked, told, _| {
        page(asked, told, |json| {
            raise_in(json, "meta", "total", 17);
        });
    }),
    told("per_page is missing", "history.meta", |asked, told, _| {
        page(asked, told, |json| member(json, "meta").into_iter().for_each(|meta| remove(meta, "per_page")));
    }),
    heard(
        "every page is the first",
        "history.meta",
        |asked| {
            if is_history(asked) {
                asked.replace("page[number]=", "was[number]=");
            }
        },
        |_, _, _| {},
    )
    .also(&["errors"]),
    told("another user has the same history", "auth.other-history", |asked, told, origin| {
        if is_history(asked) && asked.authorization.as_deref() == Some("Bearer demo-ben") {
            let authorization = Some("Bearer demo-aiko".to_owned());
            *told = origin.ask(&ApiRequest { authorization, ..asked.clone() });
        }
    }),
];

pub(super) const OF_DAYS: &[Fault] = &[
    told("the oldest day comes first", "history.newest", |asked, told, _| {
        page(asked, told, |json| days(json).into_iter().for_each(|days| days.reverse()));
    }),
    told("a day is split over two pages", "history.days", |asked, told, origin| {
        if is_history(asked) && asked.page() == 2 {
            let first = ApiRequest { query: String::new(), ..asked.clone() };
            let mut first = Json::parse(origin.ask(&first).body.as_bytes()).unwrap();
            let last = days(&mut first).and_then(Vec::pop);
            told.edit(|json| {
                if let (Some(place), Some(last)) = (days(json).and_then(|days| days.first_mut()), last) {
                    *place = last;
                }
            });
        }
    }),
    told("a day stands twice", "history.days", |asked, told, _| {
        page(asked, told, |json| {
            if let Some([first, second, ..]) = days(json).map(Vec::as_mut_slice) {
                second.0.clone_from(&first.0);
            }
        });
    }),
    told("days are times", "history.days", |asked, told, _| {
        page(asked, told, |json| {
            days(json).into_iter().flatten().for_each(|(date, _)| date.push_str("T00:00:00Z"));
        });
    }),
    told("days are local days", "history.utc", |asked, told, _| {
        page(asked, told, |json| {
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
    told("totalPoints counts the bonus", "history.sums", |asked, told, _| {
        group(asked, told, |group| raise(group, "totalPoints", 7));
    }),
    told("totalBonusPoints is 1", "history.sums", |asked, told, _| {
        group(asked, told, |group| raise(group, "totalBonusPoints", 1));
    }),
    told("a title is in other letters", "history.groups", |asked, told, _| {
        group(asked, told, |group| {
            let title = group.get("groupTitle").cloned().unwrap_or(Json::Null);
            remove(group, "groupTitle");
            add(group, "group_title", title);
        });
    }),
    told("a day has two groups of one type", "history.one-group", |asked, told, _| {
        page(asked, told, |json| {
            if let Some((_, Json::List(groups))) = days(json).and_then(|days| days.first_mut()) {
                groups.extend(groups.first().cloned());
            }
        });
    }),
    told("a day has no groups", "history.groups", |asked, told, _| {
        page(asked, told, |json| {
            if let Some((_, groups)) = days(json).and_then(|days| days.first_mut()) {
                *groups = Json::List(Vec::new());
            }
        });
    }),
];

pub(super) const OF_TRANSACTIONS: &[Fault] = &[
    told("a type is another than its group's", "history.types", |asked, told, _| {
        transaction(asked, told, |transaction| set(transaction, "type", text("gift")));
    }),
    told("a type is of its own", "history.known-types", |asked, told, _| {
        page(asked, told, |json| {
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
    told("a subtitle is null", "history.transactions", |asked, told, _| {
        transaction(asked, told, |transaction| set(transaction, "subtitle", Json::Null));
    }),
    told("points are a string", "history.transactions", |asked, told, _| {
        transaction(asked, told, |transaction| set(transaction, "points", text("5")));
    }),
    told("times have no microseconds", DATES, |asked, told, _| {
        transaction(asked, told, |found| {
            created_at(found, |time| format!("{}Z", time.split('.').next().unwrap_or_default()));
        });
    }),
    told("times have milliseconds", DATES, |asked, told, _| {
        transaction(asked, told, |found| {
            created_at(found, |time| format!("{}Z", time.get(..23).unwrap_or_default()));
        });
    }),
    told("times have an offset", DATES, |asked, told, _| {
        transaction(asked, told, |found| created_at(found, |time| time.replace('Z', "+02:00")));
    }),
    told("times have a blank", DATES, |asked, told, _| {
        transaction(asked, told, |found| created_at(found, |time| time.replace('T', " ")));
    }),
    told("the oldest transaction comes first", "history.order", |asked, told, _| {
        page(asked, told, |json| {
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
    told("no bonus is an empty breakdown", "history.bonus-there", |asked, told, _| {
        transaction(asked, told, |found| {
            if !has_bonus(found) {
                add(found, "bonus_breakdown", Json::List(Vec::new()));
            }
        });
    }),
    told("no bonus is null", "history.bonus-there", |asked, told, _| {
        transaction(asked, told, |found| {
            if !has_bonus(found) {
                add(found, "bonus_breakdown", Json::Null);
            }
        });
    }),
    told("a bonus has no breakdown", "history.bonus-there", |asked, told, _| {
        transaction(asked, told, |found| remove(found, "bonus_breakdown"));
    }),
    told("bonuses do not come to their sum", "history.bonus-sums", |asked, told, _| {
        transaction(asked, told, |found| {
            if let Some(Json::List(bonuses)) = member(found, "bonus_breakdown") {
                bonuses.first_mut().into_iter().for_each(|bonus| raise(bonus, "points", 1));
            }
        });
    }),
    told("bonus points come from nowhere", "history.bonus-sums", |asked, told, _| {
        transaction(asked, told, |found| {
            if has_bonus(found) {
                set(found, "bonus_breakdown", Json::List(Vec::new()));
            }
        });
    }),
    told("a bonus has no title", "history.bonus-fields", |asked, told, _| {
        transaction(asked, told, |found| {
            if let Some(Json::List(bonuses)) = member(found, "bonus_breakdown") {
                bonuses.first_mut().into_iter().for_each(|bonus| remove(bonus, "title"));
            }
        });
    }),
];

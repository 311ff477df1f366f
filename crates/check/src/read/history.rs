//! The point history.

use crate::cursor::{Cursor, Findings, Read, read_fields};
use crate::json::Json;
use crate::rule::{
    DATES_FORMAT, HISTORY_BONUS_FIELDS, HISTORY_BONUS_THERE, HISTORY_DAYS, HISTORY_GROUPS, HISTORY_META,
    HISTORY_SHAPE, HISTORY_TRANSACTIONS,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// `YYYY-MM-DD`.
    pub date: String,
    pub groups: Vec<Group>,
}

/// The transactions of one type on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Activity type.
    pub kind: String,
    pub title: String,
    pub subtitle: String,
    pub total_points: i64,
    pub total_bonus_points: i64,
    pub transactions: Vec<Transaction>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transaction {
    /// As it was written.
    pub created_at: String,
    /// Activity type.
    pub kind: String,
    pub points: i64,
    pub bonus_points: i64,
    pub title: String,
    pub subtitle: String,
    pub bonuses: Vec<Bonus>,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bonus {
    pub kind: String,
    pub points: i64,
    pub title: String,
}

/// A page of a history; what could not be read is `None`.
#[derive(Debug, Clone)]
pub(crate) struct HistoryPage {
    /// Every key of `data`, and its day where that can be read.
    pub(crate) days: Option<Vec<(String, Option<Day>)>>,
    pub(crate) meta: Option<HistoryMeta>,
    pub(crate) user_points: Option<i64>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryMeta {
    pub(crate) current_page: i64,
    pub(crate) per_page: i64,
    pub(crate) last_page: i64,
    pub(crate) total: i64,
}

pub(crate) fn history_page(json: &Json, findings: &Findings) -> HistoryPage {
    let root = Cursor::root(&HISTORY_SHAPE, json, findings);
    root.refuse_members(&["links"]);
    let days = root.member("data").and_then(|data| members(&data));
    let one = |(date, groups): (&str, Cursor<'_>)| (date.to_owned(), day(date, &groups));
    HistoryPage {
        days: days.map(|days| days.into_iter().map(one).collect()),
        meta: root.member("meta").and_then(|meta| HistoryMeta::read(&meta.by(&HISTORY_META))),
        user_points: root.get("user_points"),
    }
}

/// The members of an object. An empty array is a flaw, but says that there are no days.
fn members<'j>(data: &Cursor<'j>) -> Option<Vec<(&'j str, Cursor<'j>)>> {
    let members = data.members();
    if *data.json() == Json::List(Vec::new()) { Some(Vec::new()) } else { members }
}

fn day(date: &str, cursor: &Cursor<'_>) -> Option<Day> {
    let key = cursor.by(&HISTORY_DAYS);
    if !is_date(date) {
        key.refuse("has a date as its key");
    }
    let cursor = cursor.by(&HISTORY_GROUPS);
    if *cursor.json() == Json::List(Vec::new()) {
        cursor.refuse("has groups");
    }
    Some(Day { date: date.to_owned(), groups: Vec::read(&cursor)? })
}

impl Read for HistoryMeta {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        read_fields!(
            cursor,
            HistoryMeta {
                current_page: "current_page",
                per_page: "per_page",
                last_page: "last_page",
                total: "total"
            }
        )
    }
}

impl Read for Group {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        if cursor.json().get("data") == Some(&Json::List(Vec::new())) {
            cursor.refuse("has transactions");
        }
        read_fields!(
            cursor,
            Group {
                kind: "type",
                title: "groupTitle",
                subtitle: "groupSubtitle",
                total_points: "totalPoints",
                total_bonus_points: "totalBonusPoints",
                transactions: "data"
            }
        )
    }
}

impl Read for Transaction {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        let cursor = cursor.by(&HISTORY_TRANSACTIONS);
        let dates = cursor.by(&DATES_FORMAT);
        let created_at = cursor.json().get("created_at").and_then(Json::as_text);
        if let Some(time) = created_at.filter(|time| !is_date_time(time)) {
            dates.refuse(&format!("has YYYY-MM-DDTHH:mm:ss.uuuuuuZ, not {time}"));
        }
        let bonuses = bonuses(&cursor);
        read_fields!(
            cursor,
            Transaction {
                created_at: "created_at",
                kind: "type",
                points: "points",
                bonus_points: "bonus_points",
                title: "title",
                subtitle: "subtitle";
                bonuses
            }
        )
    }
}

fn bonuses(cursor: &Cursor<'_>) -> Option<Vec<Bonus>> {
    let is_there = cursor.json().get("bonus_breakdown").is_some();
    let rule = cursor.by(&HISTORY_BONUS_THERE);
    match cursor.json().get("bonus_points").and_then(Json::as_integer) {
        Some(1..) if !is_there => rule.refuse("has a bonus_breakdown"),
        Some(..=0) if is_there => rule.refuse("has no bonus_breakdown"),
        Some(_) | None => {}
    }
    if is_there { cursor.by(&HISTORY_BONUS_FIELDS).get("bonus_breakdown") } else { Some(Vec::new()) }
}

impl Read for Bonus {
    fn read(cursor: &Cursor<'_>) -> Option<Self> {
        read_fields!(cursor, Bonus { kind: "type", points: "points", title: "title" })
    }
}

/// Whether this is a day of the calendar, as `YYYY-MM-DD`.
fn is_date(text: &str) -> bool {
    let Some([year, month, day]) = numbers(text, "dddd-dd-dd") else { return false };
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        1..=12 => 31,
        _ => 0,
    };
    (1..=days).contains(&day)
}

/// Whether this is an instant, as `YYYY-MM-DDTHH:mm:ss.uuuuuuZ`.
fn is_date_time(text: &str) -> bool {
    let (Some(date), Some(time)) = (text.get(..10), text.get(10..)) else { return false };
    let Some([hour, minute, second, _]) = numbers(time, "Tdd:dd:dd.ddddddZ") else { return false };
    is_date(date) && hour < 24 && minute < 60 && second < 60
}

/// The numbers of a text of this form, in which `d` is a digit and all else itself.
fn numbers<const N: usize>(text: &str, form: &str) -> Option<[u32; N]> {
    let fits = |(found, wanted): (char, char)| match wanted {
        'd' => found.is_ascii_digit(),
        other => found == other,
    };
    if text.len() != form.len() || !text.chars().zip(form.chars()).all(fits) {
        return None;
    }
    let parts = text.split(|found: char| !found.is_ascii_digit()).filter(|part| !part.is_empty());
    let numbers: Vec<u32> = parts.filter_map(|part| part.parse().ok()).collect();
    numbers.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_days_of_the_calendar() {
        for good in ["2024-02-29", "2000-02-29", "2026-12-31"] {
            assert!(is_date(good), "{good}");
        }
        for bad in
            ["2023-02-29", "1900-02-29", "2026-13-01", "2026-00-10", "2026-04-31", "2026-4-1", "26-04-01", ""]
        {
            assert!(!is_date(bad), "{bad}");
        }
    }

    #[test]
    fn date_times_have_six_digits_and_z() {
        assert!(is_date_time("2024-02-29T23:59:59.000001Z"));
        for bad in [
            "2024-02-29T23:59:59Z",
            "2024-02-29T23:59:59.001Z",
            "2024-02-29T23:59:59.000001+00:00",
            "2024-02-29 23:59:59.000001Z",
            "2024-02-29T24:00:00.000000Z",
        ] {
            assert!(!is_date_time(bad), "{bad}");
        }
    }
}

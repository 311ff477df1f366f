//! The point history.

use crate::cursor::{Cursor, Flaws};
use crate::json::Json;
use crate::rule::{
    DATES_FORMAT, HISTORY_BONUS_FIELDS, HISTORY_BONUS_THERE, HISTORY_DAYS, HISTORY_GROUPS, HISTORY_META,
    HISTORY_SHAPE, HISTORY_TRANSACTIONS, Rule,
};

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// `YYYY-MM-DD`.
    pub date: String,
    /// In the order they came in.
    pub groups: Vec<Group>,
}

/// The transactions of one type on one day.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// Activity type.
    pub kind: String,
    /// Display title.
    pub title: String,
    /// Display subtitle.
    pub subtitle: String,
    /// Sum of base points.
    pub total_points: i64,
    /// Sum of bonus points.
    pub total_bonus_points: i64,
    /// In the order they came in.
    pub transactions: Vec<Transaction>,
}

/// A transaction as the interface documents it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transaction {
    /// Transaction time, as it was written.
    pub created_at: String,
    /// Activity type.
    pub kind: String,
    /// Base points.
    pub points: i64,
    /// Bonus points earned on top of base points.
    pub bonus_points: i64,
    /// Display title.
    pub title: String,
    /// Display subtitle.
    pub subtitle: String,
    /// Where the bonus points come from.
    pub bonuses: Vec<Bonus>,
}

/// A bonus as the interface documents it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Bonus {
    pub kind: String,
    /// Bonus points from this source.
    pub points: i64,
    /// Human-readable description.
    pub title: String,
}

/// A page of a history; what could not be read is none.
#[derive(Debug, Clone)]
pub(crate) struct HistoryPage {
    /// Every key of `data`, and its day where that can be read.
    pub(crate) days: Option<Vec<(String, Option<Day>)>>,
    pub(crate) meta: Option<HistoryMeta>,
    pub(crate) user_points: Option<i64>,
}

/// The numbers of a page of days.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HistoryMeta {
    pub(crate) current_page: i64,
    pub(crate) per_page: i64,
    pub(crate) last_page: i64,
    pub(crate) total: i64,
}

/// What is looked at in every page of a history.
pub(crate) const HISTORY_RULES: &[&Rule] = &[&HISTORY_SHAPE];

/// What is looked at besides, where there are days.
pub(crate) const DAY_RULES: &[&Rule] =
    &[&HISTORY_DAYS, &HISTORY_GROUPS, &HISTORY_TRANSACTIONS, &DATES_FORMAT, &HISTORY_BONUS_THERE];

/// Reads a page of a history.
pub(crate) fn history_page(json: &Json, flaws: &mut Flaws) -> HistoryPage {
    let root = Cursor::root(&HISTORY_SHAPE, json);
    if json.get("links").is_some() {
        root.refuse("has no links", flaws);
    }
    let days = root.member("data", flaws).and_then(|data| members(&data, flaws));
    let days = days.map(|days| {
        days.iter().map(|(date, groups)| ((*date).to_owned(), day(date, groups, flaws))).collect()
    });
    let meta = root.member("meta", flaws).and_then(|found| meta(&found, flaws));
    HistoryPage { days, meta, user_points: root.integer_of("user_points", flaws) }
}

/// The members of an object. An array without items is none, but tells as much.
fn members<'j>(data: &Cursor<'j>, flaws: &mut Flaws) -> Option<Vec<(&'j str, Cursor<'j>)>> {
    let members = data.members(flaws);
    match data.json() {
        Json::List(items) if items.is_empty() => Some(Vec::new()),
        _ => members,
    }
}

fn meta(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<HistoryMeta> {
    let cursor = cursor.by(&HISTORY_META);
    let current_page = cursor.integer_of("current_page", flaws);
    let per_page = cursor.integer_of("per_page", flaws);
    let last_page = cursor.integer_of("last_page", flaws);
    let total = cursor.integer_of("total", flaws);
    Some(HistoryMeta {
        current_page: current_page?,
        per_page: per_page?,
        last_page: last_page?,
        total: total?,
    })
}

fn day(date: &str, cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Day> {
    if !is_date(date) {
        cursor.by(&HISTORY_DAYS).refuse("has a date as its key", flaws);
    }
    let groups = cursor.by(&HISTORY_GROUPS).items(flaws)?;
    if groups.is_empty() {
        cursor.by(&HISTORY_GROUPS).refuse("has groups", flaws);
    }
    let groups: Vec<_> = groups.iter().map(|found| group(found, flaws)).collect();
    Some(Day { date: date.to_owned(), groups: groups.into_iter().collect::<Option<_>>()? })
}

fn group(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Group> {
    let kind = cursor.text_of("type", flaws);
    let title = cursor.text_of("groupTitle", flaws);
    let subtitle = cursor.text_of("groupSubtitle", flaws);
    let total_points = cursor.integer_of("totalPoints", flaws);
    let total_bonus_points = cursor.integer_of("totalBonusPoints", flaws);
    let items = cursor.items_of("data", flaws)?;
    if items.is_empty() {
        cursor.refuse("has transactions", flaws);
    }
    let read = |item: &Cursor<'_>| transaction(&item.by(&HISTORY_TRANSACTIONS), flaws);
    let transactions: Vec<_> = items.iter().map(read).collect();
    Some(Group {
        kind: kind?,
        title: title?,
        subtitle: subtitle?,
        total_points: total_points?,
        total_bonus_points: total_bonus_points?,
        transactions: transactions.into_iter().collect::<Option<_>>()?,
    })
}

fn transaction(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Transaction> {
    let kind = cursor.text_of("type", flaws);
    let points = cursor.integer_of("points", flaws);
    let bonus_points = cursor.integer_of("bonus_points", flaws);
    let title = cursor.text_of("title", flaws);
    let subtitle = cursor.text_of("subtitle", flaws);
    let created_at = cursor.text_of("created_at", flaws);
    if let Some(time) = created_at.as_deref().filter(|time| !is_date_time(time)) {
        cursor.by(&DATES_FORMAT).refuse(&format!("has YYYY-MM-DDTHH:mm:ss.uuuuuuZ, not {time}"), flaws);
    }
    let bonuses = bonuses(cursor, bonus_points, flaws);
    Some(Transaction {
        created_at: created_at?,
        kind: kind?,
        points: points?,
        bonus_points: bonus_points?,
        title: title?,
        subtitle: subtitle?,
        bonuses: bonuses?,
    })
}

fn bonuses(cursor: &Cursor<'_>, bonus_points: Option<i64>, flaws: &mut Flaws) -> Option<Vec<Bonus>> {
    let there = cursor.json().get("bonus_breakdown").is_some();
    match bonus_points {
        Some(1..) if !there => {
            cursor.by(&HISTORY_BONUS_THERE).refuse("has a bonus_breakdown", flaws);
        }
        Some(..=0) if there => {
            cursor.by(&HISTORY_BONUS_THERE).refuse("has no bonus_breakdown", flaws);
        }
        Some(_) | None => {}
    }
    if !there {
        return Some(Vec::new());
    }
    let items = cursor.by(&HISTORY_BONUS_FIELDS).items_of("bonus_breakdown", flaws)?;
    let bonuses: Vec<_> = items.iter().map(|item| bonus(item, flaws)).collect();
    bonuses.into_iter().collect()
}

fn bonus(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Bonus> {
    let kind = cursor.text_of("type", flaws);
    let points = cursor.integer_of("points", flaws);
    let title = cursor.text_of("title", flaws);
    Some(Bonus { kind: kind?, points: points?, title: title? })
}

/// Whether this is a day of the calendar, as `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
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
pub(crate) fn is_date_time(text: &str) -> bool {
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

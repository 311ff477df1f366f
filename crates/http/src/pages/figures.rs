//! Numbers, points, dates and times as people read them.

use maud::{Markup, html};
use pointbook_domain::{Day, Timestamp};
use pointbook_store::ServedTenant;

use crate::pages::words::Words;

/// A number with its thousands apart.
pub fn number(value: i64, words: &Words) -> String {
    let digits = value.unsigned_abs().to_string();
    let mark = words.say("thousands");
    let mut text = String::from(if value < 0 { "−" } else { "" });
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push_str(&mark);
        }
        text.push(digit);
    }
    text
}

/// A number with its sign.
pub fn signed(value: i64, words: &Words) -> String {
    let plus = if value > 0 { "+" } else { "" };
    format!("{plus}{}", number(value, words))
}

/// A number of points with their name.
pub fn points(value: i64, words: &Words) -> String {
    let form = if value.abs() == 1 { "points-one" } else { "points-many" };
    words.with_all(form, [("points", number(value, words))])
}

/// A date, such as 27 November 2026.
pub fn date(day: Day, words: &Words) -> String {
    let ascii = day.to_ascii();
    let text = str::from_utf8(&ascii).unwrap_or_default();
    let mut parts = text.rsplitn(3, '-');
    let mut next = || parts.next().unwrap_or_default().trim_start_matches('0').to_owned();
    let (day, month, year) = (next(), next(), next());
    let name = words.say(&format!("month-{month}")).into_owned();
    words.with_all("date", [("day", day), ("month", name), ("year", year)])
}

/// A moment in the zone of the tenant. It shows UTC on hover.
pub fn moment(at: Timestamp, served: &ServedTenant, words: &Words) -> Markup {
    let utc = at.to_string();
    html! { time datetime=(utc) title=(utc) { (moment_text(at, served, words)) } }
}

/// The time of a moment, below the heading of its day.
pub fn clock_time(at: Timestamp, served: &ServedTenant) -> Markup {
    let (utc, minute) = (at.to_string(), served.local_time(at).minute_of_day);
    html! { time datetime=(utc) title=(utc) { (format!("{:02}:{:02}", minute / 60, minute % 60)) } }
}

/// As [`moment`], for the middle of a text.
pub fn moment_text(at: Timestamp, served: &ServedTenant, words: &Words) -> String {
    let local = served.local_time(at);
    let (hour, minute) = (local.minute_of_day / 60, local.minute_of_day % 60);
    let time = format!("{hour:02}:{minute:02}");
    words.with_all("moment", [("date", date(local.day, words)), ("time", time)])
}

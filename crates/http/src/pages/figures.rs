//! Numbers, points, dates and times as people read them.

use maud::{Markup, html};
use pointbook_domain::{CivilDate, Day, Timestamp};
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

/// Tenths of a percent. A whole number has no tenth, and from a hundred percent on, a tenth says nothing.
pub fn percent(tenths: i64, words: &Words) -> String {
    let size = tenths.saturating_abs();
    let whole = number(size / 10, words);
    let shown = match size % 10 {
        tenth if tenth > 0 && size < 1_000 => {
            words.with_all("with-tenth", [("whole", whole), ("tenth", tenth.to_string())])
        }
        _ => whole,
    };
    let sign = if tenths < 0 { "−" } else { "" };
    words.with_all("percent", [("number", format!("{sign}{shown}"))])
}

/// A number of points with their name.
pub fn points(value: i64, words: &Words) -> String {
    let form = if value.abs() == 1 { "points-one" } else { "points-many" };
    words.with_all(form, [("points", number(value, words))])
}

/// A date, such as 27 November 2026.
pub fn date(day: Day, words: &Words) -> String {
    let CivilDate { year, month, day } = day.into();
    let month = words.say(&format!("month-{month}")).into_owned();
    words.with_all("date", [("day", day.to_string()), ("month", month), ("year", year.to_string())])
}

/// A date with a short month, such as 27 Nov. Only one of another year than `today` has its year.
pub fn short_date(date: Day, today: Day, words: &Words) -> String {
    let (CivilDate { year, month, day }, today) = (CivilDate::from(date), CivilDate::from(today));
    let months = words.say("months-short");
    let month = usize::try_from(month).ok().and_then(|month| months.split(' ').nth(month.saturating_sub(1)));
    let parts = [("day", day.to_string()), ("month", month.unwrap_or_default().to_owned())];
    if year == today.year {
        return words.with_all("day-of-month", parts);
    }
    words.with_all("date", parts.into_iter().chain([("year", year.to_string())]))
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

#[cfg(test)]
mod tests {
    use http::HeaderMap;
    use http::header::ACCEPT_LANGUAGE;

    use super::*;
    use crate::pages::words::Languages;

    #[test]
    fn percent_and_short_dates_follow_the_language() {
        let languages = Languages::new([("en", ""), ("de", ""), ("ja", ""), ("tr", "")]);
        let [day, today] =
            [(2026, 3, 1), (2027, 1, 1)].map(|(year, month, day)| CivilDate { year, month, day }.to_day());
        let (day, today) = (day.unwrap(), today.unwrap());
        for (language, expected) in [
            ("en", ["107%", "1,038%", "−22.1%", "22%", "1 Mar", "1 Mar 2026"]),
            ("de", ["107\u{a0}%", "1.038\u{a0}%", "−22,1\u{a0}%", "22\u{a0}%", "1. März", "1. März 2026"]),
            ("ja", ["107%", "1,038%", "−22.1%", "22%", "3月1日", "2026年3月1日"]),
            ("tr", ["%107", "%1.038", "%−22,1", "%22", "1 Mar", "1 Mar 2026"]),
        ] {
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, language.parse().unwrap())]);
            let words = languages.choose(&headers);
            let [a, b, c, d] = [1_070, 10_385, -221, 220].map(|tenths| percent(tenths, words));
            assert_eq!(percent(-5, words), percent(5, words).replace('0', "−0"));
            let shown = [a, b, c, d, short_date(day, day, words), short_date(day, today, words)];
            assert_eq!(shown, expected, "{language}");
        }
    }
}

//! Dates of the Gregorian calendar, counted year by year and month by month, and the strings of definitions.
//!
//! A day is a number of days since 1970-01-01, an instant is a number of microseconds since then in UTC.

pub(crate) const MICROS_PER_MINUTE: i64 = 60 * 1_000_000;
pub(crate) const MICROS_PER_DAY: i64 = 24 * 60 * MICROS_PER_MINUTE;

/// Year, month from 1 to 12, and day of the month from 1.
pub(crate) type Date = (i64, i64, i64);

const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// The date of a day since 1970-01-01.
pub(crate) fn date_of(day: i64) -> Date {
    let (mut year, mut month, mut rest) = (1970, 1, day);
    while rest < 0 {
        year -= 1;
        rest += days_in_year(year);
    }
    while rest >= days_in_year(year) {
        rest -= days_in_year(year);
        year += 1;
    }
    while rest >= days_in_month(year, month) {
        rest -= days_in_month(year, month);
        month += 1;
    }
    (year, month, rest + 1)
}

/// The number of days from 1970-01-01 to this date. Negative before 1970.
pub(crate) fn day_of((year, month, day_of_month): Date) -> i64 {
    let years: i64 = if year < 1970 {
        -(year..1970).map(days_in_year).sum::<i64>()
    } else {
        (1970..year).map(days_in_year).sum()
    };
    let months: i64 = (1..month).map(|month| days_in_month(year, month)).sum();
    years + months + day_of_month - 1
}

pub(crate) fn is_leap_year(year: i64) -> bool {
    year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
}

fn days_in_year(year: i64) -> i64 {
    if is_leap_year(year) { 366 } else { 365 }
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if is_leap_year(year) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// The word of definitions for the weekday, such as `mon`.
pub(crate) fn weekday(day: i64) -> &'static str {
    WEEKDAYS.into_iter().zip(0..).find(|(_, number)| *number == days_since_monday(day)).unwrap().0
}

/// The Monday of the week that contains this day.
pub(crate) fn monday_of(day: i64) -> i64 {
    day - days_since_monday(day)
}

/// 1970-01-01 was a Thursday, three days after a Monday.
fn days_since_monday(day: i64) -> i64 {
    (day + 3).rem_euclid(7)
}

/// The day of `YYYY-MM-DD`.
pub(crate) fn parse_day(text: &str) -> i64 {
    let parts: Vec<i64> = text.split('-').map(|part| part.parse().unwrap()).collect();
    assert_eq!(parts.len(), 3, "a date has the form YYYY-MM-DD, not {text}");
    day_of((parts[0], parts[1], parts[2]))
}

/// The minute of the day of `HH:MM`, from 0 to 1440.
pub(crate) fn parse_minute(text: &str) -> i64 {
    let (hour, minute) = text.split_once(':').unwrap();
    hour.parse::<i64>().unwrap() * 60 + minute.parse::<i64>().unwrap()
}

/// The instant of `YYYY-MM-DDTHH:MM:SS`, with or without a fraction, and with `Z` or an offset `+HH:MM`.
pub(crate) fn parse_instant(text: &str) -> i64 {
    let (date, rest) = text.split_once('T').unwrap();
    let (time, offset) = rest.strip_suffix('Z').map_or_else(
        || {
            let (time, offset) = rest.split_once('+').unwrap();
            (time, parse_minute(offset))
        },
        |time| (time, 0),
    );
    let (minute, seconds) = time.rsplit_once(':').unwrap();
    let (seconds, fraction) = seconds.split_once('.').unwrap_or((seconds, ""));
    let micros: i64 = format!("{seconds}{fraction:0<6}").parse().unwrap();
    parse_day(date) * MICROS_PER_DAY + (parse_minute(minute) - offset) * MICROS_PER_MINUTE + micros
}

/// `YYYY-MM-DD`.
pub(crate) fn day_text(day: i64) -> String {
    let (year, month, day_of_month) = date_of(day);
    format!("{year:04}-{month:02}-{day_of_month:02}")
}

/// `HH:MM`, up to `24:00`.
pub(crate) fn minute_text(minute: i64) -> String {
    format!("{:02}:{:02}", minute / 60, minute % 60)
}

/// `YYYY-MM-DDTHH:MM:00Z`, for instants that are whole minutes.
pub(crate) fn instant_text(at: i64) -> String {
    assert_eq!(at % MICROS_PER_MINUTE, 0, "{at} is not a whole minute");
    let minute = at.rem_euclid(MICROS_PER_DAY) / MICROS_PER_MINUTE;
    format!("{}T{}:00Z", day_text(at.div_euclid(MICROS_PER_DAY)), minute_text(minute))
}

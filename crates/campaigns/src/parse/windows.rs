//! Reads windows of days and of minutes.

use super::field::Field;
use super::object::Object;
use super::rule::FaultRule;
use super::shown::shown_text;
use crate::campaign::RunTime;
use crate::conditions::{DayWindow, HourWindow, MinuteOfDay};
use crate::zones;

const MEMBERS: &[&str] = &["from", "until"];
const MINUTES_OF_HOUR: MinuteOfDay = 60;
const MINUTES_OF_DAY: MinuteOfDay = 24 * MINUTES_OF_HOUR;

pub(super) fn read_day_window(field: &Field<'_>, run: RunTime) -> Option<DayWindow> {
    let object = Object::read(field, MEMBERS)?;
    let (from, until) = (object.required("from").day(), object.required("until"));
    let until_day = until.day();
    let (from, until_day) = (from?, until_day?);
    if until_day <= from {
        return until.refuse(FaultRule::UntilBeforeFrom);
    }
    let window = DayWindow { from, until: until_day };
    if zones::is_outside(window, run) {
        return field.refuse(FaultRule::NeverMatches);
    }
    Some(window)
}

pub(super) fn read_hour_window(field: &Field<'_>) -> Option<HourWindow> {
    let object = Object::read(field, MEMBERS)?;
    let from = read_minute(&object.required("from"), MINUTES_OF_DAY - 1);
    let until = object.required("until");
    let (from, until_minute) = (from, read_minute(&until, MINUTES_OF_DAY));
    let window = HourWindow { from: from?, until: until_minute? };
    if window.until <= window.from {
        return until.refuse(FaultRule::OverMidnight);
    }
    Some(window)
}

fn read_minute(field: &Field<'_>, last: MinuteOfDay) -> Option<MinuteOfDay> {
    let text = field.text()?;
    let minute = minute_of_day(text).filter(|&minute| minute <= last);
    minute.or_else(|| {
        let latest = if last == MINUTES_OF_DAY { "24:00" } else { "23:59" };
        field.refuse(FaultRule::NotATimeOfDay { latest, got: shown_text(text) })
    })
}

/// Reads `HH:MM`.
fn minute_of_day(text: &str) -> Option<MinuteOfDay> {
    let [tens, ones, b':', minute_tens, minute_ones] = text.as_bytes() else { return None };
    let number = |tens: u8, ones: u8| -> Option<MinuteOfDay> {
        let are_digits = tens.is_ascii_digit() && ones.is_ascii_digit();
        are_digits.then(|| MinuteOfDay::from(tens - b'0') * 10 + MinuteOfDay::from(ones - b'0'))
    };
    let (hour, minute) = (number(*tens, *ones)?, number(*minute_tens, *minute_ones)?);
    (minute < MINUTES_OF_HOUR).then_some(hour * MINUTES_OF_HOUR + minute)
}

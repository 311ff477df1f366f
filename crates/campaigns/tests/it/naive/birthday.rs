//! The birthday condition.

use super::calendar::{Date, MICROS_PER_DAY, date_of, day_of, is_leap_year, monday_of};
use super::conditions::Case;
use super::data::Feb29;
use super::definition::{id, optional, text};

/// Two birthdays of one user in one campaign are at least this many days apart, and the later one is paid later.
const DAYS_APART_MIN: i64 = 330;

/// The reason why the birthday condition does not hold.
pub(crate) fn check(case: &Case<'_>) -> Option<String> {
    let condition = case.condition("birthday")?;
    if case.member.birth_date.is_none() {
        return Some("no_birth_date".to_owned());
    }
    let Some(birthday) = celebrated(case) else {
        return Some("not_birthday".to_owned());
    };
    if is_too_new(case) {
        return Some("birth_date_too_new".to_owned());
    }
    let pays_first = optional(&condition["pays"]).is_none_or(|pays| text(pays) == "first");
    let last = case.history.last_birthday(id(case.campaign), &case.member.id)?;
    let is_paid = if last == birthday { pays_first } else { birthday - last < DAYS_APART_MIN };
    is_paid.then(|| "already_this_year".to_owned())
}

/// The birthday, with its year, whose window contains the event. `None` without a birthday condition.
pub(crate) fn celebrated(case: &Case<'_>) -> Option<i64> {
    let window = optional(&case.condition("birthday")?["window"]).map_or("day", text);
    let (year, month, _) = date_of(case.event.day);
    // The week around New Year belongs to two years. The calendar ends with the year 9999.
    for birthday_year in [year - 1, year, year + 1].into_iter().filter(|year| (1..=9_999).contains(year)) {
        let birthday = birthday_in(birthday_year, case.member.birth_date?, case.options.feb29);
        let contains = match window {
            "day" => birthday == case.event.day,
            "week" => monday_of(birthday) == monday_of(case.event.day),
            "month" => birthday_year == year && date_of(birthday).1 == month,
            _ => panic!("unknown window {window}"),
        };
        if contains {
            return Some(birthday);
        }
    }
    None
}

fn birthday_in(year: i64, (_, month, day_of_month): Date, feb29: Feb29) -> i64 {
    match ((month, day_of_month), feb29) {
        ((2, 29), Feb29::Feb28) if !is_leap_year(year) => day_of((year, 2, 28)),
        ((2, 29), Feb29::March1) if !is_leap_year(year) => day_of((year, 3, 1)),
        _ => day_of((year, month, day_of_month)),
    }
}

fn is_too_new(case: &Case<'_>) -> bool {
    let least = i64::from(case.options.birth_date_days) * MICROS_PER_DAY;
    least > 0 && case.member.set_at.is_some_and(|set_at| case.event.at - set_at < least)
}

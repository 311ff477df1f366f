//! Which birthday a local day belongs to.

use pointbook_domain::{CivilDate, Day, Feb29, words};

use crate::weekday::Weekday;

words! {
    /// On which days a birthday campaign pays.
    pub(crate) BirthdayWindow {
        Day = "day",
        /// The week from Monday to Sunday that contains the birthday.
        Week = "week",
        /// The calendar month of the birthday.
        Month = "month",
    }

    /// Which activities of its window a birthday campaign pays for.
    pub(crate) BirthdayPays {
        First = "first",
        Each = "each",
    }
}

/// A birthday campaign that paid a member pays again for another birthday only this many days away. So a member who changes the
/// birth date gains nothing.
const DAYS_BETWEEN_BIRTHDAYS: i32 = 330;

/// The condition that the member has a birthday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BirthdayCondition {
    pub(crate) window: BirthdayWindow,
    pub(crate) pays: BirthdayPays,
}

impl BirthdayCondition {
    /// The birthday whose window contains a local day. It may be in the year before or after, when a week spans two years.
    pub(crate) fn birthday(self, local_day: Day, birth_date: Day, feb29: Feb29) -> Option<Day> {
        let year = CivilDate::from(local_day).year;
        let in_year = |year| birthday_in(year, birth_date, feb29);
        match self.window {
            BirthdayWindow::Day => in_year(year).filter(|&birthday| birthday == local_day),
            BirthdayWindow::Week => {
                let near = [year.checked_sub(1), Some(year), year.checked_add(1)];
                let mut birthdays = near.into_iter().flatten().filter_map(in_year);
                birthdays.find(|&birthday| Weekday::is_same_week(birthday, local_day))
            }
            BirthdayWindow::Month => {
                let month = CivilDate::from(local_day).month;
                in_year(year).filter(|&birthday| CivilDate::from(birthday).month == month)
            }
        }
    }

    /// Whether the campaign has already paid for this birthday, for a later one, or for one that is too near to it. `last_paid` is the
    /// latest birthday that it paid for.
    pub(crate) fn has_paid(self, birthday: Day, last_paid: Day) -> bool {
        let days_after = birthday.as_days() - last_paid.as_days();
        match self.pays {
            BirthdayPays::Each if days_after == 0 => false,
            BirthdayPays::First | BirthdayPays::Each => days_after < DAYS_BETWEEN_BIRTHDAYS,
        }
    }
}

/// The birthday in a year. `None` only outside the years 1 to 9999.
fn birthday_in(year: u32, birth_date: Day, feb29: Feb29) -> Option<Day> {
    let CivilDate { month, day, .. } = CivilDate::from(birth_date);
    CivilDate { year, month, day }.to_day().or_else(|| {
        let (month, day) = match feb29 {
            Feb29::Feb28 => (2, 28),
            Feb29::March1 => (3, 1),
        };
        CivilDate { year, month, day }.to_day()
    })
}

#[cfg(test)]
mod tests {
    use pointbook_time::timestamp_text::parse_day;

    use super::*;

    fn day(text: &str) -> Day {
        parse_day(text).unwrap()
    }

    fn birthday(window: BirthdayWindow, local_day: &str, born: &str, feb29: Feb29) -> Option<String> {
        let condition = BirthdayCondition { window, pays: BirthdayPays::First };
        condition.birthday(day(local_day), day(born), feb29).map(|day| day.to_string())
    }

    #[test]
    fn a_birthday_is_month_and_day_of_the_birth_date() {
        let of_day = |local_day| birthday(BirthdayWindow::Day, local_day, "1990-11-25", Feb29::Feb28);
        assert_eq!(of_day("2026-11-25").as_deref(), Some("2026-11-25"));
        assert_eq!(of_day("2026-11-24"), None);
        assert_eq!(of_day("2026-11-26"), None);
    }

    #[test]
    fn in_common_years_29_february_is_the_day_that_the_setting_says() {
        let of_day = |local_day, feb29| birthday(BirthdayWindow::Day, local_day, "2000-02-29", feb29);
        assert!(of_day("2026-02-28", Feb29::Feb28).is_some());
        assert!(of_day("2026-03-01", Feb29::Feb28).is_none());
        assert!(of_day("2026-02-28", Feb29::March1).is_none());
        assert!(of_day("2026-03-01", Feb29::March1).is_some());
        for feb29 in [Feb29::Feb28, Feb29::March1] {
            assert!(of_day("2028-02-28", feb29).is_none());
            assert!(of_day("2028-02-29", feb29).is_some());
            assert!(of_day("2028-03-01", feb29).is_none());
        }
    }

    #[test]
    fn the_month_of_29_february_follows_the_setting() {
        let of_month = |local_day, feb29| birthday(BirthdayWindow::Month, local_day, "2000-02-29", feb29);
        assert_eq!(of_month("2026-02-01", Feb29::Feb28).as_deref(), Some("2026-02-28"));
        assert_eq!(of_month("2026-03-31", Feb29::March1).as_deref(), Some("2026-03-01"));
        assert_eq!(of_month("2026-02-01", Feb29::March1), None);
        assert_eq!(of_month("2028-02-01", Feb29::March1).as_deref(), Some("2028-02-29"));
    }

    #[test]
    fn a_week_with_the_birthday_may_span_two_years() {
        let of_week = |local_day, born| birthday(BirthdayWindow::Week, local_day, born, Feb29::Feb28);
        // From Monday, 2026-12-28, to Sunday, 2027-01-03.
        assert_eq!(of_week("2026-12-28", "1990-01-03").as_deref(), Some("2027-01-03"));
        assert_eq!(of_week("2027-01-03", "1990-12-28").as_deref(), Some("2026-12-28"));
        assert_eq!(of_week("2027-01-04", "1990-12-28"), None);
        assert_eq!(of_week("2026-12-27", "1990-01-03"), None);
    }

    #[test]
    fn weeks_at_the_ends_of_time_have_no_birthday_outside() {
        let of_week = |local_day, born| birthday(BirthdayWindow::Week, local_day, born, Feb29::Feb28);
        assert_eq!(of_week("9999-12-31", "1990-01-01"), None);
        assert_eq!(of_week("9999-12-31", "1990-12-27").as_deref(), Some("9999-12-27"));
        assert_eq!(of_week("0001-01-01", "1990-12-31"), None);
        assert_eq!(of_week("0001-01-01", "1990-01-07").as_deref(), Some("0001-01-07"));
    }

    #[test]
    fn a_birthday_pays_once_in_330_days() {
        let first = BirthdayCondition { window: BirthdayWindow::Day, pays: BirthdayPays::First };
        let each = BirthdayCondition { pays: BirthdayPays::Each, ..first };
        for (last_paid, first_has_paid, each_has_paid) in [
            ("2026-11-25", true, false),
            ("2026-11-24", true, true),
            ("2025-12-31", true, true),
            ("2025-12-30", false, false),
            ("2027-10-20", true, true),
            ("2027-10-21", true, true),
        ] {
            let birthday = day("2026-11-25");
            assert_eq!(first.has_paid(birthday, day(last_paid)), first_has_paid, "{last_paid}");
            assert_eq!(each.has_paid(birthday, day(last_paid)), each_has_paid, "{last_paid}");
        }
    }
}

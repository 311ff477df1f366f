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

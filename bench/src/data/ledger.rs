//! Generates ledgers: the activities of users, in order of time.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use anyhow::Result;

use super::{DayEnd, timestamp};

/// Rows of an ordinary user: three or four on each of 145 days.
const ORDINARY_ROWS: u32 = 500;
/// The time between two rows of an ordinary user, in seconds.
const ORDINARY_SECONDS: i64 = 25_000;
/// Days on a page of a history.
const PAGE_DAYS: u32 = 15;

/// A user with another number of rows than ordinary users.
pub(crate) struct Special {
    pub(crate) user: &'static str,
    rows: u32,
    rows_per_day: u32,
}

/// Hundreds of pages of 2,160 rows.
pub(crate) const HEAVY: Special = Special { user: "heavy", rows: 100_000, rows_per_day: 144 };
/// A single page, with as many rows as a page of the heavy user.
pub(crate) const ONE_PAGE: Special = Special { user: "one-page", rows: PAGE_DAYS * 144, rows_per_day: 144 };
/// A single page of 7,200 rows: the most expensive request.
pub(crate) const LONG_PAGE: Special = Special { user: "long-page", rows: PAGE_DAYS * 480, rows_per_day: 480 };

impl Special {
    /// The last page with as many rows as the first.
    pub(crate) fn last_full_page(&self) -> u32 {
        self.rows / self.rows_per_day / PAGE_DAYS
    }
}

/// Writes the activities of ordinary users and of special ones.
pub(super) fn write_activities(file: &Path, users: u32, specials: &[&Special], newest: DayEnd) -> Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    writeln!(out, "user_id,type,source_id,points,bonus_breakdown,title,subtitle,created_at")?;
    for user in 0..users {
        write_user(&mut out, &format!("user-{user}"), ORDINARY_ROWS, (newest, ORDINARY_SECONDS))?;
    }
    for special in specials {
        let seconds_between = 86_400 / i64::from(special.rows_per_day);
        write_user(&mut out, special.user, special.rows, (newest, seconds_between))?;
    }
    Ok(out.flush()?)
}

/// Writes the activities of one user, at regular intervals until the newest.
fn write_user(
    out: &mut impl Write,
    user: &str,
    rows: u32,
    (newest, seconds_between): (DayEnd, i64),
) -> Result<()> {
    for row in 0..rows {
        let at = timestamp(newest.0 - i64::from(rows - row) * seconds_between);
        let (kind, title) = [("code", "QR code scan"), ("video", "Video watched"), ("quiz", "Quiz answered")]
            [(row % 3) as usize];
        let bonus = if row % 10 == 0 {
            r#""[{""type"":""campaign"",""points"":50,""title"":""Spring campaign""}]""#
        } else {
            ""
        };
        writeln!(out, "{user},{kind},{user}-{row},{},{bonus},{title},Item {row},{at}", 10 + row % 90)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn special_user_has_the_same_number_of_rows_on_every_day() {
        let mut out = Vec::new();
        let newest = DayEnd(1_700_006_400);
        write_user(&mut out, "one-page", ONE_PAGE.rows, (newest, 600)).unwrap();
        let text = String::from_utf8(out).unwrap();
        let days: Vec<&str> = text
            .lines()
            .filter_map(|line| line.rsplit_once(',')?.1.split_once('T'))
            .map(|(day, _)| day)
            .collect();
        let of_first = days.iter().filter(|day| **day == days[0]).count();
        assert_eq!((days.len(), of_first), (2_160, 144));
        assert_eq!((HEAVY.last_full_page(), ONE_PAGE.last_full_page()), (46, 1));
    }
}

//! What a page of a history, and a whole one, must come to.

use super::super::Examiner;
use super::Told;
use crate::read::{HistoryMeta, HistoryPage};
use crate::rule::{HISTORY_DAYS, HISTORY_META, HISTORY_NEWEST, HISTORY_POINTS, HISTORY_STEADY};

impl Examiner<'_> {
    pub(super) fn judge_page(
        &mut self,
        told: &Told,
        number: i64,
        request: &str,
        page: &HistoryPage,
        days: usize,
    ) {
        let user_points = page.user_points;
        self.book.expect(&HISTORY_STEADY, request, user_points == told.user_points, || {
            (format!("user_points {:?}, as on the first page", told.user_points), format!("{user_points:?}"))
        });
        let Some(HistoryMeta { current_page, per_page, last_page, total }) = page.meta else { return };
        let (per, all) = (i128::from(per_page).max(1), i128::from(total));
        // A page may have fewer days than per_page, and no days may be no page or one.
        let (fewest_pages, most_days) = ((all + per - 1) / per, per.min(all));
        let came = i128::try_from(days).unwrap_or(i128::MAX);
        let fits = current_page == number
            && i128::from(last_page) >= fewest_pages
            && i128::from(last_page) <= all.max(1)
            && (all.min(1)..=most_days).contains(&came)
            && total == told.total;
        self.book.expect(&HISTORY_META, request, fits, || {
            let wanted = format!(
                "current_page {number}, at least {fewest_pages} as last_page, total {}, {} to {most_days} days",
                told.total,
                all.min(1)
            );
            let came =
                format!("current_page {current_page}, last_page {last_page}, total {total}, {days} days");
            (format!("{wanted}, at {per_page} a page"), came)
        });
    }

    /// A date against those before it, which is sorted downwards as long as nothing is broken.
    pub(super) fn judge_date(&mut self, told: &Told, request: &str, date: &str) {
        let Some(before) = told.dates.last() else { return };
        let is_twice = told.dates.iter().any(|known| known == date);
        self.book.expect(&HISTORY_DAYS, request, !is_twice, || {
            ("every day once".to_owned(), format!("{date} again"))
        });
        if !is_twice {
            self.book.expect(&HISTORY_NEWEST, request, date < before.as_str(), || {
                (format!("a day before {before}"), date.to_owned())
            });
        }
    }

    pub(super) fn judge_history(&mut self, told: &Told) {
        if !told.is_whole {
            return;
        }
        let (request, days) = (&told.request, i64::try_from(told.dates.len()).unwrap_or(i64::MAX));
        self.book.expect(&HISTORY_DAYS, request, days == told.total, || {
            (
                format!("{} days, as meta.total says", told.total),
                format!("{days} days on {} pages", told.last_page),
            )
        });
        let Some(user_points) = told.user_points else { return };
        let transactions = told.days.iter().flat_map(|day| &day.groups).flat_map(|group| &group.transactions);
        let amounts = transactions.map(|found| i128::from(found.points) + i128::from(found.bonus_points));
        let sum: i128 = amounts.sum();
        self.book.expect(&HISTORY_POINTS, request, sum == i128::from(user_points), || {
            (format!("user_points is {sum}, the sum of its transactions"), user_points.to_string())
        });
    }
}

//! The history of each token's user, from its first page to its last.

use std::collections::BTreeSet;

use super::{DOCUMENTED, Examiner, HISTORY, NUMBER, SIZE};
use crate::answer::{Call, Credentials};
use crate::book::judge;
use crate::read::{Day, Group, HistoryMeta, Transaction, history_page};
use crate::rule;

/// The share of the requests that reading one history may take, in hundredths.
const HISTORY_SHARE: u32 = 15;

const KNOWN_TYPES: [&str; 4] = ["code", "video", "quiz", "order"];

/// The histories of the given tokens, as far as they were read; `None` where they could not be.
#[derive(Debug, Default)]
pub(super) struct Past {
    pub(super) own: Option<Vec<Day>>,
    pub(super) other: Option<Vec<Day>>,
}

#[derive(Debug, Default)]
pub(super) struct Told {
    request: String,
    pub(super) days: Vec<Day>,
    /// Every key of `data`, whether or not its day could be read.
    pub(super) dates: Vec<String>,
    is_whole: bool,
    pub(super) total: i64,
    pub(super) last_page: i64,
    pub(super) user_points: Option<i64>,
}

impl Examiner<'_> {
    pub(super) fn examine_history(&mut self) {
        if let Some(told) = self.read_history(Credentials::Own) {
            self.judge_history(&told);
            self.examine_size(&told);
            self.examine_beyond(&told);
            self.past.own = Some(told.days);
        }
        if self.client.other.is_some()
            && let Some(told) = self.read_history(Credentials::Other)
        {
            self.judge_history(&told);
            self.past.other = Some(told.days);
        }
    }

    fn read_history(&mut self, credentials: Credentials) -> Option<Told> {
        let call = Call::get(HISTORY).by(credentials);
        let mut told = Told { request: call.to_string(), ..Told::default() };
        self.follow_history(&call, 1, &mut told)?;
        let granted = i64::try_from(self.share(HISTORY_SHARE)).unwrap_or(i64::MAX);
        for number in 2..=told.last_page.min(granted) {
            if self.follow_history(&call.clone().with(NUMBER, number), number, &mut told).is_none() {
                return Some(told);
            }
        }
        told.is_whole = told.last_page <= granted && told.days.len() == told.dates.len();
        if told.last_page > granted {
            let why = format!("{granted} of {} pages of a history were read", told.last_page);
            self.untried(&[rule::HISTORY_POINTS], &why);
            self.book.note(&format!("{why}: its sum was not tried"));
        }
        Some(told)
    }

    /// Reads the page of this number after those before it; `None` where there is no page.
    pub(super) fn follow_history(&mut self, call: &Call, number: i64, told: &mut Told) -> Option<()> {
        let answer = self.ask_ok(call, DOCUMENTED)?;
        let page = self.read(&answer, history_page)?;
        if number == 1 {
            told.user_points = page.user_points;
            if let Some(meta) = page.meta {
                (told.total, told.last_page) = (meta.total, meta.last_page);
            }
        }
        let Some(days) = page.days else { return Some(()) };
        let (first, points) = (told.user_points, page.user_points);
        judge!(self, rule::HISTORY_STEADY, call, points == first;
            "user_points {first:?}, as on the first page"; "{points:?}");
        if let Some(meta) = page.meta {
            self.judge_meta(call, meta, (number, told.total), days.len());
        }
        for (date, day) in days {
            self.judge_date(told, call, &date);
            told.dates.push(date);
            if let Some(day) = day {
                self.judge_day(&answer.request, &day);
                told.days.push(day);
            }
        }
        Some(())
    }

    fn judge_meta(&mut self, call: &Call, meta: HistoryMeta, (number, first_total): (i64, i64), days: usize) {
        let HistoryMeta { current_page, per_page, last_page, total } = meta;
        let (per, all) = (i128::from(per_page).max(1), i128::from(total));
        // A page may have fewer days than per_page, and no days may be no page or one.
        let (fewest_pages, fewest_days, most_days) = ((all + per - 1) / per, all.min(1), per.min(all));
        let fits = current_page == number
            && (fewest_pages..=all.max(1)).contains(&i128::from(last_page))
            && (fewest_days..=most_days).contains(&i128::try_from(days).unwrap_or(i128::MAX))
            && total == first_total;
        judge!(self, rule::HISTORY_META, call, fits;
            "current_page {number}, last_page of at least {fewest_pages}, total {first_total}, \
             {fewest_days} to {most_days} days, at {per_page} a page";
            "current_page {current_page}, last_page {last_page}, total {total}, {days} days");
    }

    /// A date against those before it, which is sorted downwards as long as nothing is broken.
    fn judge_date(&mut self, told: &Told, call: &Call, date: &str) {
        let Some(before) = told.dates.last() else { return };
        let is_new = told.dates.iter().all(|known| known != date);
        if judge!(self, rule::HISTORY_DAYS, call, is_new; "every day once"; "{date} again") {
            judge!(self, rule::HISTORY_NEWEST, call, date < before.as_str(); "a day before {before}"; "{date}");
        }
    }

    fn judge_history(&mut self, told: &Told) {
        if !told.is_whole {
            return;
        }
        let Told { request, days, dates, total, last_page, .. } = told;
        let count = i64::try_from(dates.len()).unwrap_or(i64::MAX);
        judge!(self, rule::HISTORY_DAYS, request, count == *total;
            "{total} days, as meta.total says"; "{count} days on {last_page} pages");
        let Some(user_points) = told.user_points else { return };
        let transactions = days.iter().flat_map(|day| &day.groups).flat_map(|group| &group.transactions);
        let amounts = transactions.map(|found| i128::from(found.points) + i128::from(found.bonus_points));
        let sum: i128 = amounts.sum();
        judge!(self, rule::HISTORY_POINTS, request, sum == i128::from(user_points);
            "user_points is {sum}, the sum of its transactions"; "{user_points}");
    }

    /// The page size is not selectable.
    fn examine_size(&mut self, told: &Told) {
        let Some(answer) = self.ask(&Call::get(HISTORY).with(SIZE, 1)) else { return };
        if told.total < 2 {
            return self.untried(&[rule::HISTORY_SIZE], "the history has less than two days");
        }
        // Other statuses are judged as such.
        if !matches!(answer.status, 200 | 422) {
            return self.untried(&[rule::HISTORY_SIZE], "there was neither a page nor a refusal");
        }
        let meta = answer.read(history_page).and_then(|(page, _)| page.meta);
        let fits = answer.status == 422 || meta.is_some_and(|meta| meta.last_page == told.last_page);
        let pages = told.last_page;
        judge!(self, rule::HISTORY_SIZE, &answer.request, fits; "{pages} pages, as without it"; "{answer}");
    }

    fn examine_beyond(&mut self, told: &Told) {
        let Told { total, last_page, .. } = told;
        let call = Call::get(HISTORY).with(NUMBER, last_page.saturating_add(7));
        let wanted = format!("200 with data {{}} and meta.total {total}");
        self.probe(rule::HISTORY_BEYOND, &call, &wanted, |answer| {
            let page = answer.read(history_page).map(|(page, _)| page).filter(|_| answer.status == 200);
            page.is_some_and(|page| {
                let is_same = |meta: HistoryMeta| meta.total == *total && meta.last_page == *last_page;
                page.days.is_some_and(|days| days.is_empty()) && page.meta.is_some_and(is_same)
            })
        });
    }

    fn judge_day(&mut self, request: &str, day: &Day) {
        let Day { date, groups } = day;
        let types: Vec<&str> = groups.iter().map(|group| group.kind.as_str()).collect();
        let fits = types.iter().collect::<BTreeSet<_>>().len() == types.len();
        judge!(self, rule::HISTORY_ONE_GROUP, request, fits; "one group for each type on {date}"; "{types:?}");
        for group in groups {
            self.judge_group(request, date, group);
            for transaction in &group.transactions {
                self.judge_transaction(request, (date, &group.kind), transaction);
            }
        }
        let fits = is_newest_first(groups);
        judge!(self, rule::HISTORY_ORDER, request, fits; "newest first on {date}"; "another order");
    }

    fn judge_group(&mut self, request: &str, date: &str, group: &Group) {
        let Group { kind, total_points, total_bonus_points, transactions, .. } = group;
        judge!(self, rule::HISTORY_GROUPS, request, !transactions.is_empty();
            "transactions in each group"; "no {kind} on {date}");
        let sum = |amount: fn(&Transaction) -> i64| -> i128 {
            transactions.iter().map(|one| i128::from(amount(one))).sum()
        };
        let (points, bonus) = (sum(|one| one.points), sum(|one| one.bonus_points));
        let fits = i128::from(*total_points) == points && i128::from(*total_bonus_points) == bonus;
        judge!(self, rule::HISTORY_SUMS, request, fits;
            "totalPoints {points} and totalBonusPoints {bonus} for {kind} on {date}";
            "{total_points} and {total_bonus_points}");
        judge!(self, rule::HISTORY_KNOWN_TYPES, request, KNOWN_TYPES.contains(&kind.as_str());
            "one of {KNOWN_TYPES:?}"; "{kind} on {date}");
    }

    fn judge_transaction(&mut self, request: &str, (date, group): (&str, &str), transaction: &Transaction) {
        let Transaction { created_at, kind, bonus_points, bonuses, .. } = transaction;
        judge!(self, rule::HISTORY_TYPES, request, kind == group;
            "type {group} within its group on {date}"; "{kind}");
        let fits = created_at.starts_with(date);
        judge!(self, rule::HISTORY_UTC, request, fits; "created_at on {date}"; "{created_at}");
        if *bonus_points > 0 || !bonuses.is_empty() {
            let sum: i128 = bonuses.iter().map(|bonus| i128::from(bonus.points)).sum();
            judge!(self, rule::HISTORY_BONUS_SUMS, request, sum == i128::from(*bonus_points);
                "bonus_points {sum}, the sum of its breakdown, at {created_at}"; "{bonus_points}");
        }
    }
}

/// Whether groups, by their newest transaction, and transactions in each come newest first. A group without
/// transactions has no place in that order. Times of one form compare as strings.
fn is_newest_first(groups: &[Group]) -> bool {
    let times = |group: &Group| -> Vec<String> {
        group.transactions.iter().map(|transaction| transaction.created_at.clone()).collect()
    };
    let newest = groups.iter().filter_map(|group| times(group).into_iter().max());
    newest.is_sorted_by(|left, right| left >= right)
        && groups.iter().all(|group| times(group).is_sorted_by(|left, right| left >= right))
}

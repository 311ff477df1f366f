//! Examines the point history of each token, from the first page to the last.

use std::collections::BTreeSet;

use super::{DOCUMENTED, Examiner, HISTORY, NUMBER, SIZE};
use crate::check::exchange::{Call, Credentials};
use crate::check::read::{Day, Group, HistoryMeta, Transaction, history_page};
use crate::check::results::judge;
use crate::check::rule;

/// The share of the requests that reading one history may take, in hundredths.
const HISTORY_SHARE: u32 = 15;

const KNOWN_TYPES: [&str; 4] = ["code", "video", "quiz", "order"];

/// The days of both tokens' histories that were read; `None` when a history could not be read.
#[derive(Debug, Default)]
pub(super) struct Histories {
    pub(super) own: Option<Vec<Day>>,
    pub(super) other: Option<Vec<Day>>,
}

/// The pages of a history that were read.
#[derive(Debug, Default)]
pub(super) struct HistoryRead {
    request: String,
    pub(super) days: Vec<Day>,
    /// Every key of `data`, including those of days that could not be read.
    pub(super) dates: Vec<String>,
    is_whole: bool,
    pub(super) total: i64,
    pub(super) last_page: i64,
    pub(super) user_points: Option<i64>,
}

impl Examiner<'_> {
    pub(super) fn examine_history(&mut self) {
        if let Some(read) = self.read_history(Credentials::Own) {
            self.judge_history(&read);
            self.examine_size(&read);
            self.examine_beyond(&read);
            self.histories.own = Some(read.days);
        }
        if self.client.other.is_some()
            && let Some(read) = self.read_history(Credentials::Other)
        {
            self.judge_history(&read);
            self.histories.other = Some(read.days);
        }
    }

    fn read_history(&mut self, credentials: Credentials) -> Option<HistoryRead> {
        let call = Call::get(HISTORY).by(credentials);
        let mut read = HistoryRead { request: call.to_string(), ..HistoryRead::default() };
        self.follow_history(&call, 1, &mut read)?;
        let granted = i64::try_from(self.share(HISTORY_SHARE)).unwrap_or(i64::MAX);
        for number in 2..=read.last_page.min(granted) {
            if self.follow_history(&call.clone().with(NUMBER, number), number, &mut read).is_none() {
                return Some(read);
            }
        }
        read.is_whole = read.last_page <= granted && read.days.len() == read.dates.len();
        if read.last_page > granted {
            let why = format!("only {granted} of {} pages of a history were read", read.last_page);
            self.untried(&[rule::HISTORY_POINTS], &why);
            self.results.note(&format!("{why}, so the sum of its points was not checked"));
        }
        Some(read)
    }

    /// Reads the page with this number, after the pages before it. Returns `None` when there is no page.
    pub(super) fn follow_history(&mut self, call: &Call, number: i64, read: &mut HistoryRead) -> Option<()> {
        let response = self.ask_ok(call, DOCUMENTED)?;
        let page = self.read(&response, history_page)?;
        if number == 1 {
            read.user_points = page.user_points;
            if let Some(meta) = page.meta {
                (read.total, read.last_page) = (meta.total, meta.last_page);
            }
        }
        let Some(days) = page.days else { return Some(()) };
        let (first, points) = (read.user_points, page.user_points);
        judge!(self, rule::HISTORY_STEADY, call, points == first;
            "user_points {first:?}, as on the first page"; "{points:?}");
        if let Some(meta) = page.meta {
            self.judge_meta(call, meta, (number, read.total), days.len());
        }
        for (date, day) in days {
            self.judge_date(read, call, &date);
            read.dates.push(date);
            if let Some(day) = day {
                self.judge_day(&response.request, &day);
                read.days.push(day);
            }
        }
        Some(())
    }

    fn judge_meta(&mut self, call: &Call, meta: HistoryMeta, (number, first_total): (i64, i64), days: usize) {
        let HistoryMeta { current_page, per_page, last_page, total } = meta;
        let (per, all) = (i128::from(per_page).max(1), i128::from(total));
        // A page may have fewer days than per_page. Without days, last_page may be 0 or 1.
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

    /// Judges a date against the earlier ones: new, and older than the previous date.
    fn judge_date(&mut self, read: &HistoryRead, call: &Call, date: &str) {
        let Some(before) = read.dates.last() else { return };
        let is_new = read.dates.iter().all(|known| known != date);
        if judge!(self, rule::HISTORY_DAYS, call, is_new; "every day once"; "{date} again") {
            judge!(self, rule::HISTORY_NEWEST, call, date < before.as_str(); "a day before {before}"; "{date}");
        }
    }

    fn judge_history(&mut self, read: &HistoryRead) {
        if !read.is_whole {
            return;
        }
        let HistoryRead { request, days, dates, total, last_page, .. } = read;
        let count = i64::try_from(dates.len()).unwrap_or(i64::MAX);
        judge!(self, rule::HISTORY_DAYS, request, count == *total;
            "{total} days, as meta.total says"; "{count} days on {last_page} pages");
        let Some(user_points) = read.user_points else { return };
        let transactions = days.iter().flat_map(|day| &day.groups).flat_map(|group| &group.transactions);
        let amounts = transactions.map(|found| i128::from(found.points) + i128::from(found.bonus_points));
        let sum: i128 = amounts.sum();
        judge!(self, rule::HISTORY_POINTS, request, sum == i128::from(user_points);
            "user_points is {sum}, the sum of its transactions"; "{user_points}");
    }

    /// Clients cannot choose the page size of a history.
    fn examine_size(&mut self, read: &HistoryRead) {
        let Some(response) = self.ask(&Call::get(HISTORY).with(SIZE, 1)) else { return };
        if read.total < 2 {
            return self.untried(&[rule::HISTORY_SIZE], "the history has fewer than two days");
        }
        // Other rules judge other statuses.
        if !matches!(response.status, 200 | 422) {
            return self.untried(&[rule::HISTORY_SIZE], "the response was neither a page nor a 422");
        }
        let meta = response.read(history_page).and_then(|(page, _)| page.meta);
        let fits = response.status == 422 || meta.is_some_and(|meta| meta.last_page == read.last_page);
        let pages = read.last_page;
        judge!(self, rule::HISTORY_SIZE, &response.request, fits; "{pages} pages, as without it"; "{response}");
    }

    fn examine_beyond(&mut self, read: &HistoryRead) {
        let HistoryRead { total, last_page, .. } = read;
        let call = Call::get(HISTORY).with(NUMBER, last_page.saturating_add(7));
        let wanted = format!("200 with data {{}} and meta.total {total}");
        self.probe(rule::HISTORY_BEYOND, &call, &wanted, |response| {
            let page = response.read(history_page).map(|(page, _)| page).filter(|_| response.status == 200);
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

/// Whether the groups are sorted by their newest transaction, and the transactions in each group by time, newest first.
/// Ignores groups without transactions. Compares times as strings, because they have one format.
fn is_newest_first(groups: &[Group]) -> bool {
    let times = |group: &Group| -> Vec<String> {
        group.transactions.iter().map(|transaction| transaction.created_at.clone()).collect()
    };
    let newest = groups.iter().filter_map(|group| times(group).into_iter().max());
    newest.is_sorted_by(|left, right| left >= right)
        && groups.iter().all(|group| times(group).is_sorted_by(|left, right| left >= right))
}

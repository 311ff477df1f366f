//! The history of each token's user, from its first page to its last.

mod day;
mod judge;

use super::{Examiner, HISTORY, NUMBER, Step};
use crate::answer::{Answer, Call, Credentials};
use crate::client::Halt;
use crate::cursor::Flaws;
use crate::read::{DAY_RULES, Day, HISTORY_RULES, HistoryPage, history_page};
use crate::rule::{HISTORY_BEYOND, HISTORY_BONUS_FIELDS, HISTORY_POINTS, HISTORY_SIZE};

/// The share of the requests that reading one history may take, in hundredths.
const HISTORY_SHARE: u32 = 15;

/// What the given tokens have behind them, as far as it was read; none where it could not be.
#[derive(Debug, Default)]
pub(super) struct Past {
    pub(super) own: Option<Vec<Day>>,
    pub(super) other: Option<Vec<Day>>,
}

/// A history, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Told {
    /// The line of the first request.
    request: String,
    pub(super) days: Vec<Day>,
    /// Every key of `data`, whether or not its day could be read.
    pub(super) dates: Vec<String>,
    is_whole: bool,
    /// As the first page told them.
    pub(super) total: i64,
    pub(super) last_page: i64,
    pub(super) user_points: Option<i64>,
}

impl Examiner<'_> {
    pub(super) fn examine_history(&mut self) -> Step {
        for credentials in self.tokens() {
            let Some(told) = self.read_history(credentials)? else { continue };
            self.judge_history(&told);
            if credentials == Credentials::Own {
                self.examine_size(&told)?;
                self.examine_beyond(&told)?;
                self.past.own = Some(told.days);
            } else {
                self.past.other = Some(told.days);
            }
        }
        Ok(())
    }

    fn read_history(&mut self, credentials: Credentials) -> Result<Option<Told>, Halt> {
        let call = Call::get(HISTORY).by(credentials);
        let mut told = Told { request: call.to_string(), ..Told::default() };
        if !self.follow_history(&call, 1, &mut told)? {
            return Ok(None);
        }
        let granted = i64::try_from(self.share(HISTORY_SHARE)).unwrap_or(i64::MAX);
        for number in 2..=told.last_page.min(granted) {
            let call = call.clone().with(NUMBER, &number.to_string());
            if !self.follow_history(&call, number, &mut told)? {
                return Ok(Some(told));
            }
        }
        told.is_whole = told.last_page <= granted && told.days.len() == told.dates.len();
        if told.last_page > granted {
            let why = format!("{granted} of {} pages of a history were read", told.last_page);
            self.book.untried(&[&HISTORY_POINTS], &why);
            self.book.note(&format!("{why}: its sum was not tried"));
        }
        Ok(Some(told))
    }

    /// Reads the page of this number after those before it; gives whether there was one.
    pub(super) fn follow_history(&mut self, call: &Call, number: i64, told: &mut Told) -> Result<bool, Halt> {
        let Some((answer, page)) = self.history_page(call)? else { return Ok(false) };
        if number == 1 {
            told.user_points = page.user_points;
            if let Some(meta) = page.meta {
                (told.total, told.last_page) = (meta.total, meta.last_page);
            }
        }
        self.take_page(told, number, &answer.request, page);
        Ok(true)
    }

    fn history_page(&mut self, call: &Call) -> Result<Option<(Answer, HistoryPage)>, Halt> {
        let Some(answer) = self.ask_documented(call)? else { return Ok(None) };
        let Ok(json) = &answer.json else { return Ok(None) };
        let mut flaws = Flaws::new();
        let page = history_page(json, &mut flaws);
        let mut rules = HISTORY_RULES.to_vec();
        let days: Vec<&Day> = page.days.iter().flatten().filter_map(|(_, day)| day.as_ref()).collect();
        if !days.is_empty() {
            rules.extend(DAY_RULES);
        }
        let mut transactions = days.iter().flat_map(|day| &day.groups).flat_map(|group| &group.transactions);
        if transactions.any(|transaction| !transaction.bonuses.is_empty()) {
            rules.push(&HISTORY_BONUS_FIELDS);
        }
        self.book.judge(&answer.request, &rules, flaws);
        Ok(Some((answer, page)))
    }

    fn take_page(&mut self, told: &mut Told, number: i64, request: &str, page: HistoryPage) {
        let Some(days) = &page.days else { return };
        self.judge_page(told, number, request, &page, days.len());
        for (date, day) in page.days.into_iter().flatten() {
            self.judge_date(told, request, &date);
            told.dates.push(date);
            if let Some(day) = day {
                self.judge_day(request, &day);
                told.days.push(day);
            }
        }
    }

    /// The page size is not selectable.
    fn examine_size(&mut self, told: &Told) -> Step {
        let answer = self.ask(&Call::get(HISTORY).with("page[size]", "1"))?;
        if told.total < 2 {
            self.book.untried(&[&HISTORY_SIZE], "the history has less than two days");
            return Ok(());
        }
        let page = answer.json.as_ref().ok().map(|json| history_page(json, &mut Flaws::new()));
        let last_page = page.and_then(|page| page.meta).map(|meta| meta.last_page);
        // Other statuses are judged as such.
        if !matches!(answer.status, 200 | 422) {
            self.book.untried(&[&HISTORY_SIZE], "there was neither a page nor a refusal");
            return Ok(());
        }
        let fits = answer.status == 422 || last_page == Some(told.last_page);
        self.book.expect(&HISTORY_SIZE, &answer.request, fits, || {
            (format!("{} pages, as without it", told.last_page), answer.shown())
        });
        Ok(())
    }

    fn examine_beyond(&mut self, told: &Told) -> Step {
        let beyond = told.last_page.saturating_add(7).to_string();
        let answer = self.ask(&Call::get(HISTORY).with(NUMBER, &beyond))?;
        let page = answer.json.as_ref().ok().map(|json| history_page(json, &mut Flaws::new()));
        let fits = answer.status == 200
            && page.is_some_and(|page| {
                let meta = page
                    .meta
                    .is_some_and(|meta| meta.total == told.total && meta.last_page == told.last_page);
                meta && page.days.is_some_and(|days| days.is_empty())
            });
        self.book.expect(&HISTORY_BEYOND, &answer.request, fits, || {
            (format!("200 with data {{}} and meta.total {}", told.total), answer.shown())
        });
        Ok(())
    }
}

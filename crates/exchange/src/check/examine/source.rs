//! Reads all data that a server shows to its customers, for a pull. Fails when a response breaks a rule.

use std::collections::{BTreeSet, VecDeque};

use super::history::HistoryRead;
use super::{CATEGORIES, DOCUMENTED, Examiner, HISTORY, NUMBER, PRODUCTS, SIZE};
use crate::check::client::{Client, Token};
use crate::check::exchange::Call;
use crate::check::read::{Category, Day, Product};
use crate::check::report::Example;
use crate::check::results::judge;
use crate::check::rule;
use crate::check::rule::Rule;

/// The requested page size. The server may grant less.
const PAGE_SIZE: i64 = 1_000;

/// The requested page size after a server refused `PAGE_SIZE`. When the server refuses this, too, requests have no size.
const MODEST_PAGE_SIZE: i64 = 100;

/// Rules that do not matter here, because the reader counts pages and days itself.
const FORGIVEN: [&Rule; 5] =
    [rule::LINKS_BASE, rule::LINKS_PAGES, rule::LINKS_PARAMETERS, rule::META_PATH, rule::HISTORY_SHAPE];

/// Why reading ended early.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReadError {
    /// The server cannot be reached, stopped responding, or fails.
    #[error("the server does not respond: {0}")]
    Unreachable(String),
    /// A response breaks the rule with this id, so its data is not reliable.
    #[error("the response to {request} breaks the rule {rule}: expected {expected}, got {came}")]
    Broken { rule: &'static str, request: String, expected: String, came: String },
}

impl ReadError {
    /// Whether the server refused the token.
    pub fn refuses_token(&self) -> bool {
        let Self::Broken { rule, came, .. } = self else { return false };
        *rule == rule::ANSWERS_STATUS.id && ["401 ", "403 "].iter().any(|status| came.starts_with(status))
    }
}

/// A server of the interface that is read from its first page to its last.
pub struct Source {
    client: Client,
    page_size: Option<i64>,
}

/// A filter of a list of products: the parameter and its value.
pub type Filter<'f> = (&'f str, &'f str);

impl Source {
    pub fn new(client: Client) -> Self {
        Self { client, page_size: Some(PAGE_SIZE) }
    }

    /// Replaces the token of the client.
    pub fn set_token(&mut self, token: Token) {
        self.client.set_token(token);
    }

    /// # Errors
    /// [`ReadError`].
    pub fn categories(&mut self) -> Result<Vec<Category>, ReadError> {
        let tree = self.judged(|examiner| examiner.list_categories(&Call::get(CATEGORIES)))?;
        Ok(tree.unwrap_or_default())
    }

    /// The products that pass this filter, in the order of the store. Keeps one page in memory.
    pub fn products<'s>(&'s mut self, filter: Option<Filter<'_>>) -> Products<'s> {
        let filter = filter.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let (page, seen) = (VecDeque::new(), BTreeSet::new());
        Products { source: self, filter, number: 0, last_page: 1, total: 0, page, seen }
    }

    /// Checks that `filter[category]` restricts a list: an unknown category has no products.
    ///
    /// # Errors
    /// [`ReadError`], also when the server ignores the filter.
    pub fn filters_categories(&mut self) -> Result<(), ReadError> {
        self.judged(|examiner| {
            examiner.examine_unknown_filter();
        })
    }

    /// The days of the token's user, newest first. Keeps one page in memory.
    pub fn history(&mut self) -> History<'_> {
        History { source: self, number: 0, read: HistoryRead::default() }
    }

    /// Reads with an examiner. Fails when a response broke a rule that matters.
    fn judged<T>(&mut self, read: impl FnOnce(&mut Examiner<'_>) -> T) -> Result<T, ReadError> {
        let mut examiner = Examiner::new(&mut self.client);
        let result = read(&mut examiner);
        if let Some(Example { request, came, .. }) = examiner.results.example(rule::ANSWERS_FAILURE) {
            return Err(ReadError::Unreachable(format!("{request} returns {came}")));
        }
        if let Some((rule, example)) = examiner.results.first_broken_contract(&FORGIVEN) {
            let Example { request, expected, came } = example;
            return Err(ReadError::Broken { rule: rule.id, request, expected, came });
        }
        match examiner.halt {
            Some(halt) => Err(ReadError::Unreachable(halt.to_string())),
            None => Ok(result),
        }
    }
}

pub struct Products<'s> {
    source: &'s mut Source,
    filter: Option<(String, String)>,
    number: i64,
    last_page: i64,
    total: i64,
    page: VecDeque<Product>,
    seen: BTreeSet<String>,
}

impl Products<'_> {
    /// The next product; `None` after the last one.
    ///
    /// # Errors
    /// [`ReadError`], also when the number of products differs from the total of the server.
    pub fn next_product(&mut self) -> Result<Option<Product>, ReadError> {
        while self.page.is_empty() && self.number < self.last_page {
            self.read_page()?;
        }
        let product = self.page.pop_front();
        let is_new = product.as_ref().is_none_or(|product| self.seen.insert(product.id.clone()));
        let (total, count, call) = (self.total, self.seen.len(), self.call());
        let is_count = product.is_some() || i64::try_from(count).ok() == Some(total);
        if !is_new || !is_count {
            let twice = product.as_ref().map_or("", |product| product.id.as_str());
            self.source.judged(|examiner| {
                judge!(examiner, rule::LINKS_WALK, &call, is_new; "every product once"; "{twice} twice");
                judge!(examiner, rule::META_TOTAL, &call, is_count; "{total} products"; "{count} products");
            })?;
        }
        Ok(product)
    }

    fn call(&self) -> Call {
        let call = self.source.page_size.iter().fold(Call::get(PRODUCTS), |call, size| call.with(SIZE, size));
        let call = self.filter.iter().fold(call, |call, (name, value)| call.with(name, value));
        call.with(NUMBER, self.number)
    }

    fn read_page(&mut self) -> Result<(), ReadError> {
        self.number += 1;
        let mut result = self.ask();
        // The server may refuse a large page: the interface does not document the maximum.
        while self.number == 1
            && let Some(size) = self.source.page_size
            && matches!(&result, Err(ReadError::Broken { rule, .. }) if *rule == rule::ANSWERS_STATUS.id)
        {
            self.source.page_size = (size > MODEST_PAGE_SIZE).then_some(MODEST_PAGE_SIZE);
            result = self.ask();
        }
        result
    }

    fn ask(&mut self) -> Result<(), ReadError> {
        let (call, before) = (self.call(), (self.number > 1).then_some(self.total));
        let page = self.source.judged(|examiner| {
            let page = examiner.list(&call, DOCUMENTED)?;
            if let (Some(before), Some(total)) = (before, page.meta.as_ref().map(|meta| meta.total)) {
                judge!(examiner, rule::META_TOTAL, &call, total == before; "{before}"; "{total}");
            }
            Some(page)
        })?;
        let Some(page) = page else { return Ok(()) };
        if let Some(meta) = page.meta {
            (self.last_page, self.total) = (meta.last_page, meta.total);
        }
        self.page.extend(page.items.into_iter().flatten().filter_map(|item| item.product));
        Ok(())
    }
}

pub struct History<'s> {
    source: &'s mut Source,
    number: i64,
    read: HistoryRead,
}

impl History<'_> {
    /// The days of the next page; `None` after the last page.
    ///
    /// # Errors
    /// [`ReadError`], also when the number of days differs from the total of the server.
    pub fn next_page(&mut self) -> Result<Option<Vec<Day>>, ReadError> {
        if self.number > 0 && self.number >= self.read.last_page {
            return self.judge_total().map(|()| None);
        }
        self.number += 1;
        let (number, read) = (self.number, &mut self.read);
        let call = Call::get(HISTORY).with(NUMBER, number);
        self.source.judged(|examiner| examiner.follow_history(&call, number, read))?;
        Ok(Some(std::mem::take(&mut self.read.days)))
    }

    /// The balance, after the first page was read.
    pub fn user_points(&self) -> Option<i64> {
        self.read.user_points
    }

    fn judge_total(&mut self) -> Result<(), ReadError> {
        let (total, came) = (self.read.total, self.read.dates.len());
        let fits = i64::try_from(came).ok() == Some(total);
        self.source.judged(|examiner| {
            judge!(examiner, rule::HISTORY_DAYS, &Call::get(HISTORY), fits; "{total} days"; "{came} days");
        })
    }
}

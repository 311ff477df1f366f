//! What is counted.

use std::ops::Range;

use anyhow::Result;

use self::What::{Detail, Get, List, LogLine, QueryString, Unchanged};
use crate::fixture::ServiceFixture;
use crate::goods;
use crate::work::{self, Work};

/// A hot function with its input.
pub(crate) struct Case {
    /// As the baseline calls it.
    pub(crate) name: &'static str,
    /// How often it is done: enough for what is random, as the seeds of hash maps, to even out.
    pub(crate) runs: usize,
    /// What is done.
    pub(crate) what: What,
}

/// What a case does, with an input that may be another for each run.
pub(crate) enum What {
    /// The page of the list that this query string asks for, found in memory.
    List(fn(usize) -> String),
    /// A product, found in memory.
    Detail,
    /// This query string, read and checked.
    QueryString(fn(usize) -> String),
    /// A line of the access log.
    LogLine,
    /// A GET of this path as a whole, from the gateway to the finished answer.
    Get(fn(usize) -> String),
    /// The same for a product that the client has already.
    Unchanged,
}

/// Every case there is. A new one is a line here.
pub(crate) const ALL: &[Case] = &[
    Case { name: "list, page 1", runs: 2_000, what: List(|_| String::new()) },
    Case { name: "list, every filter but title", runs: 200, what: List(every_filter) },
    Case { name: "list, price range, deep page", runs: 200, what: List(deep_page) },
    // What is found is kept, so that each word can be looked for once: half of them before the count.
    Case { name: "list, title, first", runs: goods::NOUNS.len() / 2, what: List(first_search) },
    Case { name: "list, title, again", runs: 2_000, what: List(second_page) },
    Case { name: "detail", runs: 500, what: Detail },
    Case { name: "query string", runs: 500, what: QueryString(every_filter) },
    // Fewer than fill a buffer, because under callgrind the thread that empties it hardly gets its turn.
    Case { name: "access log line", runs: 200, what: LogLine },
    Case { name: "GET list, page 1", runs: 200, what: Get(|_| LIST.to_owned()) },
    Case {
        name: "GET list, every filter but title",
        runs: 500,
        what: Get(|run| format!("{LIST}?{}", every_filter(run))),
    },
    Case { name: "GET detail", runs: 2_000, what: Get(|run| format!("{LIST}/{}", goods::product_id(run))) },
    Case { name: "GET detail, 304", runs: 200, what: Unchanged },
    Case { name: "GET categories", runs: 1_000, what: Get(|_| "/v1/store/categories".to_owned()) },
    Case { name: "GET history, 40 rows", runs: 50, what: Get(|_| "/v1/user/point-history".to_owned()) },
];

/// Where the list is.
pub(crate) const LIST: &str = "/v1/store/products";

impl Case {
    /// Makes the input of the runs with these numbers.
    ///
    /// # Errors
    /// When there is no such input.
    pub(crate) fn prepare<'g>(&self, fixture: &'g ServiceFixture, runs: Range<usize>) -> Result<Work<'g>> {
        match self.what {
            List(query) => work::lists(fixture, runs.map(query)),
            Detail => Ok(work::details(fixture, runs.map(goods::product_id))),
            QueryString(query) => Ok(work::query_strings(runs.map(query))),
            LogLine => Ok(work::log_lines(fixture, runs)),
            Get(path) => work::gets(fixture, runs.map(path)),
            Unchanged => work::unchanged(fixture, &format!("{LIST}/{}", goods::product_id(0)), runs.len()),
        }
    }
}

/// All filters together; each run has bounds of its own.
fn every_filter(run: usize) -> String {
    let root = goods::category_id(run % 5, None);
    format!(
        "filter[category]={root}&filter[minPrice]={}&filter[maxPrice]={}&filter[newProducts]=true\
         &filter[lowStock]=true&filter[onSale]=true&filter[onlyPopular]=true&page[size]=15&sort=price",
        200 + run,
        9_000 - run,
    )
}

fn deep_page(run: usize) -> String {
    let page = 300 + run % 50;
    format!("filter[minPrice]={}&filter[maxPrice]={}&page[number]={page}", 1_000 + run, 8_000 - run)
}

fn first_search(run: usize) -> String {
    format!("filter[title]={}", goods::NOUNS[run % goods::NOUNS.len()])
}

fn second_page(run: usize) -> String {
    format!("filter[title]=classic&page[number]={}", 2 + run % 2)
}

//! The counted cases.

use std::ops::Range;

use anyhow::Result;

use self::Operation::{Detail, Get, List, LogLine, QueryString, Unchanged};
use crate::fixture::ServiceFixture;
use crate::goods;
use crate::work::{self, Work};

/// A hot function with its input.
pub(crate) struct Case {
    /// The name in the baseline.
    pub(crate) name: &'static str,
    /// How often the operation runs: often enough to average out random costs, such as the seeds of hash maps.
    pub(crate) runs: usize,
    /// The counted operation.
    pub(crate) operation: Operation,
}

/// The operation of a case. Its input may differ for each run.
pub(crate) enum Operation {
    /// Finds the list page of this query string in memory.
    List(fn(usize) -> String),
    /// Finds a product in memory.
    Detail,
    /// Parses and validates this query string.
    QueryString(fn(usize) -> String),
    /// Writes a line of the access log.
    LogLine,
    /// A complete GET of this path, from the gateway to the finished response.
    Get(fn(usize) -> String),
    /// A complete GET of a product that the client already has.
    Unchanged,
}

/// All cases. A new one is a line here.
pub(crate) const ALL: &[Case] = &[
    Case { name: "list, page 1", runs: 2_000, operation: List(|_| String::new()) },
    Case { name: "list, every filter but title", runs: 200, operation: List(every_filter) },
    Case { name: "list, price range, deep page", runs: 200, operation: List(deep_page) },
    // Search results are kept, so each word can be searched only once. The warm-up uses half of the words.
    Case { name: "list, title, first", runs: goods::NOUNS.len() / 2, operation: List(first_search) },
    Case { name: "list, title, again", runs: 2_000, operation: List(second_page) },
    Case { name: "detail", runs: 500, operation: Detail },
    Case { name: "query string", runs: 500, operation: QueryString(every_filter) },
    // Fewer lines than fill a buffer, because the thread that empties it hardly runs under callgrind.
    Case { name: "access log line", runs: 200, operation: LogLine },
    Case { name: "GET list, page 1", runs: 200, operation: Get(|_| LIST.to_owned()) },
    Case {
        name: "GET list, every filter but title",
        runs: 500,
        operation: Get(|run| format!("{LIST}?{}", every_filter(run))),
    },
    Case {
        name: "GET detail",
        runs: 2_000,
        operation: Get(|run| format!("{LIST}/{}", goods::product_id(run))),
    },
    Case { name: "GET detail, 304", runs: 200, operation: Unchanged },
    Case { name: "GET categories", runs: 1_000, operation: Get(|_| "/v1/store/categories".to_owned()) },
    Case { name: "GET history, 40 rows", runs: 50, operation: Get(|_| "/v1/user/point-history".to_owned()) },
];

/// The path of the list.
pub(crate) const LIST: &str = "/v1/store/products";

impl Case {
    /// Prepares the input of the runs with these numbers.
    ///
    /// # Errors
    /// When the input cannot be made.
    pub(crate) fn prepare<'g>(&self, fixture: &'g ServiceFixture, runs: Range<usize>) -> Result<Work<'g>> {
        match self.operation {
            List(query) => work::lists(fixture, runs.map(query)),
            Detail => Ok(work::details(fixture, runs.map(goods::product_id))),
            QueryString(query) => Ok(work::query_strings(runs.map(query))),
            LogLine => Ok(work::log_lines(fixture, runs)),
            Get(path) => work::gets(fixture, runs.map(path)),
            Unchanged => work::unchanged(fixture, &format!("{LIST}/{}", goods::product_id(0)), runs.len()),
        }
    }
}

/// All filters together, with other bounds in each run.
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

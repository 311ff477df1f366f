//! Searches of titles: first searches, and further pages of an earlier search.

use std::thread;
use std::time::Instant;

use anyhow::{Result, anyhow, ensure};
use pointbook_operate::http_client::{Call, Connection};
use pointbook_operate::numbers::Numbers;
use pointbook_operate::processor_time::Threads;

use super::{ALL_SIZES, LARGE, MEDIUM, PAGE_SIZE, Served};
use crate::BASE_PATH;
use crate::context::Bench;
use crate::data::words::{FREQUENCIES, Frequency, Words};
use crate::pairs::Paired;
use crate::record::{Bound, Point};
use crate::requests::Get;
use crate::spread::Spread;

/// How many connections send searches at once.
const CLIENTS: usize = 2;
/// How many different pages follow a search.
const NEXT_PAGES: u32 = 1_000;
const TITLE: &str = "Searches of titles, each for the first time";
const HEAD: &[&str] = &["scenario", "products", "found", "CPU ms per search", "median ms until the response"];

pub(crate) fn names() -> Vec<String> {
    let first = FREQUENCIES.into_iter().map(first_name);
    first.chain(FREQUENCIES.into_iter().take(2).map(next_name)).collect()
}

/// The name of the series in the tables and in the plot.
fn series(frequency: Frequency) -> &'static str {
    match frequency {
        Frequency::Common => "search, 23 % of the titles",
        Frequency::Uncommon => "search, 1.6 % of the titles",
        Frequency::Rare => "search, 0.03 % of the titles",
    }
}

fn first_name(frequency: Frequency) -> String {
    series(frequency).to_owned()
}

fn next_name(frequency: Frequency) -> String {
    format!("search, next page of {}", frequency.percent())
}

/// Measures searches at all sizes, and next pages at a medium and a large size.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    for products in bench.sizes(&ALL_SIZES) {
        let first: Vec<_> =
            FREQUENCIES.into_iter().filter(|frequency| bench.wants(&first_name(*frequency))).collect();
        let is_of_size = [MEDIUM, LARGE].contains(&products) || bench.options.products.is_some();
        let next: Vec<_> = FREQUENCIES
            .into_iter()
            .take(if is_of_size { 2 } else { 0 })
            .filter(|frequency| bench.wants(&next_name(*frequency)))
            .collect();
        if first.is_empty() && next.is_empty() {
            continue;
        }
        let mut searcher = Searcher { products, served: Served::start(products)?, words: Vec::new() };
        for frequency in first {
            searcher.measure_first(bench, frequency)?;
        }
        for frequency in next {
            searcher.measure_next(bench, frequency)?;
        }
    }
    Ok(())
}

/// Sends each search only once to a server.
struct Searcher {
    products: u32,
    served: Served,
    /// The searches that were not sent yet.
    words: Vec<String>,
}

/// The result of a round of first searches.
struct Round {
    cpu_ms: f64,
    median_ms: f64,
}

impl Searcher {
    fn measure_first(&mut self, bench: &Bench, frequency: Frequency) -> Result<()> {
        self.words = Words::new().searches(frequency);
        let found = self.served.total(
            &mut Connection::new(self.served.server.address),
            &format!("filter[title]={}", self.words[0]),
        )?;
        let name = format!("{}, {} products", series(frequency), self.products);
        self.search(frequency)?;
        let rounds = bench.repeat(&name, || self.search(frequency))?;
        let cpu_ms = Spread::of(rounds.iter().map(|round| round.cpu_ms));
        eprintln!("{cpu_ms} ms");
        let median_ms = Spread::of(rounds.iter().map(|round| round.median_ms));
        let cells = [self.products.to_string(), found.to_string(), cpu_ms.to_string(), median_ms.to_string()];
        bench.row(TITLE, HEAD, [first_name(frequency)].into_iter().chain(cells).collect());
        let point =
            Point { series: series(frequency), products: self.products, cpu_us: cpu_ms.median * 1_000.0 };
        bench.record.borrow_mut().points.push(point);
        if let Some((target, bound)) = target(frequency, self.products) {
            bench.judge(&name, target, cpu_ms, Bound::AtMost(bound));
        }
        Ok(())
    }

    /// Runs a round. When all searches were sent, a new server starts, because it has no kept results.
    fn search(&mut self, frequency: Frequency) -> Result<Round> {
        let searches = searches(frequency);
        if self.words.len() < searches {
            self.served = Served::start(self.products)?;
            self.words = Words::new().searches(frequency);
        }
        let round = self.words.split_off(self.words.len() - searches);
        let before = Threads::of(self.served.server.process())?;
        let mut times_ms = self.send(&round)?;
        let cpu_us = Threads::of(self.served.server.process())?.us_since(&before);
        times_ms.sort_by(f64::total_cmp);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        Ok(Round { cpu_ms: cpu_us / 1_000.0 / searches as f64, median_ms: times_ms[searches / 2] })
    }

    /// Returns the time of each search, in milliseconds.
    fn send(&self, words: &[String]) -> Result<Vec<f64>> {
        let send_part = |words: &[String]| {
            let mut connection = Connection::new(self.served.server.address);
            let mut times_ms = Vec::with_capacity(words.len());
            for word in words {
                let path = format!("{BASE_PATH}/v1/store/products?filter[title]={word}");
                let begun = Instant::now();
                let answer = connection.send(&Call::get(path, &self.served.token))?;
                times_ms.push(begun.elapsed().as_secs_f64() * 1_000.0);
                ensure!(answer.status == 200, "a search for {word}: {}", answer.text());
            }
            Ok(times_ms)
        };
        thread::scope(|scope| {
            let parts = words.chunks(words.len().div_ceil(CLIENTS));
            let sending: Vec<_> = parts.map(|words| scope.spawn(move || send_part(words))).collect();
            let sent =
                sending.into_iter().map(|part| part.join().map_err(|_| anyhow!("a client panicked"))?);
            Ok(sent.collect::<Result<Vec<_>>>()?.concat())
        })
    }

    fn measure_next(&self, bench: &Bench, frequency: Frequency) -> Result<()> {
        let (served, gets) = (&self.served, next_pages(&self.served, frequency)?);
        let name = next_name(frequency);
        let paired = Paired {
            name: &name,
            products: self.products,
            target: &served.target,
            gets: &gets,
            is_timed: false,
        };
        let figures = paired.measure(bench)?;
        let scenario = format!("{name}, {} products", self.products);
        bench.judge(&scenario, "CPU at most 2 times the ceiling", figures.ratio(), Bound::AtMost(2.0));
        Ok(())
    }
}

/// Pages of a search for a whole word.
fn next_pages(served: &Served, frequency: Frequency) -> Result<Vec<Get>> {
    let filter = format!("filter[title]={}", Words::new().searches(frequency)[0]);
    let total = served.total(&mut Connection::new(served.server.address), &filter)?;
    let (mut numbers, pages) = (Numbers::new(0x7061_6765), total.div_ceil(PAGE_SIZE).max(1));
    let page = |_| served.list(&format!("?{filter}&page[number]={}", 1 + numbers.next(pages)));
    Ok((0..NEXT_PAGES).map(page).collect())
}

/// The number of different searches of a round. Frequent words are fewer, and each search costs more.
fn searches(frequency: Frequency) -> usize {
    if frequency == Frequency::Common { 32 } else { 96 }
}

fn target(frequency: Frequency, products: u32) -> Option<(&'static str, f64)> {
    match (frequency, products) {
        (Frequency::Common, MEDIUM) => Some(("at most 0.6 ms of CPU", 0.6)),
        (Frequency::Common, LARGE) => Some(("at most 10 ms of CPU", 10.0)),
        (Frequency::Uncommon | Frequency::Rare, MEDIUM) => Some(("at most 0.1 ms of CPU", 0.1)),
        (Frequency::Uncommon | Frequency::Rare, LARGE) => Some(("at most 1.2 ms of CPU", 1.2)),
        _ => None,
    }
}

/// Searches for any server of the interface: each word in turn with each of its pages.
pub(crate) fn of_any_server(served: &Served) -> Result<Vec<(String, Vec<Get>)>> {
    let first = |frequency| {
        let searches = Words::new().searches(frequency);
        searches.iter().map(|word| served.list(&format!("?filter[title]={word}"))).collect()
    };
    let mut all: Vec<(String, Vec<Get>)> = FREQUENCIES
        .into_iter()
        .map(|frequency| (format!("{}, in turn", series(frequency)), first(frequency)))
        .collect();
    for frequency in FREQUENCIES.into_iter().take(2) {
        all.push((next_name(frequency), next_pages(served, frequency)?));
    }
    Ok(all)
}

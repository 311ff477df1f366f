//! A change of one product in a large catalogue: when it becomes visible, its cost, and its effect on readers.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, ensure};
use pointbook_operate::http_client::{Call, Connection};
use pointbook_operate::numbers::Numbers;
use pointbook_operate::pointbook::{Pointbook, Server, pause};
use pointbook_operate::processor_time::Threads;
use serde_json::json;

use super::BASE_PATH;
use super::context::Bench;
use super::data::{self, Dataset};
use super::oha::{OpenLoop, Outcome};
use super::record::Bound;
use super::requests::{Get, Target};
use super::spread::Spread;

const NAME: &str = "catalogue write";
const READERS: &str = "catalogue write, readers beside";
const PRODUCTS: u32 = 100_000;
const QUICK_PRODUCTS: u32 = 50_000;
/// The most changes of a round, and its time limit.
const CHANGES: u32 = 100;
const CHANGES_TIME: Duration = Duration::from_secs(2);
/// How long a change may take to become visible.
const VISIBLE_TIMEOUT: Duration = Duration::from_secs(5);
/// How many requests readers send per second, and for how many seconds.
const READS_PER_SECOND: f64 = 4_000.0;
const READ_SECONDS: u32 = 2;
/// The time between two changes beside readers.
const PAUSE: Duration = Duration::from_millis(250);

pub(super) fn names() -> Vec<String> {
    vec![NAME.to_owned(), READERS.to_owned()]
}

/// A server with a catalogue that is changed, and the tokens for it.
struct Changing {
    server: Server,
    target: Target,
    back_office: String,
    customer: String,
}

/// The result of a round of changes.
struct Round {
    cpu_ms: f64,
    put_ms: f64,
    /// The most requests until a change was visible.
    requests: f64,
}

pub(super) fn run(bench: &Bench) -> Result<()> {
    let products = if bench.options.is_quick { QUICK_PRODUCTS } else { PRODUCTS };
    for products in bench.options.products.clone().unwrap_or_else(|| vec![products]) {
        let changing = Changing::start(products)?;
        if bench.wants(NAME) {
            changing.measure_changes(bench, products)?;
        }
        if bench.wants(READERS) && bench.has_oha {
            changing.measure_readers(bench, products)?;
        }
    }
    Ok(())
}

impl Changing {
    fn start(products: u32) -> Result<Self> {
        let database = Dataset::Catalogue(products).prepare()?;
        let (back_office, customer) = (database.tokens.back_office()?, database.tokens.of("user-0")?);
        let (back_office, customer) = (back_office.to_owned(), customer.to_owned());
        // The scenarios of reads use the original.
        let copy = data::folder()?.join("changes.db");
        data::copy(&database.path, &copy)?;
        let server = Pointbook::new(&copy).serve()?;
        let target = Target::of(&server);
        target.ask(&Get::new("/v1/store/products", &customer))?;
        server.wait_until_idle()?;
        Ok(Self { server, target, back_office, customer })
    }

    fn measure_changes(&self, bench: &Bench, products: u32) -> Result<()> {
        let mut numbers = Numbers::new(0x6368_616e);
        self.change_for(CHANGES_TIME, products, &mut numbers)?;
        let name = format!("{NAME}, {products} products");
        let rounds = bench.repeat(&name, || self.change_for(CHANGES_TIME, products, &mut numbers))?;
        let [cpu_ms, put_ms, requests] =
            Spread::of_each(&rounds, [|round| round.cpu_ms, |round| round.put_ms, |round| round.requests]);
        eprintln!("{cpu_ms} ms");
        // The worst of all changes counts, not the median.
        let worst = Spread { median: requests.max, ..requests };
        bench.judge(&name, "seen by the next request", worst, Bound::AtMost(1.0));
        bench.judge(&name, "less than 20 ms of CPU", cpu_ms, Bound::AtMost(20.0));
        let head = &[
            "scenario",
            "products",
            "CPU ms of a change",
            "ms until its response",
            "requests until it is visible",
        ];
        let cells = [products.to_string(), cpu_ms.to_string(), put_ms.to_string(), requests.whole()];
        bench.row("Changes of a product", head, [NAME.to_owned()].into_iter().chain(cells).collect());
        Ok(())
    }

    /// Changes products one after another. Work of the server after its responses counts too.
    fn change_for(&self, time: Duration, products: u32, numbers: &mut Numbers) -> Result<Round> {
        let (begun, mut connection) = (Instant::now(), Connection::new(self.server.address));
        let (before, mut answers_ms, mut requests) = (Threads::of(self.server.process())?, Vec::new(), 0);
        for _ in 0..CHANGES {
            let (put, asked) = self.change(&mut connection, products, numbers)?;
            answers_ms.push(put.as_secs_f64() * 1_000.0);
            requests = requests.max(asked);
            if begun.elapsed() > time {
                break;
            }
        }
        self.server.wait_until_idle()?;
        let cpu_us = Threads::of(self.server.process())?.us_since(&before);
        #[expect(clippy::cast_precision_loss, reason = "a small number")]
        let changes = answers_ms.len() as f64;
        let put_ms = Spread::of(answers_ms.into_iter()).median;
        Ok(Round { cpu_ms: cpu_us / 1_000.0 / changes, put_ms, requests: f64::from(requests) })
    }

    /// Returns the time until the response, and the number of requests until a list and a detail showed the new price.
    fn change(
        &self,
        connection: &mut Connection,
        products: u32,
        numbers: &mut Numbers,
    ) -> Result<(Duration, u32)> {
        let (number, price) = (numbers.next(products), 1_000_000 + numbers.next(100_000_000));
        let id = format!("P{number:07}");
        let begun = Instant::now();
        let answer = connection.send(&self.put(&id, price))?;
        ensure!(answer.status == 200, "PUT of {id}: {}", answer.text());
        let put = begun.elapsed();
        let detail = format!("/v1/store/products/{id}");
        let list = format!("/v1/store/products?filter[minPrice]={price}&filter[maxPrice]={price}");
        let of_detail =
            self.requests_until(connection, &detail, |answer| answer["data"]["regular_price"] == price)?;
        let of_list = self.requests_until(connection, &list, |answer| answer["data"][0]["id"] == *id)?;
        Ok((put, of_detail.max(of_list)))
    }

    fn put(&self, id: &str, price: u32) -> Call<'_> {
        let body = json!({
            "sku": id.replace('P', "SKU-"), "title": format!("A changed thing {price}"), "regular_price": price,
            "description": "<p>Made anew.</p>", "categories": ["l3-4-2"],
        });
        let path = format!("{BASE_PATH}/v1/manage/products/{id}");
        Call { method: "PUT", path, token: &self.back_office, key: None, body: Some(body) }
    }

    fn requests_until(
        &self,
        connection: &mut Connection,
        path: &str,
        is_seen: impl Fn(&serde_json::Value) -> bool,
    ) -> Result<u32> {
        let begun = Instant::now();
        let mut requests = 0;
        loop {
            requests += 1;
            let answer = connection.send(&Call::get(format!("{BASE_PATH}{path}"), &self.customer))?;
            if is_seen(&answer.json()?) {
                return Ok(requests);
            }
            ensure!(
                begun.elapsed() < VISIBLE_TIMEOUT,
                "a change is not visible in {path}: {}",
                answer.text()
            );
        }
    }

    fn measure_readers(&self, bench: &Bench, products: u32) -> Result<()> {
        let mut numbers = Numbers::new(0x7265_6164);
        self.read()?;
        let name = format!("{READERS}, {products} products");
        let turn = || Ok((self.read()?, self.read_beside_changes(products, &mut numbers)?));
        let rounds: Vec<(Outcome, (Outcome, u32))> = bench.repeat(&name, turn)?;
        let ratio = Spread::of_ratios(&rounds, |round| round.1.0.p99_ms, |round| round.0.p99_ms);
        eprintln!("p99 {ratio} times the quiet one");
        bench.judge(&name, "p99 at most 2 times that without writes", ratio, Bound::AtMost(2.0));
        let cells = Spread::of_each(
            &rounds,
            [
                |round| round.0.p50_ms,
                |round| round.0.p99_ms,
                |round| round.1.0.p50_ms,
                |round| round.1.0.p99_ms,
                |round| f64::from(round.1.1) / f64::from(READ_SECONDS),
            ],
        )
        .map(|spread| spread.to_string());
        let head = &[
            "scenario",
            "products",
            "p50 ms quiet",
            "p99 ms quiet",
            "p50 ms beside",
            "p99 ms beside",
            "changes/s",
            "p99 ratio",
        ];
        let row =
            [READERS.to_owned(), products.to_string()].into_iter().chain(cells).chain([ratio.to_string()]);
        bench.row("Readers of a catalogue that is changed", head, row.collect());
        Ok(())
    }

    fn read(&self) -> Result<Outcome> {
        let gets: Vec<Get> = (1..=200)
            .map(|page| Get::new(format!("/v1/store/products?page[number]={page}"), &self.customer))
            .collect();
        let reading = OpenLoop {
            name: "readers",
            target: &self.target,
            gets: &gets,
            rate: READS_PER_SECOND,
            connections: 64,
            seconds: READ_SECONDS,
            is_from_due: true,
            is_idle: false,
        };
        let outcome = reading.run()?;
        ensure!(outcome.failed + outcome.refused < 1.0, "reads failed: {outcome:?}");
        Ok(outcome)
    }

    /// Returns the outcome of the reads and the number of changes.
    fn read_beside_changes(&self, products: u32, numbers: &mut Numbers) -> Result<(Outcome, u32)> {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let changing = scope.spawn(|| {
                let (mut connection, mut changes) = (Connection::new(self.server.address), 0);
                while !is_over.load(Ordering::Relaxed) {
                    self.change(&mut connection, products, numbers)?;
                    changes += 1;
                    pause(PAUSE);
                }
                Ok::<u32, anyhow::Error>(changes)
            });
            let outcome = self.read();
            is_over.store(true, Ordering::Relaxed);
            let changes = changing.join().map_err(|_| anyhow!("the writer panicked"))?;
            Ok((outcome?, changes.context("beside readers")?))
        })
    }
}

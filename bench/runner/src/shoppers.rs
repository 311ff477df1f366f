//! Documented reads beside 32 members who look around in the shop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use pointbook_operate::http_client::get_with;
use pointbook_operate::numbers::Numbers;
use pointbook_operate::pointbook::{Pointbook, Server, pause};

use super::TENANT;
use super::context::Bench;
use super::data::{self, Database, Dataset};
use super::oha::{OpenLoop, Outcome};
use super::record::Bound;
use super::requests::{Get, Target};
use super::spread::Spread;

const NAME: &str = "reads beside 32 shoppers";
const SHOPPERS: u32 = 32;
/// The time between two pages of a shopper, from one response to the next request.
const PAUSE: Duration = Duration::from_secs(1);
/// The first shopper asks at once, and the others follow over one pause.
const STAGGER: Duration = Duration::from_millis(1_000 / SHOPPERS as u64);
const READS_PER_SECOND: f64 = 2_000.0;
const SECONDS: u32 = 4;
/// The pages that a shopper asks for in random order, below the path of the shop.
const PAGES: [&str; 6] =
    ["", "?page%5Bnumber%5D=2", "?filter%5Btitle%5D=thing", "/products/P0000001", "/points", "/orders"];

pub(super) fn names() -> Vec<String> {
    vec![NAME.to_owned()]
}

struct Shop {
    server: Server,
    gets: Vec<Get>,
    cookies: Vec<String>,
}

/// Reads alone, reads beside shoppers, and the pages that the shoppers got in a second.
type Round = (Outcome, (Outcome, f64));

pub(super) fn run(bench: &Bench) -> Result<()> {
    if !bench.has_oha {
        return Ok(());
    }
    let shop = Shop::open()?;
    shop.read()?;
    let rounds: Vec<Round> = bench.repeat(NAME, || Ok((shop.read()?, shop.read_beside_shoppers()?)))?;
    let ratio = Spread::of_ratios(&rounds, |round| round.1.0.p99_ms, |round| round.0.p99_ms);
    eprintln!("p99 {ratio} times that alone");
    bench.judge(NAME, "p99 at most 1.2 times that alone", ratio, Bound::AtMost(1.2));
    let cells = Spread::of_each(
        &rounds,
        [
            |round| round.0.p50_ms,
            |round| round.0.p99_ms,
            |round| round.1.0.p50_ms,
            |round| round.1.0.p99_ms,
            |round| round.1.1,
        ],
    );
    let head = &[
        "scenario",
        "p50 ms alone",
        "p99 ms alone",
        "p50 ms beside",
        "p99 ms beside",
        "pages/s",
        "p99 ratio",
    ];
    let row =
        [NAME.to_owned()].into_iter().chain(cells.map(|cell| cell.to_string())).chain([ratio.to_string()]);
    bench.row("Reads beside the shop", head, row.collect());
    Ok(())
}

impl Shop {
    fn open() -> Result<Self> {
        let Database { path, tokens, .. } = Dataset::Ledger.prepare()?;
        // Other scenarios use the original, which has no shop.
        let copy = data::folder()?.join("shoppers.db");
        data::copy(&path, &copy)?;
        let pointbook = Pointbook::new(&copy);
        pointbook.quiet(&["tenant", "set", TENANT, "shop=true"])?;
        let tokens = tokens.ordinary();
        let token = tokens.first().copied().unwrap_or_default();
        let lists = (1..=50).map(|page| Get::new(format!("/v1/store/products?page[number]={page}"), token));
        let gets = lists.chain([Get::new("/v1/user/point-history", token)]).collect();
        let cookies = tokens.iter().map(|token| format!("shop-{TENANT}-production={token}")).collect();
        Ok(Self { server: pointbook.serve()?, gets, cookies })
    }

    fn read(&self) -> Result<Outcome> {
        let outcome = OpenLoop {
            name: "reads-beside-shoppers",
            target: &Target::of(&self.server),
            gets: &self.gets,
            rate: READS_PER_SECOND,
            connections: 64,
            seconds: SECONDS,
            is_from_due: true,
            is_idle: false,
        }
        .run()?;
        ensure!(outcome.failed + outcome.refused < 1.0, "reads failed: {outcome:?}");
        Ok(outcome)
    }

    fn read_beside_shoppers(&self) -> Result<(Outcome, f64)> {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let shoppers: Vec<_> = (0..SHOPPERS)
                .zip(&self.cookies)
                .map(|(number, cookie)| {
                    let is_over = &is_over;
                    scope.spawn(move || self.look_around(number, cookie, is_over))
                })
                .collect();
            let outcome = self.read();
            is_over.store(true, Ordering::Relaxed);
            let mut pages = 0;
            for shopper in shoppers {
                pages += shopper.join().map_err(|_| anyhow!("a shopper panicked"))??;
            }
            Ok((outcome?, f64::from(pages) / f64::from(SECONDS)))
        })
    }

    /// Returns the number of pages.
    fn look_around(&self, number: u32, cookie: &str, is_over: &AtomicBool) -> Result<u32> {
        let (mut numbers, mut pages) = (Numbers::new(number.into()), 0);
        let headers = format!("Host: {}\r\nAccept: text/html\r\nCookie: {cookie}\r\n", self.server.address);
        pause(STAGGER * number);
        while !is_over.load(Ordering::Relaxed) {
            let page = PAGES[numbers.place(PAGES.len())];
            let path = format!("/shop/{TENANT}{page}");
            let response = get_with(self.server.address, &path, &headers)?;
            ensure!(response.status()? == 200, "GET {path}: {}", String::from_utf8_lossy(&response.bytes));
            pages += 1;
            pause(PAUSE);
        }
        Ok(pages)
    }
}

//! Documented reads beside members who look around in the shop, and beside operators who work in the console.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use pointbook_operate::http_client::Connection;
use pointbook_operate::numbers::Numbers;
use pointbook_operate::pointbook::{Pointbook, Server, pause};

use super::context::Bench;
use super::data::{self, Database, Dataset, Tokens};
use super::oha::{OpenLoop, Outcome};
use super::record::Bound;
use super::requests::{Get, Target};
use super::spread::Spread;
use super::{TENANT, operators};

/// The time between two pages of a visitor, from one response to the next request.
const PAUSE: Duration = Duration::from_secs(1);
const READS_PER_SECOND: f64 = 2_000.0;
const SECONDS: u32 = 4;

/// Visitors of one kind of pages.
struct Crowd {
    name: &'static str,
    size: u32,
    /// The folder of the pages, below which the tenant has a folder.
    folder: &'static str,
    /// The pages that a visitor asks for in random order.
    pages: &'static [&'static str],
    /// Lets the visitors in; gives the cookie of each.
    enter: fn(&Pointbook, &Server, &Tokens, u32) -> Result<Vec<String>>,
}

const CROWDS: [Crowd; 2] = [
    Crowd {
        name: "reads beside 32 shoppers",
        size: 32,
        folder: "shop",
        pages: &[
            "",
            "?page%5Bnumber%5D=2",
            "?filter%5Btitle%5D=thing",
            "/products/P0000001",
            "/points",
            "/orders",
        ],
        enter: |_, _, tokens, _| {
            let cookie = |token: &&str| format!("shop-{TENANT}-production={token}");
            Ok(tokens.ordinary().iter().map(cookie).collect())
        },
    },
    Crowd {
        name: "reads beside 16 operators",
        size: 16,
        folder: "console",
        pages: &[
            "",
            "/orders",
            "/members",
            "/members/user-1",
            "/products",
            "/products/P0000001",
            "/search?q=thing",
            "/reports/points",
            "/audit-log",
        ],
        enter: |pointbook, server, _, size| operators::sign_in(pointbook, server, size),
    },
];

pub(super) fn names() -> Vec<String> {
    CROWDS.map(|crowd| crowd.name.to_owned()).into()
}

struct Visited<'c> {
    crowd: &'c Crowd,
    server: Server,
    gets: Vec<Get>,
    cookies: Vec<String>,
}

/// Reads alone, reads beside visitors, and the pages that the visitors got in a second.
type Round = (Outcome, (Outcome, f64));

pub(super) fn run(bench: &Bench) -> Result<()> {
    if !bench.has_oha {
        return Ok(());
    }
    for crowd in CROWDS.iter().filter(|crowd| bench.wants(crowd.name)) {
        measure(bench, crowd)?;
    }
    Ok(())
}

fn measure(bench: &Bench, crowd: &Crowd) -> Result<()> {
    let visited = Visited::open(crowd)?;
    visited.read()?;
    let rounds: Vec<Round> = bench.repeat(crowd.name, || Ok((visited.read()?, visited.read_beside()?)))?;
    let ratio = Spread::of_ratios(&rounds, |round| round.1.0.p99_ms, |round| round.0.p99_ms);
    eprintln!("p99 {ratio} times that alone");
    bench.judge(crowd.name, "p99 at most 1.2 times that alone", ratio, Bound::AtMost(1.2));
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
    let row = [crowd.name.to_owned()]
        .into_iter()
        .chain(cells.map(|cell| cell.to_string()))
        .chain([ratio.to_string()]);
    bench.row("Reads beside pages", head, row.collect());
    Ok(())
}

impl<'c> Visited<'c> {
    fn open(crowd: &'c Crowd) -> Result<Self> {
        let Database { path, tokens, .. } = Dataset::Ledger.prepare()?;
        // Other scenarios use the original, which has no shop and no operators.
        let copy = data::folder()?.join("visited.db");
        data::copy(&path, &copy)?;
        let pointbook = Pointbook::new(&copy);
        pointbook.quiet(&["tenant", "set", TENANT, "shop=true"])?;
        let server = pointbook.serve()?;
        let cookies = (crowd.enter)(&pointbook, &server, &tokens, crowd.size)?;
        let token = tokens.ordinary().first().copied().unwrap_or_default();
        let lists = (1..=50).map(|page| Get::new(format!("/v1/store/products?page[number]={page}"), token));
        let gets = lists.chain([Get::new("/v1/user/point-history", token)]).collect();
        Ok(Self { crowd, server, gets, cookies })
    }

    fn read(&self) -> Result<Outcome> {
        let outcome = OpenLoop {
            name: "reads-beside-visitors",
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

    fn read_beside(&self) -> Result<(Outcome, f64)> {
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            let visitors: Vec<_> = (0..self.crowd.size)
                .zip(&self.cookies)
                .map(|(number, cookie)| {
                    let is_over = &is_over;
                    scope.spawn(move || self.look_around(number, cookie, is_over))
                })
                .collect();
            let outcome = self.read();
            is_over.store(true, Ordering::Relaxed);
            let mut pages = 0;
            for visitor in visitors {
                pages += visitor.join().map_err(|_| anyhow!("a visitor panicked"))??;
            }
            Ok((outcome?, f64::from(pages) / f64::from(SECONDS)))
        })
    }

    /// Keeps the connection, as a browser does. Returns the number of pages.
    fn look_around(&self, number: u32, cookie: &str, is_over: &AtomicBool) -> Result<u32> {
        let (mut numbers, mut pages, crowd) = (Numbers::new(number.into()), 0, self.crowd);
        let mut connection = Connection::new(self.server.address);
        let headers = format!("Host: {}\r\nAccept: text/html\r\nCookie: {cookie}\r\n", self.server.address);
        // The first visitor asks at once, and the others follow over one pause.
        pause(PAUSE * number / self.crowd.size);
        while !is_over.load(Ordering::Relaxed) {
            let page = crowd.pages[numbers.place(crowd.pages.len())];
            let path = format!("/{}/{TENANT}{page}", crowd.folder);
            let answer = connection.exchange(format!("GET {path} HTTP/1.1\r\n{headers}\r\n").as_bytes())?;
            ensure!(answer.status == 200, "GET {path}: {}", answer.text());
            pages += 1;
            pause(PAUSE);
        }
        Ok(pages)
    }
}

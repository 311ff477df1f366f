//! Reports of ten million transactions: how fast the ledger is counted, and how soon the figures of an overview are there.

use std::time::Instant;

use anyhow::{Result, ensure};
use pointbook_operate::http_client::{get, get_with};

use super::context::Bench;
use super::data::{Database, Dataset};
use super::record::Bound;
use super::spread::Spread;
use super::{BASE_PATH, TENANT, operators};

const COUNT: &str = "counting a ledger";
const OVERVIEW: &str = "overview figures";
const PAGE: &str = "overview page";
const HEAD: &[&str] = &["scenario", "measured", "of"];
const TITLE: &str = "Reports";
const USERS: u32 = 20_000;
const ROWS_PER_USER: f64 = 500.0;
const SIZE: &str = "10 M transactions";
/// How often one round asks for the overview.
const READS: u32 = 20;
/// The reports of an overview: the last 28 days of the data.
const REPORTS: [&str; 2] = ["points?until=2026-05-31", "members?until=2026-05-31"];

pub(super) fn names() -> Vec<String> {
    [COUNT, OVERVIEW, PAGE].map(str::to_owned).into()
}

/// A quick run leaves out the ten million transactions.
pub(super) fn run(bench: &Bench) -> Result<()> {
    if bench.options.is_quick {
        return Ok(());
    }
    let data = Dataset::Users(USERS).prepare()?;
    if bench.wants(COUNT) {
        count(bench, &data)?;
    }
    if bench.wants(OVERVIEW) {
        overview(bench, &data)?;
    }
    if bench.wants(PAGE) {
        page(bench, &data)?;
    }
    Ok(())
}

fn count(bench: &Bench, data: &Database) -> Result<()> {
    let begun = Instant::now();
    data.pointbook.quiet(&["report", "vintages", "--tenant", TENANT, "--rebuild"])?;
    let rate = f64::from(USERS) * ROWS_PER_USER / begun.elapsed().as_secs_f64();
    let rate = Spread::of(std::iter::once(rate));
    bench.judge(COUNT, "100,000 transactions a second", rate, Bound::AtLeast(100_000.0));
    bench.row(TITLE, HEAD, vec![COUNT.to_owned(), format!("{rate} a second"), SIZE.to_owned()]);
    Ok(())
}

fn overview(bench: &Bench, data: &Database) -> Result<()> {
    // Counts, if that was not done.
    data.pointbook.quiet(&["report", "vintages", "--tenant", TENANT])?;
    let server = data.pointbook.serve()?;
    let rounds = bench.repeat(OVERVIEW, || {
        let begun = Instant::now();
        for _ in 0..READS {
            for report in REPORTS {
                let path = format!("{BASE_PATH}/v1/manage/reports/{report}");
                get(server.address, &path, data.tokens.back_office()?)?;
            }
        }
        Ok(begun.elapsed().as_secs_f64() * 1_000.0 / f64::from(READS))
    })?;
    let [milliseconds] = Spread::of_each(&rounds, [|round| *round]);
    bench.judge(OVERVIEW, "points and members of 28 days in 50 ms", milliseconds, Bound::AtMost(50.0));
    bench.row(TITLE, HEAD, vec![OVERVIEW.to_owned(), format!("{milliseconds} ms"), SIZE.to_owned()]);
    Ok(())
}

/// The overview of the console, with all its figures and charts.
fn page(bench: &Bench, data: &Database) -> Result<()> {
    data.pointbook.quiet(&["report", "vintages", "--tenant", TENANT])?;
    let server = data.pointbook.serve()?;
    let cookie = operators::sign_in(&data.pointbook, &server, 1)?.concat();
    let headers = format!("Host: {}\r\nAccept: text/html\r\nCookie: {cookie}\r\n", server.address);
    let rounds = bench.repeat(PAGE, || {
        let begun = Instant::now();
        for _ in 0..READS {
            let response = get_with(server.address, &format!("/console/{TENANT}"), &headers)?;
            ensure!(response.status()? == 200, "{}", String::from_utf8_lossy(&response.bytes));
        }
        Ok(begun.elapsed().as_secs_f64() * 1_000.0 / f64::from(READS))
    })?;
    let [milliseconds] = Spread::of_each(&rounds, [|round| *round]);
    bench.judge(PAGE, "the overview of the console in 50 ms", milliseconds, Bound::AtMost(50.0));
    bench.row(TITLE, HEAD, vec![PAGE.to_owned(), format!("{milliseconds} ms"), SIZE.to_owned()]);
    Ok(())
}

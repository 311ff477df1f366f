//! Compares our server with another server of the interface, by the same reads in turn. Both must have the same products.
//! The histories of the two customers may differ.

use anyhow::{Context, Result, ensure};

use super::context::Bench;
use super::oha::Outcome;
use super::options::Against;
use super::pairs;
use super::reads::{self, Served};
use super::requests::{Get, Target};
use super::spread::Spread;

/// The number of products without `--products`.
const PRODUCTS: u32 = 50_000;
const TITLE: &str = "Reads beside another server";
const HEAD: &[&str] = &[
    "scenario",
    "products",
    "CPU us",
    "its CPU us",
    "requests/s",
    "its",
    "times its",
    "p50 ms at half of that",
    "p99 ms",
    "its p50 ms",
    "its p99 ms",
];

/// Measures the selected scenarios.
pub(super) fn run(bench: &Bench, against: &Against) -> Result<()> {
    let products = bench.options.products.as_ref().map_or(Some(PRODUCTS), |sizes| sizes.first().copied());
    let products = products.context("--products names no size")?;
    let other = Target::other(against)?;
    let served = Served::start(products)?;
    compare_totals(&served, &other, &against.token)?;
    let all = [
        reads::warm::of_any_server(served.token()),
        reads::filters::of_any_server(&served)?,
        reads::search::of_any_server(&served)?,
    ];
    let all = all.into_iter().flatten();
    for (name, gets) in all.filter(|(name, _)| bench.wants(name)) {
        measure(bench, products, &name, [served.target(), &other], (&gets, &against.token))?;
    }
    Ok(())
}

/// Fails when the other server has other products.
fn compare_totals(served: &Served, other: &Target, token: &str) -> Result<()> {
    let path = "/v1/store/products?page[size]=1";
    let total = |target: &Target, token: &str| {
        let total = target.ask(&Get::new(path, token))?.json()?["meta"]["total"].as_u64();
        total.context("a list without meta.total")
    };
    let (ours, theirs) = (total(served.target(), served.token())?, total(other, token)?);
    ensure!(
        ours == theirs,
        "the other server has {theirs} products and ours {ours}: give it what `pointbook export` writes of \
         target/bench/catalogue-{ours}.db"
    );
    Ok(())
}

fn measure(
    bench: &Bench,
    products: u32,
    name: &str,
    sides: [&Target; 2],
    (gets, token): (&[Get], &str),
) -> Result<()> {
    let theirs: Vec<Get> = gets.iter().map(|get| Get::new(get.path.clone(), token)).collect();
    let asked = [gets, theirs.as_slice()];
    let pairs = pairs::in_turn(bench, name, sides, asked)?;
    let rates = Spread::of_each(&pairs, [|pair| pair.0.rate, |pair| pair.1.rate]);
    eprintln!("{} and {} requests/s", rates[0].whole(), rates[1].whole());
    let medians = rates.map(|rate| rate.median);
    let timed = if bench.has_oha { pairs::timed(bench, name, sides, asked, medians)? } else { Vec::new() };
    let [cpu_us, their_cpu_us] = Spread::of_each(&pairs, [|pair| pair.0.cpu_us, |pair| pair.1.cpu_us])
        .map(|spread| spread.to_string());
    let ratio = Spread::of_ratios(&pairs, |pair| pair.0.rate, |pair| pair.1.rate).to_string();
    let time = |figure: fn(&(Outcome, Outcome)) -> f64| Spread::of(timed.iter().map(figure)).to_string();
    let mut cells = vec![name.to_owned(), products.to_string(), cpu_us, their_cpu_us];
    cells.extend([rates[0].whole(), rates[1].whole(), ratio]);
    cells.extend([time(|pair| pair.0.p50_ms), time(|pair| pair.0.p99_ms)]);
    cells.extend([time(|pair| pair.1.p50_ms), time(|pair| pair.1.p99_ms)]);
    bench.row(TITLE, HEAD, cells);
    Ok(())
}

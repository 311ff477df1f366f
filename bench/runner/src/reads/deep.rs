//! The last page of the largest list, beside its first.

use anyhow::Result;

use super::{LARGE, PAGE_SIZE, Served};
use crate::context::Bench;
use crate::load::{self, CONNECTIONS, Load};
use crate::record::Bound;
use crate::requests::Script;
use crate::spread::Spread;

const NAME: &str = "deep page";

pub(crate) fn names() -> Vec<String> {
    vec![NAME.to_owned()]
}

/// Measures both pages of one server, in turn.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    for products in bench.sizes(&[LARGE]) {
        let served = Served::start(products)?;
        // The last full page.
        let last = format!("?page[number]={}", products / PAGE_SIZE);
        let first = Script::write("first", &served.target, &[served.list("")])?;
        let last = Script::write("second", &served.target, &[served.list(&last)])?;
        let drive = |script: &Script| {
            let load = Load { script: &script.file, connections: CONNECTIONS, seconds: bench.extent.seconds };
            load::run(&served.target, &load)
        };
        let turn = || Ok((drive(&first)?, drive(&last)?));
        turn()?;
        let name = format!("{NAME}, {products} products");
        let pairs = bench.repeat(&name, turn)?;
        let ratio = Spread::of_ratios(&pairs, |pair| pair.1.cpu_us, |pair| pair.0.cpu_us);
        eprintln!("{ratio} times page 1");
        bench.judge(&name, "CPU at most 1.1 times page 1", ratio, Bound::AtMost(1.1));
        let [page_1, page_last] = Spread::of_each(&pairs, [|pair| pair.0.cpu_us, |pair| pair.1.cpu_us])
            .map(|spread| spread.to_string());
        let head = &["scenario", "products", "CPU us of page 1", "of the last page", "ratio"];
        bench.row(
            "The last page",
            head,
            vec![NAME.into(), products.to_string(), page_1, page_last, ratio.to_string()],
        );
    }
    Ok(())
}

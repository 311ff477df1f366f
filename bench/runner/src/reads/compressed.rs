//! Compressed responses, beside the same responses without compression.

use anyhow::Result;

use super::queries::Filter;
use super::{MEDIUM, Served};
use crate::context::Bench;
use crate::data::{Database, Dataset};
use crate::load::{self, CONNECTIONS, Load, Round};
use crate::record::Bound;
use crate::requests::{Get, Script, Target};
use crate::spread::Spread;

const CODINGS: [&str; 2] = ["gzip", "zstd"];
/// The requests to a catalogue of products.
const LIST: &str = "list, page 1";
const CATEGORIES: &str = "categories";
const DIFFERENT: &str = "all filters, all different";
/// The request to a ledger.
const HISTORY: &str = "history, ordinary user";

pub(crate) fn names() -> Vec<String> {
    let all = [LIST, CATEGORIES, DIFFERENT, HISTORY];
    all.iter().flat_map(|scenario| CODINGS.map(|coding| name(coding, scenario))).collect()
}

fn name(coding: &str, scenario: &str) -> String {
    format!("{coding}, {scenario}")
}

/// Measures the selected scenarios.
pub(crate) fn run(bench: &Bench) -> Result<()> {
    let wants = |scenario: &str| CODINGS.iter().any(|coding| bench.wants(&name(coding, scenario)));
    if [LIST, CATEGORIES, DIFFERENT].into_iter().any(wants) {
        let served = Served::start(MEDIUM)?;
        let one = |path: &str| vec![Get::new(path, served.token())];
        measure(bench, served.target(), LIST, &one("/v1/store/products"))?;
        measure(bench, served.target(), CATEGORIES, &one("/v1/store/categories"))?;
        if wants(DIFFERENT) {
            measure(bench, served.target(), DIFFERENT, &Filter::Together.queries(&served)?)?;
        }
    }
    if wants(HISTORY) {
        let Database { pointbook, tokens, .. } = Dataset::Ledger.prepare()?;
        let server = pointbook.serve()?;
        let gets: Vec<Get> =
            tokens.ordinary().into_iter().map(|token| Get::new("/v1/user/point-history", token)).collect();
        measure(bench, &Target::of(&server), HISTORY, &gets)?;
    }
    Ok(())
}

fn measure(bench: &Bench, target: &Target, scenario: &str, plain: &[Get]) -> Result<()> {
    for coding in CODINGS.into_iter().filter(|coding| bench.wants(&name(coding, scenario))) {
        let name = name(coding, scenario);
        let compressed: Vec<Get> =
            plain.iter().map(|get| Get { accept_encoding: Some(coding), ..get.clone() }).collect();
        let scripts = [Script::write("first", target, &compressed)?, Script::write("second", target, plain)?];
        let drive = |script: &Script| {
            let load = Load { script: &script.file, connections: CONNECTIONS, seconds: bench.extent.seconds };
            load::run(target, &load)
        };
        let turn = || Ok((drive(&scripts[0])?, drive(&scripts[1])?));
        turn()?;
        let rounds = bench.repeat(&name, turn)?;
        // The first response may come without compression.
        target.ask(&compressed[0])?;
        let bytes = [&compressed[0], &plain[0]].map(|get| target.ask(get).map(|answer| answer.body().len()));
        report(bench, &name, bytes, &rounds)?;
    }
    Ok(())
}

fn report(bench: &Bench, name: &str, bytes: [Result<usize>; 2], rounds: &[(Round, Round)]) -> Result<()> {
    const HEAD: &[&str] = &["scenario", "bytes", "uncompressed", "CPU us", "uncompressed", "ratio"];
    let ratio = Spread::of_ratios(rounds, |pair| pair.0.cpu_us, |pair| pair.1.cpu_us);
    eprintln!("{ratio} times an uncompressed response");
    bench.judge(name, "CPU at most 2 times that of an uncompressed response", ratio, Bound::AtMost(2.0));
    let [ours, plain] = Spread::of_each(rounds, [|pair| pair.0.cpu_us, |pair| pair.1.cpu_us])
        .map(|spread| spread.to_string());
    let [short, long] = bytes;
    let cells = vec![name.to_owned(), short?.to_string(), long?.to_string(), ours, plain, ratio.to_string()];
    bench.row("Compressed responses", HEAD, cells);
    Ok(())
}

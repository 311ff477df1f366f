//! `cargo benchmark`: measures the cost of requests, compares it with a lower bound in the same run, and checks the targets.
//! The bound for reads is a server of fixed responses on the same HTTP stack. For histories and writes it is the bare
//! database driver. Another server can be compared with ours.

mod against;
mod campaigns;
mod ceiling;
mod changes;
mod contest;
mod context;
mod data;
mod footprint;
mod history;
mod idle;
mod instructions;
mod load;
mod machine;
mod oha;
mod operators;
mod options;
mod overload;
mod pairs;
mod plot;
mod postgres;
mod reads;
mod record;
mod reports;
mod requests;
mod rounds;
mod script;
mod spread;
mod visitors;
mod writers;
mod writes;

use std::process::ExitCode;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use pointbook_operate::pointbook::build_release;
use pointbook_operate::root::repository;

use self::context::Bench;
use self::options::Options;

const TENANT: &str = "bench";
const BASE_PATH: &str = "/bench/api";
/// A second tenant of the same server.
const OTHER_TENANT: &str = "other";
const OTHER_BASE_PATH: &str = "/other/api";
/// The file name of the plot.
const PLOT: &str = "cost-against-size.svg";

/// Scenarios that share their data.
struct Group {
    /// The names of its scenarios, for `--scenario` and the tables.
    names: fn() -> Vec<String>,
    /// Measures the selected scenarios.
    run: fn(&Bench) -> Result<()>,
}

/// All groups except PostgreSQL and other servers, in the order of the targets.
const GROUPS: &[Group] = &[
    Group { names: reads::warm::names, run: reads::warm::run },
    Group { names: reads::filters::names, run: reads::filters::run },
    Group { names: reads::search::names, run: reads::search::run },
    Group { names: reads::deep::names, run: reads::deep::run },
    Group { names: reads::compressed::names, run: reads::compressed::run },
    Group { names: history::names, run: history::run },
    Group { names: changes::names, run: changes::run },
    Group { names: footprint::names, run: footprint::run },
    Group { names: idle::names, run: idle::run },
    Group { names: overload::names, run: overload::run },
    Group { names: writes::names, run: writes::run },
    Group { names: campaigns::names, run: campaigns::run },
    Group { names: reports::names, run: reports::run },
    Group { names: visitors::names, run: visitors::run },
];

fn main() -> ExitCode {
    let words: Vec<String> = env::args().skip(1).collect();
    match command(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benchmark: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Runs the benchmark and prints its tables.
fn command(words: &[String]) -> Result<()> {
    if let Some((_, rest)) = words.split_first().filter(|(first, _)| *first == "--instructions") {
        return instructions::command(rest);
    }
    let options = Options::parse(words)?;
    build_release(&["pointbook-server", "pointbook-bench"])?;
    let _lock = data::lock()?;
    let bench = Bench::new(options)?;
    let outcome = match (&bench.options.database, &bench.options.against) {
        (Some(database), _) => postgres::run(&bench, database),
        (None, Some(other)) => against::run(&bench, other),
        (None, None) => run_groups(&bench),
    };
    let record = bench.record.borrow();
    if !record.is_empty() {
        println!("{}", record.markdown());
    }
    draw(&bench.options, &record.points)?;
    outcome
}

/// Runs all groups, also after one has failed.
fn run_groups(bench: &Bench) -> Result<()> {
    let wanted: Vec<&Group> =
        GROUPS.iter().filter(|group| (group.names)().iter().any(|name| bench.wants(name))).collect();
    ensure!(
        !wanted.is_empty(),
        "no scenario has {:?} in its name; the scenarios are:\n{}",
        bench.options.scenario,
        all_names()
    );
    let mut failures = Vec::new();
    for group in wanted {
        if let Err(error) = (group.run)(bench) {
            eprintln!("\nfailed: {error:#}");
            failures.push(format!("{error:#}"));
        }
    }
    ensure!(failures.is_empty(), "{} groups of scenarios failed:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

fn all_names() -> String {
    GROUPS.iter().flat_map(|group| (group.names)()).collect::<Vec<_>>().join("\n")
}

/// Draws the plot, unless the points have a single size. Only a complete run replaces the plot of the documents.
fn draw(options: &Options, points: &[record::Point]) -> Result<()> {
    if points.iter().all(|point| point.products == points[0].products) {
        return Ok(());
    }
    let folder = if options.is_all() { repository().join("docs") } else { data::folder()? };
    let file = folder.join(PLOT);
    eprintln!("drawing {}", file.display());
    fs::write(&file, plot::svg(points)).context(PLOT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scenario_has_a_unique_name() {
        let names: Vec<String> = GROUPS.iter().flat_map(|group| (group.names)()).collect();
        let different: std::collections::BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), names.len());
    }
}

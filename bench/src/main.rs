//! `cargo benchmark`: measures the released program over HTTP, on its own or beside another program in turn.
//!
//! A [`Scenario`] says which data it needs, how to start the server, and what to send. Everything
//! else is the same for all of them: who is compared, the rounds, and the table.

mod data;
mod instructions;
mod load;
mod measure;
mod options;
mod scenarios;
mod service;
mod subject;

use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Parser as _;
use xtask::operate::pointbook::build_release;

use self::measure::Table;
use self::options::Options;
use self::scenarios::Scenario;
use self::subject::Subject;

fn main() -> ExitCode {
    match command(&Options::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("benchmark: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn command(options: &Options) -> Result<()> {
    if options.instructions {
        return instructions::run(options.update, options.check);
    }
    let wanted = wanted(options)?;
    build_release(&["pointbook-server"])?;
    let _lock = data::lock()?;
    let subjects = Subject::all(options)?;
    let (mut table, mut failures) = (Table::default(), Vec::new());
    for scenario in &wanted {
        let measured = measure::run(scenario, &subjects, options.rounds());
        match measured {
            Ok(measured) => print!("{}", table.add(&measured)),
            Err(error) => failures.push(format!("{}: {error:#}", scenario.name)),
        }
    }
    ensure!(failures.is_empty(), "{} scenarios failed:\n{}", failures.len(), failures.join("\n"));
    Ok(())
}

/// The scenarios that the options select.
fn wanted(options: &Options) -> Result<Vec<Scenario>> {
    let mut all = scenarios::all(options);
    all.retain(|scenario| scenario.runs_with(options));
    let names: Vec<&str> = all.iter().map(|scenario| scenario.name.as_str()).collect();
    ensure!(
        names.iter().any(|name| name.contains(&options.scenario)),
        "no scenario has {:?} in its name; the scenarios are:\n{}",
        options.scenario,
        names.join("\n")
    );
    all.retain(|scenario| scenario.name.contains(&options.scenario));
    Ok(all)
}

//! Compares several sides in turn, so that other load of the machine affects all of them.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use pointbook_operate::pointbook::{Server, release_binary};
use pointbook_operate::processor_time;

use super::context::Bench;
use super::load::{self, Load, Round};
use super::requests::Target;
use super::script::Script;
use super::spread::Spread;

/// A scenario. The first side is the subject, the last one the reference.
pub(super) struct Contest<'c> {
    /// Its name in the table and on the command line.
    pub(super) name: &'static str,
    pub(super) sides: Vec<Side<'c>>,
    /// The share of the last side's rate that the first must reach.
    pub(super) aim: f64,
}

/// One of the compared programs.
pub(super) struct Side<'c> {
    pub(super) name: &'c str,
    pub(super) workload: Workload<'c>,
}

pub(super) enum Workload<'c> {
    /// Requests of this many clients. Each round generates new ones.
    Http { server: &'c Server, clients: u32, script: Box<dyn Fn() -> Result<Script> + 'c> },
    /// The bare driver with these arguments.
    Bare(Vec<String>),
}

/// The result of a side in one round.
struct Turn {
    rate: f64,
    /// Processor time of the database's processes per request, in microseconds, when they run on this machine.
    database_us: Option<f64>,
    /// The figures that only a service has.
    http: Option<Round>,
}

/// Prints the head of the table, as Markdown.
pub(super) fn print_head() {
    println!(
        "| scenario | side | requests/s | p50 ms | p99 ms | CPU us | of PostgreSQL | of the first's rate | of the last's | aim |"
    );
    println!("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|");
}

impl Contest<'_> {
    /// Measures, and prints a row for each side. `database` is the id of the database's first process.
    pub(super) fn run(&self, bench: &Bench, database: Option<u32>) -> Result<()> {
        let turns = || {
            let turns = self.sides.iter().map(|side| side.take_turn(bench.extent.seconds, database));
            turns.collect::<Result<Vec<Turn>>>()
        };
        turns()?;
        let rounds = bench.repeat_with_process(self.name, database, turns)?;
        eprintln!("{:.0}/s", rounds[0][0].rate);
        for place in 0..self.sides.len() {
            println!("{}", self.row(place, &rounds));
        }
        Ok(())
    }

    fn row(&self, place: usize, rounds: &[Vec<Turn>]) -> String {
        let last = self.sides.len() - 1;
        let rate = Spread::of(rounds.iter().map(|turns| turns[place].rate));
        let against = |other: usize| {
            let ratios = rounds.iter().map(|turns| turns[place].rate / turns[other].rate);
            if place == other { String::new() } else { Spread::of(ratios).to_string() }
        };
        let http = |figure: fn(&Round) -> f64| {
            let figures: Vec<f64> =
                rounds.iter().filter_map(|turns| turns[place].http.as_ref().map(figure)).collect();
            median(figures)
        };
        let database = median(rounds.iter().filter_map(|turns| turns[place].database_us).collect());
        format!(
            "| {} | {} | {:.0} ({:.0}-{:.0}) | {} | {} | {} | {database} | {} | {} | {} |",
            if place == 0 { self.name } else { "" },
            self.sides[place].name,
            rate.median,
            rate.min,
            rate.max,
            http(|round| round.p50_ms),
            http(|round| round.p99_ms),
            http(|round| round.cpu_us),
            against(0),
            against(last),
            if place == 0 { format!("{:.2}", self.aim) } else { String::new() },
        )
    }
}

/// The median as text. Empty without figures.
fn median(figures: Vec<f64>) -> String {
    if figures.is_empty() { String::new() } else { format!("{:.2}", Spread::of(figures.into_iter()).median) }
}

impl Side<'_> {
    fn take_turn(&self, seconds: u32, database: Option<u32>) -> Result<Turn> {
        let used = || database.map(processor_time::in_us).transpose();
        let before = used()?;
        let (rate, http) = match &self.workload {
            Workload::Http { server, clients, script } => {
                let script = script()?;
                let load = Load { script: &script.file, connections: *clients, seconds };
                let round = load::run(&Target::of(server), &load)?;
                (round.rate, Some(round))
            }
            Workload::Bare(words) => (run_bare(words, seconds)?, None),
        };
        #[expect(clippy::cast_precision_loss, reason = "microseconds of some seconds")]
        let database_us = used()?.zip(before).map(|(after, before)| (after - before) as f64);
        let database_us = database_us.map(|used| used / (rate * f64::from(seconds)));
        Ok(Turn { rate, database_us, http })
    }
}

/// Requests per second of the bare driver.
fn run_bare(words: &[String], seconds: u32) -> Result<f64> {
    let mut command = Command::new(release_binary("bare-postgres"));
    let output = command.args(words).arg(seconds.to_string()).output()?;
    ensure!(output.status.success(), "bare-postgres: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout)?.trim().parse().context("bare-postgres printed no number")
}

//! Histories: ordinary users beside the bare driver, one user with many pages, and a ledger with many rows.

mod bare;

use anyhow::Result;
use pointbook_operate::numbers::Numbers;
use pointbook_operate::pointbook::Server;

use self::bare::Bare;
use super::ceiling::Ceiling;
use super::context::Bench;
use super::data::ledger::{HEAVY, ONE_PAGE};
use super::data::{Database, Dataset};
use super::load::{self, CONNECTIONS, Load, Round};
use super::oha::Outcome;
use super::pairs;
use super::record::Bound;
use super::requests::{Get, Script, Target};
use super::spread::Spread;

const ORDINARY: &str = "history, ordinary user";
const MANY_ROWS: &str = "history, 10M rows";
const HEAVY_PAGES: [&str; 3] = [
    "history, 100,000 rows: first page",
    "history, 100,000 rows: middle page",
    "history, 100,000 rows: last full page",
];
/// Users of 500 rows: 100,000 rows and 10,000,000.
const FEW: u32 = 200;
const MANY: u32 = 20_000;
const PATH: &str = "/v1/user/point-history";

pub(super) fn names() -> Vec<String> {
    [ORDINARY].into_iter().chain(HEAVY_PAGES).chain([MANY_ROWS]).map(str::to_owned).collect()
}

/// Measures the selected scenarios. A quick run leaves out the 10 million rows.
pub(super) fn run(bench: &Bench) -> Result<()> {
    if [ORDINARY].iter().chain(&HEAVY_PAGES).any(|name| bench.wants(name)) {
        let ledger = Ledger::open(Dataset::Ledger)?;
        if bench.wants(ORDINARY) {
            ledger.measure_ordinary(bench)?;
        }
        let middle = HEAVY.last_full_page() / 2;
        for (name, page) in HEAVY_PAGES.into_iter().zip([1, middle, HEAVY.last_full_page()]) {
            if bench.wants(name) {
                ledger.measure_heavy(bench, name, page)?;
            }
        }
    }
    if bench.wants(MANY_ROWS) && !bench.options.is_quick {
        measure_many_rows(bench)?;
    }
    Ok(())
}

/// A server with a ledger.
struct Ledger {
    database: Database,
    server: Server,
    target: Target,
}

/// A round of ours, of the bare driver and of the server of fixed responses.
type Turn = (Round, Bare, Round);

impl Ledger {
    fn open(dataset: Dataset) -> Result<Self> {
        let database = dataset.prepare()?;
        let server = database.pointbook.serve()?;
        let target = Target::of(&server);
        Ok(Self { database, server, target })
    }

    /// The newest pages of all users with a token, in random order.
    fn newest_pages(&self) -> Vec<Get> {
        let mut gets: Vec<Get> =
            self.database.tokens.ordinary().into_iter().map(|token| Get::new(PATH, token)).collect();
        let mut numbers = Numbers::new(0x7573_6572);
        for place in (1..gets.len()).rev() {
            gets.swap(place, numbers.place(place + 1));
        }
        gets
    }

    fn measure_ordinary(&self, bench: &Bench) -> Result<()> {
        let gets = self.newest_pages();
        let ceiling = Ceiling::of(&self.target, &gets)?;
        let fixed = Target::of(&ceiling.server);
        let scripts = [Script::write("first", &self.target, &gets)?, Script::write("second", &fixed, &gets)?];
        let seconds = bench.extent.seconds;
        let turn = || {
            let ours = drive(&self.target, &scripts[0], seconds)?;
            let bare = bare::read(&self.database.path, "user-", seconds)?;
            Ok((ours, bare, drive(&fixed, &scripts[1], seconds)?))
        };
        turn()?;
        let turns: Vec<Turn> = bench.repeat(ORDINARY, turn)?;
        let ours = Spread::of(turns.iter().map(|turn| turn.0.rate));
        eprintln!("{} requests/s", ours.whole());
        let rates = [ours.median; 2];
        let timed = if bench.has_oha {
            pairs::timed(bench, ORDINARY, [&self.target, &fixed], [&gets[..1], &gets[..1]], rates)?
        } else {
            Vec::new()
        };
        judge_ordinary(bench, &turns);
        add_ordinary(bench, ceiling.body_bytes, &turns, &timed);
        Ok(())
    }

    /// Compares a page of the user with many pages with the only page of a user. Both pages have as many rows.
    fn measure_heavy(&self, bench: &Bench, name: &str, page: u32) -> Result<()> {
        let tokens = &self.database.tokens;
        let heavy = Get::new(format!("{PATH}?page[number]={page}"), tokens.of(HEAVY.user)?);
        let ordinary = Get::new(PATH, tokens.of(ONE_PAGE.user)?);
        let scripts = [
            Script::write("first", &self.target, &[heavy])?,
            Script::write("second", &self.target, &[ordinary])?,
        ];
        let seconds = bench.extent.seconds;
        // The server still serves accepted requests of closed connections, and refuses requests when too many wait.
        let drive_rested = |script| {
            self.server.wait_until_idle()?;
            drive(&self.target, script, seconds)
        };
        let turn = || Ok((drive_rested(&scripts[0])?, drive_rested(&scripts[1])?));
        turn()?;
        let rounds = bench.repeat(name, turn)?;
        let ratio = compare(bench, name, &rounds);
        let target = "CPU at most 1.5 times an ordinary page of 2,160 rows";
        bench.judge(name, target, ratio, Bound::AtMost(1.5));
        Ok(())
    }
}

fn add_ordinary(bench: &Bench, body_bytes: usize, turns: &[Turn], timed: &[(Outcome, Outcome)]) {
    const HEAD: &[&str] = &[
        "scenario",
        "bytes",
        "requests/s",
        "bare driver's reads/s",
        "CPU us",
        "driver's CPU us",
        "fixed response's CPU us",
        "p50 ms at half of that",
        "p99 ms",
    ];
    let rates = Spread::of_each(turns, [|turn| turn.0.rate, |turn| turn.1.rate]);
    let cpu = Spread::of_each(turns, [|turn| turn.0.cpu_us, |turn| turn.1.cpu_us, |turn| turn.2.cpu_us]);
    let at_half = Spread::of_each(timed, [|(ours, _)| ours.p50_ms, |(ours, _)| ours.p99_ms]);
    let mut cells = vec![ORDINARY.to_owned(), body_bytes.to_string()];
    cells.extend(rates.map(Spread::whole));
    cells.extend(cpu.iter().chain(&at_half).map(ToString::to_string));
    bench.row("Histories beside the bare driver", HEAD, cells);
}

/// Compares the rate with the driver's, and the processor time with that of the driver and a fixed response.
fn judge_ordinary(bench: &Bench, turns: &[Turn]) {
    let of_rate = Spread::of_ratios(turns, |turn| turn.0.rate, |turn| turn.1.rate);
    let of_cpu = Spread::of_ratios(turns, |turn| turn.1.cpu_us, |turn| turn.0.cpu_us);
    let sum = Spread::of_ratios(turns, |turn| turn.0.cpu_us, |turn| turn.1.cpu_us + turn.2.cpu_us);
    let at_least = Bound::AtLeast(0.6);
    bench.judge(ORDINARY, "at least 0.60 of the bare driver's reads/s", of_rate, at_least);
    bench.judge(ORDINARY, "at least 0.60 of its reads per second of processor time", of_cpu, at_least);
    bench.judge(
        ORDINARY,
        "CPU at most 1.25 times the driver's and the fixed response's",
        sum,
        Bound::AtMost(1.25),
    );
}

/// Compares the same pages in ledgers of 10 million and of 100,000 rows.
fn measure_many_rows(bench: &Bench) -> Result<()> {
    let (many, few) = (Ledger::open(Dataset::Users(MANY))?, Ledger::open(Dataset::Users(FEW))?);
    let ledgers = [&many, &few];
    let scripts = [
        Script::write("first", &many.target, &many.newest_pages())?,
        Script::write("second", &few.target, &few.newest_pages())?,
    ];
    let seconds = bench.extent.seconds;
    let turn = || {
        let [many, few] = [0, 1].map(|side| drive(&ledgers[side].target, &scripts[side], seconds));
        Ok((many?, few?))
    };
    turn()?;
    let rounds = bench.repeat(MANY_ROWS, turn)?;
    let ratio = compare(bench, MANY_ROWS, &rounds);
    bench.judge(MANY_ROWS, "CPU at most 1.3 times that of 100,000 rows", ratio, Bound::AtMost(1.3));
    eprintln!(
        "{} MB and {} MB resident",
        many.server.resident_bytes()? / 1_000_000,
        few.server.resident_bytes()? / 1_000_000
    );
    Ok(())
}

/// Adds a row, and returns the ratio of the processor times.
fn compare(bench: &Bench, name: &str, rounds: &[(Round, Round)]) -> Spread {
    let ratio = Spread::of_ratios(rounds, |round| round.0.cpu_us, |round| round.1.cpu_us);
    let [one, other] = Spread::of_each(rounds, [|round| round.0.cpu_us, |round| round.1.cpu_us]);
    let rate = Spread::of(rounds.iter().map(|round| round.0.rate));
    eprintln!("{one} us, {ratio} times the ordinary");
    let head = &["scenario", "CPU us", "CPU us of what it is compared with", "ratio", "requests/s"];
    let cells = [one.to_string(), other.to_string(), ratio.to_string(), rate.whole()];
    bench.row("Histories beside histories", head, [name.to_owned()].into_iter().chain(cells).collect());
    ratio
}

fn drive(target: &Target, script: &Script, seconds: u32) -> Result<Round> {
    load::run(target, &Load { script: &script.file, connections: CONNECTIONS, seconds })
}

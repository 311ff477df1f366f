//! `cargo xtask crash [--rounds N] [--clients N] [--seed N]`: clients write to the release binary, which is
//! killed with SIGKILL at random moments, again and again, on one database. No acknowledged write may be missing or
//! incomplete. With `--faults`, the disk is full or fails. With `--database postgres`, two servers run on one
//! database, see `fleet.rs`. With `--events`, readers follow the event feed meanwhile, see `events.rs`.

mod book;
mod client;
mod event_book;
mod events;
mod faults;
mod fleet;
mod ledger;
mod request;
mod setup;
mod shift;
mod verify;
mod webhook;

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use anyhow::{Context, Result, anyhow, bail, ensure};
use xtask::operate::numbers::Numbers;
use xtask::operate::pointbook::{Server, build_release, pause};

use self::client::Client;
use self::events::Readers;
use self::setup::CrashSetup;
use self::shift::{Hazard, Shift};
use self::verify::{Verified, all_orders, each, verify};

/// How long a server may take from its start on a file after a crash until its first response.
const FIRST_ANSWER_LIMIT: Duration = Duration::from_secs(2);

/// When the server is killed, in milliseconds after the clients begin.
const KILL_AFTER_MS: std::ops::Range<u32> = 50..800;

const OPTIONS: &str =
    "--rounds N, --clients N, --seed N, --faults, --events, and --database postgres or a URL";

/// The parsed options.
struct Options {
    rounds: usize,
    clients: usize,
    seed: u64,
    faults: bool,
    /// Whether readers follow the event feed.
    events: bool,
    /// A PostgreSQL database for two servers, or `None` for one server on a file.
    database: Option<String>,
}

/// Runs the rounds. Keeps the database when a round fails.
pub(crate) fn command(words: &[String]) -> Result<()> {
    let options = parse(words)?;
    build_release(&["pointbook-server"])?;
    if options.faults {
        return faults::run(options.seed);
    }
    println!("crash: {} rounds, {} clients, --seed {}", options.rounds, options.clients, options.seed);
    let seed = || format!("--seed {}", options.seed);
    if let Some(database) = &options.database {
        return fleet::run(&options, database).with_context(seed);
    }
    let folder = tempfile::tempdir()?;
    let result = rounds(&options, &CrashSetup::in_file(folder.path(), options.clients)?);
    if result.is_err() {
        eprintln!("crash: the database is kept in {}", folder.keep().display());
    }
    result.with_context(seed)
}

fn parse(words: &[String]) -> Result<Options> {
    // Any number will do that differs at the next run.
    let seed = RandomState::new().hash_one(0) >> 32;
    let mut options = Options { rounds: 50, clients: 32, seed, faults: false, events: false, database: None };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().with_context(|| format!("{word} needs a value"));
        match word.as_str() {
            "--rounds" => options.rounds = value()?.parse()?,
            "--clients" => options.clients = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--faults" => options.faults = true,
            "--events" => options.events = true,
            "--database" => options.database = Some(value()?.clone()),
            _ => bail!("unknown option {word:?}; the options are {OPTIONS}"),
        }
    }
    Ok(options)
}

fn rounds(options: &Options, setup: &CrashSetup) -> Result<()> {
    let mut numbers = Numbers::new(options.seed);
    let mut clients: Vec<Client> =
        (0..options.clients).map(|number| Client::new(number, options.seed)).collect();
    let mut readers = Readers::new(options.events, options.seed);
    let (mut slowest, mut acknowledged) = (Duration::ZERO, 0);
    let mut server = setup.serve()?;
    server.first_answer()?;
    readers.add_webhook(setup, server.address)?;
    for round in 1..=options.rounds {
        let killed_after = KILL_AFTER_MS.start + numbers.next(KILL_AFTER_MS.end - KILL_AFTER_MS.start);
        let killed_after = Duration::from_millis(killed_after.into());
        let outcome = one_round(setup, &mut clients, &mut readers, server, killed_after);
        let (restarted, report) = outcome.with_context(|| format!("round {round}"))?;
        server = restarted;
        slowest = slowest.max(report.first_answer);
        acknowledged += report.acknowledged;
        println!("round {round:>3}: killed after {:>3} ms, {report}", killed_after.as_millis());
    }
    all_orders(setup, &clients, server.address)?;
    println!(
        "crash: {} rounds, {acknowledged} writes acknowledged, none lost, nothing half done; \
         the slowest start took {} ms",
        options.rounds,
        slowest.as_millis()
    );
    readers.compare(setup, &clients, server.address)
}

/// The result of a round.
struct Report {
    acknowledged: usize,
    first_answer: Duration,
    verified: Verified,
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { acknowledged, first_answer, verified: Verified { resolved, rows, orders } } = self;
        write!(
            f,
            "{acknowledged:>5} acknowledged, {} not ({} of them had happened), answers again after {} ms; \
             {rows} rows and {orders} orders stand, audit clean",
            resolved.unanswered,
            resolved.happened,
            first_answer.as_millis()
        )
    }
}

fn one_round(
    setup: &CrashSetup,
    clients: &mut [Client],
    readers: &mut Readers,
    server: Server,
    killed_after: Duration,
) -> Result<(Server, Report)> {
    let acknowledged = write_and_kill(setup, clients, readers, server, killed_after)?;
    let server = setup.serve()?;
    let first_answer = server.first_answer()?;
    ensure!(first_answer < FIRST_ANSWER_LIMIT, "the first response took {} ms", first_answer.as_millis());
    let verified = verify(setup, clients, server.address)?;
    readers.catch_up(setup, server.address, verified.rows)?;
    Ok((server, Report { acknowledged, first_answer, verified }))
}

/// Returns how many requests were acknowledged.
fn write_and_kill(
    setup: &CrashSetup,
    clients: &mut [Client],
    readers: &mut Readers,
    server: Server,
    killed_after: Duration,
) -> Result<usize> {
    let shift = &Shift::new(Hazard::Kill, &[server.address]);
    std::thread::scope(|scope| {
        let killer = scope.spawn(move || {
            pause(killed_after);
            // From here on a connection may break.
            shift.end();
            server.kill()
        });
        let following = readers.loops(setup, shift).map(|follow| scope.spawn(follow)).collect();
        let written = each(clients, |client| client.write(setup, shift));
        let ended = killer.join().map_err(|_| anyhow!("the killer panicked"))?;
        written.and(events::ended(following)).and(ended)
    })?;
    Ok(shift.acknowledged())
}

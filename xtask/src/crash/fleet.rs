//! `cargo xtask crash --database postgres [--rounds N] [--clients N] [--seed N] [--events]`: two servers on one database,
//! and clients that write through both. About every second, one of them is killed and started again while the
//! other one continues. Clients send requests without a response to the other server at once.

use std::net::SocketAddr;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use xtask::operate::numbers::Numbers;
use xtask::operate::pointbook::{Server, pause};
use xtask::operate::postgres::Postgres;

use super::client::Client;
use super::events::{self, Readers};
use super::setup::CrashSetup;
use super::shift::{Hazard, Shift};
use super::verify::{Verified, all_orders, each, verify};
use super::{FIRST_ANSWER_LIMIT, Options};

/// How many servers run on the database.
const SERVERS: usize = 2;

/// How many kills a round has before everything is compared.
const KILLS_PER_ROUND: usize = 5;

/// How long the servers run between two kills, in milliseconds.
const KILL_AFTER_MS: std::ops::Range<u32> = 500..1_500;

/// Runs the rounds on a temporary PostgreSQL server, or on the given database.
pub(super) fn run(options: &Options, database: &str) -> Result<()> {
    let (postgres, folder) = (Postgres::open(database)?, tempfile::tempdir()?);
    let setup = &CrashSetup::on(postgres.pointbook(), folder.path(), options.clients)?;
    let mut numbers = Numbers::new(options.seed);
    let mut clients: Vec<Client> =
        (0..options.clients).map(|number| Client::new(number, options.seed)).collect();
    let mut servers = (0..SERVERS).map(|_| setup.serve()).collect::<Result<Vec<_>>>()?;
    let mut readers = Readers::new(options.events, options.seed);
    readers.add_webhook(setup, servers[0].address)?;
    let mut acknowledged = 0;
    for round in 1..=options.rounds {
        let outcome = one_round(setup, &mut clients, &mut readers, &mut servers, &mut numbers);
        acknowledged += outcome.with_context(|| format!("round {round}"))?.print(round);
    }
    all_orders(setup, &clients, servers[0].address)?;
    println!(
        "crash: {} servers killed, {acknowledged} writes acknowledged: none lost, none repeated, none incomplete",
        options.rounds * KILLS_PER_ROUND
    );
    readers.compare(setup, &clients, servers[0].address)
}

/// The result of a round.
struct Report {
    acknowledged: usize,
    sent_again: usize,
    slowest_start: Duration,
    verified: Verified,
}

impl Report {
    /// Returns how many writes were acknowledged.
    fn print(&self, round: usize) -> usize {
        let Self { acknowledged, sent_again, slowest_start, verified: Verified { rows, orders, .. } } = self;
        println!(
            "round {round:>3}: {KILLS_PER_ROUND} servers killed, {acknowledged:>5} acknowledged, {sent_again} sent \
             again, the slowest start took {} ms; {rows} rows and {orders} orders stand, audit clean",
            slowest_start.as_millis()
        );
        *acknowledged
    }
}

fn one_round(
    setup: &CrashSetup,
    clients: &mut [Client],
    readers: &mut Readers,
    servers: &mut Vec<Server>,
    numbers: &mut Numbers,
) -> Result<Report> {
    let addresses: Vec<SocketAddr> = servers.iter().map(|server| server.address).collect();
    let shift = &Shift::new(Hazard::KillOneOfSeveral, &addresses);
    let slowest_start = thread::scope(|scope| {
        let killer = scope.spawn(|| {
            let killed = kill_and_start(setup, servers, numbers, shift);
            shift.end();
            killed
        });
        let following = readers.loops(setup, shift).map(|follow| scope.spawn(follow)).collect();
        let written = each(clients, |client| client.write(setup, shift));
        let ended = killer.join().map_err(|_| anyhow!("the killer panicked"))?;
        written.and(events::ended(following)).and(ended)
    })?;
    let place = numbers.place(servers.len());
    let verified = verify(setup, clients, servers[place].address)?;
    readers.catch_up(setup, servers[place].address, verified.rows)?;
    let (acknowledged, sent_again) = (shift.acknowledged(), shift.sent_again());
    Ok(Report { acknowledged, sent_again, slowest_start, verified })
}

/// Returns the longest time from a start to the first response.
fn kill_and_start(
    setup: &CrashSetup,
    servers: &mut Vec<Server>,
    numbers: &mut Numbers,
    shift: &Shift,
) -> Result<Duration> {
    let mut slowest = Duration::ZERO;
    for _ in 0..KILLS_PER_ROUND {
        let lived_ms = KILL_AFTER_MS.start + numbers.next(KILL_AFTER_MS.end - KILL_AFTER_MS.start);
        pause(Duration::from_millis(lived_ms.into()));
        let place = numbers.place(servers.len());
        servers.remove(place).kill()?;
        let server = setup.serve()?;
        slowest = slowest.max(server.first_answer()?);
        shift.move_server(place, server.address);
        servers.insert(place, server);
    }
    ensure!(slowest < FIRST_ANSWER_LIMIT, "the first response took {} ms", slowest.as_millis());
    Ok(slowest)
}

//! `cargo xtask crash --faults`: a full disk and a failing disk. Writes may fail. Reads must still work, the process must
//! survive, and no acknowledged write may be missing afterwards.

mod disk_full;
mod io_errors;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use xtask::operate::pointbook::{Server, pause};

use super::client::Client;
use super::setup::CrashSetup;
use super::shift::{Hazard, Shift};
use super::verify::each;

/// Few clients, because each fault issues tokens for each of them.
const CLIENTS: usize = 8;

/// How long clients write until the test fails, because the fault or the server does not work.
const SHIFT_LIMIT: Duration = Duration::from_mins(2);

/// How often the test checks whether clients have written enough.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Runs all faults that this machine supports.
pub(super) fn run(seed: u64) -> Result<()> {
    println!("crash: faults, --seed {seed}");
    disk_full::run(seed).context("disk full")?;
    io_errors::run(seed)
}

fn crew(seed: u64) -> Vec<Client> {
    (0..CLIENTS).map(|number| Client::new(number, seed)).collect()
}

/// Lets clients write until `is_enough`. Returns the numbers of acknowledged and failed requests.
fn write_until(
    setup: &CrashSetup,
    clients: &mut [Client],
    server: &mut Server,
    is_enough: impl Fn(&Shift) -> Result<bool> + Send,
) -> Result<(usize, usize)> {
    let shift = &Shift::new(Hazard::Fault, &[server.address]);
    std::thread::scope(|scope| {
        let watch = scope.spawn(move || {
            let watched = watch(shift, server, is_enough);
            shift.end();
            watched
        });
        let written = each(clients, |client| client.write(setup, shift));
        let watched = watch.join().map_err(|_| anyhow::anyhow!("the watch panicked"))?;
        watched.and(written)
    })?;
    Ok((shift.acknowledged(), shift.failed()))
}

fn watch(shift: &Shift, server: &mut Server, is_enough: impl Fn(&Shift) -> Result<bool>) -> Result<()> {
    let begun = Instant::now();
    while !is_enough(shift)? {
        server.is_alive()?;
        let failed = shift.failed();
        ensure!(begun.elapsed() < SHIFT_LIMIT, "{failed} requests failed in {} s", SHIFT_LIMIT.as_secs());
        pause(LOOK_EVERY);
    }
    server.is_alive()
}

/// Writes a little after the fault has ended. No request may fail.
fn write_well(setup: &CrashSetup, clients: &mut [Client], server: &mut Server) -> Result<SocketAddr> {
    const ENOUGH: usize = 200;
    let (_, failed) = write_until(setup, clients, server, |shift| Ok(shift.acknowledged() > ENOUGH))?;
    ensure!(failed == 0, "{failed} requests failed after the fault had ended");
    Ok(server.address)
}

//! `cargo xtask crash --faults`: a disk that is full, and one that fails. Requests end in errors, reads go
//! on, the process lives, and what was acknowledged is there afterwards.

mod disk_full;
mod io_errors;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use pointbook_operate::pointbook::{Server, pause};

use super::client::Client;
use super::setup::CrashSetup;
use super::shift::{Hazard, Shift};
use super::verify::each;

/// Few, since each has its tokens to be issued, once per fault.
const CLIENTS: usize = 8;

/// For how long clients write before something is wrong with the fault, or with the server.
const SHIFT_LIMIT: Duration = Duration::from_mins(2);

/// How often it is looked whether clients have written enough.
const LOOK_EVERY: Duration = Duration::from_millis(5);

/// Runs all faults that this machine can make.
pub(super) fn run(seed: u64) -> Result<()> {
    println!("crash: faults, --seed {seed}");
    disk_full::run(seed).context("disk full")?;
    io_errors::run(seed)
}

fn crew(seed: u64) -> Vec<Client> {
    (0..CLIENTS).map(|number| Client::new(number, seed)).collect()
}

/// Lets clients write until there is enough; gives what was acknowledged, and what failed.
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

/// Writes a little where nothing fails any more.
fn write_well(setup: &CrashSetup, clients: &mut [Client], server: &mut Server) -> Result<SocketAddr> {
    const ENOUGH: usize = 200;
    let (_, failed) = write_until(setup, clients, server, |shift| Ok(shift.acknowledged() > ENOUGH))?;
    ensure!(failed == 0, "{failed} requests failed after the fault had ended");
    Ok(server.address)
}

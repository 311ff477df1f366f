//! The cost of a server without requests, with the catalogues of many tenants in memory.

use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use xtask::operate::pointbook::pause;
use xtask::operate::postgres::Postgres;

use super::Scenario;
use crate::data::Dataset;
use crate::measure::{Figures, Side};
use crate::options::Options;
use crate::service::Service;
use crate::subject::{Subject, Use};

const TENANTS: u32 = 2_000;
const QUICK_TENANTS: u32 = 200;
/// The length of a round.
const LOOK: Duration = Duration::from_secs(10);
/// How long PostgreSQL may take to count the transactions of an idle connection.
const COUNTED_AFTER: Duration = Duration::from_secs(12);
/// How long a server may take to load all catalogues.
const LOAD_TIMEOUT: Duration = Duration::from_mins(5);

pub(super) fn scenarios(options: &Options) -> Vec<Scenario> {
    let tenants = if options.quick { QUICK_TENANTS } else { TENANTS };
    vec![
        Scenario::new(format!("idle tenants, {tenants}"), move |subject| open(subject, tenants))
            .also_on_postgres(),
    ]
}

fn open(subject: &Subject, tenants: u32) -> Result<Vec<Side>> {
    let service = subject.open(Dataset::Idle(tenants), Use::Read)?.serve()?;
    wait_until_loaded(&service)?;
    if service.database()?.postgres.is_some() {
        pause(COUNTED_AFTER);
    }
    Ok(vec![Side::new("", move || look_on(&service))])
}

fn look_on(service: &Service) -> Result<Figures> {
    let postgres = service.database()?.postgres.as_ref();
    let (begun, before) = (Instant::now(), postgres.map(transactions).transpose()?);
    let ((), server_us, postgres_us) = service.cost(|| {
        pause(LOOK);
        Ok(())
    })?;
    let seconds = begun.elapsed().as_secs_f64();
    let percent = |us: f64| us / seconds / 1e6 * 100.0;
    let mut figures = vec![("CPU, % of a core", percent(server_us))];
    figures.extend(postgres_us.map(|us| ("of PostgreSQL", percent(us))));
    if let Some((postgres, before)) = postgres.zip(before) {
        figures.push(("transactions/s", (transactions(postgres)? - before) / seconds));
    }
    Ok(figures)
}

/// The server loads the catalogues after its start, with pauses.
fn wait_until_loaded(service: &Service) -> Result<()> {
    const REST: Duration = Duration::from_secs(2);
    let begun = Instant::now();
    service.server()?.first_answer()?;
    loop {
        let ((), us, _) = service.cost(|| {
            pause(REST);
            Ok(())
        })?;
        if us < 0.05 * 1e6 {
            return Ok(());
        }
        ensure!(begun.elapsed() < LOAD_TIMEOUT, "the server is not idle after {} s", LOAD_TIMEOUT.as_secs());
    }
}

/// How many transactions the database has ended so far, without those of this query.
fn transactions(postgres: &Postgres) -> Result<f64> {
    const COUNT: &str =
        "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()";
    let psql = Command::new("psql").args(["-XAtc", COUNT, &postgres.url]).output();
    let output = psql.context("cannot run psql, which counts transactions")?;
    ensure!(output.status.success(), "psql: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?.trim().parse()?)
}

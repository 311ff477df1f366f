//! `bare-postgres URL history|activities|orders|orders-of-one USER_PREFIX CONNECTIONS PER_TRANSACTION SECONDS`: sends the
//! service's statements for histories, activities or orders as fast as the results come, and prints their number per
//! second. The program checks and hashes nothing. So its rate is the upper bound for any service on this driver and
//! schema with these statements.

mod activities;
mod history;
mod ledger;
mod orders;
mod statements;

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, Result, bail, ensure};
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

use self::orders::Wanted;

#[tokio::main]
async fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [url, kind, prefix, connections, per_transaction, seconds] = words.as_slice() else {
        bail!("usage: bare-postgres URL KIND USER_PREFIX CONNECTIONS PER_TRANSACTION SECONDS")
    };
    let workers = workers(url, prefix, connections.parse()?, per_transaction.parse()?).await?;
    let (begun, mut tasks) = (Instant::now(), JoinSet::new());
    let until = begun + Duration::from_secs(seconds.parse()?);
    for worker in workers {
        match kind.as_str() {
            "history" => tasks.spawn(history::read(worker, until)),
            "activities" => tasks.spawn(activities::record(worker, until)),
            "orders" => tasks.spawn(orders::place(worker, Wanted::TheirOwn, until)),
            "orders-of-one" => tasks.spawn(orders::place(worker, Wanted::One, until)),
            _ => bail!("unknown kind {kind:?}: use history, activities, orders or orders-of-one"),
        };
    }
    let counts = tasks.join_all().await.into_iter().collect::<Result<Vec<usize>>>()?;
    #[expect(clippy::cast_precision_loss, reason = "counts of some seconds")]
    let count = counts.into_iter().sum::<usize>() as f64;
    println!("{:.0}", count / begun.elapsed().as_secs_f64());
    Ok(())
}

/// One connection with its tenant, users and ids.
struct Worker {
    client: Client,
    tenant: String,
    turns: UserRotation,
    ids: Ids,
    per_transaction: usize,
}

async fn workers(url: &str, prefix: &str, connections: usize, per_transaction: usize) -> Result<Vec<Worker>> {
    let first = connect(url).await?;
    let tenant: String = first.query_one(statements::TENANT, &[]).await?.get(0);
    let rows = first.query(statements::USERS, &[&tenant, &prefix]).await?;
    let users: Arc<Vec<String>> = Arc::new(rows.iter().map(|row| row.get(0)).collect());
    ensure!(users.len() >= connections * per_transaction, "too few users whose id begins with {prefix}");
    let mut workers = Vec::with_capacity(connections);
    for number in 0..connections {
        let turns = UserRotation { users: users.clone(), next: number, step: connections };
        let ids = Ids { worker: number, made: 0 };
        workers.push(Worker {
            client: connect(url).await?,
            tenant: tenant.clone(),
            turns,
            ids,
            per_transaction,
        });
    }
    Ok(workers)
}

/// Users in turn. Two workers reach the same user at different times, so they hardly wait for each other's rows.
struct UserRotation {
    users: Arc<Vec<String>>,
    next: usize,
    step: usize,
}

impl UserRotation {
    /// The next `count` users, in the order of their ids. They are not neighbours in the database.
    fn next(&mut self, count: usize) -> Vec<String> {
        /// The step of `cargo benchmark`.
        const STRIDE: usize = 7_919;
        let places = (0..count).map(|turn| (self.next + turn * self.step) * STRIDE % self.users.len());
        let mut users: Vec<String> = places.filter_map(|place| self.users.get(place).cloned()).collect();
        self.next += count * self.step;
        users.sort_unstable();
        users
    }
}

/// Unique ids, as long as those of the service, and in the order of time.
struct Ids {
    worker: usize,
    made: usize,
}

impl Ids {
    fn next(&mut self) -> Result<String> {
        self.made += 1;
        Ok(format!("{:016x}{:04x}{:012x}", now_micros()?, self.worker, self.made))
    }
}

async fn connect(url: &str) -> Result<Client> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.context("cannot connect")?;
    tokio::spawn(connection);
    Ok(client)
}

/// Begins a transaction. Statements sent after the first poll of this future are inside.
async fn begin(client: &Client) -> Result<()> {
    Ok(client.batch_execute(statements::BEGIN).await?)
}

#[expect(clippy::disallowed_methods, reason = "rows lie in time as those of a server do")]
fn now_micros() -> Result<i64> {
    Ok(i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros())?)
}

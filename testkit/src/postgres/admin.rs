//! Creates and drops databases for tests. Each test has a separate runtime.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use tokio_postgres::{Client, Config, Error, NoTls};

use super::database::{LEFT_BEHIND, run_name};

/// How long to wait for a starting server.
const STARTUP: Duration = Duration::from_mins(1);

/// One connection to the server, on a dedicated thread.
pub(super) struct Admin {
    url: String,
    commands: Sender<Command>,
}

/// SQL without result rows, and the channel for its result.
struct Command {
    sql: String,
    done: oneshot::Sender<Result<(), Error>>,
}

impl Admin {
    /// Connects as soon as the server accepts connections.
    pub(super) fn connect(url: &str) -> Self {
        let (commands, waiting) = channel();
        let server = url.to_owned();
        thread::spawn(move || run_all(&server, &waiting));
        Self { url: url.to_owned(), commands }
    }

    /// Runs a command. Meanwhile the caller's runtime can close connections, such as those to a database that is copied.
    pub(super) async fn run(&self, sql: String) {
        self.attempt(sql).await.unwrap();
    }

    /// The same for a command that may fail.
    pub(super) async fn attempt(&self, sql: String) -> Result<(), Error> {
        self.send(sql).await.unwrap()
    }

    /// Runs a command outside of async code.
    pub(super) fn run_and_block(&self, sql: String) -> Result<(), Error> {
        let end = self.send(sql);
        // A thread of a runtime may not block on its channels.
        thread::spawn(move || end.blocking_recv()).join().unwrap().unwrap()
    }

    fn send(&self, sql: String) -> oneshot::Receiver<Result<(), Error>> {
        let (done, end) = oneshot::channel();
        self.commands.send(Command { sql, done }).unwrap();
        end
    }

    /// The URL of another database on the server.
    pub(super) fn url_of(&self, database: &str) -> String {
        let (server, options) = self.url.split_once('?').unwrap_or((&self.url, ""));
        let authority = server.rfind('/').filter(|&slash| !server[..slash].ends_with('/'));
        let authority = authority.map_or(server, |slash| &server[..slash]);
        let mark = if options.is_empty() { "" } else { "?" };
        format!("{authority}/{database}{mark}{options}")
    }
}

fn run_all(url: &str, commands: &Receiver<Command>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let client = connect(url).await;
        drop_left_behind(&client).await;
        while let Ok(Command { sql, done }) = commands.recv() {
            // The test may have ended and dropped the receiver.
            let _ = done.send(client.batch_execute(&sql).await);
        }
    });
}

/// Drops databases of processes that have ended.
async fn drop_left_behind(client: &Client) {
    for row in client.query(LEFT_BEHIND, &[]).await.unwrap() {
        let name: &str = row.get(0);
        // Another starting process may drop the same database.
        let _ = client.batch_execute(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)")).await;
    }
}

async fn connect(url: &str) -> Client {
    let mut config: Config = url.parse().unwrap();
    config.application_name(run_name());
    let deadline = Instant::now() + STARTUP;
    loop {
        match config.connect(NoTls).await {
            Ok((client, connection)) => {
                tokio::spawn(connection);
                return client;
            }
            Err(error) => assert!(Instant::now() < deadline, "cannot connect to PostgreSQL: {error:?}"),
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::postgres::empty_database;

    async fn connect_as(run: &str, url: &str) -> Client {
        let mut config: Config = url.parse().unwrap();
        let (client, connection) = config.application_name(run).connect(NoTls).await.unwrap();
        tokio::spawn(connection);
        client
    }

    #[tokio::test]
    async fn only_databases_of_ended_processes_are_dropped() {
        let (dead, live) = ("pointbook_test_00000000deadbeef", "pointbook_test_0000000011f3beef");
        let Some(own) = empty_database().await else { return };
        let client = connect_as(live, &own.url).await;
        for name in [dead, live] {
            client.batch_execute(&format!("CREATE DATABASE {name}_0")).await.unwrap();
        }
        // A starting process.
        Admin::connect(&own.url).run("SELECT 1".to_owned()).await;
        let left = "SELECT datname::TEXT FROM pg_database WHERE datname LIKE '%beef\\_0' OR datname = $1";
        let mut left: Vec<String> =
            client.query(left, &[&own.name]).await.unwrap().iter().map(|row| row.get(0)).collect();
        client.batch_execute(&format!("DROP DATABASE {live}_0")).await.unwrap();
        left.sort_unstable();
        let mut expected = [format!("{live}_0"), own.name.clone()];
        expected.sort_unstable();
        assert_eq!(left, expected);
    }
}

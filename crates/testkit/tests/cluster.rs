//! What a test relies on when it takes servers away.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use pointbook_testkit::postgres::Cluster;
use tokio_postgres::{Client, Error, NoTls};

async fn connect(cluster: &Cluster) -> Result<Client, Error> {
    let (client, connection) = tokio_postgres::connect(&cluster.url(), NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

async fn ask(client: &Client, sql: &str) -> String {
    client.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn a_standby_takes_over_with_all_that_was_committed() {
    let Some(mut cluster) = Cluster::with_standby() else { return };
    let client = connect(&cluster).await.unwrap();
    assert_eq!(ask(&client, "SHOW fsync").await, "on");
    client.batch_execute("CREATE TABLE kept (id TEXT); INSERT INTO kept VALUES ('first')").await.unwrap();
    assert_eq!(ask(&client, "SELECT sync_state FROM pg_stat_replication").await, "sync");
    cluster.kill_primary();
    assert!(connect(&cluster).await.is_err());
    cluster.promote_standby();
    let client = loop {
        if let Ok(client) = connect(&cluster).await {
            break client;
        }
    };
    client.batch_execute("INSERT INTO kept VALUES ('second')").await.unwrap();
    cluster.rejoin();
    let client = connect(&cluster).await.unwrap();
    assert_eq!(ask(&client, "SELECT string_agg(id, ' ' ORDER BY id) FROM kept").await, "first second");
}

#[tokio::test]
async fn a_server_that_was_killed_has_what_it_committed() {
    let Some(mut cluster) = Cluster::alone() else { return };
    connect(&cluster).await.unwrap().batch_execute("CREATE TABLE kept (id TEXT)").await.unwrap();
    cluster.kill_primary();
    cluster.start_primary();
    assert_eq!(ask(&connect(&cluster).await.unwrap(), "SELECT count(*)::TEXT FROM kept").await, "0");
}

//! Tests of temporary databases: their creation, isolation and removal.

use tokio_postgres::{Client, Error, NoTls, SimpleQueryMessage};

use super::{Cluster, Isolation, connect, empty_database, migrated_database, pooled_url};

async fn create_table(url: &str) {
    connect(url).await.batch_execute("CREATE TABLE migrated (id BIGINT PRIMARY KEY)").await.unwrap();
}

#[tokio::test]
async fn every_test_has_a_separate_copy() {
    for _ in 0..2 {
        let Some(copy) = migrated_database(Isolation::ReadCommitted, create_table).await else { return };
        let client = connect(&copy.url).await;
        assert_eq!(client.execute("INSERT INTO migrated VALUES (1)", &[]).await.unwrap(), 1);
    }
}

#[tokio::test]
async fn database_has_the_requested_isolation() {
    for (isolation, expected) in
        [(Isolation::ReadCommitted, "read committed"), (Isolation::Serializable, "serializable")]
    {
        let Some(copy) = migrated_database(isolation, create_table).await else { return };
        let row = connect(&copy.url).await.query_one("SHOW transaction_isolation", &[]).await.unwrap();
        assert_eq!(row.get::<_, &str>(0), expected);
    }
}

#[tokio::test]
async fn database_is_dropped_with_its_test() {
    let Some(empty) = empty_database().await else { return };
    let url = empty.url.clone();
    drop(empty);
    assert!(tokio_postgres::connect(&url, NoTls).await.is_err());
}

#[tokio::test]
async fn withdrawn_database_accepts_no_connection() {
    let Some(database) = migrated_database(Isolation::Serializable, create_table).await else { return };
    let (url, client) = (database.url.clone(), connect(&database.url).await);
    client.batch_execute("INSERT INTO migrated VALUES (1)").await.unwrap();
    let database = database.withdraw().await;
    assert!(client.batch_execute("DELETE FROM migrated").await.is_err());
    assert!(tokio_postgres::connect(&url, NoTls).await.is_err());
    let client = connect(&database.url).await;
    assert_eq!(ask(&client, "SELECT count(*)::TEXT FROM migrated").await, "1");
    assert_eq!(ask(&client, "SHOW transaction_isolation").await, "serializable");
}

/// Settings of a session are lost then, unlike without a pooler.
#[tokio::test]
async fn pooler_gives_the_next_transaction_another_connection() {
    let Some(database) = empty_database().await else { return };
    let Some(url) = pooled_url(&database) else { return };
    let (first, second) = (connect(&url).await, connect(&url).await);
    first.batch_execute("BEGIN").await.unwrap();
    let before = server_process(&second).await;
    first.batch_execute("COMMIT").await.unwrap();
    // The pooler prefers the connection that was used last.
    assert_ne!(server_process(&second).await, before);
}

/// The id of the server process. It uses no prepared statement, which may stay on another connection.
async fn server_process(client: &Client) -> String {
    let answer = client.simple_query("SELECT pg_backend_pid()").await.unwrap();
    let process = answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    process.unwrap().to_owned()
}

async fn find_primary(cluster: &Cluster) -> Result<Client, Error> {
    let (client, connection) = tokio_postgres::connect(&cluster.url(), NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

async fn ask(client: &Client, sql: &str) -> String {
    client.query_one(sql, &[]).await.unwrap().get(0)
}

#[tokio::test]
async fn standby_takes_over_with_all_commits() {
    let Some(mut cluster) = Cluster::with_standby() else { return };
    let client = find_primary(&cluster).await.unwrap();
    assert_eq!(ask(&client, "SHOW fsync").await, "on");
    client.batch_execute("CREATE TABLE kept (id TEXT); INSERT INTO kept VALUES ('first')").await.unwrap();
    assert_eq!(ask(&client, "SELECT sync_state FROM pg_stat_replication").await, "sync");
    cluster.kill_primary();
    assert!(find_primary(&cluster).await.is_err());
    cluster.promote_standby();
    let client = loop {
        if let Ok(client) = find_primary(&cluster).await {
            break client;
        }
    };
    client.batch_execute("INSERT INTO kept VALUES ('second')").await.unwrap();
    cluster.rejoin();
    let client = find_primary(&cluster).await.unwrap();
    assert_eq!(ask(&client, "SELECT string_agg(id, ' ' ORDER BY id) FROM kept").await, "first second");
}

#[tokio::test]
async fn killed_server_keeps_its_commits() {
    let Some(mut cluster) = Cluster::alone() else { return };
    find_primary(&cluster).await.unwrap().batch_execute("CREATE TABLE kept (id TEXT)").await.unwrap();
    cluster.kill_primary();
    cluster.start_primary();
    assert_eq!(ask(&find_primary(&cluster).await.unwrap(), "SELECT count(*)::TEXT FROM kept").await, "0");
}

//! Several versions of the program on one database.

use std::process::{Child, Stdio};

use pointbook_testkit::postgres::empty_database;
use tokio_postgres::NoTls;

use crate::setup::{command, text};

#[tokio::test]
async fn concurrent_migrations_both_succeed() {
    let Some(database) = empty_database().await else { return };
    let spawn = |_| command(&database.url, "migrate").stderr(Stdio::piped()).spawn().unwrap();
    let both: Vec<Child> = (0..2).map(spawn).collect();
    for one in both {
        let ended = one.wait_with_output().unwrap();
        assert!(ended.status.success(), "{ended:?}");
    }
}

#[tokio::test]
async fn newer_schema_is_not_served() {
    let Some(database) = empty_database().await else { return };
    assert!(command(&database.url, "migrate").output().unwrap().status.success());
    let (client, connection) = tokio_postgres::connect(&database.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("INSERT INTO schema_migrations VALUES (9999, '9999_of_tomorrow', 0)").await.unwrap();
    for line in ["serve --listen 127.0.0.1:0", "migrate"] {
        let ended = command(&database.url, line).output().unwrap();
        assert_eq!(ended.status.code(), Some(3), "{ended:?}");
        let (_, stderr) = text(&ended);
        assert!(stderr.contains("schema 9999") && stderr.contains("use a newer pointbook"), "{stderr}");
    }
}

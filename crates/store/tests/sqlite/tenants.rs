//! Tests of stored tenants that another program or version wrote.

use std::sync::Arc;

use pointbook_domain::Tenant;
use pointbook_store::StoreError;
use pointbook_store::ports::Database;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use pointbook_testkit::conformance::add_tenant;
use rusqlite::Connection;

/// A database with one tenant, and a connection that bypasses the service.
async fn one_tenant(folder: &tempfile::TempDir) -> (Arc<dyn Database>, Connection) {
    let path = folder.path().join("test.db");
    let database: Arc<dyn Database> =
        Arc::new(SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap());
    add_tenant(&database, "acme").await;
    (database, Connection::open(path).unwrap())
}

fn store_settings(raw: &Connection, json: &str) {
    assert_eq!(raw.execute("UPDATE tenants SET settings = ?1", [json]).unwrap(), 1);
}

/// The rule of the service is also a rule of the table.
#[tokio::test]
async fn a_clock_of_a_production_tenant_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (database, raw) = one_tenant(&folder).await;
    for clock in ["1", "-1"] {
        let error = raw.execute(&format!("UPDATE tenants SET clock_offset = {clock}"), []).unwrap_err();
        assert!(error.to_string().contains("CHECK"), "{error}");
    }
    assert_eq!(database.tenants().await.unwrap(), [build::tenant("acme")]);
}

/// An older version must still start after an update.
#[tokio::test]
async fn settings_of_newer_version_are_ignored() {
    let folder = tempfile::tempdir().unwrap();
    let (database, raw) = one_tenant(&folder).await;
    store_settings(&raw, r#"{"page_colour":"red","page_size_max":"7"}"#);
    let mut expected = build::tenant("acme");
    expected.settings.set("page_size_max", "7").unwrap();
    assert_eq!(database.tenants().await.unwrap(), [expected]);
}

/// The newer version must find its settings again.
#[tokio::test]
async fn settings_of_newer_version_survive_change() {
    let folder = tempfile::tempdir().unwrap();
    let (database, raw) = one_tenant(&folder).await;
    store_settings(&raw, r#"{"page_colour":"red","page_size_max":"7","texts.de":"a = b"}"#);
    let tenant = Tenant { name: "New".to_owned(), ..build::tenant("acme") };
    database.update_tenant(&tenant, &[]).await.unwrap();
    assert_eq!(database.tenants().await.unwrap(), [tenant]);
    let kept = "SELECT settings ->> 'page_colour', settings ->> 'page_size_max', settings ->> 'texts.de' FROM tenants";
    let kept = raw.query_row(kept, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let expected = (Some("red".to_owned()), Some("100".to_owned()), None::<String>);
    assert_eq!(kept, expected);
}

#[tokio::test]
async fn invalid_settings_are_corrupt_and_named() {
    let folder = tempfile::tempdir().unwrap();
    let (database, raw) = one_tenant(&folder).await;
    for (stored, named) in [
        (r#"{"page_size_max":"many"}"#, "page_size_max"),
        (r#"{"texts.?":"a = b"}"#, "texts.?"),
        ("{", "column settings"),
    ] {
        store_settings(&raw, stored);
        let read = database.tenants().await.unwrap_err();
        let StoreError::Corrupt(what) = read else { panic!("{read:?}") };
        assert!(what.starts_with("table tenants, key (\"acme\")") && what.contains(named), "{what}");
    }
}

//! Tests of stored tenants that another program or version wrote.

use std::future::poll_fn;
use std::sync::{Arc, mpsc};
use std::task::Poll;

use pointbook_catalogue::categories::stored::TreeText;
use pointbook_catalogue::commands::ChangeCategories;
use pointbook_domain::{Tenant, TenantSettings};
use pointbook_points::earning::record_activity::RecordActivity;
use pointbook_store::StoreError;
use pointbook_store::ports::{Database, TenantStore};
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

/// The texts of many tenants take long to read, and the service reads them often.
#[test]
fn tenants_are_not_read_on_runtime_thread() {
    let folder = tempfile::tempdir().unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().max_blocking_threads(1).build().unwrap();
    runtime.block_on(async {
        let (database, _) = one_tenant(&folder).await;
        let (release, released) = mpsc::channel::<()>();
        let busy = runtime.spawn_blocking(move || released.recv());
        let mut tenants = database.tenants();
        let at_once = poll_fn(|context| Poll::Ready(tenants.as_mut().poll(context).is_ready())).await;
        assert!(!at_once, "the read must wait for the only blocking thread");
        release.send(()).unwrap();
        assert_eq!(tenants.await.unwrap(), [build::tenant("acme")]);
        busy.await.unwrap().unwrap();
    });
}

/// Takes back what the migrations from 0015 on have added.
const UNDO_SINCE_THE_RATE_LIMITS: &str = "
    DROP TABLE data_keys;
    DROP TABLE operators;
    DROP TABLE jobs;
    DROP TABLE audit_entries;
    DROP TABLE audit_chains;
    DROP TABLE webhook_attempts;
    DROP TABLE webhook_progress;
    DROP TABLE webhooks;
    DROP TABLE feeds;
    DROP TABLE feed_blocks;
    ALTER TABLE tokens DROP COLUMN scopes;
    ALTER TABLE tokens DROP COLUMN networks;
    ALTER TABLE tokens DROP COLUMN created_by;
    ALTER TABLE tokens DROP COLUMN last_used_at;
    ALTER TABLE tenants DROP COLUMN clock_offset;
    DROP TABLE awards;
    DROP TABLE budget_shares;
    DROP TABLE campaign_versions;
    DROP TABLE back_tests;
    DROP TABLE back_test_results;
    DROP TABLE campaign_runs;
    DROP TABLE back_fills;
    DROP TABLE figures;
    DROP TABLE member_figures;
    DROP TABLE daily_totals;
    DROP TABLE daily_members;
    DROP TABLE cohorts;
    DROP TABLE vintages;
    DROP TABLE campaign_days;
    DROP TABLE product_days;
    DROP TABLE operator_sessions;
    DROP TABLE pictures;
    DROP TABLE picture_bytes;
    DROP TABLE category_trees;
    CREATE TABLE categories (tenant_id TEXT, id TEXT, parent_id TEXT, position INTEGER, label TEXT);
    ALTER TABLE transactions DROP COLUMN attributes;
    ALTER TABLE transactions DROP COLUMN bonus_origin;
    ALTER TABLE users DROP COLUMN birth_date_set_at;
    ALTER TABLE users DROP COLUMN earned_counts;";

/// In an older schema, the threshold was only a setting.
#[tokio::test]
async fn migration_copies_threshold_from_settings() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let open = || SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap();
    let store = open();
    for slug in ["acme", "other"] {
        store.insert_tenant(&build::tenant(slug), &[]).await.unwrap();
    }
    drop(store);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(UNDO_SINCE_THE_RATE_LIMITS).unwrap();
    raw.execute_batch(
        r#"ALTER TABLE catalogue_versions DROP COLUMN low_stock_threshold;
           DROP TABLE tenant_secrets;
           DROP INDEX tokens_by_expiry;
           DROP INDEX tokens_by_revocation;
           ALTER TABLE tokens DROP COLUMN label;
           DELETE FROM schema_migrations WHERE number > 10;
           UPDATE tenants SET settings = '{"low_stock_threshold":"0"}' WHERE id = 'acme';
           UPDATE tenants SET settings = '{}' WHERE id = 'other';"#,
    )
    .unwrap();
    drop(open());
    let mut select =
        raw.prepare("SELECT low_stock_threshold FROM catalogue_versions ORDER BY tenant_id").unwrap();
    let stored: Vec<u32> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    assert_eq!(stored, [0, TenantSettings::default().low_stock_threshold]);
}

/// `LIKE` ignores the case of ASCII letters on SQLite; the service does not.
#[tokio::test]
async fn migration_counts_what_the_service_counts() {
    let folder = tempfile::tempdir().unwrap();
    let (database, raw) = one_tenant(&folder).await;
    let data = database.tenant(&build::tenant("acme").id);
    for (source, points) in [("a", 10), ("b", -5), ("b:reversal", 5), ("x:REVERSAL", 10), ("reversal", 1)] {
        let command =
            RecordActivity::new(build::to_record("u1", build::activity(source, points)), build::noon());
        data.write(command).await.unwrap();
    }
    let counts = || {
        let select = "SELECT earned_counts FROM users";
        raw.query_row(select, [], |row| row.get::<_, String>(0)).unwrap()
    };
    assert_eq!(counts(), "code:3");
    raw.execute("UPDATE users SET earned_counts = ''", []).unwrap();
    raw.execute_batch(include_str!("../../migrations/sqlite/0025_fill_earned_counts.sql")).unwrap();
    assert_eq!(counts(), "code:3");
}

/// The old default was "off", and it was stored for every tenant.
#[tokio::test]
async fn migration_splits_rate_limit_into_reads_and_writes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let open = || SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap();
    let store = open();
    for slug in ["a", "b", "c"] {
        store.insert_tenant(&build::tenant(slug), &[]).await.unwrap();
    }
    drop(store);
    let raw = Connection::open(&path).unwrap();
    raw.execute_batch(UNDO_SINCE_THE_RATE_LIMITS).unwrap();
    raw.execute_batch(
        r#"DELETE FROM schema_migrations WHERE number > 14;
           UPDATE tenants SET settings = '{"rate_limit_per_minute":"60","cors":"off"}' WHERE id = 'a';
           UPDATE tenants SET settings = '{"rate_limit_per_minute":"off","cors":"off"}' WHERE id = 'b';
           UPDATE tenants SET settings = '{}' WHERE id = 'c';"#,
    )
    .unwrap();
    let tenants = open().tenants().await.unwrap();
    let limits = |tenant: &Tenant| {
        let settings = &tenant.settings;
        (settings.rate_limit_reads_per_minute, settings.rate_limit_writes_per_minute)
    };
    assert_eq!(tenants.iter().map(limits).collect::<Vec<_>>(), [(60, 60), (1_200, 120), (1_200, 120)]);
    let mut select = raw.prepare("SELECT settings FROM tenants ORDER BY id").unwrap();
    let stored: Vec<String> = select.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let limits = r#""rate_limit_reads_per_minute":"60","rate_limit_writes_per_minute":"60""#;
    assert_eq!(
        stored,
        [format!(r#"{{"cors":"off",{limits}}}"#), r#"{"cors":"off"}"#.to_owned(), "{}".to_owned()]
    );
}

/// Siblings keep their places, whatever their ids are.
#[tokio::test]
async fn migration_makes_one_value_of_a_tree() {
    let folder = tempfile::tempdir().unwrap();
    let (database, raw) = one_tenant(&folder).await;
    raw.execute_batch(
        "CREATE TABLE categories (tenant_id TEXT, id TEXT, parent_id TEXT, position INTEGER, label TEXT);
         INSERT INTO categories VALUES ('acme', 'a', NULL, 1, 'Category a'),
             ('acme', 'z', NULL, 0, 'Category z'), ('acme', 'c', 'z', 0, 'Category c'),
             ('acme', 'b', 'z', 1, 'Category b')",
    )
    .unwrap();
    raw.execute_batch(include_str!("../../migrations/sqlite/0035_fill_category_trees.sql")).unwrap();
    let leaf = |id| build::category(id, Vec::new());
    let expected = build::tree(vec![build::category("z", vec![leaf("c"), leaf("b")]), leaf("a")]);
    let data = database.tenant(&build::tenant("acme").id);
    assert_eq!(data.categories().await.unwrap(), expected);
    // Its text has another order than one that the service writes.
    let (before, after) = (TreeText::of(&expected), TreeText::of(&build::tree(vec![leaf("a")])));
    assert!(data.write(ChangeCategories { before, after }).await.unwrap());
}

//! Tests that are specific to a database in a file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pointbook_catalogue::commands::{ReplaceCategories, UpsertProducts};
use pointbook_points::audit::ledger::{AuditReport, audit_ledger};
use pointbook_store::StoreError;
use pointbook_store::ports::{Database, TenantData, UpsertOutcome};
use pointbook_store::schema::Dialect;
use pointbook_store::sqlite::{OpenError, SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use pointbook_testkit::build::{activity, recorded};
use pointbook_testkit::conformance::add_tenant;
use rusqlite::Connection;

/// A folder with the path of a file in it.
struct File {
    folder: tempfile::TempDir,
}

impl File {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("test.db")
    }

    fn open(&self) -> Arc<dyn Database> {
        Arc::new(SqliteStore::open(&self.path(), &options()).unwrap())
    }

    /// A connection that bypasses the service.
    fn raw(&self) -> Connection {
        Connection::open(self.path()).unwrap()
    }
}

fn options() -> SqliteOptions {
    SqliteOptions { busy_timeout_ms: 20, ..SqliteOptions::new(build::noon()) }
}

fn refused(path: &Path) -> OpenError {
    SqliteStore::open(path, &options()).err().unwrap()
}

fn corrupt<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Corrupt(message)) => message,
        other => panic!("{other:?}"),
    }
}

async fn one_user(file: &File) -> Arc<dyn TenantData> {
    let data = add_tenant(&file.open(), "acme").await;
    data.write(build::history([recorded("u1", activity("s1", 5))])).await.unwrap();
    data
}

#[tokio::test]
async fn two_stores_see_commits_of_each_other() {
    let file = File::new();
    let (first, second) = (file.open(), file.open());
    let in_first = add_tenant(&first, "acme").await;
    let in_second = second.tenant(&second.tenants().await.unwrap()[0].id);
    for round in 0..3 {
        for (writer, reader) in [(&in_first, &in_second), (&in_second, &in_first)] {
            let before = reader.history_page(&build::user_id("u1"), build::page(1, 15)).await.unwrap();
            let source = format!("{round}-{}", before.rows.len());
            writer.write(build::history([recorded("u1", activity(&source, 1))])).await.unwrap();
            let after = reader.history_page(&build::user_id("u1"), build::page(1, 15)).await.unwrap();
            assert_eq!(after.user_points.get(), before.user_points.get() + 1);
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_stores_lose_no_writes() {
    let file = File::new();
    let patient = SqliteOptions::new(build::noon());
    let open = || SqliteStore::open(&file.path(), &patient).unwrap();
    let stores: [Arc<dyn Database>; 2] = [Arc::new(open()), Arc::new(open())];
    let data = add_tenant(&stores[0], "acme").await;
    let id = stores[0].tenants().await.unwrap()[0].id.clone();
    let writers: Vec<_> = (0..4)
        .map(|writer: usize| {
            let data = stores[writer % 2].tenant(&id);
            tokio::spawn(async move {
                for round in 0..10 {
                    let row = recorded("u1", activity(&format!("{writer}-{round}"), 1));
                    data.write(build::history([row])).await.unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await.unwrap();
    }
    let report = audit_ledger(&*data, |_| {}).await.unwrap();
    assert_eq!(report, AuditReport { users: 1, transactions: 40, orders: 0, differences: 0 });
    assert_eq!(data.entries_after(None, 100).await.unwrap().last().unwrap().seq, 40);
}

#[tokio::test]
async fn committed_rows_survive_reopening() {
    let file = File::new();
    let before = one_user(&file).await.entries_after(None, 10).await.unwrap();
    let again = file.open();
    let tenants = again.tenants().await.unwrap();
    assert_eq!(again.tenant(&tenants[0].id).entries_after(None, 10).await.unwrap(), before);
}

/// An import holds the lock most of the time.
#[tokio::test]
async fn up_to_date_file_opens_while_another_process_writes() {
    let file = File::new();
    let _serving = one_user(&file).await;
    let other = file.raw();
    other.execute_batch("BEGIN IMMEDIATE; UPDATE users SET balance = 6").unwrap();
    let opened = file.open();
    let data = opened.tenant(&opened.tenants().await.unwrap()[0].id);
    let history = data.history_page(&build::user_id("u1"), build::page(1, 15)).await.unwrap();
    assert_eq!(history.user_points.get(), 5);
    other.execute_batch("ROLLBACK").unwrap();
}

/// The first store creates the schema, and the others wait for it.
#[test]
fn new_file_can_be_opened_concurrently() {
    for _ in 0..20 {
        let file = File::new();
        let path = file.path();
        let start = std::sync::Barrier::new(4);
        let open = || {
            start.wait();
            SqliteStore::open(&path, &SqliteOptions::new(build::noon())).map(drop)
        };
        std::thread::scope(|scope| {
            let openers = [(); 4].map(|()| scope.spawn(open));
            for opener in openers {
                opener.join().unwrap().unwrap();
            }
        });
    }
}

#[tokio::test]
async fn write_is_unavailable_during_long_lock_and_succeeds_later() {
    let file = File::new();
    let data = one_user(&file).await;
    let other = file.raw();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let profiles = [build::profile("u2")];
    let refused = data.write(build::import(profiles.clone())).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
    assert_eq!(data.users_after(None, 10).await.unwrap().len(), 1);
    other.execute_batch("COMMIT").unwrap();
    assert_eq!(data.write(build::import(profiles.clone())).await.unwrap(), [UpsertOutcome::Created]);
}

#[tokio::test]
async fn failed_write_has_no_effect_and_next_one_succeeds() {
    let file = File::new();
    let data = one_user(&file).await;
    let taken = recorded("u1", activity("s1", 5)).transaction.id;
    let same_id = build::again(&recorded("u1", activity("s2", 1)), taken.as_str());
    let batch = [recorded("u0", activity("s1", 1)), same_id];
    let refused = data.write(build::history(batch.clone())).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(data.users_after(None, 10).await.unwrap().len(), 1);
    data.write(build::history([recorded("u1", activity("s2", 1))])).await.unwrap();
    assert_eq!(data.entries_after(None, 10).await.unwrap().len(), 2);
}

#[tokio::test]
async fn commits_use_write_ahead_log() {
    let file = File::new();
    let _open = one_user(&file).await;
    let mode: String = file.raw().pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
    let log = fs::metadata(file.path().with_extension("db-wal")).unwrap();
    assert!(log.len() > 0);
}

#[test]
fn file_that_is_not_a_database_is_named_and_unchanged() {
    let file = File::new();
    let text = "user_id,points\n".repeat(1_000);
    fs::write(file.path(), &text).unwrap();
    let error = refused(&file.path());
    assert!(matches!(error, OpenError::NotADatabase(_)), "{error:?}");
    assert_eq!(error.to_string(), format!("{} is not a SQLite database", file.path().display()));
    assert_eq!(fs::read_to_string(file.path()).unwrap(), text);
}

#[test]
fn database_of_another_program_is_unchanged() {
    let file = File::new();
    file.raw().execute_batch("CREATE TABLE songs (title TEXT)").unwrap();
    assert!(matches!(refused(&file.path()), OpenError::Foreign(_)));
    let count = "SELECT count(*) FROM sqlite_schema";
    assert_eq!(file.raw().query_row(count, [], |row| row.get::<_, i64>(0)).unwrap(), 1);
}

/// The names of all migrations, in order.
fn migrations() -> Vec<String> {
    let files = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap();
    let name = |file: fs::DirEntry| file.path().file_stem().unwrap().to_str().unwrap().to_owned();
    let mut names: Vec<String> = files.map(|file| name(file.unwrap())).collect();
    names.sort();
    names
}

#[test]
fn newer_schema_is_refused_with_its_number() {
    let file = File::new();
    file.open();
    let insert =
        "INSERT INTO schema_migrations (number, name, applied_at) VALUES (9999, '9999_from_afar', 0)";
    file.raw().execute(insert, []).unwrap();
    let error = refused(&file.path());
    assert!(
        matches!(error, OpenError::NewerSchema { found: 9_999, known, .. } if known as usize == migrations().len()),
        "{error:?}"
    );
    assert!(error.to_string().contains("schema 9999"), "{error}");
}

#[test]
fn file_from_before_the_first_schema_is_refused_and_unchanged() {
    let file = File::new();
    file.raw()
        .execute_batch(
            "CREATE TABLE schema_migrations (number INTEGER PRIMARY KEY, name TEXT, applied_at INTEGER);
             INSERT INTO schema_migrations VALUES (1, '0001_create_tenants', 0), (37, '0037_add_session_use', 0)",
        )
        .unwrap();
    let before = fs::read(file.path()).unwrap();
    let error = refused(&file.path());
    assert!(matches!(error, OpenError::BeforeTheFirst(_)), "{error:?}");
    assert!(error.to_string().contains("use a new file"), "{error}");
    assert_eq!(fs::read(file.path()).unwrap(), before);
}

#[test]
fn path_that_cannot_be_opened_is_named() {
    let file = File::new();
    let path = file.folder.path().join("no").join("such").join("folder.db");
    assert!(refused(&path).to_string().contains("folder.db"));
}

#[test]
fn migrations_are_recorded_once_with_the_time_of_opening() {
    let file = File::new();
    file.open();
    SqliteStore::open(&file.path(), &SqliteOptions::new(build::on_day(1))).unwrap();
    let database = file.raw();
    let mut select = database.prepare("SELECT number, name, applied_at FROM schema_migrations").unwrap();
    let rows = select.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let rows: Vec<(i64, String, i64)> = rows.map(Result::unwrap).collect();
    let expected: Vec<_> =
        (1..).zip(migrations()).map(|(number, name)| (number, name, build::NOON_MICROS)).collect();
    assert_eq!(rows, expected);
}

#[tokio::test]
async fn rows_of_the_first_schema_are_read_after_the_migrations() {
    let file = File::new();
    let statements = pointbook_store::first_schema(Dialect::Sqlite).concat();
    let rows = "CREATE TABLE schema_migrations (number INTEGER PRIMARY KEY, name TEXT, applied_at INTEGER);
         INSERT INTO schema_migrations VALUES (1, '0001_first', 0);
         INSERT INTO tenants VALUES ('acme', 'acme', 'production', 'https://acme.example/api', 'Acme', 'en', '{}', 0, 0);
         INSERT INTO products VALUES ('acme', 'mug', 'M-1', 'Mug', '', '', 5, NULL, '', '[]', '[]', 3, FALSE, 0, TRUE, 1, NULL, 0, 3)";
    file.raw().execute_batch(&(statements + rows)).unwrap();
    let data = file.open().tenant(&build::tenant("acme").id);
    let mug = data.product(&build::product_id("mug")).await.unwrap().unwrap().product;
    assert_eq!((mug.sku.as_str(), mug.stock, mug.brand), ("M-1", Some(3), None));
}

#[tokio::test]
async fn invalid_value_is_named_by_table_key_and_column() {
    let file = File::new();
    let data = one_user(&file).await;
    data.write(UpsertProducts(vec![build::upsert(build::product("p/1"))])).await.unwrap();
    let raw = file.raw();
    raw.pragma_update(None, "ignore_check_constraints", true).unwrap();
    let product = || data.product_changes(pointbook_store::ports::CatalogueVersion(0), None, 10);
    for (column, value) in [("gallery", "'['"), ("categories", "'[\"\"]'"), ("regular_price", "-1")] {
        raw.execute(&format!("UPDATE products SET {column} = {value}"), []).unwrap();
        let message = corrupt(product().await);
        let (table, named) = ("table products, key (\"p/1\")", format!("column {column}"));
        assert!(message.starts_with(table) && message.contains(&named), "{message}");
        raw.execute("UPDATE products SET gallery = '[]', categories = '[]'", []).unwrap();
    }
    let u1 = build::user_id("u1");
    raw.execute("UPDATE transactions SET bonus_breakdown = '[{}]'", []).unwrap();
    let message = corrupt(data.history_page(&u1, build::page(1, 15)).await);
    assert!(message.contains("key (\"u1/code/s1\"), column bonus_breakdown"), "{message}");
    raw.execute("UPDATE users SET balance = 9223372036854775807", []).unwrap();
    let message = corrupt(data.history_page(&u1, build::page(1, 15)).await);
    assert!(message.starts_with("table users, key (\"u1\"), column balance"), "{message}");
}

#[tokio::test]
async fn cycle_of_categories_is_corrupt() {
    let file = File::new();
    let data = add_tenant(&file.open(), "acme").await;
    let tree = build::tree(vec![build::category("a", vec![build::category("b", vec![])])]);
    data.write(ReplaceCategories::with(&tree)).await.unwrap();
    file.raw()
        .execute("UPDATE category_trees SET categories = '[[\"a\",\"A\",\"b\"],[\"b\",\"B\",\"a\"]]'", [])
        .unwrap();
    assert!(corrupt(data.categories().await).contains("table category_trees"));
}

#[tokio::test]
async fn handle_of_unknown_tenant_reads_and_writes_nothing() {
    let file = File::new();
    let database = file.open();
    let data = database.tenant(&pointbook_domain::TenantId::new("unknown").unwrap());
    assert!(corrupt(data.catalogue_version().await).contains("unknown"));
    let refused = data.write(build::history([recorded("u1", activity("s1", 5))])).await;
    assert!(matches!(refused, Err(StoreError::Failed(_))), "{refused:?}");
    assert_eq!(data.users_after(None, 10).await.unwrap(), []);
}

#[tokio::test]
async fn read_only_store_reads_closed_and_open_files() {
    let file = File::new();
    let data = one_user(&file).await;
    drop(data);
    for has_writer in [false, true] {
        let writer = has_writer.then(|| file.open());
        let reader: Arc<dyn Database> =
            Arc::new(SqliteStore::open_read_only(&file.path(), &options()).unwrap());
        let tenant = reader.tenants().await.unwrap().remove(0);
        let data = reader.tenant(&tenant.id);
        assert_eq!(data.entries_after(None, 10).await.unwrap().len(), 1);
        let written = data.write(build::history([recorded("u1", activity("s2", 5))])).await;
        assert!(matches!(written, Err(StoreError::Failed(_))), "{written:?}");
        drop(writer);
    }
}

#[tokio::test]
async fn read_fails_after_another_process_opened_file_for_writing() {
    let file = File::new();
    drop(one_user(&file).await);
    let reader: Arc<dyn Database> = Arc::new(SqliteStore::open_read_only(&file.path(), &options()).unwrap());
    let tenant = reader.tenants().await.unwrap().remove(0);
    let data = reader.tenant(&tenant.id);
    let writer = file.open();
    let while_open = data.entries_after(None, 10).await.unwrap_err();
    let StoreError::Failed(cause) = while_open else { panic!("{while_open:?}") };
    assert!(cause.to_string().contains("run the command again"), "{cause}");
    let written = writer.tenant(&tenant.id);
    written.write(build::history([recorded("u1", activity("s2", 5))])).await.unwrap();
    drop((writer, written));
    assert!(
        data.entries_after(None, 10).await.is_err(),
        "a changed file must be refused after it is closed too"
    );
}

#[test]
fn open_existing_requires_pointbook_schema() {
    let file = File::new();
    let open = |path: &Path| SqliteStore::open_existing(path, &options()).err();
    assert!(matches!(open(&file.path()), Some(OpenError::Failed { .. })));
    assert!(!file.path().exists());
    fs::write(file.path(), "").unwrap();
    assert!(matches!(open(&file.path()), Some(OpenError::Empty(_))));
    assert_eq!(fs::read(file.path()).unwrap(), b"");
    file.raw().execute_batch("CREATE TABLE t (a)").unwrap();
    let before = fs::read(file.path()).unwrap();
    assert!(matches!(open(&file.path()), Some(OpenError::Foreign(_))));
    assert!(matches!(refused(&file.path()), OpenError::Foreign(_)));
    assert_eq!(fs::read(file.path()).unwrap(), before, "a file of another program must stay unchanged");
}

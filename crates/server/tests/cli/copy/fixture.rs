//! A source and a target, and the rows in them.

use std::collections::BTreeMap;
use std::sync::Arc;

use pointbook_domain::TenantId;
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_store::schema::TABLES;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use pointbook_testkit::filled::filled;
use pointbook_testkit::postgres::{PostgresDatabase, empty_database};
use rusqlite::Connection;
use rusqlite::types::Value;

use crate::program::{Ended, Folder};

/// The target of a copy.
pub(crate) enum End {
    /// A SQLite file in the folder.
    File(&'static str),
    Server(PostgresDatabase),
}

impl End {
    /// A PostgreSQL database with the schema; `None` without a server.
    pub(crate) async fn server(folder: &Folder) -> Option<Self> {
        let end = Self::Server(empty_database().await?);
        folder.run(&format!("--database {} migrate", end.url())).expect_code(0);
        Some(end)
    }

    pub(crate) fn url(&self) -> String {
        match self {
            Self::File(name) => format!("sqlite:{name}"),
            Self::Server(database) => database.url.clone(),
        }
    }

    /// The database as the program's own code sees it.
    pub(crate) async fn open(&self, folder: &Folder) -> Arc<dyn Database> {
        match self {
            Self::File(name) => {
                let options = SqliteOptions::new(build::noon());
                Arc::new(SqliteStore::open(&folder.path(name), &options).unwrap())
            }
            Self::Server(database) => {
                let url = PostgresUrl::parse(&database.url).unwrap();
                let options = PostgresOptions::new(build::noon());
                Arc::new(PostgresStore::connect(&url, &options).await.unwrap())
            }
        }
    }

    pub(crate) async fn tenant(&self, folder: &Folder, slug: &str) -> Arc<dyn TenantData> {
        self.open(folder).await.tenant(&TenantId::new(slug).unwrap())
    }
}

/// A folder with the source `source.db`, and a target.
pub(crate) struct CopyFixture {
    pub(crate) folder: Folder,
    pub(crate) target: End,
}

pub(crate) const SOURCE: End = End::File("source.db");

impl CopyFixture {
    /// One fixture for each kind of target. The source has a value in every column of every table of the tenant `acme`, and
    /// another tenant.
    pub(crate) async fn all() -> Vec<Self> {
        let mut fixtures = vec![Self::with_file().await];
        let folder = filled_folder().await;
        if let Some(target) = End::server(&folder).await {
            fixtures.push(Self { folder, target });
        }
        fixtures
    }

    /// The first of these fixtures.
    pub(crate) async fn with_file() -> Self {
        Self { folder: filled_folder().await, target: End::File("target.db") }
    }

    pub(crate) fn copy(&self) -> Ended {
        self.folder.run(&format!("copy --from {} --to {}", SOURCE.url(), self.target.url()))
    }

    /// Runs a command on the source or the target.
    pub(crate) fn run(&self, end: &End, line: &str) -> Ended {
        self.folder.run(&format!("--database {} {line}", end.url()))
    }

    /// Changes the source by SQL. Asserts how many rows it changes.
    pub(crate) fn change_source(&self, sql: &str) -> usize {
        Connection::open(self.folder.path("source.db")).unwrap().execute(sql, []).unwrap()
    }

    /// The rows of the source.
    pub(crate) fn source(&self) -> Tables {
        tables(&self.folder, "source.db")
    }

    /// The rows of the target. Reads PostgreSQL through a copy into a file.
    pub(crate) fn target(&self) -> Tables {
        match &self.target {
            End::File(name) => tables(&self.folder, name),
            End::Server(database) => {
                let back = self.folder.path("back.db");
                drop(std::fs::remove_file(&back));
                // A copy keeps rows in which an audit finds differences.
                let back = self.folder.run(&format!("copy --from {} --to sqlite:back.db", database.url));
                assert!([0, 1].contains(&back.code), "{back:?}");
                tables(&self.folder, "back.db")
            }
        }
    }
}

async fn filled_folder() -> Folder {
    let folder = Folder::new();
    let source = SOURCE.open(&folder).await;
    filled(&source, "acme").await;
    filled(&source, "other").await;
    drop(source);
    let file = Connection::open(folder.path("source.db")).unwrap();
    for sql in [
        // A setting of a newer version of the program.
        "UPDATE tenants SET settings = json_set(settings, '$.new_setting', 'of tomorrow') WHERE id = 'acme'",
        "UPDATE users SET birth_date = 7300, locale = 'de' WHERE tenant_id = 'acme' AND id = 'ann'",
        "UPDATE products SET sale_price = 90, gallery = '[\"https://acme.example/ü.png\"]', thumbnail = 'a|b',
             categories = '[\"a\",\"z\"]', active = 0 WHERE tenant_id = 'acme' AND id = 'mug'",
        "UPDATE tokens SET expires_at = 4102444800000000 WHERE tenant_id = 'acme' AND kind = 'super_user'",
    ] {
        assert_eq!(file.execute(sql, []).unwrap(), 1, "{sql}");
    }
    folder
}

/// All rows of all tables that a copy takes along, sorted.
pub(crate) type Tables = BTreeMap<String, Vec<Vec<Value>>>;

pub(crate) fn tables(folder: &Folder, name: &str) -> Tables {
    let file = Connection::open(folder.path(name)).unwrap();
    let copied = TABLES.iter().filter(|table| table.is_copied);
    copied.map(|table| (table.name.to_owned(), rows(&file, table.name))).collect()
}

fn rows(file: &Connection, table: &str) -> Vec<Vec<Value>> {
    let mut select = file.prepare(&format!("SELECT * FROM {table}")).unwrap();
    let width = select.column_count();
    let row = |row: &rusqlite::Row<'_>| (0..width).map(|column| row.get(column)).collect();
    let mut rows: Vec<Vec<Value>> = select.query_map([], row).unwrap().map(Result::unwrap).collect();
    if table == "catalogue_versions" {
        for row in &mut rows {
            forget_generation(&mut row[1]);
        }
    }
    rows.sort_by_cached_key(|row| format!("{row:?}"));
    rows
}

/// The count of catalogue replacements is not copied.
fn forget_generation(version: &mut Value) {
    let Value::Integer(version) = version else { panic!("{version:?}") };
    *version &= 0xFFFF_FFFF;
}

//! The SQL of both stores suits one schema for SQLite, PostgreSQL, and a PostgreSQL that is split by tenant: the database
//! generates no values and runs no code, and every statement names its tenant.

use std::fs;
use std::path::{Path, PathBuf};

use pointbook_store::schema::texts::TEXTS;
use pointbook_testkit::files::files_below;

const STORES: [&str; 2] = ["sqlite", "postgres"];

/// Words that neither a migration nor a statement may contain, in lower case.
const FORBIDDEN: [&str; 30] = [
    "trigger",
    "autoincrement",
    "serial",
    "sequence",
    "nextval",
    "generated",
    "now(",
    "clock_timestamp",
    "current_timestamp",
    "current_date",
    "current_time",
    "statement_timestamp",
    "transaction_timestamp",
    "localtime",
    "datetime(",
    "strftime(",
    "random",
    "deferrable",
    "exclude using",
    "advisory",
    "listen ",
    "notify",
    "create function",
    "create procedure",
    "create extension",
    "drop ",
    "last_insert_rowid",
    "select *",
    "set_config(",
    "current_setting(",
];

/// Files that may contain a forbidden word.
const ALLOWED: [(&str, &[&str]); 3] = [
    // Moves that sequence past the blocks that were copied from another database.
    ("src/postgres/feed.rs", &["serial", "sequence", "nextval"]),
    // Only the beginning of a transaction tells the database its tenant.
    ("src/postgres/connection/transaction.rs", &["set_config("]),
    // Replaces the policies of the service's role.
    ("src/postgres/service_role.rs", &["current_setting(", "drop "]),
];

/// Marks of statements about no row of a tenant.
const GLOBAL: [&str; 12] = [
    "tenants",
    "schema_migrations",
    "pragma ",
    "pg_database_size(",
    "select count(nextval(",
    "pg_class",
    "pg_dist_partition",
    "create_reference_table(",
    "current_schema()",
    "row_security_active(",
    "set_config(",
    "create policy ",
];

/// A change of many rows must not hold the locks of a schema change.
#[test]
fn migrations_are_portable_and_change_schema_or_rows() {
    for path in files_below(&room().join("migrations")) {
        let text = fs::read_to_string(&path).unwrap().to_lowercase();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
        let sql = lines.collect::<Vec<_>>().join(" ");
        assert_portable(&path, &sql);
        let holds = |words: &[&str]| words.iter().any(|word| sql.contains(word));
        let changes_schema = holds(&["create ", "alter ", "drop "]);
        let changes_rows = holds(&["insert ", "update ", "delete from "]);
        assert!(changes_schema != changes_rows, "{}", path.display());
    }
}

#[test]
fn statements_are_portable_and_name_their_tenant() {
    for store in STORES {
        let mut count = 0;
        for path in files_below(&room().join("src").join(store)) {
            for statement in statements(&path) {
                count += 1;
                let sql = statement.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
                assert_portable(&path, &sql);
                // The conditions of a statement that ends in a space follow elsewhere.
                let names_tenant = sql.contains("tenant_id") || GLOBAL.iter().any(|mark| sql.contains(mark));
                assert!(names_tenant || statement.ends_with(' '), "{}: {sql}", path.display());
            }
        }
        assert!(count > 15, "{store}: {count} statements are too few");
    }
    for text in TEXTS {
        let sql = text.sql.to_lowercase();
        assert_portable(Path::new(text.name), &sql);
        assert!(sql.contains("tenant_id"), "{}", text.name);
    }
}

fn assert_portable(path: &Path, sql: &str) {
    let allowed = ALLOWED.iter().find(|(file, _)| path.ends_with(file)).map_or(&[][..], |(_, words)| words);
    let found = FORBIDDEN.iter().find(|word| sql.contains(**word) && !allowed.contains(word));
    assert!(found.is_none(), "{} contains {found:?}: do it in the program", path.display());
}

/// The strings of a source, without those of its tests, that begin like a statement or like its conditions.
fn statements(path: &Path) -> Vec<String> {
    let is_test =
        path.components().any(|part| ["tests", "tests.rs"].iter().any(|name| part.as_os_str() == *name));
    let source = if is_test { String::new() } else { fs::read_to_string(path).unwrap() };
    let product = source.split("#[cfg(test)]\nmod ").next().unwrap().split_inclusive('\n');
    let code: String = product.filter(|line| !line.trim_start().starts_with("//")).collect();
    // Quotes that neither begin nor end a string.
    let code = code.replace("\\\"", "'").replace("'\"'", "");
    let strings = code.split('"').skip(1).step_by(2);
    let verbs = [
        "SELECT", "INSERT", "UPDATE", "DELETE", "WITH", "CREATE", "ALTER", "DROP", "PRAGMA", "WHERE",
        "INDEXED", "AS",
    ];
    let is_statement = |string: &&str| {
        let mut words = string.split_whitespace();
        words.next().is_some_and(|word| verbs.contains(&word)) && words.next().is_some()
    };
    strings.filter(is_statement).map(str::to_owned).collect()
}

fn room() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

//! The SQL of every store must suit one schema for SQLite, PostgreSQL, and a PostgreSQL that is split by tenant. The
//! database generates no values and runs no code, and every statement names a tenant.

use super::finding::Finding;
use super::source::Literal;
use super::sql::is_statement;
use super::tree::Tree;

const RULE: &str = "portable-sql";

/// Words that neither a migration nor a statement may contain, in lower case.
const FORBIDDEN: &[&str] = &[
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
    "gen_random",
    "deferrable",
    "exclude using",
    "advisory",
    "listen ",
    "notify",
    "create function",
    "create procedure",
    "create extension",
    "last_insert_rowid",
    "select *",
];

/// A migration or a source, and the forbidden word that it may contain.
const ALLOWED: &[(&str, &str)] = &[
    // The order in which blocks were written. No row keeps it: positions come later, from the program (ADR 0035). A sequence does
    // not make writers wait for each other, as a counter of the program would.
    ("crates/store-postgres/migrations/0021_create_feed.sql", "generated"),
    // Moves that sequence past the blocks that were copied from another database, so that later blocks follow them.
    (FEED, "serial"),
    (FEED, "sequence"),
    (FEED, "nextval"),
];

const FEED: &str = "crates/store-postgres/src/feed.rs";

/// Tables that belong to no tenant, and the databases' system tables.
const GLOBAL: &[&str] = &[
    "tenants",
    // An instance reads the jobs of all tenants at once. The alias marks such statements.
    "from jobs as of_all_tenants",
    "schema_migrations",
    "information_schema.",
    "sqlite_schema",
    "pragma ",
    // Reads no row.
    "pg_database_size(",
    // Counts no row: it takes numbers of a sequence.
    "select count(nextval(",
    "pg_class",
    "pg_dist_partition",
    "create_reference_table(",
    "pg_roles",
    "current_schema()",
    "row_security_active(",
    "has_table_privilege(",
    "set_config(",
    "create policy ",
];

/// Functions for the settings of a transaction, and the only files that may use them.
const SETTINGS: &[&str] = &["set_config(", "current_setting("];
const SETTING_FILES: &[&str] =
    &["crates/store-postgres/src/connection/transaction.rs", "crates/store-postgres/src/service_role.rs"];

/// The words with which a migration changes the schema, and those with which it changes rows.
const SCHEMA_WORDS: &[&str] = &["create ", "alter "];
const ROW_WORDS: &[&str] = &["insert ", "update ", "delete from "];

/// Checks the migrations and the statements of every store, except those of its tests.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let migrations =
        tree.with_extension("sql").filter(|(path, _)| is_of_store(path)).flat_map(|(path, text)| {
            let code = without_comments(text);
            let held = forbidden(&code).filter(|word| !ALLOWED.contains(&(path, word)));
            let complaints: Vec<_> = held.map(complaint).collect();
            complaints.into_iter().chain(mixed(&code)).map(move |what| Finding::new(path, 1, RULE, what))
        });
    let sources = tree.sources().iter().filter(|source| is_of_store(source.path()));
    let statements = sources.flat_map(|source| {
        let literals = source.literals().iter().filter(|literal| !source.is_test(literal.line));
        literals.flat_map(|literal| {
            statement_complaints(source.path(), literal)
                .into_iter()
                .chain(setting(source.path(), literal))
                .map(|what| Finding::new(source.path(), literal.line, RULE, what))
        })
    });
    migrations.chain(statements).collect()
}

fn is_of_store(path: &str) -> bool {
    path.starts_with("crates/store-")
}

/// The code of a migration, in lower case.
fn without_comments(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("--"));
    lines.collect::<Vec<_>>().join(" ").to_lowercase()
}

fn forbidden(sql: &str) -> impl Iterator<Item = &'static str> {
    FORBIDDEN.iter().copied().filter(|word| sql.contains(word))
}

fn complaint(word: &str) -> String {
    format!("{word:?} does not work in every supported database: do it in the program")
}

/// A change of many rows must not hold the locks of a schema change.
fn mixed(code: &str) -> Option<String> {
    let holds = |words: &[&str]| words.iter().any(|word| code.contains(word));
    (holds(SCHEMA_WORDS) && holds(ROW_WORDS))
        .then(|| "changes the schema and rows: split it into two migrations".to_owned())
}

fn setting(path: &str, literal: &Literal) -> Option<String> {
    let uses = SETTINGS.iter().any(|word| literal.text.to_lowercase().contains(word));
    (uses && !SETTING_FILES.contains(&path)).then(|| {
        "only the beginning of a transaction tells the database its tenant: go through `Access`".to_owned()
    })
}

fn statement_complaints(path: &str, literal: &Literal) -> Vec<String> {
    let inside = literal.text.split_once('"').map_or("", |(_, inside)| inside);
    let inside = inside.rsplit_once('"').map_or(inside, |(inside, _)| inside);
    // A statement that ends in a space continues elsewhere, with its conditions.
    let (goes_on, is_rest) = (inside.ends_with(' '), inside.starts_with("WHERE "));
    let sql = inside.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    if !is_rest && !is_statement(&literal.text) {
        return Vec::new();
    }
    let held = forbidden(&sql).filter(|word| !ALLOWED.contains(&(path, word)));
    let mut complaints: Vec<_> = held.map(complaint).collect();
    let is_global = GLOBAL.iter().any(|table| sql.contains(table));
    if !goes_on && !is_global && !sql.contains("tenant_id") {
        complaints.push("a statement must name its tenant: add a condition on `tenant_id`".to_owned());
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    fn found(path: &str, text: &str) -> Vec<String> {
        printed(&check(&Tree::of(&[(path, text)])))
    }

    fn in_source(sql: &str) -> usize {
        found("crates/store-a/src/a.rs", &format!("const A: &str = \"{sql}\";\n")).len()
    }

    #[test]
    fn statement_without_its_tenant_is_found() {
        assert_eq!(in_source("SELECT id FROM users WHERE id = $1"), 1);
        assert_eq!(in_source("SELECT id FROM users\n WHERE tenant_id = $1 AND id = $2"), 0);
        assert_eq!(in_source("SELECT id FROM tenants ORDER BY id"), 0);
        assert_eq!(in_source("SELECT id FROM users "), 0);
        assert_eq!(in_source("WHERE id = $2"), 1);
        assert_eq!(in_source("WHERE tenant_id = $1"), 0);
    }

    #[test]
    fn only_the_beginning_of_a_transaction_sets_the_tenant() {
        let text = "const A: &str = \"SELECT set_config('pointbook.tenant', $1, true)\";\n";
        assert_eq!(found("crates/store-postgres/src/users/read.rs", text).len(), 1);
        assert!(found("crates/store-postgres/src/connection/transaction.rs", text).is_empty());
    }

    #[test]
    fn values_generated_by_the_database_are_found() {
        assert_eq!(in_source("UPDATE users SET seen_at = now() WHERE tenant_id = $1"), 1);
        assert_eq!(in_source("UPDATE users SET seen_at = statement_timestamp() WHERE tenant_id = $1"), 1);
        assert_eq!(in_source("UPDATE users SET seen_at = LOCALTIMESTAMP WHERE tenant_id = $1"), 1);
        assert_eq!(in_source("SELECT id, Random() FROM users WHERE tenant_id = $1"), 1);
        let migration = |sql| found("crates/store-a/migrations/0001_create_a.sql", sql).len();
        assert_eq!(migration("CREATE TABLE a (id BIGSERIAL)"), 1);
        assert_eq!(migration("-- No serial.\nCREATE TABLE a (id BIGINT)"), 0);
    }

    #[test]
    fn migration_of_schema_and_rows_is_found() {
        let migration = |sql| found("crates/store-a/migrations/0001_create_a.sql", sql).len();
        assert_eq!(migration("ALTER TABLE a ADD COLUMN b BIGINT;\nUPDATE a SET b = 1;"), 1);
        assert_eq!(migration("UPDATE a SET b = 1;"), 0);
    }

    #[test]
    fn messages_and_tests_are_not_checked() {
        assert_eq!(in_source("a random sequence"), 0);
        let test = "#[cfg(test)]\nmod tests {\n    const A: &str = \"SELECT id FROM users\";\n}\n";
        assert!(found("crates/store-a/src/a.rs", test).is_empty());
        assert!(found("crates/store-a/tests/a.rs", "const A: &str = \"SELECT id FROM users\";\n").is_empty());
        assert!(found("crates/app/src/a.rs", "const A: &str = \"SELECT id FROM users\";\n").is_empty());
    }
}

//! Only the stores contain SQL.

use super::finding::Finding;
use super::tree::Tree;

const RULE: &str = "sql";

/// Path prefixes in which SQL is allowed: the schema, the stores, tests that damage a database on purpose, the code that
/// creates databases for tests, the benchmarks that send a store's statements without the store, and the rules about SQL.
const ROOMS: &[&str] = &[
    "crates/schema/",
    "crates/store-",
    "crates/server/tests/",
    "crates/testkit/src/postgres/",
    "crates/testkit/tests/postgres.rs",
    "bench/src/bare_commits/",
    "bench/src/bare_history/statements.rs",
    "bench/src/bare_postgres/statements.rs",
    "bench/runner/src/idle.rs", // asks PostgreSQL how many transactions it has ended
    "xtask/src/tidy/sql.rs",
    "xtask/src/tidy/portable_sql.rs",
];

/// The words of each kind of statement, in this order. In upper case they are a statement anywhere in a string. In lower
/// case they are one only at the start, because "select" and "update" are words of ordinary sentences.
const STATEMENTS: &[&[&str]] = &[
    &["SELECT "],
    &["INSERT ", "INTO "],
    &["UPDATE ", " SET "],
    &["DELETE ", "FROM "],
    &["CREATE ", "TABLE "],
    &["CREATE ", "INDEX "],
    &["ALTER ", "TABLE "],
    &["DROP ", "TABLE "],
    &["PRAGMA "],
];

/// Checks every string of every Rust file outside the stores.
pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let sources =
        tree.sources().iter().filter(|source| !ROOMS.iter().any(|room| source.path().starts_with(room)));
    let literals = sources.flat_map(|source| source.literals().iter().map(move |literal| (source, literal)));
    let statements = literals.filter(|(_, literal)| is_statement(&literal.text));
    let advice = "only a store contains SQL: add a method to the port";
    statements.map(|(source, literal)| Finding::new(source.path(), literal.line, RULE, advice)).collect()
}

/// Whether a string is a statement. `literal` includes its quotes.
pub(super) fn is_statement(literal: &str) -> bool {
    // Replaces each run of white space by one space, so that line breaks do not matter.
    let text = literal.split_whitespace().collect::<Vec<_>>().join(" ") + " ";
    let start = text.split_once('"').map_or("", |(_, inside)| inside.trim_start());
    STATEMENTS.iter().any(|words| has_in_order(&text, words) || starts_small(start, words))
}

fn has_in_order(text: &str, words: &[&str]) -> bool {
    let mut rest = Some(text);
    for word in words {
        rest = rest.and_then(|rest| rest.split_once(word)).map(|(_, tail)| tail);
    }
    rest.is_some()
}

/// Whether the string starts with a lower-case statement. A `select` also needs its `from`.
fn starts_small(start: &str, words: &[&str]) -> bool {
    let upper = start.to_uppercase();
    let opens = words.first().is_some_and(|first| upper.starts_with(first));
    let reads = words.first() != Some(&"SELECT ") || upper.contains(" FROM ");
    opens && reads && has_in_order(&upper, words)
}

#[cfg(test)]
mod tests {
    use super::super::finding::printed;
    use super::*;

    #[test]
    fn statements_are_found_in_any_form() {
        let statements = [
            r#""SELECT id FROM users""#,
            "\"WITH a AS (SELECT 1) b\"",
            "\"INSERT\n  INTO users VALUES (1)\"",
            "r#\"UPDATE users\nSET balance = 0\"#",
            "\"DELETE FROM users\"",
            "\"CREATE TABLE users (id TEXT)\"",
            "\"create table users (id text)\"",
            "\"select id from users\"",
            "\"PRAGMA foreign_keys = ON\"",
        ];
        for statement in statements {
            assert!(is_statement(statement), "{statement}");
        }
    }

    #[test]
    fn ordinary_sentences_are_no_statements() {
        for sentence in
            ["\"Select a tenant\"", "\"UPDATE the file\"", "\"updates of the set\"", "\"The selected sort\""]
        {
            assert!(!is_statement(sentence), "{sentence}");
        }
    }

    #[test]
    fn only_stores_and_black_box_tests_may_hold_sql() {
        let text = "fn a() {}\nconst A: &str = \"DELETE FROM users\"; // SELECT in a comment\n";
        let found = |path| printed(&check(&Tree::of(&[(path, text)])));
        let expected = "crates/app/src/a.rs:2: sql: only a store contains SQL: add a method to the port";
        assert_eq!(found("crates/app/src/a.rs"), [expected]);
        assert!(found("crates/store-sqlite/src/a.rs").is_empty());
        assert!(found("crates/server/tests/it/audit.rs").is_empty());
    }
}

//! Tests that a page of a history with an invalid value fails as a whole, with an error that names the value.

use std::error::Error;

use pointbook_domain::Activity;
use pointbook_testkit::build::{self, activity, recorded};
use pointbook_testkit::conformance::add_tenant;
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

/// The error of a page of two rows, after `field` was set in the second row.
async fn page_with(field: &str) -> String {
    let (_folder, path, database) = new_file();
    let data = add_tenant(&database, "acme").await;
    let later = Activity { created_at: build::noon().plus_seconds(1), ..activity("s1", 5) };
    let rows = [later, activity("s2", 5)].map(|activity| recorded("u1", activity));
    data.write(build::history(rows.clone())).await.unwrap();
    let file = Connection::open(path).unwrap();
    file.execute_batch("PRAGMA ignore_check_constraints = ON").unwrap();
    let change = format!("UPDATE transactions SET {field} WHERE source_id = 's2'");
    assert_eq!(file.execute(&change, []).unwrap(), 1);
    let error = data.history_page(&build::user_id("u1"), build::page(1, 15)).await.unwrap_err();
    error.source().map_or_else(|| error.to_string(), ToString::to_string)
}

#[tokio::test]
async fn string_that_is_not_utf_8() {
    let when = activity("s2", 5).created_at;
    let why = format!("table transactions, key (\"u1\"): a title or subtitle of {when} that is not UTF-8");
    for text in ["title = CAST(x'c3' AS TEXT)", "subtitle = CAST(x'61ff62' AS TEXT)"] {
        assert!(page_with(text).await.contains(&why), "{}", page_with(text).await);
    }
}

#[tokio::test]
async fn invalid_value() {
    for (field, column) in [
        ("type = 'Co de'", "type"),
        ("type = CAST(x'ff' AS TEXT)", "type"),
        ("points = 9223372036854775807", "points"),
        ("bonus_breakdown = '[{}]'", "bonus_breakdown"),
        ("bonus_breakdown = CAST(x'ff' AS TEXT)", "bonus_breakdown"),
    ] {
        let place = format!("table transactions, key (\"u1/code/s2\"), column {column}: ");
        assert!(page_with(field).await.contains(&place), "{}", page_with(field).await);
    }
}

//! Tests that schema and statements follow the rules for one schema on SQLite, PostgreSQL and PostgreSQL with Citus.

mod statements;

use pointbook_domain::{OrderStatus, TokenKind, UserId};
use pointbook_store::ports::{
    OrderFilter, Query, TokenFilter, UserFilter, due_jobs, ended_tokens, failing_jobs, late_jobs,
    old_request_keys,
};
use pointbook_store::schema::rows::{ProductRow, UserExpiry};
use pointbook_store::schema::texts::CHANGED_PRODUCTS;
use pointbook_store::schema::{Dialect, REQUEST_KEYS, Statement, TABLES};
use pointbook_testkit::build;
use pointbook_testkit::sqlite::new_file;
use rusqlite::Connection;

use self::statements::{statements, statements_of};

/// Tables that do not belong to a tenant.
const GLOBAL_TABLES: [&str; 2] = ["tenants", "schema_migrations"];

fn new_schema() -> (tempfile::TempDir, Connection) {
    let (folder, path, _) = new_file();
    (folder, Connection::open(path).unwrap())
}

/// The first two columns of each row.
fn rows(database: &Connection, sql: &str, parameter: &str) -> Vec<(String, String)> {
    let mut select = database.prepare(sql).unwrap();
    let rows = select.query_map([parameter], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    rows.map(Result::unwrap).collect()
}

fn tables(database: &Connection) -> Vec<(String, String)> {
    let sql = "SELECT name, sql FROM sqlite_schema WHERE type = ?1 ORDER BY name";
    let mut tables = rows(database, sql, "table");
    tables.retain(|(name, _)| !GLOBAL_TABLES.contains(&name.as_str()));
    tables
}

#[test]
fn keys_and_indices_of_tenant_tables_start_with_tenant() {
    let (_folder, database) = new_schema();
    let tables = tables(&database);
    assert_eq!(tables.len(), TABLES.len() - 1, "{tables:?}");
    for (table, _) in tables {
        let primary = rows(&database, "SELECT name, '' FROM pragma_table_info(?1) WHERE pk = 1", &table);
        assert_eq!(primary, [("tenant_id".to_owned(), String::new())], "{table}");
        let index_sql = "SELECT index_list.name, index_info.name FROM pragma_index_list(?1) AS index_list
                         JOIN pragma_index_info(index_list.name) AS index_info WHERE index_info.seqno = 0";
        for (index, first) in rows(&database, index_sql, &table) {
            // An instance looks for the due jobs of all tenants.
            let expected = if index == "jobs_by_next_run" { "next_run_at" } else { "tenant_id" };
            assert_eq!(first, expected, "{table} {index}");
        }
        let foreign_sql = "SELECT \"from\", \"table\" FROM pragma_foreign_key_list(?1) WHERE seq = 0";
        let foreign = rows(&database, foreign_sql, &table);
        assert!(!foreign.is_empty(), "{table} does not refer to the tenant");
        assert!(foreign.iter().all(|(from, _)| from == "tenant_id"), "{table} {foreign:?}");
    }
}

#[test]
fn tenant_tables_are_strict_and_without_rowid() {
    let (_folder, database) = new_schema();
    for (table, sql) in tables(&database) {
        assert!(sql.ends_with("STRICT, WITHOUT ROWID"), "{table}");
    }
}

#[test]
fn rows_are_read_by_their_key_or_in_an_order() {
    let statements = statements();
    assert!(statements.len() > 20, "{}", statements.len());
    for (path, sql) in statements {
        let is_one_value =
            ["count(*)", "max(", "SELECT coalesce(sum("].iter().any(|value| sql.contains(value));
        let reads_rows = sql.starts_with("SELECT") && !is_one_value;
        let is_one_row = [
            "tenant_id = ?1 AND id = ?2",
            "tokens.hash = ?2",
            "tenant_id = ?1 AND hash = ?2",
            "principal = ?2 AND key = ?3",
            "user_id = ?2 AND created_at = ?3 AND seq = ?4",
        ]
        .iter()
        .any(|key| sql.contains(key));
        let is_ordered =
            sql.contains("ORDER BY") || sql.contains("source_id = ?4") || sql.contains("SELECT 1");
        // A tenant has one row of these tables.
        let has_one_row = ["catalogue_versions", "audit_chains", "feeds", "category_trees"]
            .map(|table| format!("FROM {table}"));
        let is_only_row = has_one_row.iter().any(|from| sql.contains(from));
        assert!(!reads_rows || is_one_row || is_ordered || is_only_row, "{}: {sql}", path.display());
    }
}

/// A ledger can be long, so its audit reads along the keys. It sorts the rows of one user at a time: no index has their `seq`.
#[test]
fn audit_sorts_at_most_the_rows_of_a_user() {
    let (_folder, database) = new_schema();
    let statements = statements_of("ledger/audit");
    assert!(!statements.is_empty());
    for sql in statements {
        let steps = plan(&database, &sql);
        let of_a_user = "USE TEMP B-TREE FOR LAST TERM OF ORDER BY";
        let sorts: Vec<_> = steps.iter().filter(|step| step.contains("TEMP B-TREE")).collect();
        let expected: &[&str] = if sql.contains("ORDER BY user_id, seq") { &[of_a_user] } else { &[] };
        assert_eq!(sorts, expected, "{sql}");
    }
}

/// A page of orders is a range of an index. Its count reads only the index, except for the orders of one user in one status.
#[test]
fn pages_of_orders_use_an_index() {
    let (_folder, database) = new_schema();
    let (user, placed) = (UserId::new("u1").ok(), Some(OrderStatus::Placed));
    let by = |index: &str, key: &str| format!("orders_by_{index} (tenant_id=?{key})");
    let expected = [
        (None, None, by("time", ""), "COVERING "),
        (None, placed, by("status", " AND status=?"), "COVERING "),
        (user.clone(), None, by("user", " AND user_id=?"), "COVERING "),
        (user, placed, by("user", " AND user_id=?"), ""),
    ];
    for (user_id, status, index, covering) in expected {
        let orders = OrderFilter { user_id, status, search: None }.query();
        let page = the_one_step(&database, &orders.select(Dialect::Sqlite));
        assert_eq!(page, format!("SEARCH orders USING INDEX {index}"));
        let count = the_one_step(&database, &orders.count(Dialect::Sqlite));
        // Any index of the tenant counts all of its orders.
        assert!(count.starts_with(&format!("SEARCH orders USING {covering}INDEX orders_by_")), "{count}");
    }
}

/// A page of a history is one range of the ledger's key. A lookup by key finds the order of a row.
#[test]
fn page_of_history_uses_primary_keys() {
    let (_folder, database) = new_schema();
    let statements = statements_of("ledger/history.rs");
    let page = statements.iter().find(|sql| sql.contains("is_own_order")).unwrap();
    let steps = plan(&database, page);
    let reads: Vec<_> = steps.iter().filter(|step| !step.starts_with("CORRELATED")).collect();
    let range = "SEARCH transactions USING PRIMARY KEY (tenant_id=? AND user_id=? AND created_at<?)";
    let order = "SEARCH orders USING PRIMARY KEY (tenant_id=? AND id=?)";
    assert_eq!(reads, [range, order, order]);
}

#[test]
fn pages_of_users_use_primary_key() {
    let (_folder, database) = new_schema();
    let all = UserFilter::default();
    let some = UserFilter { search: Some("a".to_owned()), disabled: Some(true) };
    let after = all.query().after(UserId::new("u1").ok().as_ref());
    for users in [all.query(), some.query(), after] {
        for sql in [users.select(Dialect::Sqlite), users.count(Dialect::Sqlite).into()] {
            let plan = the_one_step(&database, &sql);
            // A count of all users reads the smallest index that has them.
            let ways = ["SEARCH users USING PRIMARY KEY (tenant_id=?", "SEARCH users USING COVERING INDEX"];
            assert!(ways.iter().any(|way| plan.starts_with(way)), "{plan}");
            assert!(sql.starts_with("SELECT count") || plan.starts_with(ways[0]), "{plan}");
        }
    }
}

/// Nobody waits for the sweep of points that are over.
#[test]
fn users_whose_points_end_use_their_index() {
    let (_folder, database) = new_schema();
    let users = || Query::of::<UserExpiry>("members_to_end", &["next_expiry_on", "id"]);
    let day = build::noon().day();
    let searched = "SEARCH users USING COVERING INDEX users_by_expiry (tenant_id=? AND next_expiry_on";
    for (query, test) in [
        (users().between("next_expiry_on", [&day, &day]), ">? AND next_expiry_on<?)"),
        (users().null("next_expiry_on", Some(true)), "=?)"),
        (users().null("next_expiry_on", Some(false)), ">?)"),
    ] {
        let plan = the_one_step(&database, &query.select(Dialect::Sqlite));
        assert_eq!(plan, format!("{searched}{test}"));
    }
}

#[test]
fn tokens_of_owner_use_index() {
    let (_folder, database) = new_schema();
    for owner in [TokenKind::SuperUser, TokenKind::Customer(UserId::new("u1").unwrap())] {
        let tokens = TokenFilter::Of(owner).query();
        let plan = plan(&database, &tokens.select(Dialect::Sqlite));
        assert!(
            plan[0].starts_with("SEARCH tokens USING INDEX tokens_by_user (tenant_id=? AND user_id=?"),
            "{plan:?}"
        );
    }
}

/// The removal of old keys reads only old keys.
#[test]
fn removal_of_request_keys_uses_index_of_last_use() {
    let (_folder, database) = new_schema();
    let old = old_request_keys(build::noon()).only_keys().select(Dialect::Sqlite);
    let found =
        "SEARCH request_keys USING COVERING INDEX request_keys_by_use (tenant_id=? AND last_used_at<?)";
    assert_eq!(the_one_step(&database, &old), found);
    let delete = Statement::delete_rows(Dialect::Sqlite, &REQUEST_KEYS);
    let deleted = "SEARCH request_keys USING PRIMARY KEY (tenant_id=? AND principal=? AND key=?)";
    assert_eq!(the_one_step(&database, &delete.sql), deleted);
}

#[test]
fn removal_of_ended_tokens_uses_indices_of_their_ends() {
    let (_folder, database) = new_schema();
    let found = ended_tokens(build::noon())
        .map(|ended| the_one_step(&database, &ended.only_keys().select(Dialect::Sqlite)));
    let by = |index: &str| format!("SEARCH tokens USING COVERING INDEX tokens_by_{index}<?)");
    assert_eq!(
        found,
        [by("expiry (tenant_id=? AND expires_at"), by("revocation (tenant_id=? AND revoked_at")]
    );
}

/// A snapshot that follows a catalogue reads few of its products.
#[test]
fn changed_products_use_index_of_version() {
    let (_folder, database) = new_schema();
    let changed =
        Query::of_text::<ProductRow>(&CHANGED_PRODUCTS, &(1_i64, "", 1_u32)).select(Dialect::Sqlite);
    let steps = plan(&database, &changed);
    for expected in [
        "SEARCH products USING PRIMARY KEY (tenant_id=? AND id=?)",
        "SEARCH products USING COVERING INDEX products_by_version (tenant_id=? AND version>?)",
    ] {
        assert!(steps.iter().any(|step| step == expected), "{steps:?}");
    }
    assert!(steps.iter().filter(|step| step.starts_with("SEARCH products")).count() == 2, "{steps:?}");
}

/// The query does not read jobs that are not due, for any number of tenants.
#[test]
fn due_jobs_use_index_of_next_run() {
    let (_folder, database) = new_schema();
    let due = due_jobs(build::noon()).one_of("name", ["clean"]).select(Dialect::Sqlite);
    let late = late_jobs(build::noon(), build::noon()).count(Dialect::Sqlite);
    for sql in [&*due, &late] {
        let steps = plan(&database, sql);
        let range = "SEARCH jobs USING INDEX jobs_by_next_run (next_run_at<?)";
        assert!(steps[0].starts_with(range), "{steps:?}");
    }
    let step = the_one_step(&database, &failing_jobs().count(Dialect::Sqlite));
    assert_eq!(step, "SCAN jobs USING INDEX jobs_failing");
}

/// SQLite has no statistics here and assumes a small tenant. So it may read all rows of a tenant although an index finds the
/// rows of a user. `INDEXED BY` prevents that.
#[test]
fn statement_for_part_of_tenant_reads_only_that_part() {
    let (_folder, database) = new_schema();
    let is_for_a_part = |sql: &str| {
        let conditions = sql.split("tenant_id = ?1 AND ").skip(1);
        conditions
            .filter_map(|condition| condition.split_once(" = ?"))
            .any(|(column, _)| !column.contains(' '))
    };
    // The key of these tables is only the tenant.
    let has_one_row = |sql: &str| {
        ["catalogue_versions", "data_keys", "audit_chains", "feeds"].iter().any(|table| sql.contains(table))
    };
    let statements = statements().into_iter().map(|(_, sql)| sql);
    let narrow: Vec<_> = statements.filter(|sql| is_for_a_part(sql) && !has_one_row(sql)).collect();
    assert!(narrow.len() > 5, "{}", narrow.len());
    for sql in narrow {
        let steps = plan(&database, &sql);
        assert!(!steps.iter().any(|step| step.ends_with("(tenant_id=?)")), "{sql}: {steps:?}");
    }
}

fn plan(database: &Connection, sql: &str) -> Vec<String> {
    let mut plan = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let mut rows = plan.raw_query();
    let mut steps = Vec::new();
    while let Some(row) = rows.next().unwrap() {
        steps.push(row.get("detail").unwrap());
    }
    steps
}

/// The plan of a statement with a single step, so it does not sort.
fn the_one_step(database: &Connection, sql: &str) -> String {
    let mut steps = plan(database, sql);
    assert_eq!(steps.len(), 1, "{sql}: {steps:?}");
    steps.remove(0)
}

//! Facts of reading and writing rows of any table.

use std::sync::Arc;

use pointbook_access::tokens::issue::StoreToken;
use pointbook_catalogue::commands::{ReplaceCategories, RetireProducts};
use pointbook_domain::{TenantId, User};
use pointbook_points::earning::record_activities::RecordHistory;
use pointbook_points::members::notices::TellNotices;
use pointbook_store::StoreError;
use pointbook_store::data_key::KeepDataKey;
use pointbook_store::ports::{Cell, Database, LedgerEntry, Query, Row, SealedDataKey, TenantData, read_all};
use pointbook_store::schema::rows::ExpiryNotices;
use pointbook_store::schema::{TABLES, Table};

use super::add_tenant;
use crate::build;
use crate::build::{activity, noon, on_day, product_id, recorded, user_id};
use crate::filled::filled;

/// Checks all columns of all tables against the values that the use cases wrote.
pub async fn every_table_gives_its_rows_in_the_order_of_the_key(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    for table in &TABLES {
        let rows = all(&data, table).await;
        assert!(!rows.is_empty(), "{}", table.name);
        assert!(rows.iter().all(|row| row.len() == table.columns.len()), "{}", table.name);
        assert!(rows.is_sorted_by(|one, next| table.key_of(one) < table.key_of(next)), "{}", table.name);
    }
    let tenant = &all(&data, table("tenants")).await[0];
    let expected = [text("acme"), text("production"), text("https://acme.example/api")];
    assert_eq!(tenant[..3], expected);
    let ann = &all(&data, table("users")).await[0];
    assert_eq!(ann[..4], [text("ann"), Cell::Integer(400), Cell::Integer(2), Cell::Integer(4)]);
    assert_eq!(ann[5..8], [Cell::Null, Cell::Null, Cell::Integer(on_day(3).as_micros())]);
    let token = &all(&data, table("tokens")).await[0];
    let expected = [Cell::Bytes([1; 32].into()), text("customer"), text("ann")];
    assert_eq!(token[..3], expected);
}

/// A page may begin after any row.
pub async fn rows_come_in_pages(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    for table in TABLES.iter().filter(|table| table.key_columns > 0) {
        let rows = all(&data, table).await;
        for place in 0..rows.len() {
            let after = place.checked_sub(1).map(|before| &rows[before]);
            let page = data.rows_after(table, after, 1).await.unwrap();
            assert_eq!(page, rows[place..=place], "{}", table.name);
        }
        assert_eq!(data.rows_after(table, rows.last(), 9).await.unwrap(), Vec::<Row>::new());
    }
}

/// The key of such a table is only the tenant.
pub async fn the_only_row_of_a_tenant_comes_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (master_key_id, sealed, created_at) = ("k-1".to_owned(), vec![7; 60], build::noon());
    let command = KeepDataKey(SealedDataKey { master_key_id, sealed, created_at });
    data.execute_by(Some(build::author()), command, None).await.unwrap();
    data.write(build::import([build::profile("ann")])).await.unwrap();
    data.write(ReplaceCategories::with(&build::tree(vec![build::category("a", vec![])]))).await.unwrap();
    let day = build::noon().day();
    let after_user = String::new();
    let after = ExpiryNotices { told_on: day, telling_on: day, after_user, counted: 0, ending_points: None };
    data.write(TellNotices { before: None, after, notices: Vec::new() }).await.unwrap();
    assert!(data.number_blocks(9).await.unwrap() > 0);
    for table in TABLES.iter().filter(|table| table.key_columns == 0 && table.is_copied) {
        let rows = all(&data, table).await;
        assert_eq!(rows.len(), 1, "{}", table.name);
        assert_eq!(data.rows_after(table, rows.first(), 9).await.unwrap(), Vec::<Row>::new());
    }
}

/// This holds for any values.
pub async fn written_rows_equal_the_read_rows(database: Arc<dyn Database>) {
    let (from, into) = (filled(&database, "acme").await, add_tenant(&database, "other").await);
    for table in TABLES.iter().filter(|table| table.name != "tenants") {
        let rows = all(&from, table).await;
        assert_eq!(into.write_rows(table, &rows).await.unwrap(), rows.len() as u64, "{}", table.name);
        assert_eq!(all(&into, table).await, rows, "{}", table.name);
        assert_eq!(all(&from, table).await, rows, "{}", table.name);
    }
    assert_eq!(into.user(&user_id("ann")).await.unwrap(), from.user(&user_id("ann")).await.unwrap());
}

/// Therefore a copy can be repeated.
pub async fn a_row_takes_the_place_of_the_one_with_its_key(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    for table in TABLES.iter().filter(|table| !table.is_append_only) {
        let mut rows = all(&data, table).await;
        let changed = rows.first_mut().unwrap();
        let mut columns = table.columns.iter().enumerate().skip(table.key_columns);
        let (place, _) = columns.find(|(_, column)| is_free(column.name)).unwrap();
        changed[place] = match &changed[place] {
            Cell::Integer(number) => Cell::Integer(number + 1),
            Cell::Bytes(_) => Cell::Bytes((*b"another").into()),
            Cell::Null | Cell::Text(_) => text("another"),
        };
        assert_eq!(data.write_rows(table, &rows).await.unwrap(), rows.len() as u64, "{}", table.name);
        assert_eq!(all(&data, table).await, rows, "{}", table.name);
    }
}

/// Whether the column has no constraint. Each table has at least one such column.
fn is_free(column: &str) -> bool {
    let created = ["name", "label", "title", "categories", "product_sku", "version", "created_at"];
    let counted = [
        "bytes",
        "transaction_count",
        "last_used_at",
        "next_run_at",
        "last_seq",
        "generation",
        "reason",
        "duration_ms",
        "notice",
        "rows_read",
        "result",
        "started_version",
        "left_out",
        "writes",
        "day_count",
        "transactions",
        "joined",
        "members",
        "issued_points",
        "asked_at",
        "awards",
        "orders",
        "counted",
    ];
    created.contains(&column) || counted.contains(&column)
}

/// Neither a row with its key nor one with its other unique values replaces it.
pub async fn a_row_of_the_ledger_stays_as_it_is(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    let transactions = table("transactions");
    let rows = all(&data, transactions).await;
    let points = transactions.columns.iter().position(|column| column.name == "points").unwrap();
    let id = transactions.columns.iter().position(|column| column.name == "id").unwrap();
    for (column, value) in [(points, Cell::Integer(9_999)), (id, Cell::Bytes([7; 16].into()))] {
        let mut changed = rows[0].clone();
        changed[column] = value;
        assert_eq!(data.write_rows(transactions, &[changed]).await.unwrap(), 0);
        assert_eq!(all(&data, transactions).await, rows);
    }
}

/// One refused row prevents all others of the call.
pub async fn rows_are_written_all_or_none(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    let users = table("users");
    let before = all(&data, users).await;
    let mut rows = before.clone();
    rows[0][1] = Cell::Integer(0);
    let mut broken = rows[1].clone();
    broken[0] = text("new");
    broken[2] = Cell::Integer(-1);
    rows.push(broken);
    assert!(data.write_rows(users, &rows).await.is_err());
    assert_eq!(all(&data, users).await, before);
}

/// Rows of other tenants stay, too. The test uses tables from which the service's role may remove rows.
pub async fn removed_rows_are_gone_and_no_others(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    let other = filled(&database, "other").await;
    for name in ["request_keys", "category_trees"] {
        let (table, rows) = (table(name), all(&data, table(name)).await);
        assert!(!rows.is_empty(), "{name}");
        data.remove_rows(table, &rows[..1]).await.unwrap();
        assert_eq!(all(&data, table).await, rows[1..], "{name}");
        assert_eq!(all(&other, table).await.len(), rows.len(), "{name}");
    }
}

/// A retry would fail in the same way.
pub async fn row_with_a_taken_unique_value_is_refused_permanently(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    let orders = table("orders");
    let before = all(&data, orders).await;
    let mut twin = before[0].clone();
    twin[0] = text("another id of the same number");
    let refused = data.write_rows(orders, &[twin]).await.unwrap_err();
    let StoreError::Failed(reason) = refused else { panic!("{refused:?}") };
    assert!(reason.to_string().contains("orders"), "{reason}");
    assert_eq!(all(&data, orders).await, before);
}

/// This holds for every role.
pub async fn no_row_of_the_ledger_is_removed(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    for table in TABLES.iter().filter(|table| table.is_append_only) {
        let rows = all(&data, table).await;
        let refused = data.remove_rows(table, &rows[..1]).await.unwrap_err();
        let StoreError::Failed(reason) = refused else { panic!("{refused:?}") };
        assert_eq!(
            reason.to_string(),
            format!("rows of table {} cannot be removed: it is append-only", table.name)
        );
        assert_eq!(all(&data, table).await, rows);
    }
}

/// This holds for all tables in any order of reading. Writers do not wait for the snapshot.
pub async fn snapshot_shows_the_rows_of_its_creation(database: Arc<dyn Database>) {
    let data = filled(&database, "acme").await;
    let mut before = Vec::new();
    for table in &TABLES {
        before.push(all(&data, table).await);
    }
    let snapshot = data.row_snapshot().await.unwrap();
    data.write(RecordHistory::new(vec![recorded("new", activity("s-1", 5))], noon())).await.unwrap();
    data.write(RetireProducts { ids: vec![product_id("mug")], at: noon() }).await.unwrap();
    let keys = table("request_keys");
    data.remove_rows(keys, &all(&data, keys).await).await.unwrap();
    for (table, rows) in TABLES.iter().zip(before) {
        assert_eq!(snapshot.rows_after(table, None, 1_000).await.unwrap(), rows, "{}", table.name);
        let rest = snapshot.rows_after(table, rows.first(), 1_000).await.unwrap();
        assert_eq!(rest, rows[1..], "{}", table.name);
    }
    let users = table("users");
    assert_eq!(data.row_snapshot().await.unwrap().rows_after(users, None, 9).await.unwrap().len(), 3);
}

fn table(name: &str) -> &'static Table {
    TABLES.iter().find(|table| table.name == name).unwrap()
}

fn text(text: &str) -> Cell {
    Cell::Text(text.into())
}

async fn all(data: &Arc<dyn TenantData>, table: &'static Table) -> Vec<Row> {
    data.rows_after(table, None, 1_000).await.unwrap()
}

/// The removal takes many small, consistent steps, and keeps other tenants. A role without the right is refused.
pub async fn a_tenant_is_removed_with_all_its_rows(database: Arc<dyn Database>) {
    let (gone, kept) = (filled(&database, "acme").await, filled(&database, "bolt").await);
    let (acme, bolt) = (build::tenant("acme").id, build::tenant("bolt").id);
    let counts = async |tenant: &TenantId| {
        let mut counts = Vec::new();
        for table in &TABLES {
            counts.push(database.count_tenant_rows(tenant, table).await.unwrap());
        }
        counts
    };
    let before = counts(&bolt).await;
    assert!(before.iter().all(|count| *count > 0), "{before:?}");
    assert_eq!(counts(&acme).await, before);
    if !database.may_remove_tenants().await.unwrap() {
        // The service's role is refused, and nothing is removed.
        assert!(database.remove_tenant_rows(&acme, 3).await.is_err());
        assert_eq!(counts(&acme).await, before);
        return;
    }
    let mut steps = 1;
    while !database.remove_tenant_rows(&acme, 3).await.unwrap() {
        steps += 1;
    }
    assert!(steps > 3, "{steps}");
    assert!(counts(&acme).await.iter().all(|count| *count == 0));
    assert_eq!(counts(&bolt).await, before);
    assert_eq!(
        database.tenants().await.unwrap().iter().map(|tenant| &tenant.id).collect::<Vec<_>>(),
        [&bolt]
    );
    assert!(database.remove_tenant_rows(&acme, 3).await.unwrap(), "again");
    assert!(gone.write(StoreToken(build::token(9, None))).await.is_err(), "a removed tenant takes no tokens");
    assert!(kept.write(StoreToken(build::token(9, None))).await.is_ok());
    database.insert_tenant(&build::tenant("acme"), &[]).await.unwrap();
}

/// No character of an id has a meaning there.
pub async fn rows_are_found_by_a_list_of_keys(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let ids = ["a", "a\"b", "a,b", "[\"a\"]", "$[0]", "カ", "it's", "\\u0061"];
    for id in ids {
        data.write(build::history([recorded(id, activity("s-1", 5)), recorded(id, activity("s-2", 6))]))
            .await
            .unwrap();
    }
    for id in ids {
        let users = Query::of::<User>("users", &["id"]).one_of("id", [id, "nobody"]);
        let found: Vec<User> = read_all(&*data, users).await.unwrap();
        assert_eq!(found.iter().map(|user| user.id.as_str()).collect::<Vec<_>>(), [id]);
    }
    let keys = ids.iter().map(|id| (*id, 2)).chain([("a", 1), ("a", 3)]);
    let rows = Query::of::<LedgerEntry>("entries", &["user_id", "seq"]).with_key(&["user_id", "seq"], keys);
    let found: Vec<LedgerEntry> = read_all(&*data, rows).await.unwrap();
    assert_eq!(found.len(), ids.len() + 1);
    assert!(found.iter().all(|entry| entry.seq == 2 || entry.user_id.as_str() == "a"));
    let none = Query::of::<User>("users", &["id"]).one_of("id", []);
    assert!(read_all::<User>(&*data, none).await.unwrap().is_empty());
}

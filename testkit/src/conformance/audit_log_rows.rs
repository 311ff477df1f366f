//! Facts of the audit log of stores with tables.

use std::sync::Arc;

use pointbook_access::audit_log::verify_audit_log;
use pointbook_points::members::put::ChangeUser;
use pointbook_store::ports::{Cell, Database, Row, TenantData};
use pointbook_store::schema::{AUDIT_CHAINS, AUDIT_ENTRIES, Table};

use super::add_tenant;
use super::audit_log::write;
use crate::build;
use crate::build::noon;

async fn differences(data: &Arc<dyn TenantData>) -> Vec<String> {
    verify_audit_log(&**data).await.unwrap().differences
}

fn with(table: &Table, row: &Row, column: &str, cell: Cell) -> Row {
    let at = table.columns.iter().position(|known| known.name == column).unwrap();
    let mut row = row.clone();
    row[at] = cell;
    row
}

/// A changed, a removed, and a hidden newest entry are found.
pub async fn a_tampered_audit_log_is_found(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    for user in ["a", "b", "c", "d"] {
        write(&data, ChangeUser { change: build::user_change(user), now: noon() }).await;
    }
    let rows = data.rows_after(&AUDIT_ENTRIES, None, 9).await.unwrap();
    for column in ["actor", "actor_label", "operation", "object", "old_values", "new_values", "reason"] {
        let changed = with(&AUDIT_ENTRIES, &rows[1], column, Cell::Text("x".into()));
        data.write_rows(&AUDIT_ENTRIES, &[changed]).await.unwrap();
        assert_eq!(differences(&data).await, ["audit log: entry 2 is not what was written"], "{column}");
    }
    data.write_rows(&AUDIT_ENTRIES, &rows[1..2]).await.unwrap();
    assert_eq!(differences(&data).await, [""; 0]);
    data.remove_rows(&AUDIT_ENTRIES, &rows[1..3]).await.unwrap();
    assert_eq!(differences(&data).await, ["audit log: the entries 2 to 3 are missing"]);
    data.write_rows(&AUDIT_ENTRIES, &rows[1..3]).await.unwrap();
    data.remove_rows(&AUDIT_ENTRIES, &rows[3..]).await.unwrap();
    assert_eq!(differences(&data).await, ["audit log: the entries 4 to 4 are missing"]);
    let chain = data.rows_after(&AUDIT_CHAINS, None, 1).await.unwrap();
    let shorter = with(&AUDIT_CHAINS, &chain[0], "last_seq", Cell::Integer(3));
    data.write_rows(&AUDIT_CHAINS, &[shorter]).await.unwrap();
    assert_eq!(differences(&data).await, ["audit log: entry 3 is not the newest that was written"]);
}

/// A change whose entry cannot be written does not happen.
pub async fn a_change_without_its_entry_does_not_happen(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    write(&data, ChangeUser { change: build::user_change("a"), now: noon() }).await;
    let rows = data.rows_after(&AUDIT_ENTRIES, None, 9).await.unwrap();
    // The position of the next entry is taken.
    let planted = with(&AUDIT_ENTRIES, &rows[0], "seq", Cell::Integer(2));
    data.write_rows(&AUDIT_ENTRIES, std::slice::from_ref(&planted)).await.unwrap();
    let command = || ChangeUser { change: build::user_change("b"), now: noon() };
    assert!(data.execute_by(Some(build::author()), command(), None).await.is_err());
    assert_eq!(data.user(&build::user_id("b")).await.unwrap(), None);
    data.remove_rows(&AUDIT_ENTRIES, &[planted]).await.unwrap();
    write(&data, command()).await;
    assert!(data.user(&build::user_id("b")).await.unwrap().is_some());
    assert_eq!(differences(&data).await, [""; 0]);
}

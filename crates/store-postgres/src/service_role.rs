//! The role that the service connects as: what it may do, and of whose rows.

use crate::connection::Connection;
use crate::error::Outcome;
use crate::row::{Record, missing};

/// Whether the database shows rows of a tenant only to transactions that name it. That depends on the role
/// which the connection was made as: the owner of the tables sees everything.
pub(crate) async fn is_held_to_tenants(connection: &Connection) -> Outcome<bool> {
    let row = connection.row("SELECT row_security_active('users')", &[]).await?;
    let row = row.ok_or_else(|| missing("users", "row_security_active"))?;
    Record::new("users", 0, &row).get(0)
}

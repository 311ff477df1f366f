//! Which database this is.

use pointbook_app::StoreResult;

use crate::connection::Connection;
use crate::error::Outcome;
use crate::row::{Record, missing};
use crate::scoped::IntoScoped;
use crate::store::PostgresStore;

impl PostgresStore {
    /// What tells this database from all others, whatever its URL: equal for two handles exactly when one
    /// sees what the other writes, at once or, on a standby, soon.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn identity(&self) -> StoreResult<String> {
        self.access.read(None, "identity", |database| read(database).scoped()).await
    }
}

async fn read(database: &Connection) -> Outcome<String> {
    // A server's identifier is made with its files, and its standbys have the same.
    let sql = "SELECT catalog_name::text, current_schema()::text, system_identifier::text
               FROM information_schema.information_schema_catalog_name, pg_control_system()";
    let row = database.row(sql, &[]).await?;
    let row = row.ok_or_else(|| missing("information_schema_catalog_name", "1"))?;
    let record = Record::new("information_schema_catalog_name", 1, &row);
    let part = |place| record.get::<String>(place);
    Ok(format!("{}/{}/{}", part(2)?, part(0)?, part(1)?))
}

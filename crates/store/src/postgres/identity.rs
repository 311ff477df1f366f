//! Finds out whether two URLs lead to the same database.

use crate::ports::StoreResult;
use crate::postgres::scoped::IntoScoped;
use crate::postgres::store::PostgresStore;

impl PostgresStore {
    /// Whether both stores are the same database, even with different URLs. Then reads of one see writes to the other, with
    /// a delay on a standby. A clone that accepts writes is a different database.
    ///
    /// # Errors
    /// When a database does not respond.
    pub async fn is_one_with(&self, other: &Self) -> StoreResult<bool> {
        let before = self.identity().await?;
        let other = other.identity().await?;
        // The second check covers a server that restarted in between and has another start time.
        Ok(before.may_be(&other) || self.identity().await?.may_be(&other))
    }

    async fn identity(&self) -> StoreResult<Identity> {
        let select = "SELECT system_identifier::text, catalog_name::text, current_schema()::text,
                          (extract(epoch FROM pg_postmaster_start_time()) * 1000000)::bigint, pg_is_in_recovery()
                      FROM information_schema.information_schema_catalog_name, pg_control_system()";
        let (identifier, catalog, schema, started_at, is_standby) = self
            .access
            .read("identity", |database| {
                database.only("information_schema_catalog_name", select, &[]).scoped()
            })
            .await?;
        Ok(Identity { name: [identifier, catalog, schema], started_at, is_standby })
    }
}

#[derive(Debug)]
struct Identity {
    /// The identifier of the server's files, which a clone copies; the database; and the schema.
    name: [String; 3],
    /// In microseconds since the Unix epoch.
    started_at: i64,
    /// Whether the server replicates another one.
    is_standby: bool,
}

impl Identity {
    /// Whether both may be the same database. Only clones that accept writes can be distinguished, by their start times. A
    /// standby counts as the same database as its primary.
    fn may_be(&self, other: &Self) -> bool {
        self.name == other.name
            && (self.is_standby || other.is_standby || self.started_at == other.started_at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn server(identifier: &str, started_at: i64, is_standby: bool) -> Identity {
        let name = [identifier, "points", "public"].map(str::to_owned);
        Identity { name, started_at, is_standby }
    }

    #[test]
    fn clone_is_different_database_once_it_accepts_writes() {
        let primary = server("7", 1, false);
        assert!(primary.may_be(&server("7", 1, false)));
        assert!(primary.may_be(&server("7", 2, true)) && server("7", 2, true).may_be(&primary));
        assert!(server("7", 2, true).may_be(&server("7", 3, true)));
        assert!(!primary.may_be(&server("7", 2, false)));
        assert!(!primary.may_be(&server("8", 1, false)) && !primary.may_be(&server("8", 2, true)));
    }
}

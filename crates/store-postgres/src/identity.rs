//! Which database this is.

use pointbook_app::StoreResult;

use crate::scoped::IntoScoped;
use crate::store::PostgresStore;

impl PostgresStore {
    /// Whether both are one database, whatever their URLs: what is written to one is seen by the other, at
    /// once or, on a standby, soon. A clone that takes writes of its own is another one.
    ///
    /// # Errors
    /// When a database does not answer.
    pub async fn is_one_with(&self, other: &Self) -> StoreResult<bool> {
        let before = self.identity().await?;
        let other = other.identity().await?;
        // Asked again, since a server that was started anew in between would look like two.
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
    /// The server's identifier, which is made with its files and copied with them; database and schema.
    name: [String; 3],
    /// In microseconds.
    started_at: i64,
    /// Whether it repeats what another server does.
    is_standby: bool,
}

impl Identity {
    /// Clones are told apart only when they take writes: a standby is one with each of its like.
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
    fn a_clone_is_another_database_once_it_takes_writes() {
        let primary = server("7", 1, false);
        assert!(primary.may_be(&server("7", 1, false)));
        assert!(primary.may_be(&server("7", 2, true)) && server("7", 2, true).may_be(&primary));
        assert!(server("7", 2, true).may_be(&server("7", 3, true)));
        assert!(!primary.may_be(&server("7", 2, false)));
        assert!(!primary.may_be(&server("8", 1, false)) && !primary.may_be(&server("8", 2, true)));
    }
}

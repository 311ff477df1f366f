//! PostgreSQL does what every store does, whatever isolation its transactions have.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

use std::sync::Arc;

use pointbook_store_postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::postgres::{Isolation, migrated_database};
use pointbook_testkit::{TestDatabase, build};

async fn new_database(isolation: Isolation) -> Option<TestDatabase> {
    let options = PostgresOptions::new(build::noon());
    let migrate = async |url: &str| {
        PostgresStore::migrate(&PostgresUrl::parse(url).unwrap(), &options).await.unwrap();
    };
    let fresh = migrated_database(isolation, migrate).await?;
    let store = PostgresStore::connect(&PostgresUrl::parse(&fresh.url).unwrap(), &options).await.unwrap();
    Some(TestDatabase { database: Arc::new(store), keep: Box::new(fresh) })
}

mod read_committed {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        new_database(Isolation::ReadCommitted).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

mod serializable {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        new_database(Isolation::Serializable).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

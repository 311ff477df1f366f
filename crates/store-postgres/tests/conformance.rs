//! PostgreSQL does what every store does, whatever isolation its transactions have, as the service's role,
//! and through a pooler that gives every transaction another connection.
#![expect(clippy::unwrap_used, reason = "what cannot happen ends a test")]

#[path = "service_role/role.rs"]
mod role;

use std::sync::Arc;

use pointbook_store_postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::postgres::{
    Isolation, PostgresDatabase, migrated_database, pooled_url, split_database,
};
use pointbook_testkit::{TestDatabase, build};

async fn migrated(isolation: Isolation) -> Option<PostgresDatabase> {
    migrated_database(isolation, role::migrate).await
}

async fn connect(url: &str, keep: PostgresDatabase) -> Option<TestDatabase> {
    let url = PostgresUrl::parse(url).unwrap();
    let store = PostgresStore::connect(&url, &PostgresOptions::new(build::noon())).await.unwrap();
    Some(TestDatabase { database: Arc::new(store), keep: Box::new(keep) })
}

/// The suite adds tenants and replaces secrets, as the owner would with a copy.
async fn hand_over(database: &PostgresDatabase) {
    let role = role::ROLE;
    let grant =
        format!("GRANT INSERT, UPDATE ON tenants TO {role}; GRANT UPDATE ON tenant_secrets TO {role}");
    role::connect(&database.url).await.batch_execute(&grant).await.unwrap();
    role::hand_over(&database.url).await;
}

mod read_committed {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        let database = migrated(Isolation::ReadCommitted).await?;
        connect(&database.url.clone(), database).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

mod serializable {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        let database = migrated(Isolation::Serializable).await?;
        connect(&database.url.clone(), database).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

/// Each statement goes to the one server of its tenant, or Citus refuses it here.
mod citus {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        let database = split_database(async |url| {
            let (url, options) = (PostgresUrl::parse(url).unwrap(), PostgresOptions::new(build::noon()));
            PostgresStore::migrate(&url, &options).await.unwrap();
            PostgresStore::split(&url, &options).await.unwrap();
        })
        .await?;
        connect(&database.url.clone(), database).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

/// Every transaction names its tenant, or this role would see nothing.
mod service_role {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        let database = migrated(Isolation::ReadCommitted).await?;
        hand_over(&database).await;
        connect(&database.url.clone(), database).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

/// Nothing is relied on that a connection would remember from one transaction to the next.
mod pooled {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        let database = migrated(Isolation::ReadCommitted).await?;
        hand_over(&database).await;
        let url = format!("{}?prepared_statements=off", pooled_url(&database)?);
        connect(&url, database).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

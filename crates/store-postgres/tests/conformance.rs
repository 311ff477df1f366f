//! Runs the conformance suite on PostgreSQL: with two isolation levels, with Citus, with the service role, and through a
//! pooler that gives each transaction another connection.
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

/// Grants the service role more rights, because the suite adds tenants and replaces secrets.
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

/// Citus is set up to refuse statements that do not go to the one server of their tenant.
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

/// This role sees no rows unless the transaction names its tenant.
mod service_role {
    use super::*;

    async fn fresh() -> Option<TestDatabase> {
        let database = migrated(Isolation::ReadCommitted).await?;
        hand_over(&database).await;
        connect(&database.url.clone(), database).await
    }

    pointbook_testkit::conformance_suite!(fresh);
}

/// The store must not rely on connection state between transactions.
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

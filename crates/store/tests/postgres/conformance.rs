//! Runs the conformance suite on PostgreSQL: as the service role and through a pooler that gives each transaction another
//! connection, or in the set-up that `POINTBOOK_TEST_SETUP` names.

use std::sync::Arc;

use pointbook_store::postgres::{PostgresOptions, PostgresStore, PostgresUrl};
use pointbook_testkit::postgres::Setup;
use pointbook_testkit::{TestDatabase, build};

use crate::role;

async fn fresh() -> Option<TestDatabase> {
    let setup = Setup::from_environment_or(Setup::Pooled);
    let options = PostgresOptions::new(build::noon());
    let database = if setup == Setup::Citus {
        let split = async |url: &str| {
            let url = PostgresUrl::parse(url).unwrap();
            PostgresStore::migrate(&url, &options).await.unwrap();
            PostgresStore::split(&url, &options).await.unwrap();
        };
        setup.database(split).await?
    } else {
        setup.database(role::migrate).await?
    };
    let url = PostgresUrl::parse(&setup.store_url(&database)).unwrap();
    let store = PostgresStore::connect(&url, &options).await.unwrap();
    Some(TestDatabase { database: Arc::new(store), keep: Box::new(database) })
}

pointbook_testkit::conformance_suite!(fresh);

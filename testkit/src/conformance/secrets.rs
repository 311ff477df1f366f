//! Facts of the secrets that keys are derived from.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_store::ports::Database;

use super::add_tenant;
use crate::build;

/// The first caller determines the secret.
pub async fn a_secret_is_made_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(data.secret("tenant", &[1; 32], build::noon()).await.unwrap(), [1; 32]);
    assert_eq!(data.secret("tenant", &[2; 32], build::on_day(1)).await.unwrap(), [1; 32]);
    let again = database.tenant(&build::tenant("acme").id);
    assert_eq!(again.secret("tenant", &[3; 32], build::on_day(2)).await.unwrap(), [1; 32]);
}

/// Another name or another tenant has a different secret.
pub async fn a_secret_is_that_of_one_name_in_one_tenant(database: Arc<dyn Database>) {
    let (acme, other) = (add_tenant(&database, "acme").await, add_tenant(&database, "other").await);
    assert_eq!(acme.secret("tenant", &[1; 32], build::noon()).await.unwrap(), [1; 32]);
    assert_eq!(acme.secret("Tenant", &[2; 32], build::noon()).await.unwrap(), [2; 32]);
    assert_eq!(other.secret("tenant", &[3; 32], build::noon()).await.unwrap(), [3; 32]);
    assert_eq!(acme.secret("tenant", &[4; 32], build::noon()).await.unwrap(), [1; 32]);
}

/// Several instances may start on a new database at once.
pub async fn many_first_callers_get_one_secret(database: Arc<dyn Database>) {
    let tenants = ["a", "b", "c", "d"];
    for slug in tenants {
        let data = add_tenant(&database, slug).await;
        let callers = (0..8).map(|caller: u8| {
            let data = data.clone();
            tokio::spawn(async move { data.secret("tenant", &[caller; 32], build::noon()).await.unwrap() })
        });
        let secrets: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
        assert!(secrets.iter().all(|secret| *secret == secrets[0]), "{slug}: {secrets:?}");
        assert_eq!(data.secret("tenant", &[99; 32], build::noon()).await.unwrap(), secrets[0]);
    }
}

//! Facts of sealed data keys.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_store::data_key::{KeepDataKey, ResealDataKey};
use pointbook_store::ports::{Database, SealedDataKey};

use super::add_tenant;
use crate::build;

/// A data key that is sealed with the master key `id`, as bytes of this value.
fn sealed(id: &str, byte: u8) -> SealedDataKey {
    SealedDataKey { master_key_id: id.to_owned(), sealed: vec![byte; 60], created_at: build::noon() }
}

/// The first caller determines the data key.
pub async fn a_data_key_is_kept_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    assert_eq!(data.data_key().await.unwrap(), None);
    assert_eq!(data.write(KeepDataKey(sealed("a", 1))).await.unwrap(), sealed("a", 1));
    assert_eq!(data.write(KeepDataKey(sealed("b", 2))).await.unwrap(), sealed("a", 1));
    let again = database.tenant(&build::tenant("acme").id);
    assert_eq!(again.data_key().await.unwrap(), Some(sealed("a", 1)));
}

/// Tenants may have been sealed with the same master key, but never share a data key.
pub async fn a_data_key_is_that_of_one_tenant(database: Arc<dyn Database>) {
    let (acme, other) = (add_tenant(&database, "acme").await, add_tenant(&database, "other").await);
    acme.write(KeepDataKey(sealed("a", 1))).await.unwrap();
    assert_eq!(other.data_key().await.unwrap(), None);
    let (before, after) = (sealed("a", 1), sealed("a", 3));
    assert!(!other.write(ResealDataKey { before, after }).await.unwrap());
    assert_eq!(other.write(KeepDataKey(sealed("a", 2))).await.unwrap(), sealed("a", 2));
    assert_eq!(acme.data_key().await.unwrap(), Some(sealed("a", 1)));
}

/// Several instances may seal the first value of a tenant at once.
pub async fn many_first_callers_get_one_data_key(database: Arc<dyn Database>) {
    for slug in ["a", "b", "c", "d"] {
        let data = add_tenant(&database, slug).await;
        let callers = (0..8).map(|caller: u8| {
            let data = data.clone();
            tokio::spawn(async move { data.write(KeepDataKey(sealed("a", caller))).await.unwrap() })
        });
        let keys: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
        assert!(keys.iter().all(|key| *key == keys[0]), "{slug}: {keys:?}");
        assert_eq!(data.data_key().await.unwrap().as_ref(), Some(&keys[0]));
    }
}

/// A rotation that read an older row changes nothing.
pub async fn a_data_key_is_resealed_only_as_it_was_read(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let reseal = |before: &SealedDataKey, after: SealedDataKey| {
        data.write(ResealDataKey { before: before.clone(), after })
    };
    assert!(!reseal(&sealed("a", 1), sealed("b", 2)).await.unwrap());
    assert_eq!(data.data_key().await.unwrap(), None);
    data.write(KeepDataKey(sealed("a", 1))).await.unwrap();
    assert!(reseal(&sealed("a", 1), sealed("b", 2)).await.unwrap());
    assert_eq!(data.data_key().await.unwrap(), Some(sealed("b", 2)));
    for stale in [sealed("a", 1), sealed("a", 2), sealed("b", 1)] {
        assert!(!reseal(&stale, sealed("c", 3)).await.unwrap(), "{stale:?}");
    }
    assert_eq!(data.data_key().await.unwrap(), Some(sealed("b", 2)));
}

/// Of rotations that read the same row, one seals it.
pub async fn one_of_many_resealings_wins(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    data.write(KeepDataKey(sealed("a", 0))).await.unwrap();
    let callers = (1..=8).map(|caller: u8| {
        let data = data.clone();
        let reseal = ResealDataKey { before: sealed("a", 0), after: sealed("b", caller) };
        tokio::spawn(async move { (caller, data.write(reseal).await.unwrap()) })
    });
    let ended: Vec<_> = join_all(callers).await.into_iter().map(Result::unwrap).collect();
    let winners: Vec<_> = ended.iter().filter(|(_, won)| *won).collect();
    assert_eq!(winners.len(), 1, "{ended:?}");
    assert_eq!(data.data_key().await.unwrap(), Some(sealed("b", winners[0].0)));
}

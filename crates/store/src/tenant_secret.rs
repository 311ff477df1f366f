//! The secret of a tenant. The service derives from it the keys for everything that it hashes and signs for the tenant.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwapOption;
use hmac::{Hmac, KeyInit, Mac};
use pointbook_domain::Timestamp;
use sha2::Sha256;
use tokio::sync::{Mutex, MutexGuard};

use crate::content_key::ContentKey;
use crate::database_health::with_causes;
use crate::keyring::DataKey;
use crate::ports::{StoreError, StoreResult, TenantData};
use crate::sources::SecretSource;

/// The name of the row in the database.
const NAME: &str = "tenant";

/// The purpose of the content key. The number of a part follows.
const CONTENT: &[u8] = b"pointbook-content-1\n";

/// 32 random bytes that only the service knows. All instances on a database have the same secret, and a copy of the tenant keeps
/// it.
pub struct TenantSecret {
    bytes: [u8; 32],
    content_key: OnceLock<Arc<ContentKey>>,
}

impl TenantSecret {
    pub fn new(bytes: [u8; 32]) -> Self {
        Self { bytes, content_key: OnceLock::new() }
    }

    /// The key for one purpose: HMAC-SHA256 of the purpose under the secret. A key reveals nothing about the secret or about
    /// other keys. A purpose ends in a version and a line feed, such as `pointbook-etag-1\n`.
    pub fn derive(&self, purpose: &[u8]) -> [u8; 32] {
        // A key as long as the block of SHA-256 needs no hash.
        let mut key = [0; 64];
        key[..32].copy_from_slice(&self.bytes);
        let mac = Hmac::<Sha256>::new(&key.into()).chain_update(purpose);
        mac.finalize().into_bytes().into()
    }

    /// The key for hashes of what clients see. Derived at first use, and then kept.
    pub fn content_key(&self) -> &Arc<ContentKey> {
        self.content_key.get_or_init(|| {
            let mut bytes = [0; ContentKey::BYTES];
            for (number, part) in (0_u8..).zip(bytes.chunks_mut(32)) {
                let derived = self.derive(&[CONTENT, &[number]].concat());
                part.iter_mut().zip(derived).for_each(|(byte, of_part)| *byte = of_part);
            }
            Arc::new(ContentKey::new(&bytes))
        })
    }
}

impl fmt::Debug for TenantSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TenantSecret(..)")
    }
}

/// The secret of one served tenant. The service reads it at first use and keeps it in memory.
pub struct TenantSecrets {
    pub(crate) data: Arc<dyn TenantData>,
    pub(crate) source: Arc<dyn SecretSource>,
    loaded: ArcSwapOption<TenantSecret>,
    /// The opened data key, after its first use ([`crate::data_key`]).
    pub(crate) data_key: ArcSwapOption<DataKey>,
    /// Held during a read, so that many first requests make one read. It has the error of the last read of the secret, if it
    /// failed.
    pub(crate) loading: Mutex<Option<StoreError>>,
    /// The number of failed reads. A caller that waited for a read shares its failure.
    failures: AtomicU64,
}

impl TenantSecrets {
    /// The secret of the tenant with this data. The first use reads it, or stores a new one from the source.
    pub fn new(data: Arc<dyn TenantData>, source: Arc<dyn SecretSource>) -> Self {
        let (loading, failures) = (Mutex::default(), AtomicU64::default());
        let (loaded, data_key) = (ArcSwapOption::empty(), ArcSwapOption::empty());
        Self { data, source, loaded, data_key, loading, failures }
    }

    /// The secret. Reads it when it is not in memory, and stores a new one when the database has none.
    ///
    /// # Errors
    /// When the store fails, for this call or for one that it waited for. The next call tries again.
    pub async fn get(&self, now: Timestamp) -> StoreResult<Arc<TenantSecret>> {
        if let Some(secret) = self.loaded.load_full() {
            return Ok(secret);
        }
        let failures = self.failures.load(Ordering::SeqCst);
        let loading = self.loading.lock().await;
        match (self.loaded.load_full(), &*loading) {
            (Some(secret), _) => Ok(secret),
            (None, Some(failure)) if self.failures.load(Ordering::SeqCst) != failures => {
                Err(repeated(failure))
            }
            (None, _) => self.read(loading, now).await,
        }
    }

    /// Reads the secret again, and forgets the data key, because a copy into this database may have replaced both.
    ///
    /// # Errors
    /// When the store fails. The secret in memory stays.
    pub async fn reload(&self, now: Timestamp) -> StoreResult<Arc<TenantSecret>> {
        let loading = self.loading.lock().await;
        self.data_key.store(None);
        self.read(loading, now).await
    }

    async fn read(
        &self,
        mut loading: MutexGuard<'_, Option<StoreError>>,
        now: Timestamp,
    ) -> StoreResult<Arc<TenantSecret>> {
        let read = self.data.secret(NAME, &self.source.secret(), now).await;
        let secret = read.inspect_err(|error| {
            *loading = Some(repeated(error));
            self.failures.fetch_add(1, Ordering::SeqCst);
        })?;
        let secret = Arc::new(TenantSecret::new(secret));
        self.loaded.store(Some(secret.clone()));
        Ok(secret)
    }
}

/// The same failure for one more caller.
fn repeated(failure: &StoreError) -> StoreError {
    match failure {
        StoreError::Unavailable(cause) => StoreError::Unavailable(with_causes(&**cause).into()),
        StoreError::Overloaded => StoreError::Overloaded,
        StoreError::Failed(cause) => StoreError::Failed(with_causes(&**cause).into()),
        StoreError::Corrupt(what) => StoreError::Corrupt(what.clone()),
    }
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER;

    use super::*;

    #[test]
    fn a_key_is_the_hmac_of_its_purpose() {
        // Made by `printf 'pointbook-test-1\n' | openssl dgst -sha256 -mac HMAC -macopt hexkey:0707...`.
        let key = TenantSecret::new([7; 32]).derive(b"pointbook-test-1\n");
        assert_eq!(HEXLOWER.encode(&key), "61047580a004be0e62b8aacf62389450e860b6d5f11765c9542eefd6e4e24ce6");
        assert_ne!(key, TenantSecret::new([7; 32]).derive(b"pointbook-test-2\n"));
        assert_ne!(key, TenantSecret::new([8; 32]).derive(b"pointbook-test-1\n"));
    }

    #[test]
    fn the_same_secret_has_the_same_content_key() {
        let hash = |secret: u8| TenantSecret::new([secret; 32]).content_key().hash(b"a page");
        assert_eq!(hash(7), hash(7));
        assert_ne!(hash(7), hash(8));
    }

    #[test]
    fn a_secret_is_not_printed() {
        assert_eq!(format!("{:?}", TenantSecret::new([7; 32])), "TenantSecret(..)");
    }
}

//! The data key of a tenant: first use, several processes, rotation of the master key, and everything that may be wrong with it.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex};

use pointbook_catalogue::cache::snapshot;
use pointbook_store::data_key::{
    DataKeyError, KeepDataKey, ResealDataKey, Resealing, check_data_key, reseal_data_key,
};
use pointbook_store::keyring::{AssociatedData, MasterKeys};
use pointbook_store::ports::SealedDataKey;
use pointbook_store::sources::KeyFileError;
use pointbook_store::{Actor, Context, SecretSource, ServedTenant, Service, ServiceLimits};
use pointbook_testkit::{FixedClock, SequentialIds, TestDatabase, build, sqlite};

/// 32 bytes with the values 1 and 2 in base64.
const ONE: &str = "AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";
const TWO: &str = "AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=";

/// The secrets of a process: bytes that differ at each call, and a key file that a test can change.
#[derive(Default)]
struct Secrets {
    calls: AtomicU8,
    key_file: Mutex<Option<String>>,
}

impl Secrets {
    fn with(key_file: &str) -> Arc<Self> {
        let secrets = Arc::new(Self::default());
        secrets.set(key_file);
        secrets
    }

    fn set(&self, key_file: &str) {
        *self.key_file.lock().unwrap() = Some(key_file.to_owned());
    }
}

impl SecretSource for Secrets {
    fn secret(&self) -> [u8; 32] {
        [self.calls.fetch_add(1, Ordering::SeqCst); 32]
    }

    fn master_keys(&self) -> Result<Option<MasterKeys>, KeyFileError> {
        let key_file = self.key_file.lock().unwrap();
        let keys = key_file.as_deref().map(MasterKeys::parse).transpose();
        keys.map_err(|problem| KeyFileError(problem.to_string()))
    }
}

async fn store() -> TestDatabase {
    sqlite::database_of(["acme", "other"].map(build::tenant)).await
}

/// The tenants `acme` and `other` in a process with these secrets.
async fn tenants(store: &TestDatabase, secrets: &Arc<Secrets>) -> [Arc<ServedTenant>; 2] {
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let clock = Arc::new(FixedClock::new(build::noon()));
    let service = Service::open(store.database.clone(), clock, secrets.clone(), limits).await.unwrap();
    service.directory().tenants().to_vec().try_into().unwrap_or_else(|_| panic!("there are two tenants"))
}

/// The tenant `acme` in a process with these secrets.
async fn process(store: &TestDatabase, secrets: &Arc<Secrets>) -> Arc<ServedTenant> {
    let [acme, _] = tenants(store, secrets).await;
    acme
}

async fn reseal(served: &Arc<ServedTenant>) -> Result<Resealing, DataKeyError> {
    let ids = Arc::new(SequentialIds::default());
    reseal_data_key(&Context::new(served.clone(), Actor::CommandLine, build::noon(), ids)).await
}

async fn stored(served: &ServedTenant) -> SealedDataKey {
    served.data.data_key().await.unwrap().unwrap()
}

#[tokio::test]
async fn first_use_makes_the_data_key_of_all_processes() {
    let (store, place) = (store().await, AssociatedData::new("test-1\n"));
    let first = process(&store, &Secrets::with(&format!("a {ONE}\n"))).await;
    assert_eq!(check_data_key(&first).await.unwrap(), None);
    let sealed = first.data_key(build::noon()).await.unwrap().seal(b"code", &place, &[9; 32]).unwrap();
    let second = process(&store, &Secrets::with(&format!("b {TWO}\na {ONE}\n"))).await;
    let opened = second.data_key(build::on_day(1)).await.unwrap().open(&sealed, &place).unwrap();
    assert_eq!(opened.as_slice(), b"code");
    assert_eq!(stored(&first).await.created_at, build::noon());
    assert_eq!(check_data_key(&second).await.unwrap().unwrap().as_str(), "a");
}

#[tokio::test]
async fn without_a_key_file_only_sealing_fails() {
    let store = store().await;
    let (secrets, served) = (Arc::new(Secrets::default()), process(&store, &Arc::default()).await);
    assert!(matches!(served.data_key(build::noon()).await, Err(DataKeyError::NoMasterKey)));
    assert_eq!(served.data.data_key().await.unwrap(), None);
    served.secrets.get(build::noon()).await.unwrap();
    let served = process(&store, &secrets).await;
    secrets.set("a b\n");
    let refused = served.data_key(build::noon()).await.unwrap_err();
    assert!(
        matches!(&refused, DataKeyError::KeyFile(KeyFileError(problem)) if problem.starts_with("line 1: "))
    );
    secrets.set(&format!("a {ONE}\n"));
    served.data_key(build::noon()).await.unwrap();
    // The opened key stays in memory.
    secrets.set("");
    served.data_key(build::noon()).await.unwrap();
    assert!(check_data_key(&served).await.is_err());
}

#[tokio::test]
async fn rotation_keeps_the_data_key_and_can_be_repeated() {
    let store = store().await;
    let secrets = Secrets::with(&format!("a {ONE}\n"));
    let served = process(&store, &secrets).await;
    assert_eq!(reseal(&served).await.unwrap(), Resealing::NoDataKey);
    let key = served.data_key(build::noon()).await.unwrap();
    assert_eq!(reseal(&served).await.unwrap(), Resealing::Unchanged);
    secrets.set(&format!("b {TWO}\na {ONE}\n"));
    assert_eq!(reseal(&served).await.unwrap(), Resealing::Resealed);
    assert_eq!(reseal(&served).await.unwrap(), Resealing::Unchanged);
    assert_eq!(stored(&served).await.master_key_id, "b");
    let other = process(&store, &Secrets::with(&format!("b {TWO}\n"))).await;
    assert_eq!(other.data_key(build::noon()).await.unwrap(), key);
}

#[tokio::test]
async fn missing_or_wrong_master_key_is_named() {
    let store = store().await;
    process(&store, &Secrets::with(&format!("a {ONE}\n"))).await.data_key(build::noon()).await.unwrap();
    let missing = process(&store, &Secrets::with(&format!("b {TWO}\n"))).await;
    for refused in [
        check_data_key(&missing).await.unwrap_err(),
        reseal(&missing).await.unwrap_err(),
        missing.data_key(build::noon()).await.unwrap_err(),
    ] {
        assert!(matches!(&refused, DataKeyError::UnknownMasterKey(id) if id == "a"), "{refused}");
    }
    let wrong = process(&store, &Secrets::with(&format!("a {TWO}\n"))).await;
    let refused = check_data_key(&wrong).await.unwrap_err();
    assert!(matches!(&refused, DataKeyError::DoesNotOpen(id) if id == "a"), "{refused}");
    assert_eq!(stored(&wrong).await.master_key_id, "a");
}

#[tokio::test]
async fn row_of_another_tenant_or_with_a_changed_byte_does_not_open() {
    let store = store().await;
    let [acme, other] = tenants(&store, &Secrets::with(&format!("a {ONE}\n"))).await;
    acme.data_key(build::noon()).await.unwrap();
    let row = stored(&acme).await;
    other.data.write(KeepDataKey(row.clone())).await.unwrap();
    assert!(matches!(check_data_key(&other).await, Err(DataKeyError::DoesNotOpen(_))));
    for place in 0..row.sealed.len() {
        let before = stored(&acme).await;
        let mut after = row.clone();
        after.sealed[place] ^= 1;
        assert!(acme.data.write(ResealDataKey { before, after }).await.unwrap());
        let refused = check_data_key(&acme).await;
        assert!(matches!(refused, Err(DataKeyError::DoesNotOpen(_))), "byte {place}");
    }
}

/// A copy of a tenant may replace the data key, and the process then reads the whole catalogue again.
#[tokio::test]
async fn data_key_is_read_again_with_the_catalogue() {
    let store = store().await;
    let served = process(&store, &Secrets::with(&format!("a {ONE}\n"))).await;
    let key = served.data_key(build::noon()).await.unwrap();
    let before = stored(&served).await;
    let after = SealedDataKey { master_key_id: "b".to_owned(), ..before.clone() };
    assert!(served.data.write(ResealDataKey { before, after }).await.unwrap());
    assert_eq!(served.data_key(build::noon()).await.unwrap(), key);
    snapshot(&served, build::noon()).await.unwrap();
    let refused = served.data_key(build::noon()).await;
    assert!(matches!(refused, Err(DataKeyError::UnknownMasterKey(id)) if id == "b"));
}

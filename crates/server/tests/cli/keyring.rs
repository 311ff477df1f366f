//! `pointbook keyring`.

use std::fs;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use pointbook_store::keyring::MasterKeys;
use pointbook_store::sources::KeyFileError;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_store::{SecretSource, Service, ServiceLimits};
use pointbook_testkit::postgres::empty_database;
use pointbook_testkit::{FixedClock, build};
use serde_json::{Value, json};

use crate::program::{Ended, Folder};

/// The secrets of a server that uses the file `keys`.
struct Secrets(String);

impl SecretSource for Secrets {
    fn secret(&self) -> [u8; 32] {
        [7; 32]
    }

    fn master_keys(&self) -> Result<Option<MasterKeys>, KeyFileError> {
        Ok(Some(MasterKeys::parse(&self.0).unwrap()))
    }
}

async fn open(folder: &Folder) -> Service {
    let store = SqliteStore::open(&folder.path("pointbook.db"), &SqliteOptions::new(build::noon())).unwrap();
    let limits = ServiceLimits {
        principal_max_age_seconds: 0,
        principal_max_age_when_away_seconds: 0,
        refresh_interval_ms: 500,
        catalogue_bytes: 0,
    };
    let secrets = Secrets(fs::read_to_string(folder.path("keys")).unwrap());
    let clock = Arc::new(FixedClock::new(build::noon()));
    Service::open(Arc::new(store), clock, Arc::new(secrets), limits).await.unwrap()
}

/// Opens the data keys of all tenants as a server does, and makes missing ones.
async fn use_data_keys(folder: &Folder) {
    for served in open(folder).await.directory().tenants() {
        served.data_key(build::noon()).await.unwrap();
    }
}

/// A folder with two tenants that have data keys, and a key file.
async fn folder() -> Folder {
    let folder = Folder::with_tenant();
    folder
        .run("tenant add acme --environment staging --base-url http://acme.example/staging/api")
        .expect_code(0);
    folder.run("keyring init --file keys").expect_code(0);
    use_data_keys(&folder).await;
    folder
}

fn check(folder: &Folder) -> Value {
    serde_json::from_str(&folder.run("keyring check --file keys --json").expect_code(0).stdout).unwrap()
}

/// State and number of data keys of each master key.
fn states(uses: &Value) -> Vec<(&str, u64)> {
    let uses = uses.as_array().unwrap().iter();
    uses.map(|used| (used["state"].as_str().unwrap(), used["data_keys"].as_u64().unwrap())).collect()
}

fn id(uses: &Value, place: usize) -> String {
    uses[place]["id"].as_str().unwrap().to_owned()
}

#[test]
fn a_key_file_is_created_and_never_overwritten() {
    let folder = Folder::new();
    let created = folder.run("keyring init --file keys").expect_code(0);
    let path = folder.path("keys");
    assert!(created.stdout.starts_with("created keys with the master key 20"), "{created:?}");
    assert!(created.stderr.contains("keep a copy of this file apart"), "{created:?}");
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    let before = fs::read(&path).unwrap();
    folder.run("keyring init --file keys").expect_refusal(&["keys exists already"]);
    assert_eq!(fs::read(&path).unwrap(), before);
    let by_variable = folder.run_with_variable("keyring init", "POINTBOOK_MASTER_KEY_FILE", "other");
    by_variable.expect_code(0);
    folder.write("a.toml", "[master_key]\nfile = \"third\"\n");
    folder.run_with_variable("keyring init", "POINTBOOK_CONFIG", "a.toml").expect_code(0);
    assert!(folder.path("other").exists() && folder.path("third").exists());
    folder
        .run("keyring init")
        .expect_refusal(&["no key file is named: name it with --file, POINTBOOK_MASTER_KEY_FILE"]);
    assert!(!folder.path("pointbook.db").exists());
}

#[tokio::test]
async fn a_rotation_seals_all_data_keys_and_the_old_key_may_then_be_removed() {
    let folder = folder().await;
    let before = check(&folder);
    assert_eq!(states(&before), [("seals", 2)]);
    let rotated = folder.run("keyring rotate --file keys").expect_code(0);
    let after = check(&folder);
    assert_eq!(states(&after), [("seals", 2), ("unused", 0)]);
    assert_eq!(id(&after, 1), id(&before, 0));
    let new = id(&after, 0);
    assert!(rotated.stdout.starts_with(&format!("added the master key {new} to keys\n")), "{rotated:?}");
    let sealed = format!("2 data keys are sealed with {new}, 2 of them now\n");
    assert!(rotated.stdout.ends_with(&sealed), "{rotated:?}");

    let table = folder.run("keyring check --file keys").expect_code(0);
    assert!(table.stdout.starts_with("KEY                  STATE   DATA KEYS\n"), "{table:?}");
    assert!(
        table.stderr.starts_with(&format!("{} seals no data key here: it may be", id(&before, 0))),
        "{table:?}"
    );
    let text = fs::read_to_string(folder.path("keys")).unwrap();
    let kept: String = text.split_inclusive('\n').filter(|line| !line.starts_with(&id(&before, 0))).collect();
    folder.write("keys", &kept);
    assert_eq!(states(&check(&folder)), [("seals", 2)]);
    use_data_keys(&folder).await;
}

/// The process was killed after it had added the key, or between two tenants.
#[tokio::test]
async fn an_interrupted_rotation_is_completed_without_another_key() {
    let folder = folder().await;
    let old = fs::read_to_string(folder.path("keys")).unwrap();
    let rows = sealed(&folder).await;
    let rotate = || folder.run("keyring rotate --file keys").expect_code(0);
    rotate();
    let new = fs::read_to_string(folder.path("keys")).unwrap();
    for left in [2, 1] {
        restore(&folder, &rows[..left]);
        assert_eq!(states(&check(&folder)), [("seals", 2 - left as u64), ("opens", left as u64)]);
        let completed = rotate();
        assert!(
            completed
                .stderr
                .contains("completed the rotation to the first key of the file: no key was added"),
            "{completed:?}"
        );
        assert!(completed.stdout.ends_with(&format!(", {left} of them now\n")), "{completed:?}");
        assert_eq!(fs::read_to_string(folder.path("keys")).unwrap(), new);
        assert_eq!(states(&check(&folder)), [("seals", 2), ("unused", 0)]);
    }
    // Killed before it had renamed the new file.
    folder.write("keys.new", &old);
    rotate();
    assert_eq!(states(&check(&folder)), [("seals", 2), ("unused", 0), ("unused", 0)]);
    assert!(!folder.path("keys.new").exists());
    use_data_keys(&folder).await;
}

/// Tenant, master key and sealed bytes of each data key.
type SealedRow = (String, String, Vec<u8>);

async fn sealed(folder: &Folder) -> Vec<SealedRow> {
    let service = open(folder).await;
    let mut rows = Vec::new();
    for served in service.directory().tenants() {
        let row = served.data.data_key().await.unwrap().unwrap();
        rows.push((served.tenant.id.to_string(), row.master_key_id, row.sealed));
    }
    rows
}

fn restore(folder: &Folder, rows: &[SealedRow]) {
    let database = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    for (tenant, key, sealed) in rows {
        let update = "UPDATE data_keys SET master_key_id = ?2, sealed = ?3 WHERE tenant_id = ?1";
        database.execute(update, rusqlite::params![tenant, key, sealed]).unwrap();
    }
}

#[tokio::test]
async fn concurrent_rotations_lose_no_data_key() {
    let folder = folder().await;
    let ended: Vec<Ended> = std::thread::scope(|scope| {
        let rotate = || scope.spawn(|| folder.run("keyring rotate --file keys"));
        let running: Vec<_> = (0..4).map(|_| rotate()).collect();
        running.into_iter().map(|rotation| rotation.join().unwrap()).collect()
    });
    for ended in ended {
        ended.expect_code(0);
    }
    let uses = check(&folder);
    assert_eq!(states(&uses)[0], ("seals", 2), "{uses}");
    use_data_keys(&folder).await;
}

#[tokio::test]
async fn a_missing_master_key_is_named_with_its_tenants() {
    let folder = folder().await;
    let id = id(&check(&folder), 0);
    fs::rename(folder.path("keys"), folder.path("lost")).unwrap();
    folder.run("keyring check --file keys").expect_refusal(&["cannot read keys"]);
    folder.run("keyring init --file keys").expect_code(0);
    let refused = folder.run("keyring check --file keys").expect_code(1);
    for tenant in ["acme/production", "acme/staging"] {
        let message = format!(
            "pointbook: {tenant}: the key file lacks the master key {id}, with which the data key is sealed\n"
        );
        assert!(refused.stderr.contains(&message), "{refused:?}");
    }
    assert!(!refused.stderr.contains("may be removed"), "{refused:?}");
    let rotated = folder.run("keyring rotate --file keys").expect_code(1);
    assert!(rotated.stdout.ends_with(", 0 of them now\n"), "{rotated:?}");
    // The old key only opens when it is added after the new one.
    let [new, lost] = ["keys", "lost"].map(|name| fs::read_to_string(folder.path(name)).unwrap());
    folder.write("keys", &format!("{new}{lost}"));
    let uses = check(&folder);
    assert_eq!(states(&uses), [("seals", 0), ("unused", 0), ("opens", 2)]);
    folder.run("keyring rotate --file keys").expect_code(0);
    assert_eq!(states(&check(&folder)), [("seals", 2), ("unused", 0), ("unused", 0)]);
}

#[tokio::test]
async fn a_copy_to_a_server_with_other_master_keys_is_found() {
    let folder = folder().await;
    folder.run("copy --from sqlite:pointbook.db --to sqlite:target.db").expect_code(0);
    let copied = folder.run("keyring check --file keys --database sqlite:target.db --json").expect_code(0);
    assert_eq!(states(&serde_json::from_str(&copied.stdout).unwrap()), [("seals", 2)]);
    folder.run("keyring init --file other").expect_code(0);
    let refused = folder.run("keyring check --file other --database sqlite:target.db").expect_code(1);
    assert!(refused.stderr.contains("acme/staging: the key file lacks the master key"), "{refused:?}");
    // A second copy replaces what was sealed again meanwhile.
    folder.run("keyring rotate --file keys --database sqlite:target.db").expect_code(0);
    let again = folder.run("copy --from sqlite:pointbook.db --to sqlite:target.db").expect_code(0);
    assert!(again.stdout.contains("3 changed, 1 removed"), "{again:?}");
    folder.run("keyring check --file keys --database sqlite:target.db").expect_code(0);
}

#[tokio::test]
async fn keys_of_a_postgresql_database_are_rotated_and_checked() {
    let Some(target) = empty_database().await else { return };
    let (folder, url) = (folder().await, &target.url);
    folder.run(&format!("migrate --database {url}")).expect_code(0);
    folder.run(&format!("copy --from sqlite:pointbook.db --to {url}")).expect_code(0);
    let rotated = folder.run(&format!("keyring rotate --file keys --database {url}")).expect_code(0);
    assert!(rotated.stdout.ends_with(", 2 of them now\n"), "{rotated:?}");
    let checked = folder.run(&format!("keyring check --file keys --json --database {url}")).expect_code(0);
    assert_eq!(states(&serde_json::from_str(&checked.stdout).unwrap()), [("seals", 2), ("unused", 0)]);
    assert_eq!(states(&check(&folder)), [("seals", 0), ("opens", 2)]);
}

#[tokio::test]
async fn a_changed_row_is_found() {
    let folder = folder().await;
    let mut rows = sealed(&folder).await;
    rows[0].2[20] ^= 1;
    restore(&folder, &rows);
    let refused = folder.run("keyring check --file keys").expect_code(1);
    assert!(
        refused.stderr.starts_with("pointbook: acme/production: the data key does not open"),
        "{refused:?}"
    );
    assert_eq!(refused.stderr.lines().count(), 1, "{refused:?}");
    assert!(refused.stdout.ends_with("  seals  2\n"), "{refused:?}");
}

#[tokio::test]
async fn a_check_only_reads_and_warns_of_an_open_file() {
    let folder = folder().await;
    fs::set_permissions(folder.path("keys"), Permissions::from_mode(0o644)).unwrap();
    fs::set_permissions(folder.path("pointbook.db"), Permissions::from_mode(0o400)).unwrap();
    let before = fs::read(folder.path("pointbook.db")).unwrap();
    let checked = folder.run("keyring check --file keys").expect_code(0);
    assert!(checked.stderr.contains("every user of this machine can read"), "{checked:?}");
    assert_eq!(fs::read(folder.path("pointbook.db")).unwrap(), before);
}

#[test]
fn a_server_refuses_an_invalid_key_file_at_its_start() {
    let folder = Folder::with_tenant();
    folder.write("keys", "# x\na not-base64-but-secret\n");
    let line = "serve --listen 127.0.0.1:0";
    let refused = folder.run_with_variable(line, "POINTBOOK_MASTER_KEY_FILE", "keys").expect_code(2);
    let problem = "POINTBOOK_MASTER_KEY_FILE (or master_key.file): the key file keys is invalid: line 2: the key is not \
                   base64 with its padding";
    assert!(refused.stderr.contains(problem), "{refused:?}");
    assert!(!refused.stderr.contains("but-secret"), "{refused:?}");
    folder.write("a.toml", "[master_key]\nfile = \"missing\"\n");
    let refused = folder.run("serve --listen 127.0.0.1:0 --config a.toml").expect_code(2);
    assert!(refused.stderr.contains("cannot read missing"), "{refused:?}");
    let found = folder.run_with_variable("doctor --json", "POINTBOOK_MASTER_KEY_FILE", "keys").expect_code(1);
    let report: Value = serde_json::from_str(&found.stdout).unwrap();
    let key_file = report["findings"].as_array().unwrap().iter().find(|found| found["check"] == "key file");
    assert_eq!(key_file.unwrap()["state"], json!("problem"));
}

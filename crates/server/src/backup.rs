//! Backups of a SQLite database. A backup gets its final name only after it is copied, audited and synced to disk.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fs, io};

use pointbook_domain::Timestamp;
use pointbook_events::feed::restart_feed;
use pointbook_points::audit::audit_sums;
use pointbook_points::audit::ledger::audit_ledger;
use pointbook_points::audit::stock::audit_stock;
use pointbook_store::database_health::with_causes;
use pointbook_store::{Clock, Service};
use tokio::time::sleep;

use crate::commands::acting;
use crate::config::BackupConfig;
use crate::failure::Failure;
use crate::sources::SystemClock;
use crate::wiring::{DatabaseClient, DatabaseUrl, open_quiet_service};
use crate::{private_file, wiring};

/// What the audit of a copied database counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Contents {
    pub(crate) tenants: usize,
    pub(crate) users: u64,
    pub(crate) transactions: u64,
    pub(crate) differences: u64,
}

/// Copies a database into a new file. The file gets its name after its audit.
///
/// # Errors
/// [`Failure`] names the file that failed. Then no new file is left.
pub(crate) async fn back_up(source: &Path, target: &Path) -> Result<Contents, Failure> {
    // Refuse a source that is not a database of this version before creating a file.
    drop(open(source, DatabaseClient::ReadOnly).await?);
    copy(source, target, async |part| contents_of(&open(part, DatabaseClient::ReadOnly).await?).await).await
}

/// Creates a new database from a backup, upgrades its schema to this version, begins a new generation of each feed, and
/// audits it.
///
/// # Errors
/// [`Failure`] names the file that failed. Then no new file is left.
pub(crate) async fn restore(source: &Path, target: &Path) -> Result<Contents, Failure> {
    copy(source, target, async |part| {
        let contents = restart_feeds(part).await?;
        // The file alone gets the name.
        wiring::empty_log(part)?;
        Ok(contents)
    })
    .await
}

/// Upgrades the schema, begins the generations and audits the database, before it has its name: a server must never find the
/// feeds of the backup.
async fn restart_feeds(part: &Path) -> Result<Contents, Failure> {
    let service = open(part, DatabaseClient::Command).await?;
    // Readers know positions that the backup does not have.
    for served in service.directory().tenants() {
        restart_feed(&acting(&service, served)).await?;
    }
    contents_of(&service).await
}

/// Creates the target first, so that an existing file is never overwritten. The copy has a temporary name beside it until
/// it is examined and synced to disk.
async fn copy<T>(
    source: &Path,
    target: &Path,
    examine: impl AsyncFnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    reserve(target)?;
    let copied = copy_reserved(source, target, examine).await;
    if copied.is_err() {
        // This is the empty file from above, so it does no harm when it stays.
        drop(fs::remove_file(target));
    }
    copied
}

fn reserve(target: &Path) -> Result<(), Failure> {
    for end in ["-wal", "-journal"] {
        let log = beside(target, end);
        if log.exists() {
            return Err(Failure::input(format!(
                "{} belongs to an older database, and SQLite would read it as part of the new one: move it away",
                log.display()
            )));
        }
    }
    private_file::create_new(target).map(drop).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => Failure::input(format!(
            "{} exists already and is never overwritten: choose another name",
            target.display()
        )),
        _ => cannot("create", target, &error),
    })
}

async fn copy_reserved<T>(
    source: &Path,
    target: &Path,
    examine: impl AsyncFnOnce(&Path) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let part = tempfile_beside(target);
    private_file::replace(&part).map_err(|error| cannot("create", &part, &error))?;
    let finished = async {
        copy_off_thread(source.to_owned(), part.clone()).await?;
        let examined = examine(&part).await?;
        remove_logs(&part);
        File::open(&part).and_then(|file| file.sync_all()).map_err(|error| cannot("sync", &part, &error))?;
        fs::rename(&part, target).map_err(|error| cannot("rename", &part, &error))?;
        File::open(folder)
            .and_then(|folder| folder.sync_all())
            .map_err(|error| cannot("sync", folder, &error))?;
        Ok(examined)
    };
    let finished = finished.await;
    if finished.is_err() {
        drop(fs::remove_file(&part));
        remove_logs(&part);
    }
    finished
}

/// Removes what a connection may have left beside the file.
fn remove_logs(part: &Path) {
    for end in ["-wal", "-shm"] {
        drop(fs::remove_file(beside(part, end)));
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn tempfile_beside(target: &Path) -> PathBuf {
    beside(target, &format!(".{}.part", std::process::id()))
}

fn cannot(doing: &str, path: &Path, error: &io::Error) -> Failure {
    Failure::file(&format!("cannot {doing} {}", path.display()), error, error)
}

#[expect(clippy::disallowed_methods, reason = "a copy takes seconds and must not block a runtime thread")]
async fn copy_off_thread(source: PathBuf, part: PathBuf) -> Result<(), Failure> {
    let copied = tokio::task::spawn_blocking(move || wiring::copy_file(&source, &part)).await;
    copied.map_err(|error| Failure::trouble("the thread of the copy failed", &error))?
}

async fn open(path: &Path, client: DatabaseClient) -> Result<Service, Failure> {
    let url = DatabaseUrl::Sqlite(std::path::absolute(path).unwrap_or_else(|_| path.to_owned()));
    open_quiet_service(&url, client).await
}

/// Audits every tenant.
async fn contents_of(service: &Service) -> Result<Contents, Failure> {
    let mut contents = Contents::default();
    for served in service.directory().tenants() {
        let ledger = audit_ledger(&*served.data, |_| {}).await?;
        let stock = audit_stock(&*served.data, |_| {}).await?;
        let sums = audit_sums(&*served.data).await?;
        contents.tenants += 1;
        contents.users += ledger.users;
        contents.transactions += ledger.transactions;
        contents.differences += ledger.differences + stock.differences + sums.len() as u64;
    }
    Ok(contents)
}

/// The name of a scheduled backup is this prefix, the time of the copy, and this suffix.
const PREFIX: &str = "pointbook-";
const SUFFIX: &str = ".db";

/// Makes a backup whenever the newest one in the folder is older than the interval. Then deletes the oldest backups.
pub(crate) async fn keep_backing_up(source: PathBuf, config: BackupConfig) {
    loop {
        sleep(until_due(&config, SystemClock.now())).await;
        let target = config.folder.join(file_name(SystemClock.now()));
        match back_up(&source, &target).await {
            Ok(contents) if contents.differences > 0 => tracing::error!(
                file = %target.display(),
                differences = contents.differences,
                "the audit of the backup found differences: run `pointbook audit` on the database and on the backup"
            ),
            Ok(contents) => {
                tracing::info!(file = %target.display(), transactions = contents.transactions, "backed up");
                delete_oldest(&config);
            }
            Err(failure) => {
                let error = failure.messages.join("; ");
                tracing::warn!(error, folder = %config.folder.display(), "backup failed; the server retries every minute");
            }
        }
        // Pauses after a failure, too: an immediate retry would fail again.
        sleep(MIN_PAUSE).await;
    }
}

/// The pause between two attempts.
const MIN_PAUSE: Duration = Duration::from_mins(1);

fn until_due(config: &BackupConfig, now: Timestamp) -> Duration {
    let Some(newest) = backups_in(&config.folder).pop() else { return Duration::ZERO };
    let every = Duration::from_mins(config.every_minutes);
    let age = age_of(&config.folder.join(newest), now);
    age.map_or(Duration::ZERO, |age| every.saturating_sub(age))
}

fn age_of(path: &Path, now: Timestamp) -> Option<Duration> {
    let modified = path.metadata().ok()?.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    let now = Duration::from_micros(u64::try_from(now.as_micros()).ok()?);
    Some(now.saturating_sub(modified))
}

/// For example `pointbook-20261123T210000Z.db`: names sort by time.
fn file_name(now: Timestamp) -> String {
    let digits: String =
        now.to_string().chars().take(19).filter(|found| !matches!(found, '-' | ':')).collect();
    format!("{PREFIX}{digits}Z{SUFFIX}")
}

fn is_of_schedule(name: &str) -> bool {
    let time = name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)).unwrap_or_default();
    time.len() == 16
        && time.bytes().enumerate().all(|(index, byte)| match index {
            8 => byte == b'T',
            15 => byte == b'Z',
            _ => byte.is_ascii_digit(),
        })
}

/// The names of the scheduled backups in a folder, oldest first. Ignores other files.
fn backups_in(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<_> = names.filter(|name| is_of_schedule(name)).collect();
    names.sort();
    names
}

fn delete_oldest(config: &BackupConfig) {
    let backups = backups_in(&config.folder);
    let count = backups.len().saturating_sub(config.keep);
    for name in backups.into_iter().take(count) {
        let path = config.folder.join(name);
        if let Err(error) = fs::remove_file(&path) {
            tracing::warn!(error = with_causes(&error), file = %path.display(), "cannot delete an old backup");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(folder: &Path, keep: usize) -> BackupConfig {
        BackupConfig { folder: folder.to_owned(), every_minutes: 60, keep }
    }

    #[test]
    fn only_scheduled_backups_are_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let times = [0, 86_400, 172_800].map(|seconds| Timestamp::from_micros(seconds * 1_000_000).unwrap());
        assert_eq!(file_name(times[1]), "pointbook-19700102T000000Z.db");
        let others =
            ["pointbook-mine.db", "pointbook-19700101T000000Z.db.gz", "pointbook-1970010AT000000Z.db"];
        for name in times.map(file_name).iter().map(String::as_str).chain(others) {
            fs::write(folder.path().join(name), "").unwrap();
        }
        delete_oldest(&config(folder.path(), 2));
        assert_eq!(backups_in(folder.path()), [file_name(times[1]), file_name(times[2])]);
        for name in others {
            assert!(folder.path().join(name).exists(), "{name}");
        }
    }

    #[test]
    fn backup_is_due_without_backups_or_when_the_newest_is_old() {
        let folder = tempfile::tempdir().unwrap();
        let config = config(folder.path(), 2);
        let now = SystemClock.now();
        assert_eq!(until_due(&config, now), Duration::ZERO);
        fs::write(folder.path().join(file_name(now)), "").unwrap();
        let due = until_due(&config, now);
        assert!(due > Duration::from_mins(59), "{due:?}");
        assert_eq!(until_due(&config, now.plus_seconds(3_601)), Duration::ZERO);
    }

    /// A database with one tenant, whose feed has the generation 1.
    async fn with_tenant(path: &Path) {
        let url = DatabaseUrl::Sqlite(path.to_owned());
        let service = open_quiet_service(&url, DatabaseClient::NewDatabase).await.unwrap();
        let database = service.database.clone();
        pointbook_testkit::filled::filled(&database, "acme").await;
    }

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    #[tokio::test]
    async fn restored_file_has_its_new_generation_without_a_log() {
        let folder = tempfile::tempdir().unwrap();
        let [source, target] = ["a.db", "b.db"].map(|name| folder.path().join(name));
        with_tenant(&source).await;
        restore(&source, &target).await.unwrap();
        assert_eq!(names(folder.path()), ["a.db", "b.db"]);
        let service = open(&target, DatabaseClient::ReadOnly).await.unwrap();
        let served = service.directory().tenants()[0].clone();
        assert!(pointbook_events::feed::feed(&*served.data).await.unwrap().generation > 1_700_000_000);
    }
}

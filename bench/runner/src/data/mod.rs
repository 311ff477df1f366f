//! The databases of the benchmark. They are generated once, with a fixed seed, and kept in `target/bench`.

pub(super) mod catalogue;
pub(super) mod ledger;
mod tokens;
pub(super) mod words;

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, Result};
use pointbook_operate::pointbook::{NO_RATE_LIMIT, Pointbook, announce};
use pointbook_operate::root::repository;

use self::ledger::Special;
pub(super) use self::tokens::Tokens;
use super::{BASE_PATH, OTHER_BASE_PATH, OTHER_TENANT, TENANT};

/// The version of the data. Raise it when anything here changes, so that old databases are generated again.
const VERSION: u32 = 4;
/// The number of ordinary users for writes, and in a second tenant.
pub(super) const FEW_USERS: u32 = 100;
/// The number of products when the catalogue is not measured.
const FEW_PRODUCTS: u32 = 1_000;
/// Products are published before the day of their database. After so many days too few of them are new.
const FRESH_DAYS: i64 = 7;
const DAY_SECONDS: i64 = 86_400;
/// Ledgers end with May 2026.
const LEDGER_END: DayEnd = DayEnd(1_780_272_000);

/// The end of a day, in seconds since the epoch. Publications and transactions are before it, so that
/// some products are new.
#[derive(Debug, Clone, Copy)]
pub(super) struct DayEnd(pub(super) i64);

/// The purpose of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dataset {
    /// Lists: this many products, no ledger.
    Catalogue(u32),
    /// Histories: 1,000 ordinary users and the special ones.
    Ledger,
    /// Histories of two tenants: a few ordinary users of each, and the most expensive requests.
    Tenants,
    /// Histories: this many ordinary users, of 500 rows each.
    Users(u32),
    /// Writes: a small catalogue and ledger, which are copied and added to.
    Writes,
}

/// A filled database with its tokens.
pub(super) struct Database {
    pub(super) path: PathBuf,
    pub(super) pointbook: Pointbook,
    pub(super) tokens: Tokens,
}

impl Dataset {
    fn name(self) -> String {
        match self {
            Self::Catalogue(products) => format!("catalogue-{products}"),
            Self::Ledger => "ledger".to_owned(),
            Self::Tenants => "tenants".to_owned(),
            Self::Users(users) => format!("users-{users}"),
            Self::Writes => "writes-base".to_owned(),
        }
    }

    fn products(self) -> u32 {
        if let Self::Catalogue(products) = self { products } else { FEW_PRODUCTS }
    }

    fn users(self) -> u32 {
        match self {
            Self::Catalogue(_) => 0,
            Self::Ledger => 1_000,
            Self::Users(users) => users,
            Self::Tenants | Self::Writes => FEW_USERS,
        }
    }

    fn specials(self) -> &'static [&'static Special] {
        match self {
            Self::Ledger => &[&ledger::HEAVY, &ledger::ONE_PAGE],
            Self::Tenants => &[&ledger::LONG_PAGE],
            Self::Writes => &[&ledger::HEAVY],
            Self::Catalogue(_) | Self::Users(_) => &[],
        }
    }

    /// Opens the database. Generates it when it is missing, has another version, or its new products are too old.
    pub(super) fn prepare(self) -> Result<Database> {
        let (folder, today) = (folder()?, today_end()?);
        let path = folder.join(format!("{}.db", self.name()));
        let pointbook = Pointbook::new(&path);
        let complete = path.with_extension("complete");
        let stamp = fs::read_to_string(&complete).unwrap_or_default();
        if !is_fresh(&stamp, today) {
            eprintln!("generating the data of {}", self.name());
            for leftover in ["db", "db-wal", "db-shm", "complete"] {
                // A missing file is fine.
                let _ = fs::remove_file(path.with_extension(leftover));
            }
            self.fill(&pointbook, &folder, today)?;
            Tokens::issue(&pointbook, self)?.write(&path)?;
            fs::write(complete, format!("{VERSION} {}", today.0))?;
        }
        Ok(Database { tokens: Tokens::read(&path)?, path, pointbook })
    }

    /// Fills an empty database.
    pub(super) fn fill(self, pointbook: &Pointbook, folder: &Path, today: DayEnd) -> Result<()> {
        add_tenant(pointbook, TENANT, BASE_PATH)?;
        let files = ["json", "jsonl", "csv"].map(|format| folder.join(format!("{}.{format}", self.name())));
        let [categories, products, activities] = &files;
        catalogue::write_categories(categories)?;
        import(pointbook, "categories", categories, TENANT)?;
        catalogue::write_products(products, self.products(), today)?;
        import(pointbook, "products", products, TENANT)?;
        ledger::write_activities(activities, self.users(), self.specials(), LEDGER_END)?;
        import(pointbook, "activities", activities, TENANT)?;
        if self == Self::Tenants {
            add_tenant(pointbook, OTHER_TENANT, OTHER_BASE_PATH)?;
            ledger::write_activities(activities, FEW_USERS, &[], LEDGER_END)?;
            import(pointbook, "activities", activities, OTHER_TENANT)?;
        }
        files.iter().try_for_each(fs::remove_file)?;
        Ok(())
    }
}

/// Copies a closed database, with the log that a killed server may have left.
pub(super) fn copy(from: &Path, to: &Path) -> Result<()> {
    for suffix in ["db", "db-wal", "db-shm"] {
        let (source, target) = (from.with_extension(suffix), to.with_extension(suffix));
        if target.exists() {
            fs::remove_file(&target)?;
        }
        // The third file is an index of the second. SQLite creates it when it is missing.
        if source.exists() && suffix != "db-shm" {
            fs::copy(source, target)?;
        }
    }
    Ok(())
}

/// Whether a database with this stamp may be used today.
fn is_fresh(stamp: &str, today: DayEnd) -> bool {
    let Some((version, end)) = stamp.split_once(' ') else { return false };
    let age_seconds = end.parse::<i64>().map_or(i64::MAX, |end| today.0 - end);
    version == VERSION.to_string() && (0..=FRESH_DAYS * DAY_SECONDS).contains(&age_seconds)
}

pub(super) fn add_tenant(pointbook: &Pointbook, tenant: &str, base_path: &str) -> Result<()> {
    let base_url = format!("http://bench.example{base_path}");
    let add = ["tenant", "add", tenant, "--environment", "production", "--base-url", &base_url];
    pointbook.quiet(&[&add[..], &NO_RATE_LIMIT].concat())?;
    Ok(())
}

fn import(pointbook: &Pointbook, kind: &str, file: &Path, tenant: &str) -> Result<()> {
    announce(&format!("importing {kind}"));
    let begun = Instant::now();
    pointbook.quiet(&["import", kind, &file.to_string_lossy(), "--tenant", tenant])?;
    eprintln!("{:.1} s", begun.elapsed().as_secs_f64());
    Ok(())
}

/// Locks the folder for this run. A concurrent run would disturb the measurement and overwrite the files.
pub(super) fn lock() -> Result<File> {
    let file = File::create(folder()?.join("lock"))?;
    file.try_lock().context("another benchmark is running: wait until it ends")?;
    Ok(file)
}

/// The folder of all generated files.
pub(super) fn folder() -> Result<PathBuf> {
    let folder = repository().join("target/bench");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The last midnight.
#[expect(clippy::disallowed_methods, reason = "new products are those of the days before the run")]
pub(super) fn today_end() -> Result<DayEnd> {
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?.as_secs();
    let now = i64::try_from(now)?;
    Ok(DayEnd(now - now % DAY_SECONDS))
}

fn timestamp(seconds: i64) -> String {
    pointbook_domain::Timestamp::from_micros(seconds * 1_000_000)
        .map_or_else(String::new, |at| at.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn database_is_kept_for_a_week_while_its_version_is_current() {
        let today = DayEnd(100 * DAY_SECONDS);
        let stamp = |version: u32, day: i64| format!("{version} {}", day * DAY_SECONDS);
        assert!(is_fresh(&stamp(VERSION, 100), today) && is_fresh(&stamp(VERSION, 93), today));
        assert!(!is_fresh(&stamp(VERSION, 92), today) && !is_fresh(&stamp(VERSION, 101), today));
        assert!(!is_fresh(&stamp(VERSION - 1, 100), today) && !is_fresh("", today));
    }
}

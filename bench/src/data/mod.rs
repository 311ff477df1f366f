//! The databases of the benchmark. Each build makes them once, with a fixed seed, and keeps them in `target/bench`.

pub(crate) mod catalogue;
pub(crate) mod ledger;
pub(crate) mod members;
pub(crate) mod tokens;
pub(crate) mod words;

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde_json::json;
use xtask::operate::pointbook::{NO_RATE_LIMIT, Pointbook};
use xtask::operate::root::repository;

use self::ledger::Special;
use self::tokens::Tokens;

/// The version of the data. Raise it when anything here changes, so that old databases are made again.
const VERSION: u32 = 5;
/// The tenant of most scenarios.
pub(crate) const TENANT: &str = "bench";
/// A second tenant of the same server.
pub(crate) const OTHER_TENANT: &str = "other";
/// A tenant that stores as many campaigns as it may.
pub(crate) const FULL: &str = "full";
/// Tenants whose campaigns give the activities of the benchmark nothing, or a bonus, and one without campaigns.
pub(crate) const NONE_GIVES: &str = "none-gives";
pub(crate) const ONE_GIVES: &str = "one-gives";
pub(crate) const WITHOUT: &str = "without";
/// A tenant whose points end.
pub(crate) const ENDING: &str = "ending";
/// How many campaigns run in a tenant that has campaigns.
const CAMPAIGNS: u32 = 50;
/// The number of ordinary users where they are not measured.
pub(crate) const FEW_USERS: u32 = 100;
/// The number of products where the catalogue is not measured.
const FEW_PRODUCTS: u32 = 1_000;
/// Products are published before the day of their database. After so many days too few of them are new.
const FRESH_DAYS: i64 = 7;
const DAY_SECONDS: i64 = 86_400;
/// Ledgers end with May 2026.
const LEDGER_END: DayEnd = DayEnd(1_780_272_000);

/// The end of a day, in seconds since the epoch.
#[derive(Debug, Clone, Copy)]
struct DayEnd(i64);

/// A build with the folder of its databases.
#[derive(Clone)]
pub(crate) struct Home {
    pub(crate) binary: PathBuf,
    pub(crate) folder: PathBuf,
    /// Another stamp makes all databases again.
    pub(crate) stamp: String,
}

impl Home {
    pub(crate) fn pointbook(&self, database: &Path) -> Pointbook {
        Pointbook::of(self.binary.clone(), database)
    }
}

/// The purpose of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dataset {
    /// Lists: this many products, and no ledger.
    Catalogue(u32),
    /// Histories: 1,000 ordinary users and two special ones.
    Ledger,
    /// Histories of two tenants: a few ordinary users of each, and the most expensive page.
    TwoTenants,
    /// Histories: this many ordinary users, of 500 rows each.
    Users(u32),
    /// Writes: a small catalogue and ledger, members who collect, and members who order.
    Writes,
    /// Writes: three tenants that differ by their campaigns.
    Campaigns,
    /// Writes and histories: two tenants with the same data, of which the points of one end.
    Expiry,
    /// A tenant that does costly things, one that is full, and one that works as always.
    Neighbours,
    /// This many tenants with a few products each.
    Idle(u32),
}

impl Dataset {
    fn name(self) -> String {
        match self {
            Self::Catalogue(products) => format!("catalogue-{products}"),
            Self::Ledger => "ledger".to_owned(),
            Self::TwoTenants => "two-tenants".to_owned(),
            Self::Users(users) => format!("users-{users}"),
            Self::Writes => "writes".to_owned(),
            Self::Campaigns => "campaigns".to_owned(),
            Self::Expiry => "expiry".to_owned(),
            Self::Neighbours => "neighbours".to_owned(),
            Self::Idle(tenants) => format!("idle-{tenants}"),
        }
    }

    /// The path of the database. Makes it when it is missing, has another version, or its new products are too old.
    pub(crate) fn prepare(self, home: &Home) -> Result<PathBuf> {
        let (path, today) = (home.folder.join(format!("{}.db", self.name())), today_end()?);
        let complete = path.with_extension("complete");
        if !is_fresh(&fs::read_to_string(&complete).unwrap_or_default(), &home.stamp, today) {
            eprint!("making the data of {} ... ", self.name());
            remove(&path)?;
            let maker = Maker { pointbook: home.pointbook(&path), folder: &home.folder, today };
            self.fill(&maker)?;
            Tokens::issue(&maker.pointbook, &self.customers())?.write(&path)?;
            fs::write(complete, format!("{VERSION} {}{}", today.0, home.stamp))?;
        }
        Ok(path)
    }

    fn fill(self, maker: &Maker<'_>) -> Result<()> {
        let ledger = |users, specials: &[&Special]| {
            maker.tenant(TENANT)?;
            maker.catalogue(TENANT, FEW_PRODUCTS)?;
            maker.activities(TENANT, users, specials)
        };
        match self {
            Self::Catalogue(products) => {
                maker.tenant(TENANT)?;
                maker.catalogue(TENANT, products)
            }
            Self::Ledger => ledger(1_000, &[&ledger::HEAVY, &ledger::ONE_PAGE]),
            Self::Users(users) => ledger(users, &[]),
            Self::TwoTenants => {
                ledger(FEW_USERS, &[&ledger::LONG_PAGE])?;
                maker.tenant(OTHER_TENANT)?;
                maker.activities(OTHER_TENANT, FEW_USERS, &[])
            }
            Self::Writes => {
                ledger(FEW_USERS, &[&ledger::HEAVY])?;
                maker.members(TENANT)
            }
            Self::Neighbours => {
                ledger(FEW_USERS, &[])?;
                maker.members(TENANT)?;
                maker.tenant(FULL)?;
                maker.tenant(OTHER_TENANT)?;
                maker.catalogue(OTHER_TENANT, FEW_PRODUCTS)?;
                maker.activities(OTHER_TENANT, FEW_USERS, &[])?;
                maker.members(OTHER_TENANT)
            }
            Self::Campaigns => [NONE_GIVES, ONE_GIVES, WITHOUT].iter().try_for_each(|tenant| {
                maker.tenant(tenant)?;
                maker.text(tenant, "users", &members::collectors())?;
                let campaigns = if *tenant == WITHOUT { 0 } else { CAMPAIGNS };
                (0..campaigns).try_for_each(|number| {
                    maker.campaign(tenant, number, *tenant == ONE_GIVES && number == 0)
                })
            }),
            Self::Expiry => {
                for tenant in [WITHOUT, ENDING] {
                    maker.tenant(tenant)?;
                    maker.activities(tenant, FEW_USERS, &[])?;
                    maker.members(tenant)?;
                }
                let policy = ["points_expire=after:24-months:month", "points_expire_as=order"];
                maker.pointbook.quiet(&[&["tenant", "set", ENDING], &policy[..]].concat())?;
                maker.pointbook.quiet(&["jobs", "run", "end-points", "--tenant", ENDING]).map(drop)
            }
            Self::Idle(tenants) => (0..tenants).try_for_each(|number| {
                let tenant = format!("t{number}");
                maker.tenant(&tenant)?;
                maker.text(
                    &tenant,
                    "products",
                    "sku,title,regular_price\nmug,Mug,100\ncup,Cup,90\ncap,Cap,300\n",
                )
            }),
        }
    }

    /// The users who get a token, by tenant. The back office of each of these tenants gets one too.
    fn customers(self) -> Vec<(&'static str, Vec<String>)> {
        let ordinary = |users| tokens::spread(users).map(|user| format!("user-{user}"));
        let with = |users, others: &[&str]| {
            ordinary(users).chain(others.iter().map(|user| (*user).to_owned())).collect::<Vec<_>>()
        };
        match self {
            Self::Catalogue(_) => vec![(TENANT, with(1, &[]))],
            Self::Ledger => vec![(TENANT, with(1_000, &[ledger::HEAVY.user, ledger::ONE_PAGE.user]))],
            Self::Users(users) => vec![(TENANT, with(users, &[]))],
            Self::TwoTenants => {
                vec![(TENANT, with(0, &[ledger::LONG_PAGE.user])), (OTHER_TENANT, with(1, &[]))]
            }
            Self::Writes => vec![(TENANT, ordinary(FEW_USERS).chain(members::buyers()).collect())],
            Self::Campaigns => [NONE_GIVES, ONE_GIVES, WITHOUT].map(|tenant| (tenant, Vec::new())).into(),
            Self::Expiry => [WITHOUT, ENDING]
                .map(|tenant| (tenant, ordinary(FEW_USERS).chain(members::buyers()).collect()))
                .into(),
            Self::Neighbours => vec![
                (TENANT, with(1, &[])),
                (FULL, Vec::new()),
                (OTHER_TENANT, ordinary(1).chain(members::buyers()).collect()),
            ],
            Self::Idle(_) => Vec::new(),
        }
    }
}

/// Fills an empty database by commands.
struct Maker<'m> {
    pointbook: Pointbook,
    folder: &'m Path,
    today: DayEnd,
}

impl Maker<'_> {
    fn tenant(&self, tenant: &str) -> Result<()> {
        let base_url = format!("http://bench.example{}", base_path(tenant));
        let add = ["tenant", "add", tenant, "--environment", "production", "--base-url", &base_url];
        self.pointbook.quiet(&[&add[..], &NO_RATE_LIMIT].concat()).map(drop)
    }

    fn catalogue(&self, tenant: &str, products: u32) -> Result<()> {
        self.import(tenant, "categories", "json", catalogue::write_categories)?;
        self.import(tenant, "products", "jsonl", |file| catalogue::write_products(file, products, self.today))
    }

    fn activities(&self, tenant: &str, users: u32, specials: &[&Special]) -> Result<()> {
        self.import(tenant, "activities", "csv", |file| {
            ledger::write_activities(file, users, specials, LEDGER_END)
        })
    }

    fn members(&self, tenant: &str) -> Result<()> {
        self.text(tenant, "products", &members::products())?;
        self.text(tenant, "users", &members::collectors())?;
        self.text(tenant, "activities", &members::fortunes())
    }

    fn text(&self, tenant: &str, kind: &str, text: &str) -> Result<()> {
        self.import(tenant, kind, "csv", |file| Ok(fs::write(file, text)?))
    }

    fn import(
        &self,
        tenant: &str,
        kind: &str,
        format: &str,
        write: impl FnOnce(&Path) -> Result<()>,
    ) -> Result<()> {
        let file = tempfile::Builder::new().suffix(&format!(".{format}")).tempfile_in(self.folder)?;
        write(file.path())?;
        self.pointbook.quiet(&["import", kind, &file.path().to_string_lossy(), "--tenant", tenant]).map(drop)
    }

    /// A running campaign on scanned codes. Unless it gives a bonus, the activities of the benchmark fail one of its
    /// conditions.
    fn campaign(&self, tenant: &str, number: u32, gives: bool) -> Result<()> {
        let mut conditions = match number % 5 {
            _ if gives => json!({}),
            0 => json!({"attributes": {"sku": [format!("sku-{number}")]}}),
            1 => json!({"min_points": 1_000 + number}),
            2 => json!({"source_prefixes": [format!("other-{number}")]}),
            3 => json!({"member_before": "2020-01-01T00:00:00Z"}),
            _ => json!({"members": [format!("member-{number}"), "someone-else"]}),
        };
        conditions["types"] = json!(["code"]);
        let id = format!("campaign-{number}");
        let campaign =
            json!({"id": id, "title": {"en": "Bonus"}, "conditions": conditions, "reward": {"percent": 50}});
        let file = tempfile::Builder::new().suffix(".json").tempfile_in(self.folder)?;
        fs::write(file.path(), campaign.to_string())?;
        self.pointbook.quiet(&["campaign", "put", "--tenant", tenant, &file.path().to_string_lossy()])?;
        self.pointbook.quiet(&["campaign", "schedule", &id, "--tenant", tenant]).map(drop)
    }
}

/// The path of a tenant's base URL.
pub(crate) fn base_path(tenant: &str) -> String {
    format!("/{tenant}/api")
}

/// Copies a closed database, with the log that a killed server may have left.
pub(crate) fn copy(from: &Path, to: &Path) -> Result<()> {
    remove(to)?;
    // SQLite makes the third file, an index of the second, when it is missing.
    for suffix in ["db", "db-wal"] {
        let source = from.with_extension(suffix);
        if source.exists() {
            fs::copy(source, to.with_extension(suffix))?;
        }
    }
    Ok(())
}

/// Removes a database with all files beside it.
pub(crate) fn remove(database: &Path) -> Result<()> {
    for suffix in ["db", "db-wal", "db-shm", "complete", "tokens"] {
        let file = database.with_extension(suffix);
        if file.exists() {
            fs::remove_file(file)?;
        }
    }
    Ok(())
}

/// Whether a database with this stamp may be used today.
fn is_fresh(complete: &str, stamp: &str, today: DayEnd) -> bool {
    let day = complete.strip_prefix(&format!("{VERSION} ")).and_then(|rest| rest.strip_suffix(stamp));
    let age_seconds = day.and_then(|day| day.parse::<i64>().ok()).map(|day| today.0 - day);
    age_seconds.is_some_and(|age| (0..=FRESH_DAYS * DAY_SECONDS).contains(&age))
}

/// Locks the folder for this run. A concurrent run would disturb the measurement and overwrite the files.
pub(crate) fn lock() -> Result<File> {
    let file = File::create(folder()?.join("lock"))?;
    file.try_lock().context("another benchmark is running: wait until it ends")?;
    Ok(file)
}

/// The folder of all databases.
pub(crate) fn folder() -> Result<PathBuf> {
    let folder = repository().join("target/bench");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// The last midnight.
#[expect(clippy::disallowed_methods, reason = "new products are those of the days before the run")]
fn today_end() -> Result<DayEnd> {
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
    fn database_is_kept_for_a_week_while_its_version_and_build_are_current() {
        let (today, build) = (DayEnd(100 * DAY_SECONDS), " 9 77");
        let is_fresh = |version: u32, day: i64, of: &str| {
            is_fresh(&format!("{version} {}{of}", day * DAY_SECONDS), build, today)
        };
        assert!(is_fresh(VERSION, 100, build) && is_fresh(VERSION, 93, build));
        assert!(!is_fresh(VERSION, 92, build) && !is_fresh(VERSION, 101, build));
        assert!(!is_fresh(VERSION - 1, 100, build) && !is_fresh(VERSION, 100, " 9 78"));
        assert!(!super::is_fresh("", "", today));
    }
}

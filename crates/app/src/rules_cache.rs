//! The campaigns of a tenant in memory.
//!
//! Versions of campaigns are only added, each with the next revision. So a look for changes reads the rows from the newest known
//! revision on, and usually finds that one alone. A version takes over later than the longest age of a look (see
//! [`TAKE_OVER_SECONDS`]), so every instance knows it by then. There may be thousands, so they are read in the background.

mod known_versions;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use pointbook_campaigns::{CampaignVersion, Options, RuleSet};
use pointbook_schema::rows::CampaignVersionRow;
use tokio::sync::Mutex;

pub use self::known_versions::{KnownVersions, StoredVersion};
use crate::background::in_background;
use crate::ports::{Query, TenantData};
use crate::tables::Row;
use crate::{StoreError, StoreResult};

/// A look for changes counts for this time.
const CHECK_AFTER: Duration = Duration::from_millis(250);
/// How many seconds after its request a new version takes over at the earliest.
pub const TAKE_OVER_SECONDS: u32 = 1;

/// A look that finds more new versions than this reads them as a long list.
const FEW: u32 = 16;

/// The rules of all versions up to a revision, and when they were compared with the database.
struct Checked {
    rules: Arc<RuleSet>,
    revision: Option<u64>,
    at: Instant,
}

pub struct RulesCache {
    data: Arc<dyn TenantData>,
    checked: ArcSwapOption<Checked>,
    /// Held during a look, so that several requests cause one.
    known: Mutex<KnownVersions>,
}

impl RulesCache {
    pub fn new(data: Arc<dyn TenantData>) -> Self {
        Self { data, checked: ArcSwapOption::empty(), known: Mutex::default() }
    }

    /// The campaigns as the database had them at most a quarter of a second ago.
    ///
    /// # Errors
    /// When the store fails, or a stored definition cannot be read.
    pub async fn rules(&self, options: &Options) -> StoreResult<Arc<RuleSet>> {
        if let Some(rules) = self.fresh(options) {
            return Ok(rules);
        }
        let mut known = self.known.lock().await;
        if let Some(rules) = self.fresh(options) {
            return Ok(rules);
        }
        let at = Instant::now();
        self.look(&mut known).await?;
        let revision = known.last().map(|version| version.row.revision);
        let before = self.checked.load_full();
        let before = before.filter(|old| old.revision == revision && old.rules.options() == options);
        let rules = match before {
            Some(before) => before.rules.clone(),
            None => {
                let (known, options) = (known.clone(), options.clone());
                let build = move || {
                    let parsed = |version: &Arc<StoredVersion>| version.parsed().cloned();
                    let versions = known.all().iter().map(parsed).collect::<Result<_, _>>();
                    StoreResult::Ok(Arc::new(RuleSet::new(versions.map_err(StoreError::Corrupt)?, options)))
                };
                in_background(build).await??
            }
        };
        self.checked.store(Some(Arc::new(Checked { rules: rules.clone(), revision, at })));
        Ok(rules)
    }

    /// All versions that are stored now.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn known(&self) -> StoreResult<KnownVersions> {
        let mut known = self.known.lock().await;
        self.look(&mut known).await?;
        Ok(known.clone())
    }

    /// Reads the last known version again, and those after it. If the last one is another one now, a copy replaced the campaigns. Then it
    /// reads all of them.
    async fn look(&self, known: &mut KnownVersions) -> StoreResult<()> {
        let query = Query::of::<CampaignVersionRow>("campaign_versions", &["revision"]);
        if let Some(last) = known.last() {
            let after = query.clone().after(Some(&last.row.revision.saturating_sub(1)));
            let few = self.data.few_rows(&after.clone().limit(FEW)).await?;
            let rows = if few.len() < FEW as usize { few } else { self.data.rows(&after).await? };
            let row = last.row.clone();
            match versions(after, rows).await?.split_first() {
                Some((first, newer)) if first.row == row => {
                    known.add(newer.iter().cloned());
                    return Ok(());
                }
                _ => *known = KnownVersions::default(),
            }
        }
        let rows = self.data.rows(&query).await?;
        known.add(versions(query, rows).await?);
        Ok(())
    }

    /// Lets the next request look for changes.
    pub fn expire(&self) {
        self.checked.store(None);
    }

    fn fresh(&self, options: &Options) -> Option<Arc<RuleSet>> {
        let checked = self.checked.load_full()?;
        let is_fresh = checked.at.elapsed() < CHECK_AFTER && checked.rules.options() == options;
        is_fresh.then(|| checked.rules.clone())
    }
}

/// Reads and parses rows of versions.
async fn versions(query: Query, rows: Vec<Row>) -> StoreResult<Vec<Arc<StoredVersion>>> {
    let parse = move || {
        let rows = query.read(&rows).map_err(|corrupt| StoreError::Corrupt(corrupt.0))?;
        Ok(rows.into_iter().map(StoredVersion::new).map(Arc::new).collect())
    };
    in_background(parse).await?
}

/// The version that a row has.
///
/// # Errors
/// [`StoreError::Corrupt`] when the row has no state or definition of this release.
pub fn version_of(row: &CampaignVersionRow) -> StoreResult<CampaignVersion> {
    let CampaignVersionRow { campaign_id, version, state, valid_from, definition, .. } = row;
    CampaignVersion::stored(definition, state, *version, *valid_from)
        .map_err(|why| StoreError::Corrupt(format!("campaign {campaign_id}, version {version}: {why}")))
}

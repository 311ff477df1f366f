//! The campaigns of a tenant in memory.
//!
//! Versions of campaigns are only added, each with the next revision. So a look for changes reads the rows after the newest known
//! revision, and usually finds none. A version takes over later than the longest age of a look (see
//! [`TAKE_OVER_SECONDS`]), so every instance knows it by then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use pointbook_campaigns::{CampaignVersion, Options, RuleSet, VersionState, parse_stored};
use pointbook_schema::rows::CampaignVersionRow;
use tokio::sync::Mutex;

use crate::ports::{Query, TenantData, read_all};
use crate::{StoreError, StoreResult};

/// A look for changes counts for this time.
const CHECK_AFTER: Duration = Duration::from_millis(500);
/// How many seconds after its request a new version takes over at the earliest.
pub const TAKE_OVER_SECONDS: u32 = 1;

/// The rules, and when they were compared with the database.
struct Checked {
    rules: Arc<RuleSet>,
    at: Instant,
}

pub struct RulesCache {
    data: Arc<dyn TenantData>,
    checked: ArcSwapOption<Checked>,
    /// All versions by revision. Held during a look, so that several requests cause one.
    known: Mutex<Vec<(u64, CampaignVersion)>>,
}

impl RulesCache {
    pub(crate) fn new(data: Arc<dyn TenantData>) -> Self {
        Self { data, checked: ArcSwapOption::empty(), known: Mutex::default() }
    }

    /// The campaigns as the database had them at most half a second ago.
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
        let revision = known.last().map(|(revision, _)| *revision);
        let new = self.versions_after(revision).await?;
        let before = self.checked.load_full().filter(|before| before.rules.options() == options);
        let rules = match before {
            Some(before) if new.is_empty() => before.rules.clone(),
            _ => {
                known.extend(new);
                let versions = known.iter().map(|(_, version)| version.clone());
                Arc::new(RuleSet::new(versions.collect(), options.clone()))
            }
        };
        self.checked.store(Some(Arc::new(Checked { rules: rules.clone(), at })));
        Ok(rules)
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

    async fn versions_after(&self, revision: Option<u64>) -> StoreResult<Vec<(u64, CampaignVersion)>> {
        let query = Query::of::<CampaignVersionRow>("campaign_versions", &["revision"]);
        let rows: Vec<CampaignVersionRow> = read_all(&*self.data, query.after(revision.as_ref())).await?;
        rows.iter().map(|row| Ok((row.revision, version_of(row)?))).collect()
    }
}

/// The version that a row has.
///
/// # Errors
/// [`StoreError::Corrupt`] when the row has no state or definition of this release.
pub fn version_of(row: &CampaignVersionRow) -> StoreResult<CampaignVersion> {
    let CampaignVersionRow { campaign_id, version, state, valid_from, definition, .. } = row;
    let corrupt =
        |why: &str| StoreError::Corrupt(format!("campaign {campaign_id}, version {version}: {why}"));
    let campaign = parse_stored(definition).map_err(|why| corrupt(&why))?;
    let state = VersionState::parse(state).ok_or_else(|| corrupt("unknown state"))?;
    Ok(CampaignVersion { campaign: Arc::new(campaign), version: *version, state, from: *valid_from })
}

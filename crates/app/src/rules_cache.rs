//! The campaigns of a tenant in memory.
//!
//! Versions of campaigns are only added, each with the next revision. So a look for changes reads the rows after the newest known
//! revision, and usually finds none. A version takes over later than the longest age of a look (see
//! [`TAKE_OVER_SECONDS`]), so every instance knows it by then.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use pointbook_campaigns::{CampaignVersion, Options, RuleSet, VersionState, parse_stored};
use pointbook_domain::Timestamp;
use pointbook_schema::rows::CampaignVersionRow;
use tokio::sync::Mutex;

use crate::background::in_background;
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
    known: Mutex<Vec<KnownVersion>>,
}

#[derive(Clone)]
struct KnownVersion {
    revision: u64,
    created_at: Timestamp,
    version: CampaignVersion,
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
        let revision = known.last().map(|known| known.revision);
        let new = self.rows_after(revision).await?;
        let before = self.checked.load_full().filter(|before| before.rules.options() == options);
        let rules = match before {
            Some(before) if new.is_empty() => before.rules.clone(),
            _ => {
                let (all, rules) = read_and_build(known.clone(), new, options.clone()).await?;
                *known = all;
                rules
            }
        };
        self.checked.store(Some(Arc::new(Checked { rules: rules.clone(), at })));
        Ok(rules)
    }

    /// The campaigns as they were known at a moment, with the options of today.
    ///
    /// # Errors
    /// As [`Self::rules`].
    pub async fn rules_known_at(&self, options: &Options, at: Timestamp) -> StoreResult<Arc<RuleSet>> {
        let rules = self.rules(options).await?;
        let mut known = self.known.lock().await.clone();
        if known.iter().all(|known| known.created_at <= at) {
            return Ok(rules);
        }
        known.retain(|known| known.created_at <= at);
        Ok(read_and_build(known, Vec::new(), options.clone()).await?.1)
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

    async fn rows_after(&self, revision: Option<u64>) -> StoreResult<Vec<CampaignVersionRow>> {
        let query = Query::of::<CampaignVersionRow>("campaign_versions", &["revision"]);
        read_all(&*self.data, query.after(revision.as_ref())).await
    }
}

/// Adds the versions of rows to those that are known, and builds the rules of all. A tenant may have thousands of versions, so the
/// work is done in the background, and no other request waits for it.
async fn read_and_build(
    mut known: Vec<KnownVersion>,
    new: Vec<CampaignVersionRow>,
    options: Options,
) -> StoreResult<(Vec<KnownVersion>, Arc<RuleSet>)> {
    let build = move || {
        for row in &new {
            let CampaignVersionRow { revision, created_at, .. } = *row;
            known.push(KnownVersion { revision, created_at, version: version_of(row)? });
        }
        let versions = known.iter().map(|known| known.version.clone());
        let rules = Arc::new(RuleSet::new(versions.collect(), options));
        Ok((known, rules))
    };
    in_background(build).await?
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

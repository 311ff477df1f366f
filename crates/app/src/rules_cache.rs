//! The campaigns of a tenant in memory.
//!
//! Versions of campaigns are only added, each with the next revision. So a look for changes reads the rows after the newest known
//! revision, and usually finds none. A version takes over later than the longest age of a look (see
//! [`TAKE_OVER_SECONDS`]), so every instance knows it by then. There may be thousands, so they are read in the background.

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use pointbook_campaigns::{CampaignVersion, Options, RuleSet};
use pointbook_schema::rows::CampaignVersionRow;
use tokio::sync::Mutex;

use crate::background::in_background;
use crate::ports::{Query, TenantData, read_all};
use crate::{StoreError, StoreResult};

/// A look for changes counts for this time.
const CHECK_AFTER: Duration = Duration::from_millis(250);
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
        let revision = known.last().map(|(revision, _)| *revision);
        let query = Query::of::<CampaignVersionRow>("campaign_versions", &["revision"]);
        let new: Vec<CampaignVersionRow> = read_all(&*self.data, query.after(revision.as_ref())).await?;
        let before = self.checked.load_full().filter(|before| before.rules.options() == options);
        let rules = match before {
            Some(before) if new.is_empty() => before.rules.clone(),
            _ => {
                let (mut all, options) = (known.clone(), options.clone());
                let build = move || {
                    let new = new.iter().map(|row| Ok((row.revision, version_of(row)?)));
                    all.extend(new.collect::<StoreResult<Vec<_>>>()?);
                    let versions = all.iter().map(|(_, version)| version.clone()).collect();
                    StoreResult::Ok((Arc::new(RuleSet::new(versions, options)), all))
                };
                let (rules, all) = in_background(build).await??;
                *known = all;
                rules
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

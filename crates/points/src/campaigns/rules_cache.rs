//! The campaigns of a tenant in memory.
//!
//! Versions of campaigns are only added, each with the next revision. So a look for changes reads the rows after the newest known
//! revision, and usually finds none. A version takes over later than the longest age of a look (see
//! [`TAKE_OVER_SECONDS`]), so every instance knows it by then. There may be thousands, so they are read in the background.

mod known_versions;

use std::sync::Arc;
use std::time::{Duration, Instant};

use arc_swap::ArcSwapOption;
use pointbook_campaigns::{CampaignVersion, Options, RuleSet};
use pointbook_domain::TenantSettings;
use pointbook_store::background::in_background;
use pointbook_store::ports::{Query, TenantData};
use pointbook_store::schema::Corrupt;
use pointbook_store::schema::rows::CampaignVersionRow;
use pointbook_store::{ServedTenant, StoreError, StoreResult, TenantState};
use tokio::sync::Mutex;

pub use self::known_versions::{KnownVersions, StoredVersion};

/// A look for changes counts for this time.
const CHECK_AFTER: Duration = Duration::from_millis(250);
/// How many seconds after its request a new version takes over at the earliest.
pub const TAKE_OVER_SECONDS: u32 = 1;

/// A look that finds at least this many new versions reads them as a long list.
const FEW: u32 = 16;

/// The rules of all versions, and when they were compared with the database.
struct Checked {
    rules: Arc<RuleSet>,
    known: KnownVersions,
    at: Instant,
}

pub struct RulesCache {
    data: Arc<dyn TenantData>,
    checked: ArcSwapOption<Checked>,
    /// Held during a look, so that several requests cause one.
    known: Mutex<KnownVersions>,
}

impl TenantState for RulesCache {
    fn new(served: &ServedTenant, _: &TenantSettings) -> Self {
        Self::new(served.data.clone())
    }
}

impl RulesCache {
    pub fn new(data: Arc<dyn TenantData>) -> Self {
        Self { data, checked: ArcSwapOption::empty(), known: Mutex::default() }
    }

    /// The campaigns of a tenant, with its settings.
    ///
    /// # Errors
    /// Those of [`Self::rules`].
    pub async fn of(served: &ServedTenant) -> StoreResult<Arc<RuleSet>> {
        let options = Options::of(&served.tenant.settings, served.tenant.locale.clone());
        served.state::<Self>().rules(&options).await
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
        let before = self.checked.load_full();
        let before = before.filter(|old| old.known.is(&known) && old.rules.options() == options);
        let rules = if let Some(before) = before {
            before.rules.clone()
        } else {
            let (known, options) = (known.clone(), options.clone());
            let build = move || {
                let parsed = |version: &Arc<StoredVersion>| version.parsed().cloned();
                let versions = known.all().iter().map(parsed).collect::<Result<_, _>>();
                StoreResult::Ok(Arc::new(RuleSet::new(versions.map_err(StoreError::Corrupt)?, options)))
            };
            in_background(build).await??
        };
        self.checked.store(Some(Arc::new(Checked { rules: rules.clone(), known: known.clone(), at })));
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

    /// Adds the versions that were stored since the last look.
    async fn look(&self, known: &mut KnownVersions) -> StoreResult<()> {
        let revision = known.last().map(|version| version.row.revision);
        let query =
            Query::of::<CampaignVersionRow>("campaign_versions", &["revision"]).after(revision.as_ref());
        let few = self.data.few_rows(&query.clone().limit(FEW)).await?;
        let rows = if few.len() < FEW as usize { few } else { self.data.rows(&query).await? };
        if rows.is_empty() {
            return Ok(());
        }
        let mut all = known.clone();
        let add = move || {
            let rows = query.read::<CampaignVersionRow>(&rows)?;
            all.add(rows.into_iter().map(StoredVersion::new));
            Ok(all)
        };
        let all = in_background(add).await?;
        *known = all.map_err(|corrupt: Corrupt| StoreError::Corrupt(corrupt.0))?;
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

/// The version that a row has.
///
/// # Errors
/// [`StoreError::Corrupt`] when the row has no state or definition of this release.
pub fn version_of(row: &CampaignVersionRow) -> StoreResult<CampaignVersion> {
    let CampaignVersionRow { campaign_id, version, state, valid_from, definition, .. } = row;
    CampaignVersion::stored(definition, state, *version, *valid_from)
        .map_err(|why| StoreError::Corrupt(format!("campaign {campaign_id}, version {version}: {why}")))
}

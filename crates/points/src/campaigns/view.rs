//! A campaign as the back office sees it.

use pointbook_campaigns::{VersionState, Warning};
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::rows::CampaignVersionRow;
use serde_json::Value;

use crate::campaigns::manage::{BudgetUse, CampaignDetail, CampaignSummary, ShownState, WrittenVersion};

view! {
    /// A campaign with the version that counts now.
    pub struct CampaignView<'c> as "Campaign" {
        id: &'c str,
        state: &'static str => Schema::one_of(ShownState::ALL.iter().map(|state| state.as_str())),
        /// The version in force, or the first one.
        version: u32,
        /// When this version takes over.
        valid_from: DateTimeView,
        definition: Value => Schema::named("CampaignDefinition"),
    }

    pub struct CampaignListView<'c> as "CampaignList" {
        data: Vec<CampaignView<'c>>,
    }

    /// A campaign with its versions and what is spent of its budget.
    pub struct CampaignDetailView<'c> as "CampaignDetail" {
        #[serde(flatten)]
        campaign: CampaignView<'c>,
        /// All versions, by number.
        versions: Vec<VersionView<'c>>,
        /// What all users got of the budget. Present only with a budget.
        #[serde(skip_serializing_if = "Option::is_none")]
        spent: Option<SpentView>,
    }

    struct VersionView<'c> {
        version: u32,
        state: &'c str => Schema::one_of(VersionState::ALL.iter().map(|state| state.as_str())),
        /// When it takes over.
        valid_from: DateTimeView,
        created_at: DateTimeView,
        /// Who wrote it: a key, an operator or the command line.
        created_by: &'c str,
    }

    struct SpentView {
        awards: i64,
        points: i64,
    }

    /// A version after a change.
    pub struct WrittenCampaignView<'c> as "CampaignWritten" {
        success: bool => Schema::always(true),
        data: CampaignView<'c>,
        /// What you should know about the definition.
        warnings: Vec<CampaignWarningView<'c>>,
    }

    struct CampaignWarningView<'c> {
        /// Later versions may add codes.
        code: &'static str,
        /// A message for people.
        message: &'c str,
        /// The campaign that it meets.
        #[serde(skip_serializing_if = "Option::is_none")]
        other: Option<&'c str>,
    }
}

impl<'c> CampaignView<'c> {
    fn new(row: &'c CampaignVersionRow, state: ShownState) -> Self {
        let CampaignVersionRow { campaign_id, version, valid_from, definition, .. } = row;
        // A definition is stored as the JSON that this release or an earlier one wrote.
        let definition = serde_json::from_str(definition).unwrap_or_default();
        let (id, valid_from) = (campaign_id.as_str(), DateTimeView(*valid_from));
        Self { id, state: state.as_str(), version: *version, valid_from, definition }
    }
}

impl<'c> From<&'c CampaignSummary> for CampaignView<'c> {
    fn from(summary: &'c CampaignSummary) -> Self {
        Self::new(&summary.row, summary.state)
    }
}

impl<'c> From<&'c [CampaignSummary]> for CampaignListView<'c> {
    fn from(campaigns: &'c [CampaignSummary]) -> Self {
        Self { data: campaigns.iter().map(CampaignView::from).collect() }
    }
}

impl<'c> From<&'c CampaignDetail> for CampaignDetailView<'c> {
    fn from(detail: &'c CampaignDetail) -> Self {
        let CampaignDetail { summary, versions, budget } = detail;
        let version = |row: &'c CampaignVersionRow| VersionView {
            version: row.version,
            state: &row.state,
            valid_from: DateTimeView(row.valid_from),
            created_at: DateTimeView(row.created_at),
            created_by: &row.created_by,
        };
        let spent = budget.map(|budget| {
            let BudgetUse { budget: _, spent_awards: awards, spent_points: points } = budget;
            SpentView { awards, points }
        });
        Self { campaign: summary.into(), versions: versions.iter().map(version).collect(), spent }
    }
}

impl<'c> From<&'c WrittenVersion> for WrittenCampaignView<'c> {
    fn from(written: &'c WrittenVersion) -> Self {
        let WrittenVersion { row, state, warnings } = written;
        let warning = |warning: &'c Warning| CampaignWarningView {
            code: warning.code.as_str(),
            message: &warning.message,
            other: warning.other.as_ref().map(pointbook_campaigns::CampaignId::as_str),
        };
        let warnings = warnings.iter().map(warning).collect();
        Self { success: true, data: CampaignView::new(row, *state), warnings }
    }
}

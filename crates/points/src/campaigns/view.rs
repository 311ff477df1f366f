//! A campaign as the back office sees it.

use pointbook_campaigns::Warning;
use pointbook_http::describe::{Field, Schema, required};
use pointbook_http::views::values::DateTimeView;
use pointbook_store::schema::rows::CampaignVersionRow;
use serde::Serialize;
use serde_json::Value;

use crate::campaigns::manage::{BudgetUse, CampaignDetail, CampaignSummary, ShownState, WrittenVersion};

/// A campaign with the version that counts now.
#[derive(Serialize)]
pub struct CampaignView<'c> {
    id: &'c str,
    state: &'static str,
    version: u32,
    valid_from: DateTimeView,
    definition: Value,
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

#[derive(Serialize)]
pub struct CampaignListView<'c> {
    data: Vec<CampaignView<'c>>,
}

impl<'c> From<&'c [CampaignSummary]> for CampaignListView<'c> {
    fn from(campaigns: &'c [CampaignSummary]) -> Self {
        Self { data: campaigns.iter().map(CampaignView::from).collect() }
    }
}

/// A campaign with its versions and what is spent of its budget.
#[derive(Serialize)]
pub struct CampaignDetailView<'c> {
    #[serde(flatten)]
    campaign: CampaignView<'c>,
    versions: Vec<VersionView<'c>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    spent: Option<SpentView>,
}

#[derive(Serialize)]
struct VersionView<'c> {
    version: u32,
    state: &'c str,
    valid_from: DateTimeView,
    created_at: DateTimeView,
    created_by: &'c str,
}

#[derive(Serialize)]
struct SpentView {
    awards: i64,
    points: i64,
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

/// A version after a change.
#[derive(Serialize)]
pub struct WrittenCampaignView<'c> {
    success: bool,
    data: CampaignView<'c>,
    warnings: Vec<CampaignWarningView<'c>>,
}

#[derive(Serialize)]
struct CampaignWarningView<'c> {
    code: &'static str,
    message: &'c str,
    #[serde(skip_serializing_if = "Option::is_none")]
    other: Option<&'c str>,
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

pub fn campaign_schema() -> Schema {
    Schema::object(fields())
}

pub fn campaign_detail_schema() -> Schema {
    let states = pointbook_campaigns::VersionState::ALL.iter().map(|state| state.as_str());
    let version = Schema::object([
        required("version", Schema::count()),
        required("state", Schema::one_of(states)),
        required("valid_from", Schema::date_time().describe("When it takes over.")),
        required("created_at", Schema::date_time()),
        required(
            "created_by",
            Schema::text().describe("Who wrote it: a key, an operator or the command line."),
        ),
    ]);
    let spent = Schema::object([required("awards", Schema::whole()), required("points", Schema::whole())]);
    let spent = spent.describe("What all users got of the budget. Present only with a budget.");
    let more = [
        required("versions", Schema::list(version).describe("All versions, by number.")),
        pointbook_http::describe::optional("spent", spent),
    ];
    Schema::object(fields().into_iter().chain(more))
}

pub fn campaign_list_schema() -> Schema {
    Schema::object([required("data", Schema::list(Schema::named("Campaign")))])
}

pub fn written_campaign_schema() -> Schema {
    let warning = Schema::object([
        required("code", Schema::text().describe("Later versions may add codes.")),
        required("message", Schema::text().describe("A message for people.")),
        pointbook_http::describe::optional("other", Schema::text().describe("The campaign that it meets.")),
    ]);
    Schema::object([
        required("success", Schema::always(true)),
        required("data", Schema::named("Campaign")),
        required("warnings", Schema::list(warning).describe("What you should know about the definition.")),
    ])
}

fn fields() -> [Field; 5] {
    let states = ShownState::ALL.iter().map(|state| state.as_str());
    [
        required("id", Schema::text()),
        required("state", Schema::one_of(states)),
        required("version", Schema::count().describe("The version in force, or the first one.")),
        required("valid_from", Schema::date_time().describe("When this version takes over.")),
        required("definition", Schema::named("CampaignDefinition")),
    ]
}

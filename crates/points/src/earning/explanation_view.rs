//! Why a transaction has its bonuses.

use pointbook_campaigns::{CampaignId, Compared, Verdict, VerdictResult};
use pointbook_http::describe::{Field, Schema, optional, required};
use pointbook_store::schema::rows::AwardRow;
use serde::Serialize;

use super::view::TransactionView;
use crate::earning::explain::{DryRunOutcome, Explanation};
use crate::members::ledger_view::LedgerEntryView;

/// What each campaign says of a transaction, and the awards that the database has.
#[derive(Serialize)]
pub struct ExplanationView<'e> {
    transaction: LedgerEntryView<'e>,
    campaigns: Vec<VerdictView<'e>>,
    awards: Vec<AwardView<'e>>,
}

/// What would become of an activity.
#[derive(Serialize)]
pub struct DryRunView<'e> {
    already_recorded: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    transaction: Option<TransactionView<'e>>,
    campaigns: Vec<VerdictView<'e>>,
}

#[derive(Serialize)]
struct VerdictView<'e> {
    campaign: &'e str,
    version: u32,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clipped_by: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    would_be: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    compared: Option<ComparedView>,
}

#[derive(Serialize)]
struct ComparedView {
    expected: String,
    actual: String,
}

#[derive(Serialize)]
struct AwardView<'e> {
    campaign: &'e str,
    version: u32,
    points: i64,
}

impl<'e> From<&'e Explanation> for ExplanationView<'e> {
    fn from(explanation: &'e Explanation) -> Self {
        let Explanation { entry, verdicts, awards } = explanation;
        let award = |award: &'e AwardRow| AwardView {
            campaign: &award.campaign_id,
            version: award.version,
            points: award.points.get(),
        };
        Self {
            transaction: entry.into(),
            campaigns: verdicts.iter().map(VerdictView::from).collect(),
            awards: awards.iter().map(award).collect(),
        }
    }
}

impl<'e> From<&'e DryRunOutcome> for DryRunView<'e> {
    fn from(outcome: &'e DryRunOutcome) -> Self {
        let DryRunOutcome { transaction, verdicts, is_recorded } = outcome;
        Self {
            already_recorded: *is_recorded,
            transaction: transaction.as_deref().map(TransactionView::from),
            campaigns: verdicts.iter().map(VerdictView::from).collect(),
        }
    }
}

impl<'e> From<&'e Verdict> for VerdictView<'e> {
    fn from(verdict: &'e Verdict) -> Self {
        let Verdict { campaign, version, result, compared } = verdict;
        let compared = compared.as_ref().map(|Compared { expected, actual }| ComparedView {
            expected: expected.to_string(),
            actual: actual.to_string(),
        });
        let view = |result, points| Self {
            campaign: CampaignId::as_str(campaign),
            version: *version,
            result,
            points,
            clipped_by: None,
            would_be: None,
            reason: None,
            compared,
        };
        match result {
            VerdictResult::Applied { points } => view("applied", Some(*points)),
            VerdictResult::Clipped { points, by, would_be } => {
                let (clipped_by, would_be) = (Some(by.as_str()), Some(*would_be));
                Self { clipped_by, would_be, ..view("clipped", Some(*points)) }
            }
            VerdictResult::Not(reason) => {
                Self { reason: Some(reason.to_string()), ..view("not_applied", None) }
            }
        }
    }
}

pub fn verdict_schema() -> Schema {
    let compared = Schema::object([required("expected", Schema::text()), required("actual", Schema::text())]);
    let reason = "Why the campaign gives nothing, such as `weekday`, `attribute.sku` or `lost_to:spring`. Later versions may add \
                  reasons.";
    Schema::object([
        required("campaign", Schema::text().describe("The id of the campaign.")),
        required("version", Schema::count()),
        required("result", Schema::one_of(["applied", "clipped", "not_applied"])),
        optional("points", Schema::price().describe("The points of the award.")),
        optional("clipped_by", Schema::one_of(["user_limit", "budget", "ceiling"])),
        optional("would_be", Schema::price().describe("The points before all limits.")),
        optional("reason", Schema::text().describe(reason)),
        optional("compared", compared.describe("What the campaign wants, and what it got.")),
    ])
}

pub fn explanation_schema() -> Schema {
    let award = Schema::object([
        required("campaign", Schema::text()),
        required("version", Schema::count()),
        required("points", Schema::price()),
    ]);
    Schema::object([
        required("transaction", Schema::named("LedgerEntry")),
        campaigns(),
        required(
            "awards",
            Schema::list(award).describe("The bonuses that campaigns gave, as they are stored."),
        ),
    ])
}

pub fn dry_run_schema() -> Schema {
    let already =
        "Whether the ledger has a transaction under this type and source id. Then recording it adds nothing.";
    let transaction = "With its bonuses. Absent when its points would be beyond their bounds.";
    Schema::object([
        required("already_recorded", Schema::boolean().describe(already)),
        optional("transaction", Schema::named("Transaction").describe(transaction)),
        campaigns(),
    ])
}

fn campaigns() -> Field {
    required("campaigns", Schema::list(Schema::named("CampaignVerdict")).describe("By id."))
}

//! Why a transaction has its bonuses.

use pointbook_campaigns::{CampaignId, Compared, Verdict, VerdictResult};
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_store::schema::rows::AwardRow;

use super::view::TransactionView;
use crate::earning::explain::{DryRunOutcome, Explanation};
use crate::members::ledger_view::LedgerEntryView;

view! {
    /// What each campaign says of a transaction, and the awards that the database has.
    pub struct ExplanationView<'e> as "Explanation" {
        transaction: LedgerEntryView<'e>,
        /// By id.
        campaigns: Vec<VerdictView<'e>>,
        /// The bonuses that campaigns gave, as they are stored.
        awards: Vec<AwardView<'e>>,
    }

    /// What would become of an activity.
    pub struct DryRunView<'e> as "DryRun" {
        /// Whether the ledger has a transaction under this type and source id, or an activity with them waits or was voided. Then recording it adds
        /// nothing.
        already_recorded: bool,
        /// With its bonuses. Absent when its points would be beyond their bounds.
        #[serde(skip_serializing_if = "Option::is_none")]
        transaction: Option<TransactionView<'e>>,
        /// By id.
        campaigns: Vec<VerdictView<'e>>,
    }

    pub struct VerdictView<'e> as "CampaignVerdict" {
        /// The id of the campaign.
        campaign: &'e str,
        version: u32,
        result: &'static str => Schema::one_of(["applied", "clipped", "not_applied"]),
        /// The points of the award.
        #[serde(skip_serializing_if = "Option::is_none")]
        points: Option<i64> => Schema::price(),
        #[serde(skip_serializing_if = "Option::is_none")]
        clipped_by: Option<&'static str> => Schema::one_of(["user_limit", "budget", "ceiling"]),
        /// The points before all limits.
        #[serde(skip_serializing_if = "Option::is_none")]
        would_be: Option<i64> => Schema::price(),
        /// Why the campaign gives nothing, such as `weekday`, `attribute.sku` or `lost_to:spring`. Later versions may add reasons.
        #[serde(skip_serializing_if = "Option::is_none")]
        reason: Option<String>,
        /// What the campaign wants, and what it got.
        #[serde(skip_serializing_if = "Option::is_none")]
        compared: Option<ComparedView>,
    }

    struct ComparedView {
        expected: String,
        actual: String,
    }

    struct AwardView<'e> {
        campaign: &'e str,
        version: u32,
        points: i64 => Schema::price(),
    }
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

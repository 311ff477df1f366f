//! The campaigns of the demo: a birthday bonus, one for weekends, one with a budget, and a draft.

use pointbook_campaigns::parse;
use pointbook_domain::Timestamp;
use pointbook_points::campaigns::manage::{
    CampaignOutcome, CampaignStep, ShownState, put_campaign, step_campaign,
};
use serde_json::Value;

use crate::import::Target;
use crate::sample::SampleResult;

const CAMPAIGNS: &str = include_str!("campaigns.json");

/// This campaign stays a draft, to be tested against the history.
pub(super) const DRAFT: &str = "video-week";

/// Adds the campaigns. All but the draft give bonuses for events since the time `from`.
pub(super) async fn ensure(target: Target<'_>, from: Timestamp) -> SampleResult<()> {
    let definitions: Vec<Value> = serde_json::from_str(CAMPAIGNS)?;
    for definition in definitions {
        let campaign =
            parse(&definition, &target.tenant.tenant.locale).map_err(|faults| format!("{faults:?}"))?;
        let id = campaign.id().clone();
        let put = put_campaign(&target.context(), campaign, None).await?.without_key()?;
        let is_draft = match put {
            CampaignOutcome::Created(written) | CampaignOutcome::Unchanged(written) => {
                written.state == ShownState::Draft
            }
            other => return Err(format!("campaign {id}: {other:?}").into()),
        };
        if is_draft && id.as_str() != DRAFT {
            let stepped = step_campaign(&target.context(), id, CampaignStep::Schedule, Some(from)).await?;
            stepped.without_key()?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of the documents print the same on each day.
    #[test]
    fn campaigns_of_some_days_are_for_the_activities_of_the_demo_only() {
        let definitions: Vec<Value> = serde_json::from_str(CAMPAIGNS).unwrap();
        let of_some_days = |definition: &&Value| {
            ["weekdays", "hours", "windows"].iter().any(|name| definition["conditions"].get(name).is_some())
        };
        let found: Vec<_> = definitions.iter().filter(of_some_days).collect();
        assert_eq!(found.len(), 1);
        assert_eq!(found[0]["conditions"]["source_prefixes"], serde_json::json!(["demo-"]));
    }
}

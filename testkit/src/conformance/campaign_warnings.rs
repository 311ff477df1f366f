//! Facts of the warnings about definitions.

use std::sync::Arc;

use pointbook_points::campaigns::manage::{CampaignOutcome, CampaignStep};
use pointbook_store::ports::Database;
use serde_json::json;

use super::campaign_helpers::CampaignFixture;
use crate::build::{noon, on_day};

/// Only a definition that is new or starts is compared, and only with campaigns that may run.
pub async fn warnings_come_with_new_definitions_and_starts(database: Arc<dyn Database>) {
    use CampaignStep::{End, Pause, Resume, Schedule};
    let fixture = CampaignFixture::new(&database).await;
    let (spring, tea) = (json!({}), json!({"id": "tea"}));
    let others = |outcome: CampaignOutcome| match outcome {
        CampaignOutcome::Created(new) | CampaignOutcome::Written(new) | CampaignOutcome::Unchanged(new) => {
            new.warnings.len()
        }
        other => panic!("{other:?}"),
    };
    fixture.put(&spring, None, noon()).await;
    assert_eq!(others(fixture.put(&tea, None, noon()).await), 0, "the other one is a draft");
    assert_eq!(others(fixture.step("tea", Schedule, on_day(1)).await), 0);
    assert_eq!(others(fixture.step("spring", Schedule, on_day(2)).await), 1);
    assert_eq!(others(fixture.put(&spring, None, on_day(3)).await), 0, "unchanged");
    for (day, step) in [(4, Pause), (5, Resume)] {
        assert_eq!(others(fixture.step("spring", step, on_day(day)).await), 0, "{step:?}");
    }
    assert_eq!(others(fixture.put(&json!({"priority": 1}), None, on_day(6)).await), 1);
    assert_eq!(others(fixture.step("tea", End, on_day(7)).await), 0);
    assert_eq!(others(fixture.put(&json!({"priority": 2}), None, on_day(8)).await), 0, "the other one ended");
}

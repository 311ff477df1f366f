//! Facts of the report `uplift`.

use std::sync::Arc;

use pointbook_domain::{Activity, UserId};
use pointbook_points::campaigns::runs::tell_runs;
use pointbook_points::earning::bonuses::current_rules;
use pointbook_store::ports::Database;
use serde_json::json;

use super::figures_scene::Scene;
use crate::build;
use crate::build::{activity, on_day, recorded};

/// Members outside of the control group are active on one day more. The report finds that, and finds nothing else. Days without a control
/// group say nothing, because all members get the bonuses then. The report needs no event that told the start of the campaign.
pub async fn uplift_compares_the_days_with_a_control_group(database: Arc<dyn Database>) {
    let scene = Scene::new(&database, 1).await;
    scene.fixture.start(&half(0)).await;
    for (percent, day) in [(50, 5), (0, 10)] {
        scene.fixture.put(&half(percent), Some(on_day(day)), on_day(0)).await;
    }
    let study = Study::new(&scene).await;
    for day in [2, 5, 10, 11] {
        study.record(&scene, &study.controls, day).await;
    }
    study.record(&scene, &study.all(), 6).await;
    study.record(&scene, &study.others, 9).await;
    let expected = study.one_day_more();
    assert_eq!(scene.texts("uplift", &[]).await, expected);
    tell_runs(&scene.context()).await.unwrap();
    assert_eq!(scene.texts("uplift", &[]).await, expected);
}

fn half(control_percent: u8) -> serde_json::Value {
    json!({"id": "half", "control_percent": control_percent, "conditions": {"types": ["quiz"]}})
}

/// A thousand members, half of them in the control group of the campaign `half`.
struct Study {
    controls: Vec<UserId>,
    others: Vec<UserId>,
}

impl Study {
    async fn new(scene: &Scene) -> Self {
        let earning = current_rules(&scene.context::<()>()).await.unwrap();
        let users = (0..1_000).map(|number| build::user_id(&format!("m{number:04}")));
        let (controls, others) = users.partition(|user| earning.is_control("half", user, 50));
        Self { controls, others }
    }

    fn all(&self) -> Vec<UserId> {
        self.controls.iter().chain(&self.others).cloned().collect()
    }

    /// Each of these earns 6 points.
    async fn record(&self, scene: &Scene, users: &[UserId], day: i64) {
        let new = || Activity { created_at: on_day(day), ..activity(&format!("d-{day}"), 6) };
        let rows = users.iter().map(|user| recorded(user.as_str(), new()));
        scene.fixture.data.write(build::history(rows)).await.unwrap();
    }

    /// The rows of the report when the others were active on two days and the control group on one.
    fn one_day_more(&self) -> [Vec<String>; 3] {
        let (members, controls) = (self.others.len().to_string(), self.controls.len().to_string());
        let [from, until] = [6, 9].map(|day| on_day(day).day().to_string());
        let row = |measure: &str, numbers: [&str; 5], result: &str| {
            let start = ["half", measure, &from, &until, &members, &controls];
            start.into_iter().chain(numbers).chain([result]).map(str::to_owned).collect::<Vec<_>>()
        };
        [
            row("active_days", ["2000", "1000", "1000", "1000", "1000"], "more"),
            row("earned_points", ["12000", "6000", "6000", "6000", "6000"], "more"),
            row("orders", ["0"; 5], "no_difference_shown"),
        ]
    }
}

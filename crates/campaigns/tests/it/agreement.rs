//! Awards, verdicts and needs agree for random campaigns and activities.

use std::collections::BTreeMap;

use pointbook_campaigns::{CampaignId, MAX_AWARDS, Usage, VerdictResult};
use pointbook_domain::points::MAX_POINTS;
use proptest::prelude::*;

use crate::generate::{scenes, steps};
use crate::scene::Scene;

/// The sum of the verdicts.
fn total(scene: &Scene) -> i128 {
    let points = scene.explain().into_iter().map(|verdict| match verdict.result {
        VerdictResult::Applied { points } | VerdictResult::Clipped { points, .. } => i128::from(points),
        VerdictResult::Not(_) => 0,
    });
    points.sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// `explain` checks that its verdicts agree with the awards, and that the needs name all counters.
    #[test]
    fn evaluate_and_explain_agree(mut scene in scenes(), steps in steps()) {
        for step in &steps {
            step.set(&mut scene);
            let total = total(&scene);
            let awards = scene.evaluate();
            prop_assert_eq!(awards.is_err(), total > i128::from(MAX_POINTS));
            let Ok(awards) = awards else { continue };
            prop_assert_eq!(&awards, &scene.evaluate().unwrap(), "the same input has the same awards");
            prop_assert!(awards.len() <= MAX_AWARDS);
            prop_assert!(awards.iter().all(|award| award.points.get() > 0));
            let factor = i128::from(scene.options.ceiling_factor);
            prop_assert!(factor == 0 || awards.is_empty() || total <= factor * i128::from(scene.points.get()));
            scene.record();
        }
    }

    #[test]
    fn awards_stay_within_the_budgets(mut scene in scenes(), steps in steps()) {
        // Versions of one campaign may have different budgets, so each campaign keeps one version.
        scene.versions.sort_by(|one, other| one.campaign.id().cmp(other.campaign.id()));
        scene.versions.dedup_by(|one, other| one.campaign.id() == other.campaign.id());
        scene.memory.budgets.clear();
        scene.versions.iter().for_each(|version| scene.memory.fund(&version.campaign));
        let mut totals: BTreeMap<CampaignId, Usage> = BTreeMap::new();
        for step in &steps {
            step.set(&mut scene);
            for award in scene.evaluate().unwrap_or_default() {
                let total = totals.entry(award.campaign).or_default();
                total.awards += 1;
                total.points += award.points.get();
            }
            if scene.evaluate().is_ok() {
                scene.record();
            }
        }
        for version in &scene.versions {
            let total = totals.get(version.campaign.id()).copied().unwrap_or_default();
            let budget = version.campaign.budget();
            let awards = budget.and_then(|budget| budget.awards);
            let points = budget.and_then(|budget| budget.points);
            prop_assert!(awards.is_none_or(|most| total.awards <= most), "{:?}", total);
            prop_assert!(points.is_none_or(|most| total.points <= most.get()), "{:?}", total);
        }
    }
}

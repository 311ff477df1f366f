//! The reward of a campaign, and what the limits leave of it.

use serde_json::Value;

use super::conditions::Case;
use super::data::Event;
use super::definition::{id, number, optional, text};
use super::history::History;

/// The points before any limit. Rounds down, so the result may be 0.
pub(crate) fn reward(campaign: &Value, event: &Event) -> i128 {
    let reward = &campaign["reward"];
    let points = match optional(&reward["percent"]) {
        // Base points are positive here, so the division rounds down.
        Some(percent) => i128::from(event.points) * number(percent) / 100,
        None => number(&reward["points"]),
    };
    optional(&reward["at_most"]).map_or(points, |most| points.min(number(most)))
}

/// What the limits per user leave of `wanted`. `None` when they leave nothing.
pub(crate) fn after_user_limits(case: &Case<'_>, wanted: i128) -> Option<i128> {
    let mut allowed = wanted;
    let limits = case.campaign["limits"]["per_user"].as_array();
    for limit in limits.into_iter().flatten() {
        let period = text(&limit["period"]);
        let used = case.history.used(id(case.campaign), &case.member.id, period, case.event.day);
        if optional(&limit["awards"]).is_some_and(|awards| used.awards >= number(awards)) {
            return None;
        }
        if let Some(points) = optional(&limit["points"]) {
            allowed = allowed.min(number(points) - used.points);
        }
    }
    clipped_or_skipped(case.campaign, wanted, allowed)
}

/// What the campaign's budget leaves of `wanted`. `None` when it leaves nothing.
pub(crate) fn after_budget(campaign: &Value, wanted: i128, history: &History) -> Option<i128> {
    let budget = &campaign["limits"]["budget"];
    let spent = history.spent(id(campaign));
    if optional(&budget["awards"]).is_some_and(|awards| spent.awards >= number(awards)) {
        return None;
    }
    let left = optional(&budget["points"]).map_or(wanted, |points| number(points) - spent.points);
    clipped_or_skipped(campaign, wanted, left.min(wanted))
}

/// `allowed` is at most `wanted`.
fn clipped_or_skipped(campaign: &Value, wanted: i128, allowed: i128) -> Option<i128> {
    let skips = optional(&campaign["limits"]["on_points_limit"]).is_some_and(|word| text(word) == "skip");
    if allowed <= 0 || (allowed < wanted && skips) { None } else { Some(allowed) }
}

//! Limits, groups and control groups.

use pointbook_http::pages::{Words, number, percent, points};
use serde_json::Value;

use super::{items, text};

pub(super) fn sentences(definition: &Value, words: &Words) -> Vec<String> {
    let limits = &definition["limits"];
    let mut all = Vec::new();
    for limit in items(&limits["per_user"]) {
        let period = text(&limit["period"]);
        all.push(words.with_all(&format!("campaign-limit-{period}"), [("amount", amount(limit, words))]));
    }
    if limits["budget"].is_object() {
        all.push(words.with_all("campaign-budget", [("amount", amount(&limits["budget"], words))]));
    }
    let bounds_points =
        items(&limits["per_user"]).chain([&limits["budget"]]).any(|limit| limit["points"].is_i64());
    if bounds_points {
        all.push(words.say(&format!("campaign-on-limit-{}", text(&limits["on_points_limit"]))).into_owned());
    }
    let group = &definition["group"];
    if let (Some(name), Some(wins)) = (group["name"].as_str(), group["wins"].as_str()) {
        all.push(words.with(&format!("campaign-group-{wins}"), "name", name).into_owned());
    }
    if let Some(priority) = definition["priority"].as_i64().filter(|priority| *priority != 0) {
        all.push(words.with("campaign-priority", "number", number(priority, words)).into_owned());
    }
    if let Some(percent) = definition["control_percent"].as_i64().filter(|percent| *percent > 0) {
        all.push(
            words
                .with("campaign-control", "number", self::percent(percent.saturating_mul(10), words))
                .into_owned(),
        );
    }
    if let Some(kind) = definition["kind"].as_str().filter(|kind| *kind != "campaign") {
        all.push(words.with("campaign-kind", "name", kind).into_owned());
    }
    all
}

/// "5 bonuses", "100 points", or both.
fn amount(limit: &Value, words: &Words) -> String {
    let awards = limit["awards"].as_i64().map(|count| {
        let form = if count == 1 { "campaign-bonuses-one" } else { "campaign-bonuses-many" };
        words.with(form, "count", number(count, words)).into_owned()
    });
    let most = limit["points"].as_i64().map(|most| points(most, words));
    let parts: Vec<String> = awards.into_iter().chain(most).collect();
    super::list(&parts, words)
}

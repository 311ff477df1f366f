//! What campaigns gave, as reports count it.

use std::collections::HashMap;

use async_trait::async_trait;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::facts;
use pointbook_access::console_kit::plots::bars_by_day;
use pointbook_domain::{Day, Scope, UserId};
use pointbook_http::pages::{PageError, number};
use pointbook_points::campaigns::figures::{CampaignFigures, DAYS, Given, GivenFigures};
use pointbook_points::campaigns::manage::CampaignDetail;

use crate::console::rows_table;
use crate::console::segments::ids_of;
use crate::for_role::{column, number_at, run_named};
use crate::reports::{ReportTable, Value};

/// How many days the chart of a campaign has.
const CHART_DAYS: i32 = 90;
/// The parameter that asks for the effect, which reads all members.
const EFFECT: &str = "effect";

/// The part of the console with which pages of campaigns show what campaigns gave.
pub const CAMPAIGN_FIGURES: CampaignFigures = CampaignFigures(&OfReports);

struct OfReports;

#[async_trait]
impl GivenFigures for OfReports {
    async fn sums(&self, visit: &Visit<'_>) -> Result<HashMap<String, Given>, PageError> {
        sums(visit).await
    }

    async fn section(&self, visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError> {
        section(visit, detail).await
    }

    async fn members_of(&self, visit: &Visit<'_>, segment: &str) -> Result<Vec<UserId>, PageError> {
        ids_of(visit, segment).await
    }
}

/// What each campaign gave in the last [`DAYS`].
async fn sums(visit: &Visit<'_>) -> Result<HashMap<String, Given>, PageError> {
    let (from, until) = last_days(visit, DAYS);
    let table = run_named(visit, "campaigns", from, until).await?;
    let text = |row: &[Value], name| match column(&table, name).and_then(|place| row.get(place)) {
        Some(Value::Number(value)) => number(*value, visit.words),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let row = |row: &Vec<Value>| {
        let given = Given {
            awards: text(row, "awards"),
            points: text(row, "points"),
            members: text(row, "new_members"),
        };
        (text(row, "campaign"), given)
    };
    Ok(table.rows.iter().map(row).collect())
}

fn last_days(visit: &Visit<'_>, days: i32) -> (Option<Day>, Option<Day>) {
    let today = visit.served.local_time(visit.now).day;
    (Day::from_days(today.as_days() - days + 1), Some(today))
}

/// What one campaign gave: its sums, its days as a chart, its budget, and its effect.
async fn section(visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError> {
    let words = visit.words;
    let may_see = visit.signed_in()?.operator.role.has(Scope::ReportsRead);
    let budget = detail.budget.map(|used| {
        let spent =
            [(used.spent_awards, used.budget.awards), (used.spent_points, used.budget.points.map(whole))];
        let names = ["campaign-awards", "campaign-points"];
        let part = |(name, (spent, most)): (&'static str, (i64, Option<u64>))| {
            let most = i64::try_from(most?).unwrap_or(i64::MAX);
            Some((name, html! { (number(spent, words)) " / " (number(most, words)) }))
        };
        let parts: Vec<_> = names.into_iter().zip(spent).filter_map(part).collect();
        html! { h3 { (words.say("campaign-spent")) } (facts(visit, parts)) }
    });
    let days = if may_see {
        days(visit, detail).await?
    } else {
        html! {}
    };
    let effect = if may_see {
        effect(visit, detail).await?
    } else {
        html! {}
    };
    Ok(html! {
        @if may_see || budget.is_some() { h2 { (words.say("campaign-given")) } }
        @if let Some(budget) = budget { (budget) }
        (days)
        (effect)
    })
}

fn whole(points: pointbook_domain::Points) -> u64 {
    u64::try_from(points.get()).unwrap_or_default()
}

async fn days(visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError> {
    let id = &detail.summary.row.campaign_id;
    let given = sums(visit).await?.remove(id).unwrap_or_default();
    let (from, until) = last_days(visit, CHART_DAYS);
    let table = run_named(visit, "campaign-days", from, until).await?;
    let values = values(&table, id);
    let numbers = [
        ("campaign-points", given.points),
        ("campaign-awards", given.awards),
        ("campaign-new-members", given.members),
    ];
    let words = visit.words;
    let of_days = |days: i32| number(days.into(), words);
    Ok(html! {
        p .quiet .small { (words.with("campaigns-given", "count", of_days(DAYS))) }
        dl .pair { @for (name, number) in numbers { div { dt { (words.say(name)) } dd { strong { (number) } } } } }
        h3 { (words.with("campaign-given-days", "count", of_days(CHART_DAYS))) }
        @if values.iter().all(|value| *value == Some(0)) { p .empty { (words.say("campaign-given-nothing")) } }
        @else { (chart(visit, &table, &values)) }
    })
}

/// The points of a campaign by day.
fn values(table: &ReportTable, id: &str) -> Vec<Option<i64>> {
    let mut values = vec![Some(0); table.range.days().count()];
    let Some(points) = column(table, "points") else { return values };
    for row in &table.rows {
        let (Some(Value::Day(day)), Some(Value::Text(campaign))) = (row.first(), row.get(1)) else {
            continue;
        };
        let place = usize::try_from(day.as_days() - table.range.from.as_days()).ok();
        if let Some(value) = place.and_then(|place| values.get_mut(place)).filter(|_| campaign == id) {
            *value = number_at(row, points);
        }
    }
    values
}

fn chart(visit: &Visit<'_>, table: &ReportTable, values: &[Option<i64>]) -> Markup {
    bars_by_day(visit, "campaign-points", table.range.days().collect(), values)
}

/// What the campaign changed. It is read only when asked for, because it reads all members.
async fn effect(visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError> {
    let summary = &detail.summary;
    if summary.version.campaign.control_percent() == 0 {
        return Ok(html! {});
    }
    let (words, id) = (visit.words, &summary.row.campaign_id);
    let head = html! { h2 #effect { (words.say("campaign-effect")) } };
    if visit.query(EFFECT).is_empty() {
        let path = visit.path(&format!("/campaigns/{id}"));
        return Ok(html! {
            (head)
            p { (words.say("campaign-effect-hint")) }
            p { a .button href={ (path) "?" (EFFECT) "=show#effect" } { (words.say("campaign-effect-show")) } }
        });
    }
    let mut table = run_named(visit, "uplift", None, None).await?;
    table.rows.retain(|row| matches!(row.first(), Some(Value::Text(campaign)) if campaign == id));
    Ok(html! {
        (head)
        p { (words.say("report-uplift-about")) }
        @if table.rows.is_empty() { p .empty { (words.say("campaign-effect-none")) } }
        @else { (rows_table(visit, &table, table.rows.iter())) }
    })
}

//! The list of campaigns.

use std::collections::HashMap;

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::icons::Icon;
use pointbook_access::console_kit::lists::{Column, list_table, named, no_rows};
use pointbook_access::console_kit::navigation::{Count, Counting};
use pointbook_access::console_kit::sheet::{Sheet, link, more, primary};
use pointbook_campaigns::Campaign;
use pointbook_domain::{Scope, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, number, pager};
use pointbook_store::ServedTenant;

use super::paths::{PATH, definition, path_of, state_mark};
use super::sentences;
use crate::campaigns::figures::{CampaignFigures, DAYS, Given};
use crate::campaigns::manage::{CampaignSummary, ShownState, campaigns};

const COLUMNS: [Column; 7] = [
    Column::text("campaign-title"),
    Column::text("campaign-state"),
    Column::text("campaign-period").rank(2),
    Column::text("campaign-gives").rank(3).cut(),
    Column::number("campaign-awards").rank(2),
    Column::number("campaign-points").rank(2),
    Column::number("campaign-new-members").rank(3),
];
/// The columns for roles that see no figures.
const WITHOUT_SUMS: usize = 4;
const ROWS: u32 = 50;
const ARCHIVED: &str = "archived";

pub(super) async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let words = visit.words;
    let archived = visit.query(ARCHIVED);
    let with_archived = archived == "true";
    let all = campaigns(&visit.served, visit.now, with_archived).await?;
    let (window, shown) = visit.page_of(&all, ROWS);
    let role = visit.signed_in()?.operator.role;
    let figures = visit.shared.parts.get::<CampaignFigures>()?.0;
    let sums = if role.has(Scope::ReportsRead) { Some(figures.sums(visit).await?) } else { None };
    let rows: Vec<Vec<Markup>> = shown.iter().map(|summary| row(visit, summary, sums.as_ref())).collect();
    let address = visit.address_of_pages(PATH, &[(ARCHIVED, if with_archived { "true" } else { "" })]);
    let columns = if sums.is_some() { &COLUMNS[..] } else { &COLUMNS[..WITHOUT_SUMS] };
    let first = role.has(Scope::CampaignsWrite).then_some(("/new-campaign", "campaign-new"));
    let content = html! {
        @if rows.is_empty() { (no_rows(visit, &window, false, ("campaigns-empty", first), "")) } @else { (list_table(visit, &words.say("campaigns"), columns, &rows)) }
        (pager(words, &window, &address))
        @if sums.is_some() && !rows.is_empty() { p .quiet { (words.with("campaigns-given", "count", number(DAYS.into(), words))) } }
    };
    let back_fills = link(visit, Icon::Reports, &visit.path("/back-fills"), "back-fills");
    let archived = if with_archived {
        link(visit, Icon::Campaigns, &visit.path(PATH), "campaigns-unarchived")
    } else {
        link(visit, Icon::Campaigns, &format!("{}?{ARCHIVED}=true", visit.path(PATH)), "campaigns-archived")
    };
    let actions = html! {
        (more(visit, &[back_fills, archived]))
        @if let Some((path, text)) = first { (primary(visit, &visit.path(path), text)) }
    };
    Ok(Sheet::new(visit, PATH, words.say("campaigns")).count(window.total).actions(actions).respond(&content))
}

/// How many campaigns run.
pub(super) fn running(served: &ServedTenant, now: Timestamp) -> Counting<'_> {
    Box::pin(async move {
        let all = campaigns(served, served.tenant.now(now), false).await?;
        let number = all.iter().filter(|summary| summary.state == ShownState::Running).count() as u64;
        Ok(Some(Count { meaning: Some("count-run"), ..Count::of(number) }))
    })
}

fn row(visit: &Visit<'_>, summary: &CampaignSummary, sums: Option<&HashMap<String, Given>>) -> Vec<Markup> {
    let words = visit.words;
    let CampaignSummary { state, version, row } = summary;
    let title = version.campaign.title(None, &visit.served.tenant.locale);
    let told = sentences::short(&definition(&row.definition), words);
    let mut cells = vec![
        named(&path_of(visit, &row.campaign_id, ""), title, &told),
        state_mark(visit, *state),
        period(visit, &version.campaign),
        html! { span title=(told) { (told) } },
    ];
    if let Some(sums) = sums {
        let given = sums.get(&row.campaign_id).cloned().unwrap_or_default();
        let given = [given.awards, given.points, given.members];
        cells.extend(given.map(|text| html! { span .quiet[text == "0"] { (text) } }));
    }
    cells
}

/// When a campaign runs.
pub(super) fn period(visit: &Visit<'_>, campaign: &Campaign) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let (start, end) = (campaign.starts_at(), campaign.ends_at());
    html! {
        @if let Some(start) = start { (words.say("campaign-from")) " " (moment(start, served, words)) }
        @if let (Some(_), Some(_)) = (start, end) { br; }
        @match end {
            Some(end) => { (words.say("campaign-until")) " " (moment(end, served, words)) }
            None if start.is_none() => span .whole { (words.say("campaign-always")) },
            None => {}
        }
    }
}

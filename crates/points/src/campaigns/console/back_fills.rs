//! The list of back-fills of all campaigns.

use std::collections::HashMap;

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::empty_list;
use pointbook_access::console_kit::lists::{Column, list_table, named};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, moment, pager};
use pointbook_store::schema::rows::BackFillRow;

use super::back_fill::{BELOW, found_of, given_of, state, total};
use super::paths::{PATH, path_of};
use super::tested_period::tested_period;
use crate::campaigns::back_fill::back_fills;
use crate::campaigns::manage::campaigns;

const ROWS: u32 = 50;
const COLUMNS: [Column; 7] = [
    Column::text("campaign-title"),
    Column::text("back-test-version").rank(2),
    Column::text("back-fill-period").rank(3),
    Column::text("back-fill-state"),
    Column::text("back-fill-found").rank(2),
    Column::text("back-fill-given"),
    Column::text("back-fill-requested").rank(3),
];

pub(super) async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let (words, served) = (visit.words, &visit.served);
    let all = back_fills(served).await?;
    let (window, shown) = visit.page_of(&all, ROWS);
    let titles: HashMap<String, String> = campaigns(served, visit.now, true)
        .await?
        .into_iter()
        .map(|summary| {
            let title = summary.version.campaign.title(None, &served.tenant.locale).to_owned();
            (summary.row.campaign_id, title)
        })
        .collect();
    let rows: Vec<Vec<Markup>> =
        shown.iter().map(|row| cells(visit, row, titles.get(&row.campaign_id))).collect();
    let name = words.say("back-fills");
    let content = html! {
        @if rows.is_empty() { (empty_list(visit, &window, "back-fills-none")) } @else { (list_table(visit, &name, &COLUMNS, &rows)) }
        (pager(words, &window, &visit.address_of_pages("/back-fills", &[])))
    };
    Ok(Sheet::new(visit, PATH, name).count(window.total).respond(&content))
}

fn cells(visit: &Visit<'_>, row: &BackFillRow, title: Option<&String>) -> Vec<Markup> {
    let (words, served) = (visit.words, &visit.served);
    let id = &row.campaign_id;
    vec![
        named(&path_of(visit, id, BELOW), title.unwrap_or(id), id),
        html! { (row.version) },
        tested_period(visit, row.events_from, row.events_until),
        html! { (state(visit, row)) },
        html! { (total(visit, found_of(row))) },
        html! { (total(visit, given_of(row))) },
        moment(row.requested_at, served, words),
    ]
}

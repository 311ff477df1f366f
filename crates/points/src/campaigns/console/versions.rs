//! The versions of a campaign.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::authors::Authors;
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_http::pages::{PageError, moment, pager};

use super::paths::PATH;
use crate::campaigns::manage::CampaignDetail;

const ROWS: u32 = 20;
const COLUMNS: [Column; 5] = [
    Column::text("version-number"),
    Column::text("version-state"),
    Column::text("version-from"),
    Column::text("version-written").rank(2),
    Column::text("version-author").rank(2),
];

/// The newest version comes first.
pub(super) async fn section(visit: &Visit<'_>, detail: &CampaignDetail) -> Result<Markup, PageError> {
    let (words, served) = (visit.words, &visit.served);
    let authors = Authors::of(visit).await?;
    let newest: Vec<_> = detail.versions.iter().rev().collect();
    let (window, shown) = visit.page_of(&newest, ROWS);
    let rows: Vec<Vec<Markup>> = shown
        .iter()
        .map(|row| {
            vec![
                html! { (row.version) },
                html! { (words.say(&format!("state-{}", row.state))) },
                moment(row.valid_from, served, words),
                moment(row.created_at, served, words),
                html! { (authors.name_or_id(&row.created_by)) },
            ]
        })
        .collect();
    let address = visit.address_of_pages(&format!("{PATH}/{}", detail.summary.row.campaign_id), &[]);
    let name = words.say("versions");
    Ok(html! {
        h2 { (name) }
        @if !rows.is_empty() { (list_table(visit, &name, &COLUMNS, &rows)) }
        (pager(words, &window, &address))
    })
}

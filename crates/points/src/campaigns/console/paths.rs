//! The campaign of a page, and the paths of this section.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_campaigns::CampaignId;
use pointbook_http::pages::PageError;
use serde_json::Value;

use crate::campaigns::manage::{CampaignDetail, ShownState, campaign};

/// The path of this section.
pub(super) const PATH: &str = "/campaigns";

/// The campaign that the path names.
pub(super) async fn found(visit: &Visit<'_>) -> Result<(CampaignId, CampaignDetail), PageError> {
    let id = id(visit)?;
    let detail = campaign(&visit.served, &id, visit.now).await?.ok_or(PageError::NotFound)?;
    Ok((id, detail))
}

pub(super) fn id(visit: &Visit<'_>) -> Result<CampaignId, PageError> {
    CampaignId::new(&visit.param("id")?).map_err(|_| PageError::NotFound)
}

pub(super) fn path_of(visit: &Visit<'_>, id: &str, below: &str) -> String {
    visit.path(&format!("{PATH}/{id}{below}"))
}

/// A stored definition. It is JSON that this release or an earlier one wrote.
pub(super) fn definition(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

pub(super) fn state_mark(visit: &Visit<'_>, state: ShownState) -> Markup {
    let text = visit.words.say(&format!("state-{}", state.as_str()));
    html! { span .badge .good[state == ShownState::Running] { (text) } }
}

//! Campaigns: what they do in sentences, their steps, back-tests, back-fills, and what they gave.

mod back_fill;
mod back_fills;
pub(crate) mod back_test;
mod edit;
mod form;
mod list;
pub(crate) mod paths;
mod sentences;
mod show;
mod steps;
mod templates;
mod tested_period;
mod trial;
mod versions;

use pointbook_access::console_kit::{Access, PageSpec, page};
use pointbook_domain::Scope;

const READ: Access = Access::Scope(Scope::CampaignsRead);
const WRITE: Access = Access::Scope(Scope::CampaignsWrite);

/// A campaign may have the id `new`, so the path of the form for a new one is beside them.
pub(crate) static PAGES: [PageSpec; 15] = [
    page!("console.campaigns", GET "/campaigns", READ, ["manage.campaigns.list"], list::list)
        .counting(list::running),
    page!("console.campaigns.show", GET "/campaigns/{id}", READ, ["manage.campaigns.show", "manage.campaigns.back_test.show"], show::show),
    page!("console.campaigns.new", GET "/new-campaign", WRITE, ["manage.campaigns.put"], edit::new),
    page!("console.campaigns.create", POST "/new-campaign", WRITE, ["manage.campaigns.put", "manage.campaigns.step"], edit::create),
    page!("console.campaigns.new.preview", POST "/new-campaign/preview", WRITE, ["manage.campaigns.put", "manage.campaigns.back_test.start"], edit::preview_new),
    page!("console.campaigns.edit", GET "/campaigns/{id}/edit", WRITE, ["manage.campaigns.put"], edit::edit),
    page!("console.campaigns.put", POST "/campaigns/{id}/edit", WRITE, ["manage.campaigns.put", "manage.campaigns.step"], edit::put),
    page!("console.campaigns.edit.preview", POST "/campaigns/{id}/edit/preview", WRITE, ["manage.campaigns.put", "manage.campaigns.back_test.start"], edit::preview_changed),
    page!("console.campaigns.step", POST "/campaigns/{id}/step", WRITE, ["manage.campaigns.step"], steps::step),
    page!("console.campaigns.back_test.start", POST "/campaigns/{id}/back-test", WRITE, ["manage.campaigns.back_test.start"], crate::campaigns::console::back_test::start),
    page!("console.campaigns.back_test.cancel", POST "/campaigns/{id}/back-test/cancel", WRITE, ["manage.campaigns.back_test.cancel"], crate::campaigns::console::back_test::cancel),
    page!("console.back_fills", GET "/back-fills", READ, ["manage.campaigns.list", "manage.campaigns.back_fill.show"], back_fills::list),
    page!("console.campaigns.back_fill", GET "/campaigns/{id}/back-fill", READ, ["manage.campaigns.back_fill.show", "manage.campaigns.back_test.show"], back_fill::show),
    page!("console.campaigns.back_fill.start", POST "/campaigns/{id}/back-fill", WRITE, ["manage.campaigns.back_fill.start"], back_fill::start),
    page!("console.campaigns.back_fill.cancel", POST "/campaigns/{id}/back-fill/cancel", WRITE, ["manage.campaigns.back_fill.cancel"], back_fill::cancel),
];

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;
    use pointbook_campaigns::{FaultRule, WarningCode};
    use pointbook_http::pages::Languages;

    use crate::campaigns::back_fill::BackFillState;
    use crate::campaigns::back_test::BackTestState;
    use crate::campaigns::manage::{CampaignStep, ShownState};

    /// Another test compares the languages with each other.
    #[test]
    fn every_word_of_campaigns_has_a_text() {
        let languages = Languages::new(SOURCES);
        let words = languages.choose(&http::HeaderMap::new());
        let ids = |prefix: &'static str, names: Vec<&'static str>| {
            names.into_iter().map(move |name| format!("{prefix}-{}", name.replace('_', "-")))
        };
        let faults = ids("fault", FaultRule::KINDS.iter().map(|(kind, _)| *kind).collect());
        let warnings = ids("warning", WarningCode::ALL.iter().map(|code| code.as_str()).collect());
        let states =
            ids("state", ShownState::ALL.iter().map(|state| state.as_str()).chain(["active"]).collect());
        let steps = ids("step", CampaignStep::ALL.iter().map(|step| step.as_str()).collect());
        let said = ids("said-campaign", CampaignStep::ALL.iter().map(|step| step.as_str()).collect());
        let tests = ids("back-test", BackTestState::ALL.map(BackTestState::as_str).to_vec());
        let fills = ids("back-fill", BackFillState::ALL.map(BackFillState::as_str).to_vec());
        for id in faults.chain(warnings).chain(states).chain(steps).chain(said).chain(tests).chain(fills) {
            assert!(!words.say(&id).is_empty(), "{id}");
        }
    }
}

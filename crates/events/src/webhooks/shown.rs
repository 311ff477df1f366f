//! A webhook on other pages of the console: its state, and the address of its page.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::Webhook;
use pointbook_http::pages::moment;

pub const SECTION: &str = "/webhooks";

/// The state, why it is so, and since when.
pub fn state(visit: &Visit<'_>, webhook: &Webhook) -> Markup {
    let words = visit.words;
    html! {
        strong .state data-state=(webhook.state.as_str()) { (words.say(&format!("webhook-state-{}", webhook.state.as_str()))) }
        @if let Some(because) = webhook.disabled_because { br; (words.say(&format!("webhook-because-{}", because.as_str().replace('_', "-")))) }
        br; span .quiet { (words.say("webhook-since")) " " (moment(webhook.state_since, &visit.served, words)) }
    }
}

/// The address of the page of a webhook.
pub fn address(visit: &Visit<'_>, id: &str) -> String {
    visit.path(&format!("{SECTION}/{}", segment(id)))
}

//! The fields of a webhook in a form.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::checked_field;
use pointbook_domain::webhook::{MAX_LANES, MAX_WEBHOOK_URL_BYTES};
use pointbook_domain::{EventType, EventTypes, Webhook, WebhookMode, WebhookState};
use pointbook_http::pages::{Form, PageError};

use super::shared::permit;
use crate::webhooks::{Outbox, UrlRefusal, WebhookFields, WebhookOutcome, WebhookRefusal};

/// What was typed, and the mistakes.
pub(super) struct Typed {
    url: String,
    types: Vec<EventType>,
    mode: WebhookMode,
    lanes: String,
    pub(super) url_mistake: Option<String>,
    lanes_mistake: bool,
}

impl Default for Typed {
    fn default() -> Self {
        let (url, types, lanes) = (String::new(), Vec::new(), "1".to_owned());
        Self { url, types, mode: WebhookMode::Each, lanes, url_mistake: None, lanes_mistake: false }
    }
}

impl From<&Webhook> for Typed {
    fn from(webhook: &Webhook) -> Self {
        let (url, types, lanes) = (webhook.url.clone(), webhook.types.0.clone(), webhook.lanes.to_string());
        Self { url, types, mode: webhook.mode, lanes, ..Self::default() }
    }
}

/// The fields of a webhook as it is, with requests or without.
pub(super) fn fields_of(webhook: &Webhook, is_enabled: bool) -> WebhookFields {
    let Webhook { url, types, mode, lanes, .. } = webhook.clone();
    WebhookFields { url, types, mode, lanes, is_enabled }
}

pub(super) fn is_enabled(webhook: &Webhook) -> bool {
    webhook.state != WebhookState::Disabled
}

impl Typed {
    /// # Errors
    /// [`PageError::BadRequest`] for what no form of this server sends.
    pub(super) fn of(sent: &Form) -> Result<Self, PageError> {
        let types: Option<_> = sent.all("type").map(EventType::parse).collect();
        let mode = WebhookMode::parse(sent.field("mode")?).ok_or(PageError::BadRequest)?;
        let text = |name| sent.field(name).map(|text| text.trim().to_owned());
        let (url, lanes) = (text("url")?, text("lanes")?);
        Ok(Self { url, types: types.ok_or(PageError::BadRequest)?, mode, lanes, ..Self::default() })
    }

    /// All that the form says, to recognise a repetition.
    pub(super) fn request(&self) -> String {
        let types = EventTypes(self.types.clone());
        format!("webhook\n{}\n{types}\n{}\n{}", self.url, self.mode.as_str(), self.lanes)
    }

    /// The fields. `None`, with the mistakes noted, when one is wrong.
    ///
    /// # Errors
    /// When too many requests wait for a resolver.
    pub(super) async fn read(
        &mut self,
        visit: &Visit<'_>,
        is_enabled: bool,
    ) -> Result<Option<WebhookFields>, PageError> {
        let lanes = self.lanes.parse().ok().filter(|lanes| (1..=MAX_LANES).contains(lanes));
        self.lanes_mistake = lanes.is_none();
        let has_url = (1..=MAX_WEBHOOK_URL_BYTES).contains(&self.url.len());
        self.url_mistake = (!has_url).then(|| visit.words.say("webhook-url-mistake").into_owned());
        let (url, types) = (self.url.clone(), EventTypes(self.types.clone()));
        let Some(lanes) = lanes else {
            // Nothing will be stored, but the form names all of its mistakes at once.
            if has_url && is_enabled {
                let _permit = permit(visit)?;
                let refused = visit.shared.parts.get::<Outbox>()?.check(&url).await.err();
                self.url_mistake = refused.map(|refusal| refusal_text(visit, &refusal));
            }
            return Ok(None);
        };
        Ok(has_url.then_some(WebhookFields { url, types, mode: self.mode, lanes, is_enabled }))
    }

    pub(super) fn fields(&self, visit: &Visit<'_>) -> Markup {
        let words = visit.words;
        let lanes_mistake = self.lanes_mistake.then(|| words.say("webhook-lanes-mistake"));
        html! {
            (checked_field(visit, "webhook-url", self.url_mistake.as_deref(), html! { input name="url" type="url" value=(self.url) placeholder="https://shop.example.com/hooks" required; }))
            fieldset .scopes {
                legend { (words.say("webhook-types")) }
                p .quiet { (words.say("webhook-types-hint")) }
                div .choices {
                    @for kind in EventType::ALL {
                        label .check { input type="checkbox" name="type" value=(kind.as_str()) checked[self.types.contains(kind)]; code { (kind.as_str()) } }
                    }
                }
            }
            fieldset .scopes {
                legend { (words.say("webhook-mode")) }
                @for mode in WebhookMode::ALL {
                    label .check { input type="radio" name="mode" value=(mode.as_str()) checked[*mode == self.mode]; span { (words.say(&format!("webhook-mode-{}", mode.as_str()))) } }
                }
            }
            (checked_field(visit, "webhook-lanes", lanes_mistake.as_deref(), html! { input name="lanes" type="number" min="1" max=(MAX_LANES) value=(self.lanes) required; }))
        }
    }
}

/// What to say beside the URL of a refused change.
///
/// # Errors
/// [`PageError::NotFound`] when the webhook is gone.
pub(super) fn url_mistake(visit: &Visit<'_>, outcome: &WebhookOutcome) -> Result<String, PageError> {
    let words = visit.words;
    match outcome {
        WebhookOutcome::TooMany => Ok(words.say("webhook-too-many").into_owned()),
        WebhookOutcome::Refused(WebhookRefusal::Url(refusal)) => Ok(refusal_text(visit, refusal)),
        WebhookOutcome::Refused(WebhookRefusal::CursorGone(_)) => {
            Ok(words.say("webhook-cursor-gone").into_owned())
        }
        WebhookOutcome::NotFound | WebhookOutcome::Removed => Err(PageError::NotFound),
        WebhookOutcome::NotBlocked | WebhookOutcome::Stored(_) => Err(PageError::BadRequest),
    }
}

fn refusal_text(visit: &Visit<'_>, refusal: &UrlRefusal) -> String {
    visit.words.with(&text_of(refusal.kind()), "name", refusal.host()).into_owned()
}

/// The id of the sentence for a kind of refusal.
fn text_of(kind: &str) -> String {
    format!("webhook-url-{kind}")
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;

    use super::*;
    use crate::webhooks::UrlError;

    #[test]
    fn each_refusal_of_a_url_has_a_sentence_in_each_language() {
        let kinds = UrlError::KINDS.iter().map(|(kind, _)| kind).chain(UrlRefusal::HOST_KINDS);
        for kind in kinds {
            let line = format!("\n{} = ", text_of(kind));
            assert!(SOURCES.iter().all(|(_, source)| source.contains(&line)), "{kind}");
        }
    }
}

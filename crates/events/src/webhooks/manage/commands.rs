//! The changes of webhooks.

use pointbook_domain::webhook::{MAX_WEBHOOKS, PREVIOUS_SECRET_SECONDS};
use pointbook_domain::{
    Cursor, DisabledBecause, EventType, EventTypes, Feed, FeedEntry, Timestamp, Webhook, WebhookMode,
    WebhookProgress, WebhookSecret, WebhookState,
};
use pointbook_store::audit_log::{ChangeNote, webhook_fields};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};

use crate::webhooks::sender::Refusal;

/// What the back office says of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookFields {
    /// Checked by [`crate::webhooks::Outbox::check`].
    pub url: String,
    pub types: EventTypes,
    pub mode: WebhookMode,
    /// 1 to [`pointbook_domain::webhook::MAX_LANES`].
    pub lanes: u32,
    /// Whether the webhook gets requests.
    pub is_enabled: bool,
}

/// A webhook to add.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewWebhook {
    pub id: String,
    pub fields: WebhookFields,
    pub secret: WebhookSecret,
    /// Where it begins; `None` for after the newest event.
    pub start: Option<Cursor>,
}

/// The result of a change. Nothing changes unless it is stored or removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookOutcome {
    Stored(Box<Webhook>),
    Removed,
    NotFound,
    /// The tenant has [`MAX_WEBHOOKS`] webhooks.
    TooMany,
    /// The last delivery did not fail at this position.
    NotBlocked,
    Refused(WebhookRefusal),
}

/// Why the request cannot be done now, found before the command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookRefusal {
    /// The URL names no receiver that may be sent to.
    Url(Refusal),
    /// The events after the cursor are gone, or never existed.
    CursorGone(Feed),
}

/// Changes nothing. A repeated request gets its first response, also when this is now another one. Only a refusal of the form of a
/// URL is such a response itself: hosts and feeds change.
#[derive(Debug, Clone)]
pub(super) struct RefuseWebhook(pub(super) WebhookRefusal);

impl Command for RefuseWebhook {
    type Outcome = WebhookOutcome;

    const NAME: &'static str = "refuse_webhook";

    fn is_kept(&self, _: &WebhookOutcome) -> bool {
        match &self.0 {
            WebhookRefusal::Url(Refusal::Url(_)) => true,
            WebhookRefusal::Url(Refusal::Host(_)) | WebhookRefusal::CursorGone(_) => false,
        }
    }

    fn needs(&self, _: &mut Needs) {}

    fn decide(&self, _: &mut Facts) -> Result<WebhookOutcome, CommandError> {
        Ok(WebhookOutcome::Refused(self.0.clone()))
    }
}

/// Its webhook has a new id, so it replaces none.
#[derive(Debug, Clone)]
pub struct AddWebhook(pub Webhook);

impl Command for AddWebhook {
    type Outcome = WebhookOutcome;

    const NAME: &'static str = "add_webhook";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Webhook>();
        needs.row::<Feed>(&());
    }

    fn decide(&self, facts: &mut Facts) -> Result<WebhookOutcome, CommandError> {
        let Self(webhook) = self;
        if facts.table::<Webhook>()?.len() >= MAX_WEBHOOKS {
            return Ok(WebhookOutcome::TooMany);
        }
        facts.put(webhook.clone())?;
        // So that deliveries may number it.
        if facts.get::<Feed>(&())?.is_none() {
            facts.put(Feed::EMPTY)?;
        }
        facts.note(|| ChangeNote::new("webhook.add", object(webhook), None, Some(webhook_fields(webhook))));
        Ok(WebhookOutcome::Stored(Box::new(webhook.clone())))
    }
}

/// Removes a webhook with its progress and its attempts.
#[derive(Debug, Clone)]
pub struct RemoveWebhook(pub String);

impl Command for RemoveWebhook {
    type Outcome = WebhookOutcome;

    const NAME: &'static str = "remove_webhook";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Webhook>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<WebhookOutcome, CommandError> {
        let Some(webhook) = find(facts, &self.0)? else { return Ok(WebhookOutcome::NotFound) };
        facts.remove(&webhook)?;
        facts.note(|| {
            ChangeNote::new("webhook.remove", object(&webhook), Some(webhook_fields(&webhook)), None)
        });
        Ok(WebhookOutcome::Removed)
    }
}

/// One change of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookChange {
    Put(WebhookFields),
    /// A new secret. The one before signs too for a day.
    Rotate(WebhookSecret),
    /// The next delivery begins after this cursor.
    Rewind(Cursor),
    /// The event at this position is not delivered: its delivery failed last.
    Skip(u64),
    /// The state that follows from deliveries. Nothing changes when the back office has set another cursor since, or when the progress
    /// has another first failure by now.
    State {
        epoch: u64,
        failing_since: Option<Timestamp>,
        state: WebhookState,
        because: Option<DisabledBecause>,
    },
}

/// One change of the webhook with this id.
#[derive(Debug, Clone)]
pub struct ChangeWebhook {
    pub id: String,
    pub change: WebhookChange,
    /// The time of the tenant.
    pub at: Timestamp,
}

impl Command for ChangeWebhook {
    type Outcome = WebhookOutcome;

    const NAME: &'static str = "change_webhook";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Webhook>();
        needs.table::<WebhookProgress>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<WebhookOutcome, CommandError> {
        let Some(before) = find(facts, &self.id)? else { return Ok(WebhookOutcome::NotFound) };
        let progress = facts.table::<WebhookProgress>()?.into_iter().find(|row| row.webhook_id == self.id);
        let mut after = before.clone();
        if !self.apply(&mut after, progress.as_ref()) {
            return Ok(WebhookOutcome::NotBlocked);
        }
        if after != before {
            facts.put(after.clone())?;
            facts.note(|| self.note(&before, &after));
            tell_state(facts, &before, &after);
        }
        Ok(WebhookOutcome::Stored(Box::new(after)))
    }
}

impl ChangeWebhook {
    /// False when the change does not fit the webhook.
    fn apply(&self, webhook: &mut Webhook, progress: Option<&WebhookProgress>) -> bool {
        match &self.change {
            WebhookChange::Put(fields) => self.put(webhook, fields, progress),
            WebhookChange::Rotate(secret) => {
                webhook.previous_secret = Some(std::mem::replace(&mut webhook.secret, secret.clone()));
                webhook.previous_secret_until = Some(self.at.plus_seconds(PREVIOUS_SECRET_SECONDS));
            }
            WebhookChange::Rewind(cursor) => {
                webhook.start_at(*cursor);
                if webhook.state == WebhookState::Failing {
                    self.set_state(webhook, WebhookState::Active, None);
                }
            }
            WebhookChange::Skip(position) => return skip(webhook, *position, progress),
            WebhookChange::State { epoch, failing_since, state, because } => {
                let now = progress.filter(|progress| progress.epoch == webhook.epoch);
                let is_same = now.and_then(|progress| progress.failing_since) == *failing_since;
                if webhook.epoch == *epoch && is_same && webhook.state != WebhookState::Disabled {
                    self.set_state(webhook, *state, *because);
                }
            }
        }
        true
    }

    fn put(&self, webhook: &mut Webhook, fields: &WebhookFields, progress: Option<&WebhookProgress>) {
        let WebhookFields { url, types, mode, lanes, is_enabled } = fields.clone();
        let was_enabled = webhook.state != WebhookState::Disabled;
        if (&webhook.url, &webhook.types) != (&url, &types) {
            // Failures of another receiver or of other events do not count.
            webhook.start_at(webhook.cursor(progress));
            if webhook.state == WebhookState::Failing {
                self.set_state(webhook, WebhookState::Active, None);
            }
        }
        (webhook.url, webhook.types, webhook.mode, webhook.lanes) = (url, types, mode, lanes);
        match (was_enabled, is_enabled) {
            (true, false) => {
                self.set_state(webhook, WebhookState::Disabled, Some(DisabledBecause::Request));
            }
            (false, true) => {
                // A new epoch forgets the failures, so the next attempt comes at once.
                webhook.start_at(webhook.cursor(progress));
                self.set_state(webhook, WebhookState::Active, None);
            }
            (true, true) | (false, false) => {}
        }
    }

    fn set_state(&self, webhook: &mut Webhook, state: WebhookState, because: Option<DisabledBecause>) {
        if webhook.state != state {
            (webhook.state, webhook.disabled_because, webhook.state_since) = (state, because, self.at);
        }
    }

    fn note(&self, before: &Webhook, after: &Webhook) -> ChangeNote {
        let operation = match self.change {
            WebhookChange::Put(_) => "webhook.change",
            WebhookChange::Rotate(_) => "webhook.rotate_secret",
            WebhookChange::Rewind(_) => "webhook.rewind",
            WebhookChange::Skip(_) => "webhook.skip",
            WebhookChange::State { .. } => "webhook.state",
        };
        ChangeNote::new(operation, object(after), Some(webhook_fields(before)), Some(webhook_fields(after)))
    }
}

/// Passes the event whose delivery failed last. All events before it were delivered.
fn skip(webhook: &mut Webhook, position: u64, progress: Option<&WebhookProgress>) -> bool {
    let current = progress.filter(|progress| progress.epoch == webhook.epoch);
    let Some(blocked) = current.filter(|progress| progress.failed_position == Some(position)) else {
        return false;
    };
    webhook.start_at(Cursor { position, ..blocked.cursor() });
    true
}

/// Adds the event of a state that integrators should know.
fn tell_state(facts: &mut Facts, before: &Webhook, after: &Webhook) {
    let kind = match after.state {
        state if state == before.state => return,
        WebhookState::Active => return,
        WebhookState::Failing => EventType::WebhookFailing,
        WebhookState::Disabled => EventType::WebhookDisabled,
    };
    facts.tell(FeedEntry { kind, user_id: None, id: Some(after.id.clone()), row: None });
}

fn find(facts: &Facts, id: &str) -> Result<Option<Webhook>, CommandError> {
    Ok(facts.table::<Webhook>()?.into_iter().find(|webhook| webhook.id == id))
}

fn object(webhook: &Webhook) -> String {
    format!("webhook:{}", webhook.id)
}

#[cfg(test)]
mod tests;

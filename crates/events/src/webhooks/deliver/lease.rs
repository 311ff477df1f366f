//! The commands of a process that delivers. One process at a time has the lease of a webhook.

use pointbook_domain::{Webhook, WebhookAttempt, WebhookProgress};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};

use super::progress::newest_of_slots;

/// What a process saw of a webhook. A process that delivers changes it at least once per batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseState {
    pub(crate) owner: Option<String>,
    number: u64,
    position: u64,
    attempts: u64,
}

impl From<&WebhookProgress> for LeaseState {
    fn from(progress: &WebhookProgress) -> Self {
        Self {
            owner: progress.lease_owner.clone(),
            number: progress.lease_number,
            position: progress.position,
            attempts: progress.delivered_count.saturating_add(progress.failed_count),
        }
    }
}

/// Takes the lease of a webhook, unless something changed since the process looked. No clock decides.
#[derive(Debug, Clone)]
pub struct TakeLease {
    pub webhook_id: String,
    pub owner: String,
    pub seen: LeaseState,
}

impl Command for TakeLease {
    /// The webhook and its progress with the new lease. `None` when the lease was not taken.
    type Outcome = Option<(Webhook, WebhookProgress)>;

    const NAME: &'static str = "take_webhook_lease";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Webhook>();
        needs.table::<WebhookProgress>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError> {
        let webhook = facts.table::<Webhook>()?.into_iter().find(|webhook| webhook.id == self.webhook_id);
        let Some(webhook) = webhook else { return Ok(None) };
        let mut progress = WebhookProgress::current(&webhook, find_progress(facts, &self.webhook_id)?);
        if LeaseState::from(&progress) != self.seen {
            return Ok(None);
        }
        progress.lease_owner = Some(self.owner.clone());
        progress.lease_number += 1;
        facts.put(progress.clone())?;
        Ok(Some((webhook, progress)))
    }
}

/// Writes the progress and its attempts, if the process still has the lease. Progress without an owner gives the lease back.
#[derive(Debug, Clone)]
pub struct SaveProgress {
    pub progress: WebhookProgress,
    pub attempts: Vec<WebhookAttempt>,
}

impl Command for SaveProgress {
    /// False when nothing was written: another process has the lease, or the webhook was removed.
    type Outcome = bool;

    const NAME: &'static str = "save_webhook_progress";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<WebhookProgress>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let Self { progress, attempts } = self;
        let stored = find_progress(facts, &progress.webhook_id)?;
        if stored.is_none_or(|stored| stored.lease_number != progress.lease_number) {
            return Ok(false);
        }
        facts.put(progress.clone())?;
        for row in newest_of_slots(attempts) {
            facts.overwrite(row.clone());
        }
        Ok(true)
    }
}

fn find_progress(facts: &Facts, id: &str) -> Result<Option<WebhookProgress>, CommandError> {
    Ok(facts.table::<WebhookProgress>()?.into_iter().find(|progress| progress.webhook_id == id))
}

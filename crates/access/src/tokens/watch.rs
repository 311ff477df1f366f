//! Warns of super-user tokens that expire soon: a back office notices an expired token too late.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use metrics::Gauge;
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel};
use pointbook_store::database_health::with_causes;
use pointbook_store::ports::TokenFilter;
use pointbook_store::{ServedTenant, StoreError, StoreResult};

use crate::tokens::authenticate::SuperUsersRead;
use crate::tokens::issue::list_tokens;

/// How long before its expiry a token causes a warning, in days.
const WARNING_DAYS: u32 = 30;

const SECONDS_OF_A_DAY: u32 = 86_400;
const MICROS_OF_A_SECOND: f64 = 1_000_000.0;

/// Warns of each token once a day, and keeps a gauge for each tenant with super-user tokens that expire.
#[derive(Default)]
pub struct TokenWatch {
    warned: HashMap<TokenHash, Timestamp>,
    known: HashMap<String, Known>,
}

/// A tenant with super-user tokens that expire.
struct Known {
    gauge: Gauge,
    /// When the first active one expires. `None` after the last one has expired.
    soonest: Option<Timestamp>,
}

impl TokenWatch {
    /// Looks at the tokens of these tenants. It reads the tokens of a tenant at first, after a super-user token was used, and
    /// while one expires soon. So a tenant without requests costs no statement. If a read fails, the tenant keeps its gauge, and
    /// the log has the error. While the database is away, it reads nothing.
    pub async fn look(&mut self, tenants: &[Arc<ServedTenant>], now: Timestamp) {
        self.warned.retain(|_, at| now < at.plus_seconds(SECONDS_OF_A_DAY));
        let names: Vec<String> = tenants.iter().map(|served| served.name().to_string()).collect();
        for (_, known) in self.known.extract_if(|name, _| !names.contains(name)) {
            known.gauge.set(f64::INFINITY);
        }
        for (served, name) in tenants.iter().zip(names) {
            let now = served.tenant.now(now);
            self.show_time_left(&name, now);
            if served.health.is_away() || !self.is_to_be_read(served, &name, now) {
                continue;
            }
            // Before the read, so that a use in between causes another read.
            served.state::<SuperUsersRead>().0.store(true, Ordering::Relaxed);
            if let Err(error) = self.look_at(served, &name, now).await {
                served.state::<SuperUsersRead>().0.store(false, Ordering::Relaxed);
                report(served, &name, &error);
            }
        }
    }

    fn is_to_be_read(&self, served: &ServedTenant, name: &str, now: Timestamp) -> bool {
        let soonest = self.known.get(name).and_then(|known| known.soonest);
        !served.state::<SuperUsersRead>().0.load(Ordering::Relaxed)
            || soonest.is_some_and(|end| is_soon(end, now))
    }

    async fn look_at(&mut self, served: &ServedTenant, name: &str, now: Timestamp) -> StoreResult<()> {
        let tokens = list_tokens(&*served.data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
        let active = || tokens.iter().filter(|token| token.is_good_at(now));
        // Before the warnings, so that the gauge and the log agree.
        self.note(name, active().filter_map(|token| token.expires_at).min());
        self.show_time_left(name, now);
        for (token, expires_at) in active().filter_map(|token| Some((token, token.expires_at?))) {
            if is_soon(expires_at, now) && !self.warned.contains_key(&token.hash) {
                self.warned.insert(token.hash, served.tenant.clock.to_real(now));
                let (token_id, expires_at) = (token.hash.id().to_string(), expires_at.to_string());
                let label = token.label.as_ref().map(TokenLabel::as_str);
                tracing::warn!(tenant = name, token_id, label, expires_at, "super-user token expires soon");
            }
        }
        Ok(())
    }

    fn note(&mut self, name: &str, soonest: Option<Timestamp>) {
        match self.known.get_mut(name) {
            Some(known) => known.soonest = soonest,
            None if soonest.is_none() => {}
            None => {
                let gauge = metrics::gauge!(
                    "pointbook_super_user_token_expires_in_seconds",
                    "tenant" => name.to_owned()
                );
                self.known.insert(name.to_owned(), Known { gauge, soonest });
            }
        }
    }

    /// A tenant whose last such token has expired is at infinity, because a gauge cannot be removed.
    fn show_time_left(&self, name: &str, now: Timestamp) {
        if let Some(Known { gauge, soonest }) = self.known.get(name) {
            gauge.set(soonest.map_or(f64::INFINITY, |end| seconds_between(now, end)));
        }
    }
}

fn report(served: &ServedTenant, name: &str, error: &StoreError) {
    match error {
        StoreError::Unavailable(_) | StoreError::Overloaded => served.health.note_failure(error),
        StoreError::Failed(_) | StoreError::Corrupt(_) => {
            tracing::warn!(tenant = name, error = with_causes(error), "super-user tokens not read");
        }
    }
}

fn is_soon(expires_at: Timestamp, now: Timestamp) -> bool {
    expires_at < now.plus_seconds(WARNING_DAYS * SECONDS_OF_A_DAY)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and microseconds of a year do not matter"
)]
fn seconds_between(now: Timestamp, end: Timestamp) -> f64 {
    (end.as_micros() - now.as_micros()) as f64 / MICROS_OF_A_SECOND
}

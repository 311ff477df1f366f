//! Warning of super-user tokens that expire soon: a back office that is shut out notices too late.

use std::collections::HashMap;
use std::sync::Arc;

use metrics::Gauge;
use pointbook_domain::{Timestamp, TokenHash, TokenKind, TokenLabel};

use crate::ports::TokenFilter;
use crate::{ServedTenant, StoreError, StoreResult, list_tokens, with_causes};

/// How long before its end a super-user token is warned of, in days.
pub const WARNING_DAYS: u32 = 30;

const SECONDS_OF_A_DAY: u32 = 86_400;
const MICROS_OF_A_SECOND: f64 = 1_000_000.0;

/// Warns of each token once a day, and keeps a gauge for each tenant with super-user tokens that expire.
#[derive(Default)]
pub struct TokenWatch {
    warned: HashMap<TokenHash, Timestamp>,
    gauges: HashMap<String, Gauge>,
}

impl TokenWatch {
    /// Looks at the tokens of these tenants. A tenant whose tokens cannot be read keeps its gauge, and the log says why.
    /// While the database is away, no tokens are read.
    pub async fn look(&mut self, tenants: &[Arc<ServedTenant>], now: Timestamp) {
        self.warned.retain(|_, at| now < at.plus_seconds(SECONDS_OF_A_DAY));
        let names: Vec<String> = tenants.iter().map(|served| served.name().to_string()).collect();
        for (_, gauge) in self.gauges.extract_if(|name, _| !names.contains(name)) {
            gauge.set(f64::INFINITY);
        }
        for (served, name) in tenants.iter().zip(names) {
            if served.health.is_away() {
                return;
            }
            match self.look_at(served, &name, now).await {
                Ok(()) => {}
                Err(error @ StoreError::Unavailable(_)) => served.health.note_failure(&error),
                Err(error) => {
                    tracing::warn!(tenant = name, error = with_causes(&error), "super-user tokens not read");
                }
            }
        }
    }

    async fn look_at(&mut self, served: &ServedTenant, name: &str, now: Timestamp) -> StoreResult<()> {
        let tokens = list_tokens(&*served.data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
        let active = tokens.iter().filter(|token| token.is_good_at(now));
        let ending: Vec<_> = active.filter_map(|token| Some((token, token.expires_at?))).collect();
        // Before the warnings: an operator who reads one finds the gauge.
        self.show(name, ending.iter().map(|(_, expires_at)| *expires_at).min(), now);
        for (token, expires_at) in ending {
            let is_soon = expires_at < now.plus_seconds(WARNING_DAYS * SECONDS_OF_A_DAY);
            if is_soon && !self.warned.contains_key(&token.hash) {
                self.warned.insert(token.hash, now);
                let (token_id, expires_at) = (token.hash.id().to_string(), expires_at.to_string());
                let label = token.label.as_ref().map(TokenLabel::as_str);
                tracing::warn!(tenant = name, token_id, label, expires_at, "super-user token expires soon");
            }
        }
        Ok(())
    }

    /// A tenant whose last such token has ended is at infinity: a gauge cannot be taken back.
    fn show(&mut self, name: &str, soonest: Option<Timestamp>, now: Timestamp) {
        let left = soonest.map_or(f64::INFINITY, |end| seconds_between(now, end));
        match self.gauges.get(name) {
            Some(gauge) => gauge.set(left),
            None if soonest.is_none() => {}
            None => {
                let gauge = metrics::gauge!(
                    "pointbook_super_user_token_expires_in_seconds",
                    "tenant" => name.to_owned()
                );
                gauge.set(left);
                self.gauges.insert(name.to_owned(), gauge);
            }
        }
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "a gauge is a float, and nobody counts microseconds of a year"
)]
fn seconds_between(now: Timestamp, end: Timestamp) -> f64 {
    (end.as_micros() - now.as_micros()) as f64 / MICROS_OF_A_SECOND
}

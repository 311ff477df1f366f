//! Setting the virtual clock of a staging tenant, so that birthdays, campaigns and expiry can be tried today. The time of a
//! tenant never goes back.

use pointbook_domain::{ClockOffset, Environment, Timestamp};
use serde_json::json;

use crate::audit_log::ChangeNote;
use crate::commands::{Command, CommandError, Facts, Needs};
use crate::context::Context;
use crate::ports::{Execution, StoreResult};
use crate::schema::rows::TenantClock;
use crate::service::Service;

/// Where a clock goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockTarget {
    /// To this time.
    At(Timestamp),
    Forward {
        seconds: u32,
    },
    /// To the real time: the tenant has no virtual clock afterwards.
    Real,
}

/// The result of setting a clock. Nothing changes unless it is [`ClockOutcome::Set`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockOutcome {
    /// The time of the tenant is this one now.
    Set { now: Timestamp },
    /// Only a staging tenant may have a virtual clock.
    NotStaging,
    /// The target is before the present time of the tenant, which is this one.
    GoesBack { now: Timestamp },
    /// The target is more than 100 years after the real time.
    TooFar,
    /// Something happened after the real time, so the tenant cannot return to it.
    HasLaterEvents,
}

/// Sets the virtual clock of a tenant.
#[derive(Debug, Clone, Copy)]
pub struct SetClock {
    pub environment: Environment,
    pub real_now: Timestamp,
    pub target: ClockTarget,
}

impl Command for SetClock {
    type Outcome = ClockOutcome;

    const NAME: &'static str = "set_clock";

    fn needs(&self, needs: &mut Needs) {
        needs.unlocked::<TenantClock>(&());
        needs.events_after = (self.target == ClockTarget::Real).then_some(self.real_now);
    }

    fn decide(&self, facts: &mut Facts) -> Result<ClockOutcome, CommandError> {
        if self.environment != Environment::Staging {
            return Ok(ClockOutcome::NotStaging);
        }
        let before = clock(facts)?;
        let after = match self.target {
            ClockTarget::At(at) if at < before.from_real(self.real_now) => {
                return Ok(ClockOutcome::GoesBack { now: before.from_real(self.real_now) });
            }
            ClockTarget::At(at) => ClockOffset::between(self.real_now, at),
            ClockTarget::Forward { seconds } => before.plus_seconds(seconds),
            ClockTarget::Real if facts.has_events_after(self.real_now)? => {
                return Ok(ClockOutcome::HasLaterEvents);
            }
            ClockTarget::Real => Some(ClockOffset::NONE),
        };
        let Some(after) = after else { return Ok(ClockOutcome::TooFar) };
        if before != after {
            facts.put(TenantClock { offset: after })?;
            facts.make_all_due(self.real_now);
            facts.note(|| note(before, after));
        }
        Ok(ClockOutcome::Set { now: after.from_real(self.real_now) })
    }
}

/// The clock of the tenant, for commands that need [`TenantClock`].
///
/// # Errors
/// When the command did not need it.
pub fn clock(facts: &Facts) -> Result<ClockOffset, CommandError> {
    let stored = facts.get::<TenantClock>(&())?;
    Ok(stored.ok_or_else(|| CommandError::Corrupt("table tenants: no such row".to_owned()))?.offset)
}

/// By how many seconds the clock is ahead of the real time.
fn note(before: ClockOffset, after: ClockOffset) -> ChangeNote {
    let ahead = |offset: ClockOffset| {
        json!({ "clock_ahead_seconds": offset.as_micros() / 1_000_000 }).as_object().cloned()
    };
    ChangeNote::new("clock.set", "tenant", ahead(before), ahead(after))
}

/// Sets the virtual clock of the tenant. Later requests of this process see the new time. Other instances follow when they
/// read the tenants again, within a second. All jobs of the tenant are due at once.
///
/// # Errors
/// When the store fails.
pub async fn set_clock(
    service: &Service,
    context: &Context<ClockOutcome>,
    target: ClockTarget,
) -> StoreResult<Execution<ClockOutcome>> {
    let tenant = &context.tenant.tenant;
    let real_now = context.real_now();
    let execution = context.execute(SetClock { environment: tenant.environment, real_now, target }).await?;
    if let Execution::Executed(ClockOutcome::Set { now }) = execution {
        service.take_in_tenants().await;
        context.tenant.clock_set(now);
    }
    Ok(execution)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    /// The outcome at the real time 1000 s, with a clock that is 60 s ahead. The new offset in seconds, if there is one.
    fn outcome(target: ClockTarget, has_later_events: bool) -> (ClockOutcome, Option<i64>) {
        outcome_in(Environment::Staging, target, has_later_events)
    }

    fn outcome_in(
        environment: Environment,
        target: ClockTarget,
        has_later_events: bool,
    ) -> (ClockOutcome, Option<i64>) {
        let command = SetClock { environment, real_now: at(1_000), target };
        let mut facts = Facts::default();
        facts.load(TenantClock { offset: ClockOffset::between(at(1_000), at(1_060)).unwrap() });
        facts.put_events_after(at(1_000), has_later_events);
        let outcome = command.decide(&mut facts).unwrap();
        let [before, after] = [facts.stored(&()), facts.get(&())].map(|clock| clock.unwrap().cloned());
        let changed = after.filter(|after: &TenantClock| before.as_ref() != Some(after));
        (outcome, changed.map(|clock| clock.offset.as_micros() / 1_000_000))
    }

    #[test]
    fn a_clock_goes_forward_to_a_time_or_by_seconds() {
        let set = |seconds| ClockOutcome::Set { now: at(seconds) };
        assert_eq!(outcome(ClockTarget::At(at(1_100)), false), (set(1_100), Some(100)));
        assert_eq!(outcome(ClockTarget::Forward { seconds: 5 }, true), (set(1_065), Some(65)));
        assert_eq!(outcome(ClockTarget::At(at(1_060)), false), (set(1_060), None), "it is that time already");
    }

    #[test]
    fn a_clock_never_goes_back() {
        let goes_back = ClockOutcome::GoesBack { now: at(1_060) };
        for earlier in [0, 1_000, 1_059] {
            assert_eq!(outcome(ClockTarget::At(at(earlier)), false), (goes_back, None));
        }
    }

    #[test]
    fn a_clock_is_at_most_100_years_ahead() {
        let too_far = (ClockOutcome::TooFar, None);
        assert_eq!(outcome(ClockTarget::At(Timestamp::MAX), false), too_far);
        assert_eq!(outcome(ClockTarget::Forward { seconds: u32::MAX }, false), too_far);
    }

    #[test]
    fn a_clock_is_removed_only_when_nothing_happened_after_the_real_time() {
        assert_eq!(outcome(ClockTarget::Real, false), (ClockOutcome::Set { now: at(1_000) }, Some(0)));
        assert_eq!(outcome(ClockTarget::Real, true), (ClockOutcome::HasLaterEvents, None));
    }

    #[test]
    fn a_production_tenant_has_no_virtual_clock() {
        for target in [ClockTarget::At(at(2_000)), ClockTarget::Forward { seconds: 1 }, ClockTarget::Real] {
            let refused = outcome_in(Environment::Production, target, false);
            assert_eq!(refused, (ClockOutcome::NotStaging, None));
        }
    }
}

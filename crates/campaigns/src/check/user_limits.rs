//! Limits per user and period.

use crate::candidate::{Candidate, ClippedBy};
use crate::inputs::Inputs;
use crate::limits::UserLimit;
use crate::period::PeriodKey;
use crate::refusal::{Refusal, require};

/// Keeps the award within all limits of the user.
pub(super) fn fit_user_limits(candidate: &mut Candidate<'_>, inputs: &Inputs<'_>) -> Result<(), Refusal> {
    let campaign = candidate.version.campaign.as_ref();
    let on_limit = campaign.limits.on_points_limit;
    for (index, &UserLimit { period, awards, points }) in campaign.limits.per_user.iter().enumerate() {
        let used = inputs.counters.used(campaign.id(), PeriodKey::of(period, inputs.event.local.day));
        let has_awards_left = awards.is_none_or(|most| used.awards < most);
        let fits = points.is_none_or(|most| {
            candidate.fit(most.get().saturating_sub(used.points), on_limit, ClippedBy::UserLimit)
        });
        require(has_awards_left && fits, Refusal::UserLimit { index, used, wanted: candidate.points })?;
    }
    Ok(())
}

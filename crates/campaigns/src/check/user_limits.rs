//! Limits per user and period.

use pointbook_domain::{Day, Points};

use crate::campaign::Campaign;
use crate::candidate::{Candidate, ClippedBy};
use crate::counters::Usage;
use crate::inputs::Inputs;
use crate::limits::UserLimit;
use crate::period::PeriodKey;
use crate::refusal::{Refusal, require};

impl Campaign {
    /// The periods of the limits per user that contain a local day.
    pub fn limit_periods(&self, local_day: Day) -> impl Iterator<Item = PeriodKey> {
        self.limits.per_user.iter().map(move |limit| PeriodKey::of(limit.period, local_day))
    }

    /// Whether the limits per user leave room for all points of an award. `used` has the awards of a period. An award that
    /// completes an earlier one uses points, but not one more award.
    pub fn leaves_room(
        &self,
        local_day: Day,
        (points, completes): (Points, bool),
        used: impl Fn(PeriodKey) -> Usage,
    ) -> bool {
        self.limits.per_user.iter().all(|limit| {
            let used = used(PeriodKey::of(limit.period, local_day));
            let has_points = |most: Points| points.get() <= most.get().saturating_sub(used.points);
            limit.points.is_none_or(has_points)
                && (completes || limit.awards.is_none_or(|most| used.awards < most))
        })
    }
}

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

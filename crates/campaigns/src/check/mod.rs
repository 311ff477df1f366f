//! Whether one campaign gives an activity an award, without regard to other campaigns.

mod event_conditions;
mod member_conditions;
mod user_limits;

pub(crate) use self::event_conditions::check_event;

use pointbook_domain::Timestamp;

use self::member_conditions::{check_birthday, check_member};
use self::user_limits::fit_user_limits;
use crate::candidate::Candidate;
use crate::conditions::OrdinalCondition;
use crate::inputs::Inputs;
use crate::refusal::{Refusal, require};
use crate::rule_set::{CampaignVersion, VersionState};

/// The candidate of a campaign for an activity that passes [`check_activity`], or the first check that fails.
pub(crate) fn check<'s>(
    index: usize,
    version: &'s CampaignVersion,
    inputs: &Inputs<'_>,
) -> Result<Candidate<'s>, Refusal> {
    check_version(version, inputs.event.at)?;
    let campaign = version.campaign.as_ref();
    check_event(&campaign.conditions, inputs.event)?;
    check_member(&campaign.conditions, inputs.member)?;
    let birthday = check_birthday(campaign, inputs)?;
    if let Some(condition) = campaign.conditions.ordinal {
        check_ordinal(condition, inputs)?;
    }
    let percent = campaign.control_percent;
    let is_control = percent > 0 && inputs.counters.is_control(campaign.id(), percent);
    require(!is_control, Refusal::ControlGroup)?;
    let points = campaign.reward.points(inputs.event.points);
    require(points > 0, Refusal::RoundsToZero)?;
    let mut candidate = Candidate { index, version, would_be: points, points, clipped_by: None, birthday };
    fit_user_limits(&mut candidate, inputs)?;
    Ok(candidate)
}

/// What all campaigns require of an activity.
pub(crate) fn check_activity(inputs: &Inputs<'_>) -> Result<(), Refusal> {
    require(inputs.event.may_earn(), Refusal::BaseNotPositive)?;
    require(inputs.oldest().is_none_or(|oldest| oldest <= inputs.event.at), Refusal::TooLate)
}

/// Whether the version runs at a moment. Before the first version took over, nothing was started. A paused version outside of its time
/// is outside, because resuming it would not help.
pub(crate) fn check_version(version: &CampaignVersion, at: Timestamp) -> Result<(), Refusal> {
    require(version.from <= at, Refusal::NotStarted)?;
    let is_in_window = version.campaign.run.contains(at);
    match version.state {
        VersionState::Draft => Err(Refusal::NotStarted),
        VersionState::Active => require(is_in_window, Refusal::OutsideWindow),
        VersionState::Paused if is_in_window => Err(Refusal::Paused),
        VersionState::Paused | VersionState::Ended | VersionState::Archived => Err(Refusal::OutsideWindow),
    }
}

fn check_ordinal(condition: OrdinalCondition, inputs: &Inputs<'_>) -> Result<(), Refusal> {
    let position = inputs.counters.ordinal(condition.of);
    require(condition.nth.matches(position), Refusal::Ordinal { position })
}

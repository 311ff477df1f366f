//! How the awards of several campaigns for one activity combine: groups, budgets, the ceiling, the order of the breakdown.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::campaign::{Campaign, GroupWins};
use crate::candidate::{Candidate, ClippedBy};
use crate::inputs::Inputs;
use crate::limits::OnPointsLimit;
use crate::names::GroupName;
use crate::refusal::{Refusal, require};

/// The most awards of one activity, and so the most entries of a breakdown.
pub const MAX_AWARDS: usize = 20;

/// The awards in the order of the breakdown. `refuse` gets each other candidate by its index.
pub(crate) fn combine<'s>(
    candidates: Vec<Candidate<'s>>,
    inputs: &Inputs<'_>,
    mut refuse: impl FnMut(usize, Refusal),
) -> Vec<Candidate<'s>> {
    let mut winners = Vec::with_capacity(candidates.len());
    let mut groups: BTreeMap<&GroupName, Vec<Candidate<'s>>> = BTreeMap::new();
    for candidate in candidates {
        match &candidate.version.campaign.group {
            Some(group) => groups.entry(&group.name).or_default().push(candidate),
            None => winners.extend(within_budget(candidate, inputs, &mut refuse)),
        }
    }
    for members in groups.into_values() {
        winners.extend(winner(members, inputs, &mut refuse));
    }
    winners.sort_by_key(|award| (breakdown_part(&award.version.campaign), by_priority(award)));
    let awards = within_ceiling(winners, inputs, &mut refuse);
    first_awards(awards, &mut refuse)
}

/// The campaign that wins its group. When its budget is used up, the next one wins.
fn winner<'s>(
    mut members: Vec<Candidate<'s>>,
    inputs: &Inputs<'_>,
    refuse: &mut impl FnMut(usize, Refusal),
) -> Option<Candidate<'s>> {
    members.sort_by_key(by_priority);
    // Versions of a group may disagree about the rule. The campaign with the greatest priority says it.
    let wins = members.first()?.version.campaign.group.as_ref()?.wins;
    let number = |member: &Candidate<'_>| match wins {
        GroupWins::First => member.version.campaign.priority.into(),
        GroupWins::Highest => member.points,
    };
    // The sort is stable: of two members with the same points, the one with the greater priority stays first.
    members.sort_by_key(|member| Reverse(number(member)));
    let mut winner: Option<(Candidate<'s>, i64)> = None;
    for member in members {
        let loser_has = number(&member);
        match &winner {
            Some((Candidate { index: winner, .. }, winner_has)) => {
                let (winner, winner_has) = (*winner, *winner_has);
                refuse(member.index, Refusal::LostTo { winner, wins, winner_has, loser_has });
            }
            None => winner = within_budget(member, inputs, refuse).map(|award| (award, loser_has)),
        }
    }
    winner.map(|(award, _)| award)
}

/// The candidate with the points that its budget leaves.
fn within_budget<'s>(
    mut candidate: Candidate<'s>,
    inputs: &Inputs<'_>,
    refuse: &mut impl FnMut(usize, Refusal),
) -> Option<Candidate<'s>> {
    let result = fit_budget(&mut candidate, inputs);
    result.map_err(|refusal| refuse(candidate.index, refusal)).ok().map(|()| candidate)
}

fn fit_budget(candidate: &mut Candidate<'_>, inputs: &Inputs<'_>) -> Result<(), Refusal> {
    let campaign = candidate.version.campaign.as_ref();
    if campaign.limits.budget.is_none() {
        return Ok(());
    }
    let left = inputs.counters.budget(campaign.id());
    let on_limit = campaign.limits.on_points_limit;
    let fits = left.awards != Some(0)
        && left.points.is_none_or(|points| candidate.fit(points, on_limit, ClippedBy::Budget));
    require(fits, Refusal::Budget { left, wanted: candidate.points })
}

/// The awards that the ceiling of the tenant leaves, from the first on.
fn within_ceiling<'s>(
    awards: Vec<Candidate<'s>>,
    inputs: &Inputs<'_>,
    refuse: &mut impl FnMut(usize, Refusal),
) -> Vec<Candidate<'s>> {
    let factor = inputs.options.ceiling_factor;
    if factor == 0 {
        return awards;
    }
    let most = i128::from(factor) * i128::from(inputs.event.points.get());
    let mut left = most;
    let fitting = awards.into_iter().filter_map(|mut award| {
        let bound = i64::try_from(left).unwrap_or(i64::MAX);
        let fits = award.fit(bound, OnPointsLimit::Clip, ClippedBy::Ceiling);
        if !fits {
            refuse(award.index, Refusal::Ceiling { most });
            return None;
        }
        left -= i128::from(award.points);
        Some(award)
    });
    fitting.collect()
}

fn first_awards<'s>(
    mut awards: Vec<Candidate<'s>>,
    refuse: &mut impl FnMut(usize, Refusal),
) -> Vec<Candidate<'s>> {
    for award in awards.iter().skip(MAX_AWARDS) {
        refuse(award.index, Refusal::TooManyBonuses);
    }
    awards.truncate(MAX_AWARDS);
    awards
}

/// Greater priorities come first, then smaller ids.
fn by_priority(candidate: &Candidate<'_>) -> (Reverse<i32>, usize) {
    (Reverse(candidate.version.campaign.priority), candidate.index)
}

/// The part of the breakdown that a campaign belongs to: birthdays, campaigns, and all others.
fn breakdown_part(campaign: &Campaign) -> u8 {
    match campaign.kind.as_str() {
        "birthday" => 0,
        "campaign" => 1,
        _ => 2,
    }
}

//! Campaigns, their history, and the decision for one event after another.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use serde_json::Value;

use super::birthday::celebrated;
use super::conditions::{Case, first_failure};
use super::data::{Event, Member, Options, Outcome};
use super::definition::{id, kind, optional, priority, text, title};
use super::history::{History, PastAward};
use super::limits::{after_budget, after_user_limits, reward};

/// The most entries of a breakdown.
const ENTRIES_MAX: usize = 20;

type Verdicts = BTreeMap<String, String>;

/// Every campaign has one version, which is active.
#[derive(Debug, Clone)]
pub(crate) struct Model {
    campaigns: Vec<Value>,
    options: Options,
    history: History,
}

/// A campaign that pays, unless a later check takes its points.
struct Candidate<'a> {
    campaign: &'a Value,
    points: i128,
    is_clipped: bool,
    birthday: Option<i64>,
}

impl Candidate<'_> {
    /// Keeps at most this many points.
    fn clip(&mut self, points: i128) {
        self.is_clipped |= points < self.points;
        self.points = self.points.min(points);
    }
}

impl Model {
    pub(crate) fn new(campaigns: Vec<Value>, options: Options) -> Self {
        Self { campaigns, options, history: History::default() }
    }

    /// Decides and remembers an event of any age.
    pub(crate) fn record(&mut self, event: &Event, member: &Member) -> Outcome {
        self.record_at(event, member, None)
    }

    /// Decides and remembers an event that arrives at `now`, in microseconds.
    pub(crate) fn record_at(&mut self, event: &Event, member: &Member, now: Option<i64>) -> Outcome {
        assert_eq!(event.user, member.id, "the member must be the user of the event");
        let (outcome, awards) = self.decide(event, member, now);
        self.history.events.push(event.clone());
        self.history.awards.extend(awards);
        outcome
    }

    fn decide(&self, event: &Event, member: &Member, now: Option<i64>) -> (Outcome, Vec<PastAward>) {
        let mut verdicts = Verdicts::new();
        let candidates = self.candidates(event, member, now, &mut verdicts);
        let winners = self.winners(candidates, &mut verdicts);
        let under_ceiling = self.under_ceiling(event, in_breakdown_order(winners), &mut verdicts);
        let paid = first_entries(under_ceiling, &mut verdicts);
        let locale = member.locale.as_deref();
        let (mut awards, mut breakdown, mut past) = (Vec::new(), Vec::new(), Vec::new());
        for winner in paid {
            let (id, kind) = (id(winner.campaign).to_owned(), kind(winner.campaign).to_owned());
            let points = i64::try_from(winner.points).unwrap();
            let title = title(winner.campaign, locale, &self.options.own_locale).to_owned();
            verdicts.insert(id.clone(), if winner.is_clipped { "clipped" } else { "applied" }.to_owned());
            awards.push((id.clone(), points));
            breakdown.push((kind, points, title));
            let (user, birthday) = (member.id.clone(), winner.birthday);
            past.push(PastAward { campaign: id, user, day: event.day, points, birthday });
        }
        (Outcome { awards, breakdown, verdicts }, past)
    }

    /// The campaigns that pass every check up to the limits per user.
    fn candidates<'a>(
        &'a self,
        event: &'a Event,
        member: &'a Member,
        now: Option<i64>,
        verdicts: &mut Verdicts,
    ) -> Vec<Candidate<'a>> {
        let mut candidates = Vec::new();
        for campaign in &self.campaigns {
            let (history, options) = (&self.history, &self.options);
            match candidate(&Case { campaign, event, member, now, history, options }) {
                Ok(candidate) => candidates.push(candidate),
                Err(reason) => {
                    verdicts.insert(id(campaign).to_owned(), reason);
                }
            }
        }
        candidates
    }

    /// The campaigns without a group and one campaign of each group, all with a budget that is not used up.
    fn winners<'a>(&self, candidates: Vec<Candidate<'a>>, verdicts: &mut Verdicts) -> Vec<Candidate<'a>> {
        let mut winners = Vec::new();
        for contest in contests(candidates) {
            let mut winner: Option<Candidate<'a>> = None;
            for mut rival in best_first(contest) {
                let rival_id = id(rival.campaign).to_owned();
                let allowed = after_budget(rival.campaign, rival.points, &self.history);
                if let Some(winner) = &winner {
                    verdicts.insert(rival_id, format!("lost_to:{}", id(winner.campaign)));
                } else if let Some(allowed) = allowed {
                    rival.clip(allowed);
                    winner = Some(rival);
                } else {
                    verdicts.insert(rival_id, "budget".to_owned());
                }
            }
            winners.extend(winner);
        }
        winners
    }

    /// Takes the points beyond the ceiling from the end of the breakdown.
    fn under_ceiling<'a>(
        &self,
        event: &Event,
        winners: Vec<Candidate<'a>>,
        verdicts: &mut Verdicts,
    ) -> Vec<Candidate<'a>> {
        let factor = self.options.ceiling_factor;
        if factor == 0 {
            return winners;
        }
        let mut left = i128::from(factor) * i128::from(event.points);
        let mut kept = Vec::new();
        for mut winner in winners {
            winner.clip(left);
            left -= winner.points;
            if winner.points > 0 {
                kept.push(winner);
            } else {
                verdicts.insert(id(winner.campaign).to_owned(), "ceiling".to_owned());
            }
        }
        kept
    }
}

fn candidate<'a>(case: &Case<'a>) -> Result<Candidate<'a>, String> {
    if let Some(reason) = first_failure(case) {
        return Err(reason);
    }
    let wanted = reward(case.campaign, case.event);
    if wanted == 0 {
        return Err("rounds_to_zero".to_owned());
    }
    let allowed = after_user_limits(case, wanted).ok_or("user_limit")?;
    let (campaign, birthday) = (case.campaign, celebrated(case));
    Ok(Candidate { campaign, points: allowed, is_clipped: allowed < wanted, birthday })
}

/// One list for each group, and one list for each campaign without a group.
fn contests(candidates: Vec<Candidate<'_>>) -> Vec<Vec<Candidate<'_>>> {
    let mut contests: Vec<Vec<Candidate<'_>>> = Vec::new();
    for candidate in candidates {
        let group = optional(&candidate.campaign["group"]["name"]);
        let same_group = |contest: &&mut Vec<Candidate<'_>>| {
            group.is_some() && optional(&contest[0].campaign["group"]["name"]) == group
        };
        match contests.iter_mut().find(same_group) {
            Some(contest) => contest.push(candidate),
            None => contests.push(vec![candidate]),
        }
    }
    contests
}

/// Sorts the candidates of one group. The campaign with the greatest priority says how the group chooses.
fn best_first(mut rivals: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    rivals.sort_by_key(|rival| (Reverse(priority(rival.campaign)), id(rival.campaign)));
    let wins = optional(&rivals[0].campaign["group"]["wins"]).map_or("first", text);
    if wins == "highest" {
        // The sort is stable, so priority and id decide between equal points.
        rivals.sort_by_key(|rival| Reverse(rival.points));
    }
    rivals
}

fn in_breakdown_order(mut winners: Vec<Candidate<'_>>) -> Vec<Candidate<'_>> {
    winners.sort_by_key(|winner| {
        let class = match kind(winner.campaign) {
            "birthday" => 1,
            "campaign" => 2,
            _ => 3,
        };
        (class, Reverse(priority(winner.campaign)), id(winner.campaign))
    });
    winners
}

fn first_entries<'a>(mut winners: Vec<Candidate<'a>>, verdicts: &mut Verdicts) -> Vec<Candidate<'a>> {
    let beyond = winners.split_off(winners.len().min(ENTRIES_MAX));
    for loser in beyond {
        verdicts.insert(id(loser.campaign).to_owned(), "too_many_bonuses".to_owned());
    }
    winners
}

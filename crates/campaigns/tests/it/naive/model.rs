//! Campaigns, their history, and the decision for one event after another.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::birthday::celebrated;
use super::conditions::{Case, first_failure};
use super::data::{Award, Event, Options, Outcome, Step, Version};
use super::definition::{id, kind, optional, priority, text, title};
use super::history::History;
use super::limits::{after_budget, after_user_limits, reward};

/// The most entries of a breakdown.
const ENTRIES_MAX: usize = 20;

type Verdicts = BTreeMap<String, (u32, String)>;

#[derive(Debug, Clone)]
pub(crate) struct Model {
    pub(crate) versions: Vec<Version>,
    pub(crate) options: Options,
    pub(crate) history: History,
}

/// A campaign that pays, unless a later check takes its points.
struct Candidate<'a> {
    version: u32,
    campaign: &'a Value,
    would_be: i128,
    points: i128,
    /// The last limit that took points.
    clipped_by: Option<&'static str>,
    birthday: Option<i64>,
}

impl Candidate<'_> {
    /// Keeps at most this many points.
    fn clip(&mut self, points: i128, by: &'static str) {
        if points < self.points {
            (self.points, self.clipped_by) = (points, Some(by));
        }
    }

    fn say(&self, word: impl Into<String>, verdicts: &mut Verdicts) {
        verdicts.insert(id(self.campaign).to_owned(), (self.version, word.into()));
    }

    fn word(&self) -> String {
        let Self { points, would_be, .. } = self;
        self.clipped_by.map_or_else(
            || format!("applied {points}"),
            |by| format!("clipped to {points} of {would_be} by {by}"),
        )
    }
}

impl Model {
    pub(crate) fn new(versions: Vec<Version>, options: Options) -> Self {
        Self { versions, options, history: History::default() }
    }

    /// What becomes of an event. Remembers nothing.
    pub(crate) fn decide(&self, step: &Step) -> Outcome {
        let mut verdicts = Verdicts::new();
        let candidates = self.candidates(step, &mut verdicts);
        let winners = self.winners(candidates, &mut verdicts);
        let under_ceiling = self.under_ceiling(&step.event, in_breakdown_order(winners), &mut verdicts);
        let mut awards = Vec::new();
        for winner in first_entries(under_ceiling, &mut verdicts) {
            winner.say(winner.word(), &mut verdicts);
            awards.push(Award {
                campaign: id(winner.campaign).to_owned(),
                version: winner.version,
                user: step.member.id.clone(),
                day: step.event.day,
                kind: kind(winner.campaign).to_owned(),
                title: title(winner.campaign, step.member.locale.as_deref(), &self.options.own_locale)
                    .to_owned(),
                points: i64::try_from(winner.points).unwrap(),
                is_clipped: winner.clipped_by.is_some(),
                birthday: winner.birthday,
            });
        }
        Outcome { awards, verdicts }
    }

    /// Remembers an event and its awards.
    pub(crate) fn record(&mut self, step: &Step, awards: Vec<Award>) {
        self.history.events.push((step.member.id.clone(), step.event.clone()));
        self.history.awards.extend(awards);
    }

    /// One version of each campaign: the last one that took over, or the first one before any did.
    fn in_force(&self, at: i64) -> Vec<&Version> {
        let ids: BTreeSet<&str> = self.versions.iter().map(|version| id(&version.definition)).collect();
        let of_id = |wanted: &str| {
            let of_id = self.versions.iter().filter(|version| id(&version.definition) == wanted);
            let mut of_id: Vec<_> = of_id.collect();
            of_id.sort_by_key(|version| (version.from, version.number));
            of_id.iter().copied().rfind(|version| version.from <= at).unwrap_or(of_id[0])
        };
        ids.into_iter().map(of_id).collect()
    }

    /// The campaigns that pass every check up to the limits per user.
    fn candidates<'a>(&'a self, step: &'a Step, verdicts: &mut Verdicts) -> Vec<Candidate<'a>> {
        let (Step { event, member, now }, mut candidates) = (step, Vec::new());
        for version in self.in_force(event.at) {
            let (campaign, history, options) = (&version.definition, &self.history, &self.options);
            match candidate(&Case { version, campaign, event, member, now: *now, history, options }) {
                Ok(candidate) => candidates.push(candidate),
                Err(reason) => {
                    verdicts.insert(id(campaign).to_owned(), (version.number, reason));
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
                let allowed = after_budget(rival.campaign, rival.points, &self.history);
                if let Some(winner) = &winner {
                    rival.say(format!("lost_to:{}", id(winner.campaign)), verdicts);
                } else if let Some(allowed) = allowed {
                    rival.clip(allowed, "budget");
                    winner = Some(rival);
                } else {
                    rival.say("budget", verdicts);
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
            winner.clip(left, "ceiling");
            left -= winner.points;
            if winner.points > 0 {
                kept.push(winner);
            } else {
                winner.say("ceiling", verdicts);
            }
        }
        kept
    }
}

fn candidate<'a>(case: &Case<'a>) -> Result<Candidate<'a>, String> {
    if let Some(reason) = first_failure(case) {
        return Err(reason);
    }
    let would_be = reward(case.campaign, case.event);
    if would_be == 0 {
        return Err("rounds_to_zero".to_owned());
    }
    let allowed = after_user_limits(case, would_be).ok_or("user_limit")?;
    let (version, campaign, birthday) = (case.version.number, case.campaign, celebrated(case));
    let mut candidate =
        Candidate { version, campaign, would_be, points: would_be, clipped_by: None, birthday };
    candidate.clip(allowed, "user_limit");
    Ok(candidate)
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
        loser.say("too_many_bonuses", verdicts);
    }
    winners
}

//! What became of every campaign of a set for one activity.

use pointbook_domain::Timestamp;

use crate::candidate::{Candidate, ClippedBy};
use crate::compared::{Compared, compared};
use crate::counters::Counters;
use crate::evaluate::decide;
use crate::event::{Event, Member};
use crate::inputs::Inputs;
use crate::names::CampaignId;
use crate::reason::Reason;
use crate::refusal::Refusal;
use crate::rule_set::{CampaignVersion, Entry, RuleSet};

/// The result of one campaign for an activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    pub campaign: CampaignId,
    /// The version in force, or the first one when none was in force yet.
    pub version: u32,
    pub result: VerdictResult,
    /// The two values that the failed check compared. Only of a refused campaign, and not of each.
    pub compared: Option<Compared>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VerdictResult {
    /// Above 0. It may be beyond the bounds of points, where [`RuleSet::evaluate`] fails.
    Applied {
        points: i64,
    },
    Clipped {
        points: i64,
        /// The limit that binds.
        by: ClippedBy,
        /// The points before all limits.
        would_be: i64,
    },
    Not(Reason),
}

impl RuleSet {
    /// The verdict about every campaign, sorted by id. Takes the same arguments as [`RuleSet::evaluate`].
    pub fn explain(
        &self,
        event: &Event<'_>,
        member: &Member<'_>,
        now: Option<Timestamp>,
        counters: &dyn Counters,
    ) -> Vec<Verdict> {
        let inputs = Inputs { event, member, now, counters, options: &self.options };
        // The decision says something about each entry, so no verdict keeps this reason.
        let mut verdicts = self.verdicts(event.at, &Reason::OutsideWindow);
        let mut refused = Vec::new();
        let entries = self.entries.iter().enumerate();
        let awards = decide(entries, &inputs, |index, refusal| refused.push((index, refusal)));
        for award in &awards {
            if let Some(verdict) = verdicts.get_mut(award.index) {
                verdict.result = result(award);
            }
        }
        for (index, refusal) in refused {
            if let (Some(entry), Some(verdict)) = (self.entries.get(index), verdicts.get_mut(index)) {
                verdict.result = VerdictResult::Not(self.reason(entry, refusal, event.at));
                verdict.compared =
                    compared(refusal, entry.version_at(event.at), self.winner(refusal, event.at), &inputs);
            }
        }
        verdicts
    }

    /// The same reason for every campaign, when no campaign was evaluated: [`Reason::GivenByBackOffice`] or [`Reason::Import`].
    pub fn verdicts(&self, at: Timestamp, reason: &Reason) -> Vec<Verdict> {
        let verdict = |entry: &Entry| Verdict {
            campaign: entry.id().clone(),
            version: entry.version_at(at).version,
            result: VerdictResult::Not(reason.clone()),
            compared: None,
        };
        self.entries.iter().map(verdict).collect()
    }

    /// The campaign that another one of its group lost to.
    fn winner(&self, refusal: Refusal, at: Timestamp) -> Option<&CampaignVersion> {
        let Refusal::LostTo { winner, .. } = refusal else { return None };
        self.entries.get(winner).map(|entry| entry.version_at(at))
    }

    fn reason(&self, entry: &Entry, refusal: Refusal, at: Timestamp) -> Reason {
        match refusal {
            Refusal::BaseNotPositive => Reason::BaseNotPositive,
            Refusal::TooLate => Reason::TooLate,
            Refusal::NotStarted => Reason::NotStarted,
            Refusal::OutsideWindow => Reason::OutsideWindow,
            Refusal::Paused => Reason::Paused,
            Refusal::Type => Reason::Type,
            Refusal::Window => Reason::Window,
            Refusal::Weekday => Reason::Weekday,
            Refusal::Hours => Reason::Hours,
            Refusal::MinPoints => Reason::MinPoints,
            Refusal::SourcePrefix => Reason::SourcePrefix,
            Refusal::Attribute(index) => {
                let attribute = entry.version_at(at).campaign.conditions.attributes.get(index);
                Reason::Attribute(attribute.map(|attribute| attribute.name.clone()).unwrap_or_default())
            }
            Refusal::MemberSince => Reason::MemberSince,
            Refusal::MemberBefore => Reason::MemberBefore,
            Refusal::NotAListedMember => Reason::NotAListedMember,
            Refusal::NoBirthDate => Reason::NoBirthDate,
            Refusal::NotBirthday => Reason::NotBirthday,
            Refusal::BirthDateTooNew => Reason::BirthDateTooNew,
            Refusal::AlreadyThisYear { .. } => Reason::AlreadyThisYear,
            Refusal::Ordinal { .. } => Reason::Ordinal,
            Refusal::ControlGroup => Reason::ControlGroup,
            Refusal::RoundsToZero => Reason::RoundsToZero,
            Refusal::UserLimit { .. } => Reason::UserLimit,
            Refusal::LostTo { winner, .. } => {
                let winner = self.entries.get(winner).unwrap_or(entry);
                Reason::LostTo(winner.id().clone())
            }
            Refusal::Budget { .. } => Reason::Budget,
            Refusal::Ceiling { .. } => Reason::Ceiling,
            Refusal::TooManyBonuses => Reason::TooManyBonuses,
        }
    }
}

fn result(award: &Candidate<'_>) -> VerdictResult {
    let Candidate { points, would_be, clipped_by, .. } = *award;
    match clipped_by {
        None => VerdictResult::Applied { points },
        Some(by) => VerdictResult::Clipped { points, by, would_be },
    }
}

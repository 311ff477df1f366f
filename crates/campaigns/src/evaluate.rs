//! Which awards an activity earns.

use pointbook_domain::points::OutOfRange;
use pointbook_domain::{ActivityType, Bonus, Day, Points, Timestamp};

use crate::candidate::Candidate;
use crate::check::{check, check_activity};
use crate::combine::combine;
use crate::counters::Counters;
use crate::event::{Event, Member};
use crate::inputs::Inputs;
use crate::names::CampaignId;
use crate::refusal::Refusal;
use crate::rule_set::{Entry, RuleSet};

/// The points that a campaign gives for an activity.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Award {
    pub campaign: CampaignId,
    pub version: u32,
    /// Above 0.
    pub points: Points,
    /// The type of the bonus.
    pub kind: ActivityType,
    /// In the language of the member.
    pub title: String,
    /// Whether a limit made the award smaller.
    pub clipped: bool,
    /// The birthday that it pays for, with its year: the next value of [`Counters::last_birthday`].
    pub birthday: Option<Day>,
}

impl Award {
    /// The award as an entry of the breakdown.
    pub fn to_bonus(&self) -> Bonus {
        Bonus { kind: self.kind.to_string(), points: self.points, title: self.title.clone() }
    }
}

impl RuleSet {
    /// The awards of an activity, in the order of the breakdown.
    ///
    /// `now` is the time that the age of the activity counts to. `None` sets no limit to its age, as a back-test needs.
    ///
    /// # Errors
    /// [`OutOfRange`] when the sum of the awards is beyond the bounds of points. Nothing is clipped silently.
    pub fn evaluate(
        &self,
        event: &Event<'_>,
        member: &Member<'_>,
        now: Option<Timestamp>,
        counters: &dyn Counters,
    ) -> Result<Vec<Award>, OutOfRange> {
        let inputs = Inputs { event, member, now, counters, options: &self.options };
        let awards = decide(self.entries_of(event.kind), &inputs, |_, _| {});
        let mut total = Points::ZERO;
        let awards = awards.iter().map(|award| {
            let points = Points::new(award.points)?;
            total = total.checked_add(points)?;
            Ok(self.award(award, points, member))
        });
        awards.collect()
    }

    fn award(&self, candidate: &Candidate<'_>, points: Points, member: &Member<'_>) -> Award {
        let campaign = &candidate.version.campaign;
        Award {
            campaign: campaign.id().clone(),
            version: candidate.version.version,
            points,
            kind: campaign.kind().clone(),
            title: campaign.title(member.locale, &self.options.own_locale).to_owned(),
            clipped: candidate.clipped_by.is_some(),
            birthday: candidate.birthday,
        }
    }
}

/// The awards in the order of the breakdown. `refuse` gets each other entry by its index. An explanation uses the same function, so it
/// always agrees with the awards.
pub(crate) fn decide<'s>(
    entries: impl Iterator<Item = (usize, &'s Entry)>,
    inputs: &Inputs<'_>,
    mut refuse: impl FnMut(usize, Refusal),
) -> Vec<Candidate<'s>> {
    if let Err(refusal) = check_activity(inputs) {
        entries.for_each(|(index, _)| refuse(index, refusal));
        return Vec::new();
    }
    let candidates = entries.filter_map(|(index, entry)| {
        let checked = check(index, entry.version_at(inputs.event.at), inputs);
        checked.map_err(|refusal| refuse(index, refusal)).ok()
    });
    let candidates: Vec<_> = candidates.collect();
    combine(candidates, inputs, refuse)
}

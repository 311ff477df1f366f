//! The versions of a campaign in the order in which they are in force.

use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::Timestamp;
use pointbook_store::schema::rows::CampaignVersionRow;

/// When something happened to a campaign, and the version in force then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) at: Timestamp,
    pub(super) version: u32,
}

/// The time during which a version is in force.
struct Term {
    version: CampaignVersion,
    /// [`Timestamp::MAX`] for the last version.
    until: Timestamp,
}

pub(super) struct Timeline(Vec<Term>);

impl Timeline {
    /// # Errors
    /// When `parsed` cannot read a stored version.
    pub(super) fn new<E>(
        mut rows: Vec<&CampaignVersionRow>,
        parsed: impl Fn(&CampaignVersionRow) -> Result<CampaignVersion, E>,
    ) -> Result<Self, E> {
        rows.sort_unstable_by_key(|row| (row.valid_from, row.version));
        let mut terms: Vec<Term> = Vec::with_capacity(rows.len());
        for row in rows {
            let version = parsed(row)?;
            // Of two versions that take over at the same time, the later one counts.
            terms.pop_if(|last| last.version.from == version.from);
            if let Some(last) = terms.last_mut() {
                last.until = version.from;
            }
            terms.push(Term { version, until: Timestamp::MAX });
        }
        Ok(Self(terms))
    }

    /// When the campaign runs for the first time. `None` when it never will, as far as its versions say.
    pub(super) fn start(&self) -> Option<Moment> {
        self.0.iter().find_map(Term::start)
    }

    /// When the campaign ends, if it has started at this time. `None` when its versions say no end.
    pub(super) fn end(&self, started_at: Timestamp) -> Option<Moment> {
        self.0.iter().find_map(|term| term.end(started_at))
    }
}

impl Term {
    fn start(&self) -> Option<Moment> {
        let CampaignVersion { campaign, state, from, .. } = &self.version;
        let at = campaign.starts_at().map_or(*from, |start| start.max(*from));
        let is_over = campaign.ends_at().is_some_and(|end| end <= at);
        (*state == VersionState::Active && !is_over).then_some(at).and_then(|at| self.moment(at))
    }

    fn end(&self, started_at: Timestamp) -> Option<Moment> {
        let CampaignVersion { campaign, state, from, .. } = &self.version;
        let end = match state {
            VersionState::Draft => None,
            VersionState::Active | VersionState::Paused => campaign.ends_at(),
            VersionState::Ended | VersionState::Archived => Some(*from),
        };
        end.and_then(|end| self.moment(end.max(*from).max(started_at)))
    }

    /// `None` when another version is in force at this time.
    fn moment(&self, at: Timestamp) -> Option<Moment> {
        let version = self.version.version;
        (at < self.until).then_some(Moment { at, version })
    }
}

#[cfg(test)]
mod tests;

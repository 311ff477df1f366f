//! The states of a campaign, and the steps between them.

use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::{Timestamp, words};

words! {
    /// What the back office sees. It follows from the state of the version in force and from the clock.
    pub ShownState {
        Draft = "draft",
        /// It will run.
        Scheduled = "scheduled",
        Running = "running",
        Paused = "paused",
        /// The back office ended it, or its time is over.
        Ended = "ended",
        Archived = "archived",
    }

    /// A change of the state.
    pub CampaignStep {
        /// From a draft. It runs from its beginning on.
        Schedule = "schedule",
        Pause = "pause",
        Resume = "resume",
        End = "end",
        /// Lists leave it out. It can never run again.
        Archive = "archive",
    }
}

impl CampaignStep {
    /// The state of a version after the step. `None` when the step is impossible in this state. `last` is the state of the campaign's
    /// last version: when a draft is scheduled for a later time, the draft that is still in force cannot be scheduled again or
    /// archived, but ended.
    pub(super) fn applied_to(
        self,
        state: VersionState,
        last: VersionState,
        has_ended: bool,
    ) -> Option<VersionState> {
        let state = match (self, state) {
            (Self::Schedule | Self::End | Self::Archive, VersionState::Draft) => last,
            (_, state) => state,
        };
        match (self, state) {
            (Self::Schedule, VersionState::Draft) | (Self::Resume, VersionState::Paused) => {
                Some(VersionState::Active)
            }
            (Self::Pause, VersionState::Active) => Some(VersionState::Paused),
            (Self::End, VersionState::Active | VersionState::Paused) => Some(VersionState::Ended),
            (Self::Archive, VersionState::Draft | VersionState::Ended) => Some(VersionState::Archived),
            (Self::Archive, VersionState::Active | VersionState::Paused) if has_ended => {
                Some(VersionState::Archived)
            }
            _ => None,
        }
    }
}

impl ShownState {
    pub(super) fn of(version: &CampaignVersion, now: Timestamp) -> Self {
        let CampaignVersion { campaign, state, from, .. } = version;
        match state {
            VersionState::Draft => Self::Draft,
            VersionState::Ended => Self::Ended,
            VersionState::Archived => Self::Archived,
            VersionState::Active | VersionState::Paused if has_ended(version, now) => Self::Ended,
            VersionState::Paused => Self::Paused,
            VersionState::Active if now < *from || campaign.starts_at().is_some_and(|start| now < start) => {
                Self::Scheduled
            }
            VersionState::Active => Self::Running,
        }
    }
}

/// Whether its time is over.
pub(super) fn has_ended(version: &CampaignVersion, now: Timestamp) -> bool {
    version.campaign.ends_at().is_some_and(|end| end <= now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_lead_from_a_draft_to_the_archive() {
        use VersionState::{Active, Archived, Draft, Ended, Paused};
        let steps = |state, has_ended| -> Vec<&str> {
            let possible =
                CampaignStep::ALL.iter().filter(|step| step.applied_to(state, state, has_ended).is_some());
            possible.map(|step| step.as_str()).collect()
        };
        assert_eq!(steps(Draft, false), ["schedule", "archive"]);
        assert_eq!(steps(Active, false), ["pause", "end"]);
        assert_eq!(steps(Active, true), ["pause", "end", "archive"]);
        assert_eq!(steps(Paused, false), ["resume", "end"]);
        assert_eq!(steps(Ended, false), ["archive"]);
        assert!(steps(Archived, true).is_empty());
    }

    #[test]
    fn a_draft_with_a_planned_start_can_only_be_ended() {
        use VersionState::{Active, Draft, Ended, Paused};
        for last in [Active, Paused] {
            let steps = CampaignStep::ALL.iter().map(|step| step.applied_to(Draft, last, false));
            assert!(steps.eq([None, None, None, Some(Ended), None]), "{last:?}");
        }
    }
}

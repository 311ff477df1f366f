//! Why a change of a campaign is refused.

use std::fmt;

use pointbook_campaigns::{CampaignVersion, MAX_RUNNING, VersionState};
use pointbook_domain::Timestamp;

use super::state::{CampaignStep, ShownState};
use crate::campaigns::rules_cache::TAKE_OVER_SECONDS;

/// The most campaigns of a tenant, archived ones included.
pub const MAX_CAMPAIGNS: usize = 1_000;
/// The most versions of a campaign. Each step adds one too.
pub const MAX_VERSIONS: u32 = 200;
/// The longest definition, in bytes of its canonical JSON.
pub const MAX_DEFINITION_BYTES: usize = 64 * 1024;
/// The most bytes of all definitions of a tenant together. Processes keep them in memory.
pub const MAX_STORED_BYTES: usize = 8 * 1024 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CampaignRefusal {
    TooManyCampaigns,
    TooManyVersions,
    /// It has more than [`MAX_DEFINITION_BYTES`].
    DefinitionTooLong,
    /// All definitions of the tenant together are too long.
    TooMuchStored,
    /// As many campaigns run as may run.
    TooManyRunning,
    /// It would take over in the past.
    InThePast,
    /// The campaign has this newest version, which the author does not know.
    OtherVersion(u32),
    /// Another version takes over later, at this time.
    LaterVersion(Timestamp),
    /// A campaign in this state has no other definition any more.
    Closed(ShownState),
    /// A step that is final is planned for this time.
    Closing(ShownState, Timestamp),
    /// The step is impossible in this state.
    WrongStep(CampaignStep, ShownState),
}

/// Why a campaign with this last version changes no more. `None` when it may change.
pub(super) fn closed(last: &CampaignVersion, now: Timestamp) -> Option<CampaignRefusal> {
    let state = match last.state {
        VersionState::Ended => ShownState::Ended,
        VersionState::Archived => ShownState::Archived,
        VersionState::Draft | VersionState::Active | VersionState::Paused => return None,
    };
    let is_planned = last.from > now.plus_seconds(TAKE_OVER_SECONDS);
    Some(if is_planned { CampaignRefusal::Closing(state, last.from) } else { CampaignRefusal::Closed(state) })
}

impl fmt::Display for CampaignRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyCampaigns => {
                write!(f, "the tenant has {MAX_CAMPAIGNS} campaigns, which is the most")
            }
            Self::TooManyVersions => write!(f, "the campaign has {MAX_VERSIONS} versions, which is the most"),
            Self::DefinitionTooLong => {
                write!(f, "the definition must not have more than {MAX_DEFINITION_BYTES} bytes")
            }
            Self::TooMuchStored => {
                write!(
                    f,
                    "all definitions of the tenant together must not have more than {MAX_STORED_BYTES} bytes"
                )
            }
            Self::TooManyRunning => {
                write!(f, "at most {MAX_RUNNING} campaigns may be scheduled or running")
            }
            Self::InThePast => f.write_str("a version must not take over in the past"),
            Self::OtherVersion(newest) => write!(f, "the newest version of the campaign is {newest} by now"),
            Self::LaterVersion(at) => {
                write!(f, "another version takes over at {at}, so this one must not be earlier")
            }
            Self::Closed(state) => write!(f, "the campaign is {}, so it gets no new version", state.as_str()),
            Self::Closing(state, at) => {
                write!(f, "the campaign is {} from {at} on, and this plan is final", state.as_str())
            }
            Self::WrongStep(step, state) => {
                write!(f, "the campaign is {}, so the step {} is impossible", state.as_str(), step.as_str())
            }
        }
    }
}

impl std::error::Error for CampaignRefusal {}

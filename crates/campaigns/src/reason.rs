//! The reasons that operators and back offices read.

use std::borrow::Cow;
use std::fmt;

use crate::names::CampaignId;

/// Why a campaign gives an activity nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    BaseNotPositive,
    TooLate,
    /// The version is a draft.
    NotStarted,
    OutsideWindow,
    Paused,
    Type,
    /// The local day is in none of the windows.
    Window,
    Weekday,
    Hours,
    MinPoints,
    SourcePrefix,
    /// The attribute that is absent or has another value.
    Attribute(String),
    MemberSince,
    MemberBefore,
    NotAListedMember,
    NoBirthDate,
    NotBirthday,
    BirthDateTooNew,
    AlreadyThisYear,
    Ordinal,
    ControlGroup,
    RoundsToZero,
    UserLimit,
    /// Another campaign of the group won.
    LostTo(CampaignId),
    Budget,
    Ceiling,
    TooManyBonuses,
    /// The request had bonuses, so no campaign was evaluated.
    GivenByBackOffice,
    /// An import evaluates no campaigns unless its caller wants it.
    Import,
}

impl Reason {
    /// A stable word, for an attribute and a lost group with the name after it: `attribute.sku`, `lost_to:spring`.
    pub fn as_str(&self) -> Cow<'static, str> {
        let word = match self {
            Self::Attribute(name) => return Cow::Owned(format!("attribute.{name}")),
            Self::LostTo(id) => return Cow::Owned(format!("lost_to:{id}")),
            Self::BaseNotPositive => "base_not_positive",
            Self::TooLate => "too_late",
            Self::NotStarted => "not_started",
            Self::OutsideWindow => "outside_window",
            Self::Paused => "paused",
            Self::Type => "type",
            Self::Window => "window",
            Self::Weekday => "weekday",
            Self::Hours => "hours",
            Self::MinPoints => "min_points",
            Self::SourcePrefix => "source_prefix",
            Self::MemberSince => "member_since",
            Self::MemberBefore => "member_before",
            Self::NotAListedMember => "not_a_listed_member",
            Self::NoBirthDate => "no_birth_date",
            Self::NotBirthday => "not_birthday",
            Self::BirthDateTooNew => "birth_date_too_new",
            Self::AlreadyThisYear => "already_this_year",
            Self::Ordinal => "ordinal",
            Self::ControlGroup => "control_group",
            Self::RoundsToZero => "rounds_to_zero",
            Self::UserLimit => "user_limit",
            Self::Budget => "budget",
            Self::Ceiling => "ceiling",
            Self::TooManyBonuses => "too_many_bonuses",
            Self::GivenByBackOffice => "given_by_back_office",
            Self::Import => "import",
        };
        Cow::Borrowed(word)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.as_str())
    }
}

//! Why a campaign gives an activity nothing, as the decision says it: without strings, so that it costs no allocation.

use pointbook_domain::Day;

use crate::campaign::GroupWins;
use crate::counters::{BudgetLeft, Usage};

/// The checks are made in this order, and the first that fails is the refusal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refusal {
    BaseNotPositive,
    TooLate,
    NotStarted,
    OutsideWindow,
    Paused,
    Type,
    Window,
    Weekday,
    Hours,
    MinPoints,
    SourcePrefix,
    /// The index of the condition among those of attributes.
    Attribute(usize),
    MemberSince,
    MemberBefore,
    NotAListedMember,
    NoBirthDate,
    NotBirthday,
    BirthDateTooNew,
    AlreadyThisYear {
        last_paid: Day,
    },
    Ordinal {
        position: u64,
    },
    ControlGroup,
    RoundsToZero,
    UserLimit {
        /// Among the limits per user.
        index: usize,
        used: Usage,
        /// The points of the award before this limit.
        wanted: i64,
    },
    LostTo {
        /// The index of the campaign that won.
        winner: usize,
        /// The rule of the group, and the two numbers that it compared.
        wins: GroupWins,
        winner_has: i64,
        loser_has: i64,
    },
    Budget {
        left: BudgetLeft,
        /// The points of the award before the budget.
        wanted: i64,
    },
    Ceiling {
        /// How many points the awards of one activity may have together.
        most: i128,
    },
    TooManyBonuses,
}

/// The refusal, unless the condition holds.
pub(crate) fn require(holds: bool, refusal: Refusal) -> Result<(), Refusal> {
    if holds { Ok(()) } else { Err(refusal) }
}

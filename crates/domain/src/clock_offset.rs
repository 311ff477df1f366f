//! The virtual clock of a tenant: how far its time is ahead of the real time.

use crate::Timestamp;

/// The largest offset, in days: 100 years.
const MAX_DAYS: i64 = 36_525;

const MICROS_PER_DAY: i64 = 86_400 * 1_000_000;

/// How far the time of a tenant is ahead of the real time, in microseconds, from 0 to 100 years. It is 0 without a virtual
/// clock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClockOffset(i64);

impl ClockOffset {
    pub const NONE: Self = Self(0);
    pub const MAX: Self = Self(MAX_DAYS * MICROS_PER_DAY);

    /// `None` for a negative number and beyond [`Self::MAX`].
    pub fn from_micros(micros: i64) -> Option<Self> {
        (0..=Self::MAX.0).contains(&micros).then_some(Self(micros))
    }

    pub fn as_micros(self) -> i64 {
        self.0
    }

    /// The offset at which the time of a tenant is `at` while the real time is `real`. `None` when `at` is earlier than `real`
    /// or too far ahead.
    pub fn between(real: Timestamp, at: Timestamp) -> Option<Self> {
        Self::from_micros(at.as_micros().checked_sub(real.as_micros())?)
    }

    /// This offset and some seconds more. `None` beyond [`Self::MAX`].
    pub fn plus_seconds(self, seconds: u32) -> Option<Self> {
        Self::from_micros(self.0.checked_add(i64::from(seconds) * 1_000_000)?)
    }

    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The time of a tenant with this offset, at most [`Timestamp::MAX`].
    pub fn from_real(self, real: Timestamp) -> Timestamp {
        Timestamp::from_micros(real.as_micros().saturating_add(self.0)).unwrap_or(Timestamp::MAX)
    }

    /// The real time at which a tenant with this offset has the time `at`, at least [`Timestamp::MIN`].
    pub fn to_real(self, at: Timestamp) -> Timestamp {
        Timestamp::from_micros(at.as_micros().saturating_sub(self.0)).unwrap_or(Timestamp::MIN)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    #[test]
    fn an_offset_leads_to_the_virtual_time_and_back() {
        let offset = ClockOffset::between(at(100), at(160)).unwrap();
        assert_eq!(offset.as_micros(), 60_000_000);
        assert_eq!((offset.from_real(at(101)), offset.to_real(at(161))), (at(161), at(101)));
        assert_eq!(ClockOffset::NONE.from_real(at(5)), at(5));
        assert!(ClockOffset::NONE.is_none() && !offset.is_none());
    }

    #[test]
    fn an_offset_is_from_0_to_100_years() {
        assert_eq!(ClockOffset::between(at(100), at(100)), Some(ClockOffset::NONE));
        assert_eq!(ClockOffset::between(at(100), at(99)), None);
        assert_eq!(ClockOffset::from_micros(ClockOffset::MAX.as_micros() + 1), None);
        assert_eq!(ClockOffset::MAX.plus_seconds(1), None);
        assert_eq!(ClockOffset::NONE.plus_seconds(2), ClockOffset::from_micros(2_000_000));
        assert_eq!(ClockOffset::between(Timestamp::MIN, Timestamp::MAX), None);
    }

    #[test]
    fn times_stay_within_their_bounds() {
        assert_eq!(ClockOffset::MAX.from_real(Timestamp::MAX), Timestamp::MAX);
        assert_eq!(ClockOffset::MAX.to_real(Timestamp::MIN), Timestamp::MIN);
    }
}

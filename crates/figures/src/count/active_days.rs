//! The days on which a member was active.

use pointbook_domain::Day;

/// Distinct days in order. Stored in one or two bytes per day: the distance from the day before, 7 bits per byte, the low ones first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ActiveDays(Vec<Day>);

/// Days since 0000-03-01, before every valid day, so that the first distance is not negative.
const ORIGIN: i32 = -719_468;
const LOW_BITS: u32 = 0x7f;
const HAS_MORE: u8 = 0x80;

/// The new day with the active days around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct NewDay {
    pub(crate) before: Option<Day>,
    pub(crate) day: Day,
    pub(crate) after: Option<Day>,
}

impl ActiveDays {
    /// Reads the stored form. `None` for other bytes.
    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (mut days, mut last) = (Vec::with_capacity(bytes.len()), ORIGIN);
        let (mut distance, mut shift) = (0_u32, 0);
        for byte in bytes {
            let bits = u32::from(*byte) & LOW_BITS;
            distance |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
            shift += 7;
            if byte & HAS_MORE == 0 {
                last = last.checked_add_unsigned(distance)?;
                days.push(Day::from_days(last)?);
                (distance, shift) = (0, 0);
            }
        }
        (shift == 0 && days.is_sorted_by(|one, next| one < next)).then_some(Self(days))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (mut bytes, mut last) = (Vec::with_capacity(self.0.len() + 2), ORIGIN);
        for day in &self.0 {
            let mut distance = day.as_days().abs_diff(last);
            while distance > LOW_BITS {
                bytes.push((distance & LOW_BITS) as u8 | HAS_MORE);
                distance >>= 7;
            }
            bytes.push(distance as u8);
            last = day.as_days();
        }
        bytes
    }

    pub(crate) fn days(&self) -> &[Day] {
        &self.0
    }

    pub(crate) fn first(&self) -> Option<Day> {
        self.0.first().copied()
    }

    pub(crate) fn last(&self) -> Option<Day> {
        self.0.last().copied()
    }

    /// Adds a day. `None` when it was there.
    pub(crate) fn add(&mut self, day: Day) -> Option<NewDay> {
        let at = self.0.binary_search(&day).err()?;
        let before = at.checked_sub(1).and_then(|before| self.0.get(before)).copied();
        let after = self.0.get(at).copied();
        self.0.insert(at, day);
        Some(NewDay { before, day, after })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: i32) -> Day {
        Day::from_days(days).unwrap()
    }

    #[test]
    fn days_survive_their_stored_form() {
        let far = [-719_162, -1, 0, 1, 127, 128, 255, 20_000, 2_932_896];
        let mut days = ActiveDays::default();
        far.iter().rev().for_each(|at| assert!(days.add(day(*at)).is_some()));
        let bytes = days.to_bytes();
        assert_eq!(ActiveDays::from_bytes(&bytes), Some(days));
        assert_eq!(ActiveDays::from_bytes(&[]), Some(ActiveDays::default()));
    }

    #[test]
    fn bytes_that_are_no_days_are_refused() {
        let mut days = ActiveDays::default();
        days.add(day(20_000));
        let bytes = days.to_bytes();
        let same_day_again = [&bytes[..], &[0]].concat();
        for bad in [&bytes[..2], &same_day_again, &[0xff; 5], &[0xff; 9], &[1]] {
            assert_eq!(ActiveDays::from_bytes(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_new_day_knows_the_days_around_it() {
        let mut days = ActiveDays::default();
        assert_eq!(days.add(day(10)), Some(NewDay { before: None, day: day(10), after: None }));
        assert_eq!(days.add(day(30)), Some(NewDay { before: Some(day(10)), day: day(30), after: None }));
        let between = NewDay { before: Some(day(10)), day: day(20), after: Some(day(30)) };
        assert_eq!(days.add(day(20)), Some(between));
        assert_eq!(days.add(day(20)), None);
        assert_eq!((days.first(), days.last()), (Some(day(10)), Some(day(30))));
    }
}

//! The days on which a member was active, with what a member did on each.

use pointbook_domain::Day;

/// What a member did on a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ActiveDay {
    pub(crate) day: Day,
    /// The points that the member earned, without bonuses.
    pub(crate) earned: i64,
    /// The bonuses on top.
    pub(crate) bonus: i64,
    /// How many orders the member placed.
    pub(crate) orders: i64,
}

/// Distinct days in order. Stored as four numbers per day: the distance from the day before, the points, the bonuses and the orders. A number has 7
/// bits per byte, the low ones first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ActiveDays(Vec<ActiveDay>);

/// Days since 0000-03-01, before every valid day, so that the first distance is not negative.
const ORIGIN: i32 = -719_468;
const LOW_BITS: u64 = 0x7f;
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
        let (mut days, mut last) = (Vec::with_capacity(bytes.len() / 4), ORIGIN);
        let mut rest = bytes;
        while !rest.is_empty() {
            let distance = u32::try_from(read(&mut rest)?).ok().filter(|distance| *distance > 0)?;
            let mut next = || Some(signed(read(&mut rest)?));
            let (earned, bonus, orders) = (next()?, next()?, next()?);
            last = last.checked_add_unsigned(distance)?;
            days.push(ActiveDay { day: Day::from_days(last)?, earned, bonus, orders });
        }
        Some(Self(days))
    }

    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let (mut bytes, mut last) = (Vec::with_capacity(self.0.len() * 5), ORIGIN);
        for ActiveDay { day, earned, bonus, orders } in &self.0 {
            write(&mut bytes, day.as_days().abs_diff(last).into());
            write(&mut bytes, unsigned(*earned));
            write(&mut bytes, unsigned(*bonus));
            write(&mut bytes, unsigned(*orders));
            last = day.as_days();
        }
        bytes
    }

    /// The days from one to another, both included.
    pub(crate) fn between(&self, from: Day, until: Day) -> &[ActiveDay] {
        let first = self.0.partition_point(|active| active.day < from);
        let end = self.0.partition_point(|active| active.day <= until);
        self.0.get(first..end).unwrap_or_default()
    }

    pub(crate) fn days(&self) -> impl ExactSizeIterator<Item = Day> {
        self.0.iter().map(|active| active.day)
    }

    /// Each day with the points, the bonuses and the orders.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = (Day, [i64; 3])> {
        self.0.iter().map(|active| (active.day, [active.earned, active.bonus, active.orders]))
    }

    pub(crate) fn first(&self) -> Option<Day> {
        self.0.first().map(|active| active.day)
    }

    pub(crate) fn last(&self) -> Option<Day> {
        self.0.last().map(|active| active.day)
    }

    /// Adds what a member did. `None` when the member was active on that day before.
    pub(crate) fn add(&mut self, new: ActiveDay) -> Option<NewDay> {
        match self.0.binary_search_by_key(&new.day, |active| active.day) {
            Ok(at) => {
                let active = self.0.get_mut(at)?;
                active.earned = active.earned.saturating_add(new.earned);
                active.bonus = active.bonus.saturating_add(new.bonus);
                active.orders = active.orders.saturating_add(new.orders);
                None
            }
            Err(at) => {
                let day = |at: usize| self.0.get(at).map(|active| active.day);
                let around = NewDay { before: at.checked_sub(1).and_then(day), day: new.day, after: day(at) };
                self.0.insert(at, new);
                Some(around)
            }
        }
    }
}

fn read(bytes: &mut &[u8]) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0_u32);
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let bits = u64::from(*byte) & LOW_BITS;
        number |= bits.checked_shl(shift).filter(|shifted| shifted >> shift == bits)?;
        if byte & HAS_MORE == 0 {
            return Some(number);
        }
        shift += 7;
    }
}

fn write(bytes: &mut Vec<u8>, mut number: u64) {
    while number > LOW_BITS {
        bytes.push((number & LOW_BITS) as u8 | HAS_MORE);
        number >>= 7;
    }
    bytes.push((number & LOW_BITS) as u8);
}

/// Small numbers of both signs become small ones: 0, -1, 1, -2 ... are 0, 1, 2, 3 ...
fn unsigned(number: i64) -> u64 {
    ((number << 1) ^ (number >> 63)).cast_unsigned()
}

fn signed(number: u64) -> i64 {
    (number >> 1).cast_signed() ^ -(number & 1).cast_signed()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(days: i32) -> Day {
        Day::from_days(days).unwrap()
    }

    fn active(days: i32, earned: i64) -> ActiveDay {
        ActiveDay { day: day(days), earned, bonus: 0, orders: 1 }
    }

    #[test]
    fn days_survive_their_stored_form() {
        let far = [-719_162, -1, 0, 1, 127, 128, 255, 20_000, 2_932_896];
        let points = [0, 1, -1, 63, 64, 9_007_199_254_740_991, i64::MAX, i64::MIN, 5];
        let mut days = ActiveDays::default();
        far.iter()
            .zip(points)
            .rev()
            .for_each(|(at, earned)| assert!(days.add(active(*at, earned)).is_some()));
        let bytes = days.to_bytes();
        assert_eq!(ActiveDays::from_bytes(&bytes), Some(days));
        assert_eq!(ActiveDays::from_bytes(&[]), Some(ActiveDays::default()));
    }

    #[test]
    fn bytes_that_are_no_days_are_refused() {
        let mut days = ActiveDays::default();
        days.add(active(20_000, 5));
        let bytes = days.to_bytes();
        let same_day_again = [&bytes[..], &[0, 0, 0, 0]].concat();
        for bad in [&bytes[..2], &bytes[..4], &same_day_again, &[0xff; 5], &[0xff; 12], &[1, 0, 0, 0]] {
            assert_eq!(ActiveDays::from_bytes(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_new_day_knows_the_days_around_it() {
        let mut days = ActiveDays::default();
        assert_eq!(days.add(active(10, 1)), Some(NewDay { before: None, day: day(10), after: None }));
        assert_eq!(
            days.add(active(30, 1)),
            Some(NewDay { before: Some(day(10)), day: day(30), after: None })
        );
        let between = NewDay { before: Some(day(10)), day: day(20), after: Some(day(30)) };
        assert_eq!(days.add(active(20, 1)), Some(between));
        assert_eq!(days.add(active(20, 4)), None);
        assert_eq!((days.first(), days.last()), (Some(day(10)), Some(day(30))));
        let sum = ActiveDay { orders: 2, ..active(20, 5) };
        assert_eq!(days.between(day(11), day(29)), [sum]);
        assert_eq!(days.between(day(31), day(40)), []);
    }
}

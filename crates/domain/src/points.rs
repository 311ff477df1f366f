//! Amounts of points: integers, never fractions or floats.

use std::fmt;

/// The largest amount, in points: the largest integer that a double holds exactly, so that no client misreads it.
pub const MAX_POINTS: i64 = (1 << 53) - 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfRange {
    pub min: i64,
    pub max: i64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "must be between {} and {}", self.min, self.max)
    }
}

impl std::error::Error for OutOfRange {}

pub(crate) fn within(amount: i64, min: i64, max: i64) -> Result<i64, OutOfRange> {
    if (min..=max).contains(&amount) { Ok(amount) } else { Err(OutOfRange { min, max }) }
}

/// A signed amount of points within ±[`MAX_POINTS`]: an award, a spending, a balance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Points(i64);

impl From<u32> for Points {
    fn from(amount: u32) -> Self {
        Self(amount.into())
    }
}

impl Points {
    pub const ZERO: Self = Self(0);

    /// # Errors
    /// [`OutOfRange`] beyond ±[`MAX_POINTS`].
    pub fn new(amount: i64) -> Result<Self, OutOfRange> {
        within(amount, -MAX_POINTS, MAX_POINTS).map(Self)
    }

    pub fn get(self) -> i64 {
        self.0
    }

    /// The amount with the other sign. Both signs have the same bounds.
    #[must_use]
    pub fn negated(self) -> Self {
        Self(-self.0)
    }

    /// # Errors
    /// [`OutOfRange`] when the sum is out of range. Amounts never wrap.
    pub fn checked_add(self, other: Self) -> Result<Self, OutOfRange> {
        // The sum of two amounts of 53 bits never overflows 64 bits.
        Self::new(self.0 + other.0)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The price of a product: 0 to [`MAX_POINTS`] points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Price(i64);

impl Price {
    pub const ZERO: Self = Self(0);

    /// # Errors
    /// [`OutOfRange`] below 0 or above [`MAX_POINTS`].
    pub fn new(amount: i64) -> Result<Self, OutOfRange> {
        within(amount, 0, MAX_POINTS).map(Self)
    }

    pub fn get(self) -> i64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_stay_within_53_bits() {
        assert!(Points::new(MAX_POINTS).is_ok());
        assert!(Points::new(-MAX_POINTS).is_ok());
        assert!(Points::new(MAX_POINTS + 1).is_err());
        assert!(Points::new(i64::MIN).is_err());
    }

    #[test]
    fn a_sum_beyond_the_bounds_is_an_error_not_a_wrap() {
        let most = Points::new(MAX_POINTS).unwrap();
        assert!(most.checked_add(Points::new(1).unwrap()).is_err());
        assert_eq!(most.checked_add(Points::new(-1).unwrap()).unwrap().get(), MAX_POINTS - 1);
    }

    #[test]
    fn a_price_is_never_negative() {
        assert!(Price::new(0).is_ok());
        assert!(Price::new(-1).is_err());
    }
}

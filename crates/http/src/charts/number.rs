//! The values of charts.

/// How the caller writes a value, for example with separators of thousands.
pub type NumberFormat<'t> = &'t dyn Fn(Number) -> String;

/// A value of a chart. An axis of whole numbers has whole ticks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    /// Wider than the values of callers, because an axis for `i64::MAX` ends above it.
    Whole(i128),
    /// NaN and infinities are drawn as gaps.
    Real(f64),
}

/// Larger values are drawn at this height, so that the length of an axis is finite.
const DRAWN_MAX: f64 = 1e300;

/// Smaller values are drawn as zero, so that a step of an axis is never zero.
const DRAWN_MIN: f64 = 1e-290;

impl Number {
    /// `None` for NaN and infinities.
    pub(crate) fn finite(self) -> Option<Self> {
        match self {
            Self::Whole(_) => Some(self),
            Self::Real(real) => real.is_finite().then_some(self),
        }
    }

    /// The value as it is drawn, never NaN or infinite.
    #[expect(clippy::cast_precision_loss, reason = "a picture has a few hundred positions")]
    pub(crate) fn drawn(self) -> f64 {
        match self {
            Self::Whole(whole) => whole as f64,
            Self::Real(real) if real.is_nan() || real.abs() < DRAWN_MIN => 0.0,
            Self::Real(real) => real.clamp(-DRAWN_MAX, DRAWN_MAX),
        }
    }
}

impl From<i64> for Number {
    fn from(whole: i64) -> Self {
        Self::Whole(whole.into())
    }
}

impl From<f64> for Number {
    fn from(real: f64) -> Self {
        Self::Real(real)
    }
}

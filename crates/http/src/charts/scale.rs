//! Where a value is in a picture.

use super::number::Number;

/// Maps the values of an axis to coordinates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scale {
    low: f64,
    span: f64,
    start: f64,
    length: f64,
}

impl Scale {
    /// The first value of `axis` is at `start` and the last one at `end`, which may be smaller.
    pub(crate) fn new(axis: &[Number], start: f64, end: f64) -> Self {
        let low = axis.first().map_or(0.0, |low| low.drawn());
        let high = axis.last().map_or(0.0, |high| high.drawn());
        Self { low, span: high - low, start, length: end - start }
    }

    /// A value outside the axis is at its nearer end. On an axis without length, everything is in the middle.
    pub(crate) fn at(&self, value: Number) -> f64 {
        let part = if self.span > 0.0 { (value.drawn() - self.low) / self.span } else { 0.5 };
        self.start + self.length * part.clamp(0.0, 1.0)
    }
}

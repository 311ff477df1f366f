//! Values over consecutive days.

use super::number::Number;

/// A named line of a chart.
#[derive(Debug, Clone)]
pub struct Series<'t> {
    pub name: &'t str,
    /// One value per day. `None` is a gap, and so is a missing value at the end.
    pub values: Vec<Option<Number>>,
}

/// The texts of a chart of days.
#[derive(Clone, Copy)]
pub struct SeriesTexts<'t> {
    /// Heads the column of days in the table.
    pub day: &'t str,
    /// Stands in the table for a missing value.
    pub gap: &'t str,
    /// Stands in a picture without values.
    pub empty: &'t str,
    /// Says of the hatched day that it is not over.
    pub running: &'t str,
    /// Says a value of the days before.
    pub before: &'t dyn Fn(&str) -> String,
    /// Says the value where the axis begins.
    pub begins: &'t dyn Fn(&str) -> String,
}

impl Series<'_> {
    /// The value of a day that can be drawn.
    pub(crate) fn at(&self, day: usize) -> Option<Number> {
        self.values.get(day).copied().flatten().and_then(Number::finite)
    }
}

/// The series that have a class. The next one begins again.
const CLASSES: usize = 6;

/// The class of a series, by its position.
pub(crate) fn series_class(at: usize) -> String {
    format!("series-{}", at % CLASSES + 1)
}

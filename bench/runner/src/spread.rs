//! A figure over all rounds: its median, minimum and maximum.

/// The median, minimum and maximum of a figure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) min: f64,
    pub(super) median: f64,
    pub(super) max: f64,
}

impl Spread {
    /// The spread of the values that are numbers. NaN when none of them is.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.filter(|value| !value.is_nan()).collect();
        sorted.sort_by(f64::total_cmp);
        let (Some(min), Some(max)) = (sorted.first(), sorted.last()) else {
            return Self { min: f64::NAN, median: f64::NAN, max: f64::NAN };
        };
        let middle = sorted.len() / 2;
        // The median of an even number of values is the mean of the middle two.
        let below = if sorted.len().is_multiple_of(2) { middle - 1 } else { middle };
        Self { min: *min, median: f64::midpoint(sorted[below], sorted[middle]), max: *max }
    }

    /// The spreads of several figures of the same rounds.
    pub(super) fn of_each<T, const N: usize>(rounds: &[T], figures: [fn(&T) -> f64; N]) -> [Self; N] {
        figures.map(|figure| Self::of(rounds.iter().map(figure)))
    }

    /// The ratio of two figures, round by round.
    pub(super) fn of_ratios<T>(rounds: &[T], over: fn(&T) -> f64, under: fn(&T) -> f64) -> Self {
        Self::of(rounds.iter().map(|round| over(round) / under(round)))
    }

    /// The figures without digits after the decimal point.
    pub(super) fn whole(self) -> String {
        self.with_digits(0)
    }

    fn with_digits(self, digits: usize) -> String {
        if self.median.is_nan() {
            return String::new();
        }
        format!("{:.digits$} ({:.digits$}-{:.digits$})", self.median, self.min, self.max)
    }
}

impl std::fmt::Display for Spread {
    /// Writes an empty string for NaN.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.with_digits(if self.median < 10.0 { 2 } else { 1 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spread_has_median_minimum_and_maximum() {
        let spread = Spread::of([3.0, 1.0, 2.0].into_iter());
        assert_eq!(spread, Spread { min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(spread.to_string(), "2.00 (1.00-3.00)");
        assert_eq!(Spread::of([1_234.6].into_iter()).whole(), "1235 (1235-1235)");
    }

    #[test]
    fn median_of_an_even_number_is_the_mean_of_the_middle_two() {
        assert!((Spread::of([4.0, 1.0, 2.0, 9.0].into_iter()).median - 3.0).abs() < f64::EPSILON);
    }

    #[test]
    fn missing_measurement_is_shown_as_empty_string() {
        assert_eq!(Spread::of([f64::NAN].into_iter()).to_string(), "");
        assert_eq!(Spread::of([f64::NAN, 2.0].into_iter()).to_string(), "2.00 (2.00-2.00)");
    }

    #[test]
    fn ratios_are_taken_within_a_round() {
        let rounds = [(2.0, 1.0), (9.0, 3.0), (20.0, 5.0)];
        let spread = Spread::of_ratios(&rounds, |round| round.0, |round| round.1);
        assert_eq!(spread, Spread { min: 2.0, median: 3.0, max: 4.0 });
    }
}

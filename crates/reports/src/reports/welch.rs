//! Whether two samples have different means (Welch's t-test).

/// The numbers of one side.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sample {
    count: u32,
    sum: f64,
    sum_of_squares: f64,
}

/// The fewest members that each side needs.
const FEWEST: u32 = 200;

/// The normal quantile of 97.5 %, for an interval of 95 %.
const NORMAL: f64 = 1.959_963_985;

const PER: f64 = 1_000.0;

impl Sample {
    #[expect(clippy::cast_precision_loss, reason = "a mean of large numbers needs no more digits")]
    pub(super) fn add(&mut self, value: i64) {
        let value = value as f64;
        self.count = self.count.saturating_add(1);
        self.sum += value;
        self.sum_of_squares += value * value;
    }

    pub(super) fn count(&self) -> i64 {
        self.count.into()
    }

    fn mean(&self) -> f64 {
        if self.count == 0 { 0.0 } else { self.sum / f64::from(self.count) }
    }

    /// 0 with less than two numbers.
    fn variance_of_mean(&self) -> f64 {
        if self.count < 2 {
            return 0.0;
        }
        let count = f64::from(self.count);
        let variance = (self.sum_of_squares - self.sum * self.sum / count) / (count - 1.0);
        variance.max(0.0) / count
    }
}

/// All numbers are per 1,000.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Comparison {
    pub(super) means: [i64; 2],
    pub(super) difference: i64,
    /// With 95 % confidence, the difference is between these.
    pub(super) interval: [i64; 2],
    pub(super) result: &'static str,
}

#[expect(clippy::cast_possible_truncation, reason = "it saturates")]
fn per_thousand(number: f64) -> i64 {
    (number * PER).round() as i64
}

/// Compares the mean of the first with that of the second.
pub(super) fn compare(first: &Sample, second: &Sample) -> Comparison {
    let difference = first.mean() - second.mean();
    let half = half_width(first, second);
    let (lowest, highest) = (difference - half, difference + half);
    let result = match () {
        () if first.count.min(second.count) < FEWEST => "too_few_to_tell",
        () if lowest > 0.0 => "more",
        () if highest < 0.0 => "less",
        () => "no_difference_shown",
    };
    Comparison {
        means: [per_thousand(first.mean()), per_thousand(second.mean())],
        difference: per_thousand(difference),
        interval: [per_thousand(lowest), per_thousand(highest)],
        result,
    }
}

/// Half of the interval: the quantile of Student's t for the degrees of freedom of Welch and Satterthwaite, times the standard error.
fn half_width(first: &Sample, second: &Sample) -> f64 {
    let (one, two) = (first.variance_of_mean(), second.variance_of_mean());
    let both = one + two;
    if both <= 0.0 || first.count < 2 || second.count < 2 {
        return 0.0;
    }
    let part = |variance: f64, count: u32| variance * variance / (f64::from(count) - 1.0);
    let freedom = both * both / (part(one, first.count) + part(two, second.count));
    quantile(freedom) * both.sqrt()
}

/// The first three terms of the expansion of Student's t (Abramowitz and Stegun, 26.7.5). The error is below 0.001 from 9 degrees on.
fn quantile(freedom: f64) -> f64 {
    let z = NORMAL;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(values: impl IntoIterator<Item = i64>) -> Sample {
        let mut sample = Sample::default();
        values.into_iter().for_each(|value| sample.add(value));
        sample
    }

    /// Table values of Student's t for 95 %.
    #[test]
    fn the_quantile_is_that_of_the_tables() {
        for (freedom, expected) in [(10.0, 2.228), (20.0, 2.086), (60.0, 2.000), (200.0, 1.972), (1e9, 1.960)]
        {
            assert!((quantile(freedom) - expected).abs() < 0.001, "{freedom}: {}", quantile(freedom));
        }
    }

    /// Mean 2.5 against 1.5, variances 1.25 * 400/399: the standard error is sqrt(2 * 1.2531 / 400).
    #[test]
    fn a_clear_difference_is_told() {
        let (high, low) = (sample((0..400).map(|at| at % 4 + 1)), sample((0..400).map(|at| at % 4)));
        let found = compare(&high, &low);
        let expected =
            Comparison { means: [2_500, 1_500], difference: 1_000, interval: [845, 1_155], result: "more" };
        assert_eq!(found, expected);
        assert_eq!(compare(&low, &high).result, "less");
        assert_eq!(compare(&high, &high).result, "no_difference_shown");
    }

    #[test]
    fn few_members_tell_nothing() {
        let (many, few) = (sample((0..400).map(|_| 9)), sample((0..199).map(|_| 1)));
        assert_eq!(compare(&many, &few).result, "too_few_to_tell");
        assert_eq!(compare(&Sample::default(), &Sample::default()).difference, 0);
    }
}

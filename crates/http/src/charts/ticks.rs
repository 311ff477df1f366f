//! The ticks of a value axis: multiples of 1, 2 or 5 times a power of ten.

use super::number::Number;

/// The factors of a step, from small to large.
const FACTORS: [u8; 3] = [1, 2, 5];

/// The ticks of an axis that contains zero and all values, in ascending order: at least two, and at most `intervals + 2`. The ticks
/// are whole numbers when all values are. The axis of a level begins above zero when its values lie close together: the changes of whole
/// numbers would not be seen.
pub(crate) fn ticks(values: impl Iterator<Item = Number>, intervals: u8, is_level: bool) -> Vec<Number> {
    let (mut whole, mut real, mut is_whole) = ((0, 0), (0.0_f64, 0.0_f64), true);
    let mut least = i128::MAX;
    for value in values {
        if let Number::Whole(value) = value {
            least = least.min(value);
        }
        match value {
            Number::Whole(value) => whole = (value.min(whole.0), value.max(whole.1)),
            Number::Real(_) => is_whole = false,
        }
        real = (real.0.min(value.drawn()), real.1.max(value.drawn()));
    }
    if is_level && is_whole && least > 0 && whole.1 > least && least > (whole.1 - least) * 2 {
        whole.0 = least;
    }
    if is_whole { whole_ticks(whole, intervals.into()) } else { real_ticks(real, intervals) }
}

/// Exact for all values that fit into 64 bits.
fn whole_ticks((low, high): (i128, i128), intervals: i128) -> Vec<Number> {
    let high = if low == high { 1 } else { high };
    let needed = quotient_up(high - low, intervals);
    let mut steps = (0..).flat_map(|power| FACTORS.map(|factor| i128::from(factor) * 10_i128.pow(power)));
    let step = steps.find(|step| *step >= needed).unwrap_or(needed);
    (low.div_euclid(step)..=quotient_up(high, step)).map(|count| Number::Whole(count * step)).collect()
}

/// The quotient, rounded up. The divisor is positive.
fn quotient_up(dividend: i128, divisor: i128) -> i128 {
    -(-dividend).div_euclid(divisor)
}

/// A step of 1, 2 or 5 times a power of ten. Ten to a negative power is not exact, so small steps divide.
#[derive(Debug, Clone, Copy)]
struct RealStep {
    factor: f64,
    power: i32,
}

impl RealStep {
    fn times(self, count: f64) -> f64 {
        let power = 10_f64.powi(self.power.abs());
        if self.power < 0 { count * self.factor / power } else { count * self.factor * power }
    }
}

fn real_ticks((low, high): (f64, f64), intervals: u8) -> Vec<Number> {
    let high = if low < high { high } else { 1.0 };
    let step = real_step((high - low) / f64::from(intervals));
    let (mut count, mut ticks) = ((low / step.times(1.0)).floor(), Vec::new());
    if step.times(count) > low {
        count -= 1.0;
    }
    loop {
        let tick = step.times(count);
        // Adding zero makes a positive zero of a negative one.
        ticks.push(Number::Real(tick + 0.0));
        if tick >= high && ticks.len() > 1 {
            return ticks;
        }
        count += 1.0;
    }
}

/// The smallest step that is not less than `least`, which is positive and finite.
fn real_step(least: f64) -> RealStep {
    #[expect(clippy::cast_possible_truncation, reason = "the exponent of an f64 is within ±324")]
    let power = least.log10().floor() as i32;
    let steps = [power - 1, power, power + 1]
        .map(|power| FACTORS.map(|factor| RealStep { factor: f64::from(factor), power }));
    let found = steps.into_iter().flatten().find(|step| step.times(1.0) >= least);
    found.unwrap_or(RealStep { factor: 1.0, power: power + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(values: &[i64]) -> Vec<i128> {
        let ticks = ticks(values.iter().map(|value| Number::from(*value)), 5, false);
        ticks.into_iter().map(|tick| if let Number::Whole(tick) = tick { tick } else { panic!() }).collect()
    }

    fn real(values: &[f64]) -> Vec<f64> {
        let ticks = ticks(values.iter().map(|value| Number::from(*value)), 5, false);
        ticks.into_iter().map(|tick| if let Number::Real(tick) = tick { tick } else { panic!() }).collect()
    }

    #[test]
    fn ticks_are_round() {
        assert_eq!(whole(&[7, 93]), [0, 20, 40, 60, 80, 100]);
        assert_eq!(whole(&[3]), [0, 1, 2, 3]);
        assert_eq!(whole(&[-30, 120]), [-50, 0, 50, 100, 150]);
        assert_eq!(real(&[0.31]), [0.0, 0.1, 0.2, 0.3, 0.4]);
        assert_eq!(real(&[-0.02, 0.0]), [-0.02, -0.015, -0.01, -0.005, 0.0]);
    }

    #[test]
    fn axis_of_a_level_begins_near_values_that_lie_close_together() {
        let level = |values: &[i64]| ticks(values.iter().map(|value| Number::from(*value)), 4, true);
        let whole = |ticks: [i128; 5]| ticks.map(Number::Whole);
        assert_eq!(level(&[34_100, 40_300]), whole([34_000, 36_000, 38_000, 40_000, 42_000]));
        assert_eq!(level(&[100, 400]), whole([0, 100, 200, 300, 400]));
        assert_eq!(level(&[-10, 30])[0], Number::Whole(-10));
        assert_eq!(level(&[50, 50])[0], Number::Whole(0));
    }

    #[test]
    fn axis_without_values_goes_from_zero_to_one() {
        assert_eq!(whole(&[]), [0, 1]);
        assert_eq!(whole(&[0]), [0, 1]);
        assert_eq!(real(&[0.0]), [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]);
    }

    #[test]
    fn largest_whole_numbers_have_ticks_around_them() {
        let step = 5_000_000_000_000_000_000;
        assert_eq!(whole(&[i64::MIN, i64::MAX]), [-2, -1, 0, 1, 2].map(|count| count * step));
    }

    #[test]
    fn ticks_cover_all_values_in_few_steps() {
        let sizes = (0..63).flat_map(|bit| [(1_i64 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        for size in sizes.chain([i64::MAX]) {
            for values in [[0, size], [-size, 0], [-size, size], [-size, size / 3], [size - 1, size]] {
                let ticks = whole(&values);
                assert!((2..=7).contains(&ticks.len()), "{values:?}: {ticks:?}");
                assert!(ticks[0] <= values[0].into() && *ticks.last().unwrap() >= values[1].into());
            }
        }
    }

    #[test]
    fn real_ticks_cover_all_values_in_few_steps() {
        for power in -320..=308 {
            for factor in [1.0, 1.5, 2.000_000_1, 9.999_999_9] {
                let size = factor * 10_f64.powi(power);
                for values in [[0.0, size], [-size, 0.0], [-size, size], [-size, size / 3.0]] {
                    let ticks = real(&values);
                    let drawn = values.map(|value| Number::Real(value).drawn());
                    assert!((2..=7).contains(&ticks.len()), "{values:?}: {ticks:?}");
                    assert!(ticks.iter().all(|tick| tick.is_finite()), "{values:?}: {ticks:?}");
                    assert!(
                        ticks[0] <= drawn[0] && *ticks.last().unwrap() >= drawn[1],
                        "{values:?}: {ticks:?}"
                    );
                }
            }
        }
    }
}

//! The days of a time axis, and which of them have a tick.

/// A day of a chart, as the caller writes it.
#[derive(Debug, Clone)]
pub struct Day {
    /// In the table, such as `2026-03-01`.
    pub name: String,
    /// At the axis, when it has ticks of days, such as `1 Mar`.
    pub tick: String,
    /// At the axis, when it has ticks of months, such as `Mar 2026`. Only the first day of a month has one.
    pub month: Option<String>,
}

/// The distance of day ticks, in days. Weeks are easier to count than tens.
const DAY_STEPS: [usize; 5] = [1, 2, 7, 14, 28];

/// The distance of month ticks, in months.
const MONTH_STEPS: [usize; 5] = [1, 2, 3, 6, 12];

/// From this number of days on, the axis has ticks of months.
const DAYS_FOR_MONTHS: usize = 90;

/// The room for all labels in the narrowest window that shows all of them. A phone shows every other one in half of it.
const WIDTH: usize = 560;

/// Between two labels.
const SPACE: usize = 16;

/// The positions of days with a tick, each with its label, so that the labels fit.
pub(crate) fn day_ticks(days: &[Day]) -> Vec<(usize, &str)> {
    fitting_ticks(days, WIDTH)
}

fn fitting_ticks(days: &[Day], width: usize) -> Vec<(usize, &str)> {
    let months: Vec<(usize, &str)> =
        days.iter().enumerate().filter_map(|(at, day)| Some((at, day.month.as_deref()?))).collect();
    if days.len() >= DAYS_FOR_MONTHS && months.len() >= 2 {
        return thinned(&months, &MONTH_STEPS, width);
    }
    let all: Vec<_> = days.iter().enumerate().map(|(at, day)| (at, day.tick.as_str())).collect();
    thinned(&all, &DAY_STEPS, width)
}

/// How wide a label is at most, in pixels. The server does not know the font of the reader. Chinese, Japanese and Korean characters are as wide as high.
fn text_width(text: &str) -> usize {
    text.chars().map(|found| if found < '\u{2e80}' { 8 } else { 12 }).sum()
}

/// Every nth tick, with the smallest step whose labels fit.
fn thinned<'d>(ticks: &[(usize, &'d str)], steps: &[usize], width: usize) -> Vec<(usize, &'d str)> {
    let widest = ticks.iter().map(|(_, label)| text_width(label)).max().unwrap_or_default();
    let fits = |step: &usize| ticks.len().div_ceil(*step) * (widest + SPACE) <= width;
    // Beyond the usual steps, each next one is twice as long. One tick alone always has to do.
    let longest = steps.last().copied().unwrap_or(1);
    let longer = std::iter::successors(Some(longest), |step| step.checked_mul(2));
    let found = steps.iter().copied().chain(longer).find(|step| fits(step) || *step >= ticks.len());
    ticks.iter().step_by(found.unwrap_or(longest)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Days of months with 30 days.
    fn days(count: usize) -> Vec<Day> {
        let day = |at: usize| Day {
            name: format!("day {at}"),
            tick: format!("{}", at % 30 + 1),
            month: at.is_multiple_of(30).then(|| format!("M{}", at / 30)),
        };
        (0..count).map(day).collect()
    }

    fn positions(count: usize, width: usize) -> Vec<usize> {
        fitting_ticks(&days(count), width).into_iter().map(|(at, _)| at).collect()
    }

    #[test]
    fn days_have_ticks_of_days_or_weeks() {
        assert_eq!(positions(5, 560), [0, 1, 2, 3, 4]);
        assert_eq!(positions(28, 560), [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26]);
        assert_eq!(positions(28, 300), [0, 7, 14, 21]);
    }

    #[test]
    fn long_periods_have_ticks_of_months() {
        assert_eq!(positions(120, 560), [0, 30, 60, 90]);
        assert_eq!(positions(360, 300), [0, 60, 120, 180, 240, 300]);
    }

    #[test]
    fn axis_without_days_or_without_space_has_at_most_one_tick() {
        assert!(positions(0, 560).is_empty());
        assert_eq!(positions(400, 0), [0]);
    }
}

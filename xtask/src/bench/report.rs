//! The table: medians with their bounds, and ratios within one run.

use super::load::Round;

/// A figure over all rounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spread {
    pub(super) min: f64,
    pub(super) median: f64,
    pub(super) max: f64,
}

impl Spread {
    /// Of at least one value.
    pub(super) fn of(values: impl Iterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = values.collect();
        sorted.sort_by(f64::total_cmp);
        Self { min: sorted[0], median: sorted[sorted.len() / 2], max: sorted[sorted.len() - 1] }
    }
}

impl std::fmt::Display for Spread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = if self.median < 10.0 { 2 } else { 1 };
        write!(f, "{:.digits$} ({:.digits$}-{:.digits$})", self.median, self.min, self.max)
    }
}

/// One scenario at one size: pairs of rounds, ours and the ceiling's.
pub(super) struct Measured {
    pub(super) scenario: &'static str,
    pub(super) products: u32,
    pub(super) body_bytes: usize,
    pub(super) rounds: Vec<(Round, Round)>,
}

impl Measured {
    fn ours_us(&self) -> Spread {
        Spread::of(self.rounds.iter().map(|(ours, _)| ours.cpu_us))
    }

    fn row(&self, smallest: Option<&Self>) -> String {
        let ceiling = Spread::of(self.rounds.iter().map(|(_, ceiling)| ceiling.cpu_us));
        let ratio = Spread::of(self.rounds.iter().map(|(ours, ceiling)| ours.cpu_us / ceiling.cpu_us));
        let rate = Spread::of(self.rounds.iter().map(|(ours, _)| ours.rate));
        let rate_ratio = Spread::of(self.rounds.iter().map(|(ours, ceiling)| ours.rate / ceiling.rate));
        let growth = smallest.map_or_else(String::new, |smallest| {
            let (small, large) = (smallest.ours_us().median, self.ours_us().median);
            format!("{:.2} ({:+.1} us)", large / small, large - small)
        });
        format!(
            "| {} | {} | {} | {} | {ceiling} | {ratio} | {:.0} | {rate_ratio} | {growth} |",
            self.scenario,
            self.products,
            self.body_bytes,
            self.ours_us(),
            rate.median
        )
    }
}

/// Prints the table as Markdown, scenario by scenario, sizes beside each other.
pub(super) fn print(measured: &[Measured]) {
    println!(
        "| scenario | products | bytes | CPU us per request | ceiling | ratio | requests/s | of the ceiling's | against the smallest |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut names: Vec<&str> = Vec::new();
    for one in measured {
        if !names.contains(&one.scenario) {
            names.push(one.scenario);
        }
    }
    for name in names {
        let sizes: Vec<&Measured> = measured.iter().filter(|one| one.scenario == name).collect();
        for (place, one) in sizes.iter().enumerate() {
            println!("{}", one.row((place > 0).then(|| sizes[0])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_spread_has_the_middle_value_between_its_bounds() {
        let spread = Spread::of([3.0, 1.0, 2.0].into_iter());
        assert_eq!(spread, Spread { min: 1.0, median: 2.0, max: 3.0 });
        assert_eq!(spread.to_string(), "2.00 (1.00-3.00)");
    }
}

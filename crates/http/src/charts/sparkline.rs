//! A small line without axes, beside a figure.

use super::caption::Caption;
use super::markup::Markup;
use super::number::Number;
use super::path::{Runs, open_lines, place_of_day};
use super::scale::Scale;
use super::series::{Series, series_class};

/// A line from the smallest to the largest value, with a dot at the last one. It shows a shape and no sizes: zero has no
/// place in it.
#[derive(Debug, Clone, Copy)]
pub struct Sparkline<'t> {
    pub caption: Caption<'t>,
    pub series: &'t Series<'t>,
    /// The same number of values from the time before, as a dashed line.
    pub before: Option<&'t Series<'t>>,
}

/// Where the largest and the smallest values are, in percent from above, so that the line and its dot are inside.
const ENDS: (f64, f64) = (8.0, 92.0);

impl Sparkline<'_> {
    /// The picture. One without values is empty, and keeps its title and its size.
    pub fn svg(&self) -> String {
        let all = || std::iter::once(self.series).chain(self.before);
        let values = || all().flat_map(|series| (0..series.values.len()).filter_map(|day| series.at(day)));
        let by_size = |a: &Number, b: &Number| a.drawn().total_cmp(&b.drawn());
        let ends: Vec<_> = values().min_by(by_size).into_iter().chain(values().max_by(by_size)).collect();
        let scale = Scale::new(&ends, ENDS.1, ENDS.0);
        let runs = |series: &Series<'_>| {
            let days = series.values.len();
            Runs::new((0..days).map(|day| Some((place_of_day(day, days), scale.at(series.at(day)?)))))
        };
        let mut svg = Markup::default();
        self.caption.open_svg(&mut svg, "sparkline");
        open_lines(&mut svg);
        if let Some(before) = self.before {
            runs(before).draw_lines(&mut svg, "before");
        }
        let class = series_class(0);
        runs(self.series).draw_lines(&mut svg, &class);
        runs(self.series).draw_end(&mut svg, &class);
        svg.close("svg");
        svg.close("svg");
        svg.finish()
    }
}

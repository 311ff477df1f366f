//! A small line without axes, beside a figure.

use super::caption::Caption;
use super::chart::Chart as _;
use super::days::Day;
use super::frame::dot;
use super::number::{Number, NumberFormat};
use super::path::{Point, Runs};
use super::scale::Scale;
use super::series::{Series, SeriesTexts, series_class};
use super::time_series::TimeSeries;

/// A line from the smallest to the largest value, with a dot at the last one. It shows a shape and no sizes: zero has no
/// place in it.
#[derive(Clone, Copy)]
pub struct Sparkline<'t> {
    pub caption: Caption<'t>,
    pub days: &'t [Day],
    pub series: &'t Series<'t>,
    /// The same number of values from the time before, as a dashed line.
    pub before: Option<&'t Series<'t>>,
    pub number: NumberFormat<'t>,
    pub texts: SeriesTexts<'t>,
}

const WIDTH: f64 = 120.0;

const HEIGHT: f64 = 32.0;

/// The radius of the last value. The line keeps this distance from the edges.
const RADIUS: f64 = 3.0;

impl Sparkline<'_> {
    /// The picture. One without values is empty, and keeps its title and its size.
    pub fn svg(&self) -> String {
        let [title, description] = ["title", "desc"].map(|name| self.caption.element_id(name));
        let mut svg = self.caption.open_root("sparkline", [&title, &description], (WIDTH, HEIGHT));
        let [now, before] = self.points();
        Runs::new(before.into_iter()).draw_lines(&mut svg, "before");
        let (runs, class) = (Runs::new(now.into_iter()), series_class(0));
        runs.draw_lines(&mut svg, &class);
        if let Some(last) = runs.last() {
            dot(&mut svg, &format!("dot {class}"), last, RADIUS);
        }
        svg.close("svg");
        svg.finish()
    }

    /// The same numbers as an HTML table.
    pub fn table(&self) -> String {
        let Self { caption, days, series, before: _, number, texts } = *self;
        TimeSeries { caption, days, series: std::slice::from_ref(series), number, texts }.table()
    }

    #[expect(clippy::cast_precision_loss, reason = "a line has thousands of days at most")]
    fn points(&self) -> [Vec<Option<Point>>; 2] {
        let of = |series: &Series<'_>| (0..self.days.len()).map(|day| series.at(day)).collect();
        let lines: [Vec<Option<Number>>; 2] = [of(self.series), self.before.map_or_else(Vec::new, of)];
        let by_size = |a: &Number, b: &Number| a.drawn().total_cmp(&b.drawn());
        let drawn = || lines.iter().flatten().copied().flatten();
        let ends: Vec<Number> = drawn().min_by(by_size).into_iter().chain(drawn().max_by(by_size)).collect();
        let scale = Scale::new(&ends, HEIGHT - RADIUS - 1.0, RADIUS + 1.0);
        let step = (WIDTH - 2.0 * (RADIUS + 1.0)) / self.days.len().saturating_sub(1).max(1) as f64;
        let point = |(day, value): (usize, Option<Number>)| {
            Some((RADIUS + 1.0 + step * day as f64, scale.at(value?)))
        };
        lines.map(|values| values.into_iter().enumerate().map(point).collect())
    }
}

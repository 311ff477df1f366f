//! The lines of a chart, and the area of a single one.

use super::super::frame::dot;
use super::super::markup::Markup;
use super::super::number::Number;
use super::super::path::Runs;
use super::super::scale::Scale;
use super::super::series::{Series, series_class};
use super::day_axis::DayAxis;

/// The radius of the last value of a chart with one series.
const LAST_RADIUS: f64 = 3.5;

pub(super) fn draw(svg: &mut Markup, series: &[Series<'_>], days: &DayAxis<'_>, scale: Scale) {
    // The first series is the most important one, so it is drawn last.
    for (at, one) in series.iter().enumerate().rev() {
        let points = (0..days.len()).map(|day| Some((days.x(day), scale.at(one.at(day)?))));
        let (runs, class) = (Runs::new(points), series_class(at));
        if series.len() == 1 {
            runs.draw_areas(svg, &class, scale.at(Number::Whole(0)));
        }
        runs.draw_lines(svg, &class);
        if let (1, Some(last)) = (series.len(), runs.last()) {
            dot(svg, &format!("dot {class}"), last, LAST_RADIUS);
        }
    }
}

//! Series over consecutive days, as lines.

mod day_axis;
mod legend;
mod lines;

use super::caption::{Caption, Size};
use super::chart::Chart;
use super::data_table::data_table;
use super::days::{Day, widest_label};
use super::frame::{Frame, ValueAxis, empty_text};
use super::number::{Number, NumberFormat};
use super::series::{Series, SeriesTexts};
use super::ticks::ticks;
use day_axis::DayAxis;
use legend::Legend;

/// Lines over days. The value axis always contains zero, so that heights compare honestly.
///
/// A chart with one series has an area below its line; a chart with more has a legend. The first six series differ in colour and
/// dash pattern.
#[derive(Clone, Copy)]
pub struct TimeSeries<'t> {
    pub caption: Caption<'t>,
    pub days: &'t [Day],
    pub series: &'t [Series<'t>],
    pub number: NumberFormat<'t>,
    pub texts: SeriesTexts<'t>,
}

/// The height of the frame. Axis and legend come on top of it.
const PLOT_HEIGHT: f64 = 200.0;

/// Above the frame, so that the uppermost tick label is inside the picture.
const TOP: f64 = 12.0;

/// Below the frame, for the labels of days.
const BOTTOM: f64 = 30.0;

/// The least and the most space beside the frame, for half a label of the last day.
const SIDE: (f64, f64) = (16.0, 60.0);

/// A chart with more days has thin lines.
const LONG_DAYS: usize = 90;

/// The intervals of the value axis.
const INTERVALS: u8 = 4;

impl Chart for TimeSeries<'_> {
    fn svg(&self, size: Size) -> String {
        let axis = ValueAxis::new(ticks(self.values(), INTERVALS), self.number, size.width() / 2.0);
        let legend = Legend::new(self.series, size.width());
        let top = TOP + legend.height();
        let beside = (widest_label(self.days) / 2.0).clamp(SIDE.0, SIDE.1);
        let (left, right) = (axis.width().max(beside), size.width() - beside);
        let frame = Frame { left, top, right, bottom: top + PLOT_HEIGHT };
        let days = DayAxis::new(self.days, frame);
        let kind = if self.days.len() > LONG_DAYS { "chart-series chart-long" } else { "chart-series" };
        let mut svg = self.caption.open_svg(kind, size, frame.bottom + BOTTOM);
        legend.draw(&mut svg);
        axis.draw(&mut svg, frame);
        days.draw(&mut svg);
        lines::draw(&mut svg, self.series, &days, axis.scale(frame));
        if self.values().next().is_none() {
            empty_text(&mut svg, frame, self.texts.empty);
        } else if size == Size::Wide {
            days.draw_hints(&mut svg, |day| self.hint(day));
        }
        svg.close("svg");
        svg.finish()
    }

    fn table(&self) -> String {
        let names = self.series.iter().map(|series| series.name);
        let headers: Vec<&str> = std::iter::once(self.texts.day).chain(names).collect();
        let rows = self.days.iter().enumerate().map(|(at, day)| (day.name.as_str(), self.cells(at)));
        data_table(self.caption.title, &headers, rows)
    }
}

impl TimeSeries<'_> {
    fn values(&self) -> impl Iterator<Item = Number> {
        self.series.iter().flat_map(|series| (0..self.days.len()).filter_map(|day| series.at(day)))
    }

    fn cells(&self, day: usize) -> Vec<String> {
        let cell = |value: Option<Number>| value.map_or_else(|| self.texts.gap.to_owned(), self.number);
        self.series.iter().map(|series| cell(series.at(day))).collect()
    }

    /// What a browser shows of a day under the pointer: a line for the day, and one for each series. An en space needs no
    /// translation, as a colon does.
    fn hint(&self, day: usize) -> String {
        let mut lines: Vec<String> = self.days.get(day).map(|day| day.name.clone()).into_iter().collect();
        let cells = self.cells(day).into_iter();
        lines.extend(
            self.series.iter().zip(cells).map(|(series, cell)| format!("{}\u{2002}{cell}", series.name)),
        );
        lines.join("\n")
    }
}

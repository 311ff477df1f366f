//! Series over consecutive days, as lines or as bars.

use super::caption::Caption;
use super::chart::Chart;
use super::data_table::data_table;
use super::days::{Day, day_ticks};
use super::markup::{Markup, Percent};
use super::number::{Number, NumberFormat};
use super::path::{FULL, Runs, open_lines, place_of_day};
use super::scale::Scale;
use super::series::{Series, SeriesTexts, series_class};
use super::ticks::ticks;

/// Lines over days. The value axis always contains zero, so that heights compare honestly. One series may be bars, which begin at zero: for
/// what a day has of its own, and not from the day before.
///
/// A chart with one series has an area below its line; a chart with more has a legend. The first six series differ in colour and
/// dash pattern.
#[derive(Clone, Copy)]
pub struct TimeSeries<'t> {
    pub caption: Caption<'t>,
    pub days: &'t [Day],
    pub series: &'t [Series<'t>],
    /// As many days before, as a thin dashed line. The table leaves it out.
    pub before: Option<&'t Series<'t>>,
    /// Whether the first series is drawn as bars.
    pub has_bars: bool,
    pub number: NumberFormat<'t>,
    pub texts: SeriesTexts<'t>,
}

/// A chart with more days has thin lines.
const LONG_DAYS: usize = 90;

/// The intervals of the value axis.
const INTERVALS: u8 = 4;

/// The most days with a hint: hints of a year would weigh more than the rest of the page.
const HINTS_MAX: usize = 62;

impl Chart for TimeSeries<'_> {
    fn picture(&self) -> String {
        let ticks = ticks(self.all().flat_map(|series| self.values(series)), INTERVALS);
        let mut html = Markup::default();
        let kind = if self.days.len() > LONG_DAYS { "chart chart-long" } else { "chart" };
        html.open("div", &[("class", &kind)]);
        self.write_legend(&mut html);
        // The labels are as far from each other as the lines of the grid.
        html.open("div", &[("class", &"chart-y"), ("aria-hidden", &"true")]);
        ticks.iter().rev().for_each(|tick| html.leaf("span", &[], &(self.number)(*tick)));
        html.close("div");
        self.write_plot(&mut html, &ticks);
        self.write_days(&mut html);
        html.close("div");
        html.finish()
    }

    fn table(&self) -> String {
        let names = self.series.iter().map(|series| series.name);
        let headers: Vec<&str> = std::iter::once(self.texts.day).chain(names).collect();
        let rows = self.days.iter().enumerate().map(|(at, day)| (day.name.as_str(), self.cells(at)));
        data_table(self.caption.title, &headers, rows)
    }
}

impl TimeSeries<'_> {
    fn all(&self) -> impl Iterator<Item = &Series<'_>> {
        self.series.iter().chain(self.before)
    }

    fn values<'s>(&self, series: &'s Series<'_>) -> impl Iterator<Item = Number> + use<'s> {
        (0..self.days.len()).filter_map(|day| series.at(day))
    }

    /// The names of the lines. The title names a line that is alone.
    fn write_legend(&self, html: &mut Markup) {
        if self.all().count() < 2 {
            return;
        }
        html.open("p", &[("class", &"chart-legend")]);
        for (at, series) in self.all().enumerate() {
            let class = if at < self.series.len() { series_class(at) } else { "before".to_owned() };
            html.open("span", &[]);
            html.open("svg", &[("aria-hidden", &"true")]);
            let y = Percent(FULL / 2.0);
            html.empty(
                "line",
                &[("class", &format!("line {class}")), ("x2", &Percent(FULL)), ("y1", &y), ("y2", &y)],
            );
            html.close("svg");
            html.leaf("span", &[], series.name);
            html.close("span");
        }
        html.close("p");
    }

    fn write_plot(&self, svg: &mut Markup, ticks: &[Number]) {
        let scale = Scale::new(ticks, FULL, 0.0);
        self.caption.open_svg(svg, "chart-plot");
        for tick in ticks {
            let (class, y) = (if tick.drawn() == 0.0 { "axis" } else { "grid" }, Percent(scale.at(*tick)));
            svg.empty("line", &[("class", &class), ("x2", &Percent(FULL)), ("y1", &y), ("y2", &y)]);
        }
        if self.has_bars {
            self.write_bars(svg, scale);
        }
        open_lines(svg);
        if let Some(before) = self.before {
            self.runs(before, scale).draw_lines(svg, "before");
        }
        // The first series is the most important one, so it is drawn last.
        for (at, series) in self.series.iter().enumerate().skip(usize::from(self.has_bars)).rev() {
            let (runs, class) = (self.runs(series, scale), series_class(at));
            if self.series.len() == 1 {
                runs.draw_areas(svg, &class, scale.at(Number::Whole(0)));
            }
            runs.draw_lines(svg, &class);
            if self.series.len() == 1 {
                runs.draw_end(svg, &class);
            }
        }
        svg.close("svg");
        if self.series.iter().flat_map(|series| self.values(series)).next().is_none() {
            let middle = Percent(FULL / 2.0);
            svg.leaf("text", &[("class", &"middle"), ("x", &middle), ("y", &middle)], self.texts.empty);
        } else if self.days.len() <= HINTS_MAX {
            self.write_hints(svg);
        }
        svg.close("svg");
    }

    /// The first series as a bar for each day.
    fn write_bars(&self, svg: &mut Markup, scale: Scale) {
        let (days, zero) = (self.days.len(), scale.at(Number::Whole(0)));
        let (half, class) = (0.8 * place_of_day(0, days), format!("bar {}", series_class(0)));
        for day in 0..days {
            let Some(value) = self.series.first().and_then(|series| series.at(day)) else { continue };
            let end = scale.at(value);
            let (x, width) = (Percent(place_of_day(day, days) - half), Percent(2.0 * half));
            let (y, height) = (Percent(zero.min(end)), Percent((zero - end).abs()));
            if value.drawn() != 0.0 {
                svg.empty(
                    "rect",
                    &[("class", &class), ("x", &x), ("width", &width), ("y", &y), ("height", &height)],
                );
            }
        }
    }

    fn runs(&self, series: &Series<'_>, scale: Scale) -> Runs {
        let days = self.days.len();
        Runs::new((0..days).map(|day| Some((place_of_day(day, days), scale.at(series.at(day)?)))))
    }

    /// A column over each day, which is invisible until the pointer is over it; then the browser shows its title.
    fn write_hints(&self, svg: &mut Markup) {
        let (days, full) = (self.days.len(), Percent(FULL));
        let width = Percent(2.0 * place_of_day(0, days));
        for day in 0..days {
            let x = Percent(place_of_day(day, days) - place_of_day(0, days));
            svg.open("rect", &[("class", &"hint"), ("x", &x), ("width", &width), ("height", &full)]);
            svg.leaf("title", &[], &self.hint(day));
            svg.close("rect");
        }
    }

    /// The labels of days. A phone leaves every other one out.
    fn write_days(&self, svg: &mut Markup) {
        svg.open("svg", &[("class", &"chart-x"), ("aria-hidden", &"true")]);
        for (place, (day, label)) in day_ticks(self.days).into_iter().enumerate() {
            let x = place_of_day(day, self.days.len());
            // A label at an end stays inside.
            let end = if x < 4.0 {
                "start"
            } else if x > 96.0 {
                "end"
            } else {
                "middle"
            };
            let class = if place % 2 == 1 { format!("{end} other") } else { end.to_owned() };
            svg.leaf("text", &[("class", &class), ("x", &Percent(x)), ("y", &Percent(FULL / 2.0))], label);
        }
        svg.close("svg");
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

//! Series over consecutive days, as lines or as bars.

use std::fmt::Display;

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

/// What the values are, and so how they are drawn.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// Sums of days: lines over an axis that contains zero, so that heights compare honestly.
    Lines,
    /// Levels that hold until the next one, such as a balance: steps. The axis may begin above zero.
    Steps,
    /// What a day has of its own: the first series is bars, which begin at zero.
    Bars,
}

/// Series over days. A chart with one series has an area below its line; a chart with more has a legend. The first six series differ in
/// colour and mark. Dashed lines are `before`.
#[derive(Clone, Copy)]
pub struct TimeSeries<'t> {
    pub caption: Caption<'t>,
    pub days: &'t [Day],
    pub series: &'t [Series<'t>],
    /// As many days before, for the series in the same place, as thin dashed lines. The table leaves them out.
    pub before: &'t [Series<'t>],
    /// Whether the last day is not over. It is hatched, and no line of sums reaches it.
    pub is_running: bool,
    pub shape: Shape,
    pub number: NumberFormat<'t>,
    pub texts: SeriesTexts<'t>,
}

/// A chart with more days has thin lines.
const LONG_DAYS: usize = 90;

/// The intervals of the value axis.
const INTERVALS: u8 = 4;

/// The most days with a hint: hints of a year would weigh more than the rest of the page.
const HINTS_MAX: usize = 92;

/// Between the parts of a line of a hint. The script knows it, too.
const GAP: char = '\u{2002}';

/// The most marks of a line.
const MARKS_MAX: usize = 10;

impl Chart for TimeSeries<'_> {
    fn picture(&self) -> String {
        let ticks =
            ticks(self.all().flat_map(|series| self.values(series)), INTERVALS, self.shape == Shape::Steps);
        let mut html = Markup::default();
        let kind = if self.days.len() > LONG_DAYS { "chart chart-long" } else { "chart" };
        html.open("div", &[("class", &kind)]);
        self.write_legend(&mut html, &ticks);
        self.write_readout(&mut html);
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

    fn has_values(&self) -> bool {
        self.series.iter().flat_map(|series| self.values(series)).next().is_some()
    }

    /// The names of the lines, what is hatched, and where the axis begins. The title names a line that is alone.
    fn write_legend(&self, html: &mut Markup, ticks: &[Number]) {
        let begins = ticks.first().filter(|first| first.drawn() > 0.0);
        if self.all().count() < 2 && !self.is_running && begins.is_none() {
            return;
        }
        html.open("p", &[("class", &"chart-legend")]);
        let lines = self.series.iter().enumerate().map(|(at, series)| (series_class(at), series.name));
        let before = self.before.first().map(|before| ("before".to_owned(), before.name));
        for (class, name) in lines.chain(before).filter(|_| self.all().count() > 1) {
            html.open("span", &[]);
            html.open("svg", &[("aria-hidden", &"true")]);
            let [start, middle, end] = [0.0, FULL / 2.0, FULL].map(|x| Some((x, FULL / 2.0)));
            open_lines(html);
            Runs::new([start, end].into_iter()).draw_lines(html, &class);
            Runs::new([middle].into_iter()).draw_marks(html, &class, 1);
            html.close("svg");
            html.close("svg");
            html.leaf("span", &[], name);
            html.close("span");
        }
        if self.is_running {
            html.open("span", &[]);
            html.open("svg", &[("aria-hidden", &"true")]);
            self.write_hatched(html, 0.0);
            html.close("svg");
            html.leaf("span", &[], self.texts.running);
            html.close("span");
        }
        if let Some(begins) = begins {
            html.leaf("span", &[], &(self.texts.begins)(&(self.number)(*begins)));
        }
        html.close("p");
    }

    /// The part of a picture from here to its end, hatched.
    fn write_hatched(&self, svg: &mut Markup, x: f64) {
        let fill = format!("url(#{})", self.caption.element_id("hatch"));
        svg.empty(
            "rect",
            &[("x", &Percent(x)), ("width", &Percent(FULL - x)), ("height", &Percent(FULL)), ("fill", &fill)],
        );
    }

    /// The last whole day in words. A script shows other days there.
    fn write_readout(&self, html: &mut Markup) {
        if !self.has_hints() {
            return;
        }
        let hint = self.hint(self.whole_days().saturating_sub(1));
        let mut lines = hint.split('\n');
        html.open("p", &[("class", &"chart-readout")]);
        html.leaf("b", &[], lines.next().unwrap_or_default());
        for line in lines {
            let mut parts = line.split(GAP);
            html.open("span", &[]);
            html.leaf("span", &[], &format!("{} ", parts.next().unwrap_or_default()));
            html.leaf("b", &[], parts.next().unwrap_or_default());
            parts.for_each(|part| html.leaf("span", &[], &format!(" {part}")));
            html.close("span");
        }
        html.close("p");
    }

    fn has_hints(&self) -> bool {
        self.days.len() <= HINTS_MAX && self.has_values()
    }

    /// How many days are over. A running day that is alone counts.
    fn whole_days(&self) -> usize {
        let days = self.days.len();
        if self.is_running && days > 1 { days - 1 } else { days }
    }

    fn write_plot(&self, svg: &mut Markup, ticks: &[Number]) {
        let scale = Scale::new(ticks, FULL, 0.0);
        self.caption.open_svg(svg, "chart-plot");
        for tick in ticks {
            let (class, y) = (if tick.drawn() == 0.0 { "axis" } else { "grid" }, Percent(scale.at(*tick)));
            svg.empty("line", &[("class", &class), ("x2", &Percent(FULL)), ("y1", &y), ("y2", &y)]);
        }
        let days = self.days.len();
        if self.is_running && days > 0 {
            svg.open("defs", &[]);
            let (id, size) = (self.caption.element_id("hatch"), "6");
            let place =
                [("patternUnits", &"userSpaceOnUse" as &dyn Display), ("patternTransform", &"rotate(45)")];
            svg.open(
                "pattern",
                &[&[("id", &id as &dyn Display), ("width", &size), ("height", &size)], &place[..]].concat(),
            );
            svg.empty("path", &[("class", &"hatch"), ("d", &"M0 0v6")]);
            svg.close("pattern");
            svg.close("defs");
            self.write_hatched(svg, place_of_day(days - 1, days) - place_of_day(0, days));
        }
        if self.shape == Shape::Bars {
            self.write_bars(svg, scale);
        }
        open_lines(svg);
        for (at, before) in self.before.iter().enumerate() {
            let class = if at == 0 { "before".to_owned() } else { format!("before {}", series_class(at)) };
            self.runs(before, scale, days).draw_lines(svg, &class);
        }
        // The first series is the most important one, so it is drawn last.
        for (at, series) in self.series.iter().enumerate().skip(usize::from(self.shape == Shape::Bars)).rev()
        {
            let whole = if self.shape == Shape::Steps { days } else { self.whole_days() };
            let (runs, class) = (self.runs(series, scale, whole), series_class(at));
            if self.series.len() == 1 {
                runs.draw_areas(svg, &class, scale.at(Number::Whole(0)));
            }
            runs.draw_lines(svg, &class);
            if self.series.len() == 1 {
                runs.draw_end(svg, &class);
            } else {
                runs.draw_marks(svg, &class, days.div_ceil(MARKS_MAX).max(1));
            }
        }
        svg.close("svg");
        if !self.has_values() {
            let middle = Percent(FULL / 2.0);
            svg.leaf("text", &[("class", &"middle"), ("x", &middle), ("y", &middle)], self.texts.empty);
        } else if self.has_hints() {
            let x = Percent(place_of_day(self.whole_days().saturating_sub(1), days));
            svg.empty("line", &[("class", &"cross"), ("x1", &x), ("x2", &x), ("y2", &Percent(FULL))]);
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

    /// The line of the first days.
    fn runs(&self, series: &Series<'_>, scale: Scale, drawn: usize) -> Runs {
        let days = self.days.len();
        let points = (0..drawn).map(|day| Some((place_of_day(day, days), scale.at(series.at(day)?))));
        if self.shape == Shape::Steps {
            Runs::steps(points, 2.0 * place_of_day(0, days))
        } else {
            Runs::new(points)
        }
    }

    /// A column over each day, which is invisible until the pointer is over it; then the browser shows its title.
    fn write_hints(&self, svg: &mut Markup) {
        let days = self.days.len();
        let width = Percent(2.0 * place_of_day(0, days));
        svg.open("g", &[("class", &"hints")]);
        for day in 0..days {
            let x = Percent(place_of_day(day, days) - place_of_day(0, days));
            svg.open("rect", &[("x", &x), ("width", &width)]);
            svg.leaf("title", &[], &self.hint(day));
            svg.close("rect");
        }
        svg.close("g");
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

    /// What a browser shows of a day under the pointer: a line for the day, and one for each series with its value and the one before. An en
    /// space needs no translation, as a colon does.
    fn hint(&self, day: usize) -> String {
        let mut lines: Vec<String> = self.days.get(day).map(|day| day.name.clone()).into_iter().collect();
        for (at, (series, cell)) in self.series.iter().zip(self.cells(day)).enumerate() {
            let before = self.before.get(at).and_then(|before| before.at(day));
            let before = before.map(|value| format!("{GAP}{}", (self.texts.before)(&(self.number)(value))));
            lines.push(format!("{}{GAP}{cell}{}", series.name, before.unwrap_or_default()));
        }
        lines.join("\n")
    }
}

//! Charts of the console.

use maud::{Markup, PreEscaped};
use pointbook_domain::Day;
use pointbook_http::charts::{Caption, Chart, Day as AxisDay, Number, Series, SeriesTexts, TimeSeries};
use pointbook_http::pages::{Words, date, number};

use crate::console_kit::visit::Visit;

/// What a day has of points as a chart with its table: a line, as of a balance, that goes on from day to day.
pub fn points_by_day(visit: &Visit<'_>, title: &str, days: Vec<Day>, values: &[Option<i64>]) -> Markup {
    by_day(visit, title, days, values, false)
}

/// As [`points_by_day`], of points that each day has of its own: bars.
pub fn bars_by_day(visit: &Visit<'_>, title: &str, days: Vec<Day>, values: &[Option<i64>]) -> Markup {
    by_day(visit, title, days, values, true)
}

fn by_day(visit: &Visit<'_>, title: &str, days: Vec<Day>, values: &[Option<i64>], has_bars: bool) -> Markup {
    let words = visit.words;
    let days = axis_days(days.into_iter(), words);
    let (name, about) = (words.say(title), words.say("report-plot"));
    let (day, none) = (words.say("day"), words.say("no-figures"));
    let series =
        [Series { name: &name, values: values.iter().map(|value| value.map(Number::from)).collect() }];
    let format = |value: Number| chart_number(value, words);
    let chart = TimeSeries {
        caption: Caption { id: title, title: &name, description: &about },
        days: &days,
        series: &series,
        before: None,
        has_bars,
        number: &format,
        texts: SeriesTexts { day: &day, gap: "–", empty: &none },
    };
    PreEscaped(chart.figure(&words.say("chart-as-table")))
}

/// A number of a chart as people read it.
pub fn chart_number(value: Number, words: &Words) -> String {
    match value {
        Number::Whole(whole) => number(i64::try_from(whole).unwrap_or(i64::MAX), words),
        Number::Real(real) => real.to_string(),
    }
}

/// The days of a chart with their names in the language of the page.
pub fn axis_days(days: impl Iterator<Item = Day>, words: &Words) -> Vec<AxisDay> {
    days.map(|day| axis_day(day, words)).collect()
}

fn axis_day(day: Day, words: &Words) -> AxisDay {
    let ascii = day.to_ascii();
    let text = str::from_utf8(&ascii).unwrap_or_default();
    let mut parts = text.rsplitn(3, '-');
    let mut next = || parts.next().unwrap_or_default().trim_start_matches('0').to_owned();
    let (of_month, month) = (next(), next());
    let name = words.say(&format!("month-{month}")).into_owned();
    let tick = words.with_all("day-of-month", [("day", of_month.clone()), ("month", name.clone())]);
    AxisDay { name: date(day, words), tick, month: (of_month == "1").then_some(name) }
}

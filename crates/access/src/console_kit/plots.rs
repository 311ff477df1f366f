//! Charts of the console.

use maud::{Markup, PreEscaped};
use pointbook_domain::Day;
use pointbook_http::charts::{
    Caption, Chart, Day as AxisDay, Number, Series, SeriesTexts, Shape, TimeSeries,
};
use pointbook_http::pages::{Words, date, number};

use crate::console_kit::visit::Visit;

/// A chart over days. When the last day is today, it is hatched, because it is not over.
pub struct DayChart<'c> {
    /// The id of its title.
    pub title: &'c str,
    pub days: Vec<Day>,
    pub series: &'c [Series<'c>],
    /// As many days before.
    pub before: &'c [Series<'c>],
    pub shape: Shape,
}

impl DayChart<'_> {
    /// The chart alone, for a page that has its numbers in another table.
    pub fn picture(self, visit: &Visit<'_>) -> Markup {
        self.drawn(visit, |chart| chart.picture())
    }

    fn drawn(self, visit: &Visit<'_>, draw: impl Fn(&TimeSeries<'_>) -> String) -> Markup {
        let words = visit.words;
        let today = visit.served.local_time(visit.now).day;
        let is_running = self.days.last() == Some(&today);
        let days: Vec<AxisDay> = self.days.into_iter().map(|day| axis_day(day, words)).collect();
        let [name, about, day, none, running] =
            [self.title, "report-plot", "day", "no-figures", "chart-running"].map(|id| words.say(id));
        let format = |value: Number| chart_number(value, words);
        let [before, begins] = ["figure-from", "chart-begins"]
            .map(|id| move |value: &str| words.with(id, "count", value.to_owned()).into_owned());
        let texts = SeriesTexts {
            day: &day,
            gap: "–",
            empty: &none,
            running: &running,
            before: &before,
            begins: &begins,
        };
        let chart = TimeSeries {
            caption: Caption { id: self.title, title: &name, description: &about },
            days: &days,
            series: self.series,
            before: self.before,
            is_running,
            shape: self.shape,
            number: &format,
            texts,
        };
        PreEscaped(draw(&chart))
    }
}

/// The points of each day as bars, with their table.
pub fn bars_by_day(visit: &Visit<'_>, title: &str, days: Vec<Day>, values: &[Option<i64>]) -> Markup {
    let name = visit.words.say(title);
    let series = [series_of(&name, values)];
    let chart = DayChart { title, days, series: &series, before: &[], shape: Shape::Bars };
    let summary = visit.words.say("chart-as-table");
    chart.drawn(visit, |chart| chart.figure(&summary))
}

/// A line of whole numbers.
pub fn series_of<'n>(name: &'n str, values: &[Option<i64>]) -> Series<'n> {
    Series { name, values: values.iter().map(|value| value.map(Number::from)).collect() }
}

/// A number of a chart as people read it.
pub fn chart_number(value: Number, words: &Words) -> String {
    match value {
        Number::Whole(whole) => number(i64::try_from(whole).unwrap_or(i64::MAX), words),
        Number::Real(real) => real.to_string(),
    }
}

/// A date with its day of the week.
pub fn long_date(day: Day, words: &Words) -> String {
    const NAMES: [&str; 7] = [
        "weekday-thu",
        "weekday-fri",
        "weekday-sat",
        "weekday-sun",
        "weekday-mon",
        "weekday-tue",
        "weekday-wed",
    ];
    // The first day of 1970 was a Thursday.
    let place = usize::try_from(day.as_days().rem_euclid(7)).unwrap_or_default();
    let weekday = NAMES.get(place).map(|id| words.say(id).into_owned()).unwrap_or_default();
    words.with_all("long-date", [("name", weekday), ("day", date(day, words))])
}

fn axis_day(day: Day, words: &Words) -> AxisDay {
    let ascii = day.to_ascii();
    let text = str::from_utf8(&ascii).unwrap_or_default();
    let mut parts = text.rsplitn(3, '-');
    let mut next = || parts.next().unwrap_or_default().trim_start_matches('0').to_owned();
    let (of_month, month) = (next(), next());
    let name = words.say(&format!("month-{month}")).into_owned();
    let tick = words.with_all("day-of-month", [("day", of_month.clone()), ("month", name.clone())]);
    AxisDay { name: long_date(day, words), tick, month: (of_month == "1").then_some(name) }
}

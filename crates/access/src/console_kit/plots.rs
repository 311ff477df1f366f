//! Charts of the console.

use maud::{Markup, PreEscaped};
use pointbook_domain::{CivilDate, Day};
use pointbook_http::charts::{
    Caption, Chart, Day as AxisDay, Number, Series, SeriesTexts, Shape, TimeSeries,
};
use pointbook_http::pages::{Words, date, number, short_date};

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
    const NAMES: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
    let weekday = NAMES.get(weekday(day)).map(|name| words.say(&format!("weekday-{name}")).into_owned());
    words.with_all("long-date", [("name", weekday.unwrap_or_default()), ("day", date(day, words))])
}

/// As [`long_date`], in short words. Only a date of another year has its year.
pub fn short_day(day: Day, visit: &Visit<'_>) -> String {
    let (words, today) = (visit.words, visit.served.local_time(visit.now).day);
    let names = words.say("weekdays-short");
    let name = names.split(' ').nth(weekday(day)).unwrap_or_default().to_owned();
    words.with_all("long-date", [("name", name), ("day", short_date(day, today, words))])
}

/// From 0 for Monday. The first day of 1970 was a Thursday.
fn weekday(day: Day) -> usize {
    usize::try_from((day.as_days() + 3).rem_euclid(7)).unwrap_or_default()
}

fn axis_day(day: Day, words: &Words) -> AxisDay {
    let CivilDate { month, day: of_month, .. } = day.into();
    let month = (of_month == 1).then(|| words.say(&format!("month-{month}")).into_owned());
    AxisDay { name: long_date(day, words), tick: short_date(day, day, words), month }
}

//! Days on the axes of charts.

use pointbook_domain::Day;
use pointbook_http::charts::Day as AxisDay;
use pointbook_http::pages::{Words, date};

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

//! The charts of reports. The table of the report has the same numbers.

use std::collections::BTreeMap;

use maud::{Markup, PreEscaped, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::activity_type;
use pointbook_access::console_kit::plots::{DayChart, chart_number, series_of};
use pointbook_http::charts::{Bar, Bars, Caption, Chart, HeatRow, HeatTable, Number, Series, Shape};
use pointbook_http::pages::{Words, number, percent};

use super::cells::{column_name, end, month_name};
use crate::Month;
use crate::for_role::{column, number_at, numbers};
use crate::reports::{ReportTable, Value};

/// The most bars of a chart.
const BARS: usize = 15;

/// The most campaigns of a chart: each has another colour and mark.
const LINES: usize = 6;

/// The most months of joining, and of activity, in a table of cohorts.
const MONTHS: usize = 12;

/// The charts of a report; nothing for one whose table says it better. `before` is the report of as many days before.
pub(super) fn plots(visit: &Visit<'_>, table: &ReportTable, before: Option<&ReportTable>) -> Markup {
    match table.report.name {
        "points" => html! {
            (lines(visit, table, "report-plot-points", &["earned_points", "spent_points"], before))
            (lines(visit, table, "report-plot-open", &["open_points"], before))
        },
        "members" => lines(visit, table, "report-members", &["active_members", "new_members"], before),
        "campaign-days" => campaign_days(visit, table),
        "cohorts" => cohorts(visit, table),
        "vintages" => bars(visit, table, "month", "open_points"),
        "expiry" => bars(visit, table, "ends_in", "open_points"),
        "products" | "campaigns" => bars(visit, table, "title", "points"),
        "categories" => bars(visit, table, "label", "points"),
        "activity-types" => bars(visit, table, "type", "earned_points"),
        _ => html! {},
    }
}

/// Columns of a report with a row for each day.
fn lines(
    visit: &Visit<'_>,
    table: &ReportTable,
    title: &str,
    columns: &[&str],
    before: Option<&ReportTable>,
) -> Markup {
    let names: Vec<String> = columns.iter().map(|name| column_name(visit, table, name)).collect();
    let series: Vec<_> =
        names.iter().zip(columns).map(|(name, column)| series_of(name, &numbers(table, column))).collect();
    let name = visit.words.with("report-before", "count", table.range.days().count().to_string());
    let before: Vec<_> = before
        .iter()
        .flat_map(|before| columns.iter().map(|column| series_of(&name, &numbers(before, column))))
        .collect();
    let shape = if columns.contains(&"open_points") { Shape::Steps } else { Shape::Lines };
    time_series(
        visit,
        title,
        DayChart { title, days: table.range.days().collect(), series: &series, before: &before, shape },
    )
}

/// The points of the campaigns with the most points, by day.
fn campaign_days(visit: &Visit<'_>, table: &ReportTable) -> Markup {
    let first = table.range.from.as_days();
    let days = table.range.days().count();
    let mut campaigns: BTreeMap<&str, Vec<Option<Number>>> = BTreeMap::new();
    let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
    let Some(points) = column(table, "points") else { return html! {} };
    for row in &table.rows {
        let (Some(Value::Day(day)), Some(Value::Text(campaign))) = (row.first(), row.get(1)) else {
            continue;
        };
        let values = campaigns.entry(campaign).or_insert_with(|| vec![Some(Number::Whole(0)); days]);
        let place = usize::try_from(day.as_days() - first).ok().and_then(|place| values.get_mut(place));
        let value = number_at(row, points);
        if let Some(place) = place {
            *place = value.map(Number::from);
        }
        *sums.entry(campaign).or_default() += value.unwrap_or_default();
    }
    let mut names: Vec<(&str, i64)> = sums.into_iter().collect();
    names.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
    let names = names.into_iter().take(LINES).map(|(name, _)| name);
    let series: Vec<Series<'_>> =
        names.filter_map(|name| campaigns.remove(name).map(|values| Series { name, values })).collect();
    let title = "report-campaign-days";
    let days = table.range.days().collect();
    time_series(visit, title, DayChart { title, days, series: &series, before: &[], shape: Shape::Lines })
}

/// Without the table of the chart, which would have a row for each day. Nothing for a chart that would have zeros only.
fn time_series(visit: &Visit<'_>, title: &str, chart: DayChart<'_>) -> Markup {
    if chart.series.iter().flat_map(|series| &series.values).flatten().all(is_zero) {
        return html! {};
    }
    html! { section .card { h2 { (visit.words.say(title)) } (chart.picture(visit)) } }
}

/// The first rows, or the last months, as bars.
fn bars(visit: &Visit<'_>, table: &ReportTable, label: &str, value: &str) -> Markup {
    let (Some(label_at), Some(value_at)) = (column(table, label), column(table, value)) else {
        return html! {};
    };
    let (words, is_by_month) = (visit.words, label == "month");
    let skipped = if is_by_month { table.rows.len().saturating_sub(BARS) } else { 0 };
    let rows = || table.rows.iter().skip(skipped).take(BARS);
    let names: Vec<String> = rows()
        .map(|row| match row.get(label_at) {
            Some(Value::Month(month)) => month_name(*month, words),
            Some(Value::Text(ends_in)) if label == "ends_in" => end(ends_in, words),
            Some(Value::Text(kind)) if label == "type" => activity_type(kind, words).into_owned(),
            Some(other) => other.to_string(),
            None => String::new(),
        })
        .collect();
    let bars: Vec<Bar<'_>> = rows()
        .zip(&names)
        .filter_map(|(row, name)| Some(Bar { label: name, value: number_at(row, value_at)?.into() }))
        .collect();
    if bars.iter().all(|bar| is_zero(&bar.value)) {
        return html! {};
    }
    let headers = [label, value].map(|name| column_name(visit, table, name));
    let [label_header, value_header] = &headers;
    let format = |value: Number| chart_number(value, words);
    let (about, empty) = (words.say("report-plot"), words.say("no-figures"));
    let chart = Bars {
        caption: Caption { id: "report-bars", title: value_header, description: &about },
        bars: &bars,
        number: &format,
        headers: [label_header, value_header],
        empty: &empty,
    };
    let is_cut = table.rows.len() > BARS && !is_by_month;
    html! {
        section .card { h2 { (value_header) } (PreEscaped(chart.picture())) }
        @if is_cut { p .quiet { (words.with("report-plot-top", "count", number(i64::try_from(BARS).unwrap_or_default(), words))) } }
    }
}

fn is_zero(value: &Number) -> bool {
    matches!(value, Number::Whole(0))
}

/// A row for each of the last months of joining, and a column for each month from then on.
fn cohorts(visit: &Visit<'_>, table: &ReportTable) -> Markup {
    let words = visit.words;
    let names = joined(table, words);
    let rows: Vec<HeatRow<'_>> =
        names.iter().map(|(name, size, ratios)| HeatRow { name, size, ratios: ratios.clone() }).collect();
    let months: Vec<String> = (0..MONTHS).map(|month| format!("+{month}")).collect();
    let columns: Vec<&str> = months.iter().map(String::as_str).collect();
    let texts = ["report-cohorts", "report-plot", "column-joined", "column-members"].map(|id| words.say(id));
    let [title, about, corner, size] = &texts;
    #[expect(clippy::cast_possible_truncation, reason = "a whole percentage")]
    let ratio = |ratio: f64| percent((ratio * 100.0).round() as i64 * 10, words);
    let table = HeatTable {
        caption: Caption { id: "report-cohorts", title, description: about },
        corner,
        size_header: Some(size),
        columns: &columns,
        rows: &rows,
        strongest: 1.0,
        ratio: &ratio,
    };
    html! { section .card { (PreEscaped(table.html())) } }
}

/// The last months of joining: the name, how many joined, and which parts of them were active in it and the months after.
fn joined(table: &ReportTable, words: &Words) -> Vec<(String, String, Vec<Option<f64>>)> {
    let [active, share] = ["active_members", "active_percent"].map(|name| column(table, name));
    let (Some(active), Some(share)) = (active, share) else { return Vec::new() };
    let mut joined: BTreeMap<Month, (String, Vec<Option<f64>>)> = BTreeMap::new();
    for row in &table.rows {
        let [Some(Value::Month(month)), Some(Value::Month(later))] = [row.first(), row.get(1)] else {
            continue;
        };
        let size = || match row.get(active) {
            Some(Value::Number(size)) => number(*size, words),
            Some(hidden) => hidden.to_string(),
            None => String::new(),
        };
        let entry = joined.entry(*month).or_insert_with(|| (size(), Vec::new()));
        if later.0 - month.0 < i64::try_from(MONTHS).unwrap_or_default() {
            let percent = number_at(row, share).and_then(|percent| i32::try_from(percent).ok());
            entry.1.push(percent.map(|percent| f64::from(percent) / 100.0));
        }
    }
    joined
        .into_iter()
        .rev()
        .take(MONTHS)
        .map(|(month, (size, ratios))| (month_name(month, words), size, ratios))
        .collect()
}

//! Small charts that the tests share.

use pointbook_http::charts::{
    Bar, Bars, Caption, Chart as _, Day, HeatRow, HeatTable, Number, Series, SeriesTexts, Shape, Sparkline,
    TimeSeries,
};

pub(crate) const CAPTION: Caption<'_> =
    Caption { id: "issued", title: "Points", description: "Points per day." };

pub(crate) const TEXTS: SeriesTexts<'_> = SeriesTexts {
    day: "Day",
    gap: "missing",
    empty: "No points yet",
    running: "not over",
    before: &|value| format!("before {value}"),
    begins: &|value| format!("from {value}"),
};

pub(crate) fn format_number(number: Number) -> String {
    match number {
        Number::Whole(whole) => whole.to_string(),
        Number::Real(real) => format!("{real}"),
    }
}

pub(crate) fn days(count: usize) -> Vec<Day> {
    let day = |day: usize| Day {
        name: format!("2026-03-{:02}", day + 1),
        tick: format!("{} Mar", day + 1),
        month: (day == 0).then(|| "March".to_owned()),
    };
    (0..count).map(day).collect()
}

/// A series of all values, in whole numbers or reals.
pub(crate) fn series<'t, N: Copy + Into<Number>>(name: &'t str, values: &[N]) -> Series<'t> {
    Series { name, values: values.iter().map(|value| Some((*value).into())).collect() }
}

pub(crate) fn time_series<'t>(days: &'t [Day], series: &'t [Series<'t>]) -> TimeSeries<'t> {
    let (number, texts) = (&format_number, TEXTS);
    TimeSeries {
        caption: CAPTION,
        days,
        series,
        before: &[],
        is_running: false,
        shape: Shape::Lines,
        number,
        texts,
    }
}

pub(crate) fn sparkline<'t>(series: &'t Series<'t>) -> Sparkline<'t> {
    Sparkline { caption: CAPTION, series, before: None }
}

pub(crate) fn bars<'t>(bars: &'t [Bar<'t>]) -> Bars<'t> {
    let headers = ["Product", "Orders"];
    Bars { caption: CAPTION, bars, number: &format_number, headers, empty: "No orders yet" }
}

pub(crate) fn heat_table<'t>(columns: &'t [&'t str], rows: &'t [HeatRow<'t>]) -> HeatTable<'t> {
    HeatTable {
        caption: CAPTION,
        corner: "Joined",
        size_header: Some("Members"),
        columns,
        rows,
        strongest: 0.6,
        ratio: &|ratio| format!("{:.0} %", ratio * 100.0),
    }
}

/// Every picture of these values: series, sparkline and bars.
pub(crate) fn pictures(values: &[Number]) -> Vec<String> {
    let (days, one) = (days(values.len()), [series("Issued", values)]);
    let labelled: Vec<Bar<'_>> = values.iter().map(|value| Bar { label: "a", value: *value }).collect();
    let bars = bars(&labelled).picture();
    vec![sparkline(&one[0]).svg(), time_series(&days, &one).picture(), bars]
}

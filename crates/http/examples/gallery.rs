//! Writes an HTML page with all kinds of charts, in light and dark:
//! `cargo run -p pointbook-http --example gallery > charts.html`.

use std::io::Write as _;

use pointbook_http::charts::{
    Bar, Bars, Caption, Chart as _, Day, HeatRow, HeatTable, Number, STYLE, Series, SeriesTexts, Shape,
    Sparkline, TimeSeries,
};

const PAGE_STYLE: &str = "body { margin: 0; font: 16px/1.5 system-ui, sans-serif; }
.theme { background: var(--chart-paper); color: var(--chart-text); padding: 1.25rem; }
.light { color-scheme: light; } .dark { color-scheme: dark; }
.grid { display: grid; gap: 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); }
section > *, .theme { min-width: 0; } h1 { font-size: 1.25rem; margin: 0 0 1rem; } h2 { font-size: 1rem; margin: 0 0 0.75rem; }
.tiles { display: flex; flex-wrap: wrap; gap: 2rem; } .tiles > div { width: 9rem; } .tiles b { font-size: 1.5rem; }
";

const TEXTS: SeriesTexts<'_> = SeriesTexts {
    day: "Day",
    gap: "no value",
    empty: "No points in these days",
    running: "today, not over",
    before: &|value| format!("before {value}"),
    begins: &|value| format!("axis from {value}"),
};

fn main() -> std::io::Result<()> {
    let themes: String = ["light", "dark"].map(theme).concat();
    let head = "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>Charts</title>";
    let page = format!(
        "<!doctype html><html lang=\"en\"><head>{head}<style>{STYLE}{PAGE_STYLE}</style></head><body><main>{themes}</main></body></html>"
    );
    std::io::stdout().write_all(page.as_bytes())
}

fn theme(theme: &str) -> String {
    let sections = [
        ("Last four weeks", sparklines(theme)),
        ("Points per day", one_series(theme)),
        ("Issued, spent and expired", three_series(theme)),
        ("A year of six series", year(theme)),
        ("Balance with gaps", balance(theme)),
        ("No data", empty(theme)),
        ("Orders by product", bars(theme)),
        ("Members by frequency", columns(theme)),
        ("Changes", changes(theme)),
        ("Cohorts", cohorts(theme)),
    ];
    let section = |(title, chart): (&str, String)| format!("<section><h2>{title}</h2>{chart}</section>");
    let sections = sections.map(section).concat();
    format!("<div class=\"theme {theme}\"><h1>Charts, {theme}</h1><div class=\"grid\">{sections}</div></div>")
}

fn caption<'t>(id: &'t str, title: &'t str) -> Caption<'t> {
    Caption { id, title, description: "An example with made-up numbers." }
}

/// Separates thousands. Reals have one decimal.
fn format_number(number: Number) -> String {
    let whole = match number {
        Number::Whole(whole) => whole,
        Number::Real(real) => return format!("{real:.1}").replace('-', "\u{2212}"),
    };
    let digits = whole.unsigned_abs().to_string();
    let separated = digits.chars().enumerate().map(|(at, digit)| {
        let separator = if at > 0 && (digits.len() - at).is_multiple_of(3) { "," } else { "" };
        format!("{separator}{digit}")
    });
    let sign = if whole < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", separated.collect::<String>())
}

/// Days from 1 September on.
fn days(count: usize) -> Vec<Day> {
    const MONTHS: [(&str, usize); 12] = [
        ("Sep", 30),
        ("Oct", 31),
        ("Nov", 30),
        ("Dec", 31),
        ("Jan", 31),
        ("Feb", 28),
        ("Mar", 31),
        ("Apr", 30),
        ("May", 31),
        ("Jun", 30),
        ("Jul", 31),
        ("Aug", 31),
    ];
    let all = MONTHS.iter().cycle().flat_map(|(month, days)| (1..=*days).map(move |day| (month, day)));
    let day = |(month, day): (&&str, usize)| Day {
        name: format!("{day} {month}"),
        tick: format!("{day} {month}"),
        month: (day == 1).then(|| (**month).to_owned()),
    };
    all.take(count).map(|(month, number)| day((month, number))).collect()
}

/// Made-up values with a week's rhythm.
fn wave(count: i64, size: i64, shift: i64) -> Vec<Option<Number>> {
    let value = |day: i64| {
        let noise = (day * 7_919 + shift * 104_729) % 37;
        size * (60 + noise + 25 * i64::from((day + shift) % 7 >= 5) + day / 3) / 100
    };
    (0..count).map(|day| Some(Number::from(value(day)))).collect()
}

fn series(theme: &str, id: &str, title: &str, days: &[Day], series: &[Series<'_>]) -> String {
    let id = format!("{theme}-{id}");
    let (caption, number, texts) = (caption(&id, title), &format_number, TEXTS);
    let chart = TimeSeries {
        caption,
        days,
        series,
        before: &[],
        is_running: days.len() == 28,
        shape: Shape::Lines,
        number,
        texts,
    };
    chart.figure("Show as a table")
}

fn sparklines(theme: &str) -> String {
    let figures = [("Issued", 184_220, 4_000, 1), ("Spent", 96_410, 2_500, 4), ("Members", 12_034, 300, 6)];
    let tile = |(title, figure, size, shift): (&str, i64, i64, i64)| {
        let (id, line) = (format!("{theme}-{title}"), Series { name: title, values: wave(28, size, shift) });
        let sparkline = Sparkline { caption: caption(&id, title), series: &line, before: None };
        format!("<div>{title}<br><b>{}</b>{}</div>", format_number(figure.into()), sparkline.svg())
    };
    format!("<div class=\"tiles\">{}</div>", figures.map(tile).concat())
}

fn one_series(theme: &str) -> String {
    let issued = Series { name: "Issued", values: wave(28, 4_000, 1) };
    series(theme, "one", "Points issued per day", &days(28), &[issued])
}

fn three_series(theme: &str) -> String {
    let lines = [("Issued", 4_000), ("Spent", 2_500), ("Expired", 300)];
    let lines = lines.map(|(name, size)| Series { name, values: wave(56, size, size % 11) });
    series(theme, "three", "Points per day and kind", &days(56), &lines)
}

fn year(theme: &str) -> String {
    let names = ["Scans", "Videos", "Quizzes", "Purchases", "Referrals", "Everything else"];
    let sizes = [900_000, 720_000, 540_000, 400_000, 250_000, 100_000];
    let line = |(name, size)| Series { name, values: wave(365, size, size / 10_000 % 7) };
    let lines: Vec<_> = names.into_iter().zip(sizes).map(line).collect();
    series(theme, "year", "Points per activity", &days(365), &lines)
}

fn balance(theme: &str) -> String {
    let value = |day: i32| (f64::from(day) / 6.0).sin() * 2.4 + 0.4;
    let is_missing = |day: i32| matches!(day, 9..=12 | 14 | 15 | 40);
    let values = (0..60).map(|day| (!is_missing(day)).then(|| value(day).into())).collect();
    series(theme, "gaps", "Change of the balance", &days(60), &[Series { name: "Change", values }])
}

fn empty(theme: &str) -> String {
    series(theme, "empty", "Points per day", &days(14), &[Series { name: "Issued", values: vec![] }])
}

fn bar_chart(theme: &str, title: &str, bars: &[(&str, Number)]) -> String {
    let bars: Vec<_> = bars.iter().map(|(label, value)| Bar { label, value: *value }).collect();
    let (id, headers) = (format!("{theme}-{title}"), ["Name", "Number"]);
    let caption = caption(&id, title);
    let chart = Bars { caption, bars: &bars, number: &format_number, headers, empty: "No orders yet" };
    chart.figure("Show as a table")
}

fn bars(theme: &str) -> String {
    let bars = [
        ("Enamel mug", 1_204_i64),
        ("Tote bag", 873),
        ("Voucher for a family breakfast with coffee", 641),
        ("Notebook", 209),
        ("マグカップ", 31),
        ("Sticker", 0),
    ];
    bar_chart(theme, "Orders", &bars.map(|(name, value)| (name, value.into())))
}

fn columns(theme: &str) -> String {
    let bars = [("1", 5_210_i64), ("2", 3_870), ("3", 2_108), ("4", 1_377), ("5 or more", 640)];
    bar_chart(theme, "Frequency", &bars.map(|(name, value)| (name, value.into())))
}

fn changes(theme: &str) -> String {
    let bars = [("Mon", 12.5), ("Tue", -4.0), ("Wed", 7.25), ("Thu", -9.5), ("Fri", 3.0)];
    let bars = bars.map(|(name, value)| (name, value.into()));
    bar_chart(theme, "Change", &bars)
}

fn cohorts(theme: &str) -> String {
    let names = ["March", "April", "May", "June", "July", "August"];
    let row = |(at, name): (i32, &'static str)| {
        let ratio = |month: i32| 0.62 / (1.0 + f64::from(month) * (0.5 + f64::from(at % 3) * 0.2));
        HeatRow { name, size: "1,204", ratios: (0..6 - at).map(|month| Some(ratio(month))).collect() }
    };
    let rows: Vec<_> = (0..).zip(names).map(row).collect();
    let columns = ["1 month", "2 months", "3 months", "4 months", "5 months", "6 months"];
    let id = format!("{theme}-cohorts");
    let table = HeatTable {
        caption: caption(&id, "Members who come back"),
        corner: "Joined in",
        size_header: Some("Members"),
        columns: &columns,
        rows: &rows,
        strongest: 0.6,
        ratio: &|ratio| format!("{:.0} %", ratio * 100.0),
    };
    table.html()
}

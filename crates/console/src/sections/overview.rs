//! The overview: what needs help, what the programme did in a period and in the one before, and where to act.

mod cards;
mod first_steps;

use maud::{Markup, PreEscaped, html};
use pointbook_access::console_kit::navigation::sections;
use pointbook_access::console_kit::plots::series_of;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_access::console_kit::{Access, PageSpec, Visit, assets, page};
use pointbook_domain::{Day, Role, Scope};
use pointbook_http::charts::{Caption, Sparkline};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, date, number, see_other};
use pointbook_points::members::notices::ending_soon;
use pointbook_reports::compared::{Sum, change};
use pointbook_reports::for_role::{numbers, run_all};
use pointbook_reports::reports::{DayRange, ReportTable, orders_by_day};

use self::cards::{low_stock, running, top_gifts, waiting};
use self::first_steps::first_steps;
use crate::sections::health;

pub(super) static PAGES: [PageSpec; 1] = [page!("console.overview", GET "", Access::Operator, [], show)];

/// The periods to choose from, in days. The address names another one than the usual.
const PERIODS: [i32; 3] = [7, 28, 90];
const USUAL: i32 = 28;
const PARAMETER: &str = "days";

/// A figure: the id of its name, the report and the columns whose sum each day has, and what stands for all days.
struct Figure {
    name: &'static str,
    report: &'static str,
    columns: &'static [&'static str],
    total: Total,
    /// Whether more of it is better, where it is one of both.
    is_better_up: Option<bool>,
}

enum Total {
    /// The sum of the days.
    Sum,
    /// The last value of a column.
    Last(&'static str),
}

/// The figure of the points that members have.
const OPEN: &str = "figure-open";

const FIGURES: [Figure; 5] = [
    Figure {
        name: "figure-issued",
        report: "points",
        columns: &["earned_points", "bonus_points"],
        total: Total::Sum,
        is_better_up: Some(true),
    },
    Figure {
        name: "figure-spent",
        report: "points",
        columns: &["spent_points"],
        total: Total::Sum,
        is_better_up: Some(true),
    },
    Figure {
        name: OPEN,
        report: "points",
        columns: &["open_points"],
        total: Total::Last("open_points"),
        is_better_up: None,
    },
    Figure {
        name: "figure-active",
        report: "members",
        columns: &["active_members"],
        total: Total::Last("active_28_days"),
        is_better_up: Some(true),
    },
    Figure {
        name: "figure-new",
        report: "members",
        columns: &["new_members"],
        total: Total::Sum,
        is_better_up: Some(true),
    },
];

/// The days of a period, and as many before them.
struct Period {
    days: i32,
    from: Day,
    until: Day,
    before: Day,
}

impl Period {
    fn of(visit: &Visit<'_>) -> Result<Self, PageError> {
        let asked = visit.query(PARAMETER).parse().ok();
        let days = asked.filter(|days| PERIODS.contains(days)).unwrap_or(USUAL);
        let until = visit.served.local_time(visit.now).day;
        let ago = |days: i32| Day::from_days(until.as_days() - days).ok_or(PageError::BadRequest);
        Ok(Self { days, from: ago(days - 1)?, until, before: ago(2 * days - 1)? })
    }
}

/// Operators whose role has no figures begin with their first section.
async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let role = visit.signed_in()?.operator.role;
    if !role.has(Scope::ReportsRead) {
        let first = sections(role).next();
        return Ok(see_other(&visit.path(first.map_or("/sessions", |first| first.path))));
    }
    let period = Period::of(visit)?;
    let yesterday = Day::from_days(period.from.as_days() - 1).ok_or(PageError::BadRequest)?;
    let [before, now] = [[period.before, yesterday], [period.from, period.until]];
    let both = [period.before, period.until];
    let reports = [("points", both), ("members", both), ("products", before), ("products", now)];
    let [points, members, earlier, gifts] = run_all(visit, reports).await?;
    if let Some(first_steps) = first_steps(visit, &points).await? {
        return Ok(first_steps);
    }
    let days = DayRange { from: period.before, until: period.until };
    let orders = orders_by_day(&*visit.served.data, days).await?.into_iter().map(Some).collect();
    let words = visit.words;
    let content = html! {
        (health::warnings(visit).await?)
        @if !points.is_complete { p .notice role="status" { (words.say("still-counting")) } }
        div .tiles {
            @for figure in &FIGURES {
                @let table = if figure.report == "points" { &points } else { &members };
                @let note = if figure.name == OPEN { ending(visit).await? } else { html! {} };
                (figure_tile(visit, figure, &period, (table, &note)))
            }
            (tile(visit, ("orders", "products"), Some(true), period.days, (orders, None), (points.is_complete, &html! {})))
        }
        div .cards {
            (waiting(visit).await?)
            (running(visit).await?)
            (top_gifts(visit, &[earlier, gifts]).await?)
            (low_stock(visit).await?)
        }
    };
    let days = words.with_all(
        "days-compared",
        [
            ("first", date(period.from, words)),
            ("last", date(period.until, words)),
            ("count", period.days.to_string()),
        ],
    );
    let zone = words.with("days-of-zone", "name", points.time_zone.as_str());
    let sheet = Sheet::new(visit, "", words.say("overview"))
        .styled(&[assets::CHARTS])
        .line(html! { (days) " " (zone) })
        .actions(periods(visit, &period));
    Ok(sheet.respond(&content))
}

fn periods(visit: &Visit<'_>, period: &Period) -> Markup {
    html! {
        nav .segments aria-label=(visit.words.say("period")) {
            @for days in PERIODS {
                a href={ (visit.root) "?" (PARAMETER) "=" (days) } aria-current=[(days == period.days).then_some("true")] {
                    (visit.words.with("period-days", "count", days.to_string()))
                }
            }
        }
    }
}

/// Numbers that are not all counted yet are wrong, so "–" stands for them.
fn figure_tile(
    visit: &Visit<'_>,
    figure: &Figure,
    period: &Period,
    (table, note): (&ReportTable, &Markup),
) -> Markup {
    let levels = match figure.total {
        Total::Sum => None,
        Total::Last(column) => Some(numbers(table, column)),
    };
    let values = sums(table, figure.columns);
    let (is_known, days) = (table.is_complete, period.days);
    tile(visit, (figure.name, figure.report), figure.is_better_up, days, (values, levels), (is_known, note))
}

/// How many of the open points end soon. Nothing where no points end any more, and for analysts, who must not see the points of few members.
async fn ending(visit: &Visit<'_>) -> Result<Markup, PageError> {
    let today = visit.served.local_time(visit.now).day;
    let is_analyst = visit.signed_in()?.operator.role == Role::Analyst;
    let counted = ending_soon(&visit.context::<()>()?).await?;
    let counted = counted.filter(|(_, day)| !is_analyst && today.as_days() - day.as_days() <= 1);
    let Some((points, day)) = counted else { return Ok(html! {}) };
    let words = visit.words;
    let as_of = words.with("figure-as-of", "day", date(day, words));
    Ok(html! {
        p .quiet title=(as_of) {
            a href=(visit.path("/reports/expiry")) { (words.with("figure-ending", "count", number(points, words))) }
        }
    })
}

/// A figure of the period with its days, beside the one before. The last of the levels stands for the days; without them, their sum.
fn tile(
    visit: &Visit<'_>,
    (name, report): (&str, &str),
    is_better_up: Option<bool>,
    days: i32,
    (mut values, mut levels): (Vec<Option<i64>>, Option<Vec<Option<i64>>>),
    (is_known, note): (bool, &Markup),
) -> Markup {
    let words = visit.words;
    if !is_known {
        values.fill(None);
        if let Some(levels) = &mut levels {
            levels.fill(None);
        }
    }
    let days = usize::try_from(days).unwrap_or_default();
    let split = |values: &[Option<i64>]| {
        let (before, now) = values.split_at(values.len().saturating_sub(days));
        [before.to_vec(), now.to_vec()]
    };
    let [before, now] = split(&values);
    let [earlier, total] = match levels {
        None => [&before, &now].map(|days| Sum::of(days)),
        Some(levels) => split(&levels).map(|days| Sum::one(days.last().copied().flatten())),
    };
    let title = words.say(name);
    let [dashed, series] = [before, now].map(|values| series_of(&title, &values));
    let chart = Sparkline {
        caption: Caption { id: name, title: &title, description: &words.say("chart-description") },
        series: &series,
        before: Some(&dashed),
    };
    html! {
        section .tile {
            h2 { a href=(visit.path(&format!("/reports/{report}"))) { (title) } }
            p { strong { (total.shown(words)) } }
            (change(words, is_better_up, earlier, total))
            (note)
            @if values.iter().flatten().any(|value| *value != 0) { (PreEscaped(chart.svg())) }
        }
    }
}

/// The sum of these columns, by row. `None` stands for a row with a hidden number.
fn sums(table: &ReportTable, columns: &[&str]) -> Vec<Option<i64>> {
    let add = |sums: Vec<Option<i64>>, more: Vec<Option<i64>>| -> Vec<Option<i64>> {
        sums.into_iter().zip(more).map(|(one, other)| Some(one?.saturating_add(other?))).collect()
    };
    columns.iter().map(|column| numbers(table, column)).reduce(add).unwrap_or_default()
}

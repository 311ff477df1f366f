//! The point history, by day and group, as the interface groups it.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_domain::texts::Tally;
use pointbook_domain::zones::timestamp_text::parse_day;
use pointbook_domain::{
    Activity, ActivityGroup, ActivityType, Bonuses, Day, HistoryRow, PageNumber, PageRequest, PageSize,
    Points,
};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, date, html_in, number, pager, points, signed};
use pointbook_http::query::ReadQuery;
use pointbook_http::query_string::QueryString;
use pointbook_points::members::months::last_months;
use pointbook_points::members::point_history::{PointHistory, point_history};
use pointbook_points::members::query::point_history as history_query;

use super::filter_fields::affordable_to;
use super::list_query;
use super::list_query::with_list;
use super::months::chart;
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

/// How many rows of a group the history has. A link leads to all of them.
const ROWS_OF_GROUP: usize = 10;

/// How many rows of a group its own page has.
const ROWS_OF_PAGE: u32 = 100;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let page = page_number(visit)?;
    let PointHistory { grouped, window, user_points } = point_history(&visit.context()?, page).await?;
    let months = last_months(&visit.context()?).await?;
    let words = visit.words;
    let shared = visit.path("/points?page%5Bnumber%5D=");
    let (affordable, ending) = (affordable_to(user_points.get()), &visit.session()?.ending);
    let content = html! {
        h1 { (words.say("my-points")) }
        div .account {
            div {
                p .total {
                    span .quiet { (words.say("you-have")) }
                    strong { (points(user_points.get(), words)) }
                    a href=(with_list(&visit.root, &affordable)) { (words.say("affordable")) }
                }
                @for (last_day, amount) in ending {
                    p .quiet { (words.with_all("points-end", [("points", points(*amount, words)), ("date", date(*last_day, words))])) }
                }
                @if let Some(pending) = visit.session()?.pending {
                    p .quiet { (words.with_all("points-pending", [("points", points(pending.get(), words))])) }
                }
                @if let Some(months) = months { (chart(words, &months)) }
            }
            div {
                @if window.total == 0 { p .empty { (words.say("no-points")) } }
                @for day in grouped.days() {
                    section .day {
                        header { h2 { (date(day.day, words)) } (sum_of(visit, day.groups())) }
                        @for group in day.groups() { (group_of(visit, day.day, &group)) }
                    }
                }
                (pager(visit.words, &window, &shared))
            }
        }
    };
    let page = shop_page(visit, Tab::Points, &words.say("my-points"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// What the transactions of a day came to, with their bonuses.
fn sum_of<'h>(visit: &Visit<'_>, groups: impl Iterator<Item = ActivityGroup<'h>>) -> Markup {
    let total = |group: ActivityGroup<'h>| group.total_points().saturating_add(group.total_bonus_points());
    html! { span .quiet { (signed(groups.map(total).fold(0, i64::saturating_add), visit.words)) } }
}

/// All rows of one group of a day.
pub(super) async fn group(visit: &Visit<'_>) -> Result<Response, PageError> {
    let day = parse_day(&visit.param("day")?).ok_or(PageError::NotFound)?;
    let kind = ActivityType::new(&visit.param("type")?).map_err(|_| PageError::NotFound)?;
    let size = PageSize::new(ROWS_OF_PAGE).unwrap_or(PageSize::DEFAULT);
    let page = PageRequest { number: page_number(visit)?, size };
    let user = visit.session()?.user_id();
    let rows = visit.served.data.entries_of_group(user, (day, &kind), page).await?;
    let window = page.window(rows.total);
    if window.total == 0 {
        return Err(PageError::NotFound);
    }
    let words = visit.words;
    let title = visit.texts.texts.of(&kind).title().to_owned();
    let content = html! {
        p .back { a href=(visit.path("/points")) { "← " (words.say("my-points")) } }
        h1 { (title) }
        section .day {
            h2 { (date(day, words)) }
            div .group { ul { @for row in &rows.items { li { (transaction(visit, &Shown::from(&row.transaction.activity), "")) } } } }
        }
        (pager(words, &window, &format!("{}?page%5Bnumber%5D=", path_of(visit, day, &kind))))
    };
    let page = shop_page(visit, Tab::Points, &title, &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

fn page_number(visit: &Visit<'_>) -> Result<PageNumber, PageError> {
    let query = list_query::text(visit.request.uri.query());
    let query_string = QueryString::parse(Some(&query)).map_err(|_| PageError::BadRequest)?;
    query_string.read(history_query).map_err(|_| PageError::BadRequest)
}

fn path_of(visit: &Visit<'_>, day: Day, kind: &ActivityType) -> String {
    visit.path(&format!("/points/{day}/{kind}"))
}

/// A group that opens, or its only transaction. Sums include the bonuses, which are told below them.
fn group_of(visit: &Visit<'_>, day: Day, group: &ActivityGroup<'_>) -> Markup {
    let texts = visit.texts.texts.of(group.kind);
    let refunds = group.refund_count();
    let count = group.rows().len();
    let tally = Tally { count: count - refunds, refunds };
    let bonus = group.total_bonus_points();
    let total = group.total_points().saturating_add(bonus);
    let rows = || {
        let shown = group.rows().take(ROWS_OF_GROUP);
        // The title of an order of this store is that of its item. Other titles say what the row is.
        let kind = |is_own_order: bool| if is_own_order && count == 1 { texts.title() } else { "" };
        html! { ul { @for row in shown { li { (transaction(visit, &Shown::from(&row), kind(row.is_own_order))) } } } }
    };
    html! {
        @if count == 1 {
            div .group { (rows()) }
        } @else {
            details .group {
                summary {
                    span .title { (texts.title()) }
                    span .quiet { (texts.count(tally)) }
                    (sum(visit, total))
                    @if bonus > 0 { (included(visit, &visit.words.say("bonus-points"), bonus)) }
                }
                (rows())
                @if count > ROWS_OF_GROUP {
                    p { a href=(path_of(visit, day, group.kind)) { (visit.words.with("all-of-group", "count", number(i64::try_from(count).unwrap_or(i64::MAX), visit.words))) } }
                }
            }
        }
    }
}

/// What members see of a transaction.
struct Shown<'r> {
    title: &'r str,
    subtitle: &'r str,
    points: Points,
    bonuses: &'r Bonuses,
    is_refund: bool,
}

impl<'r> From<&HistoryRow<'r>> for Shown<'r> {
    fn from(row: &HistoryRow<'r>) -> Self {
        let HistoryRow { title, subtitle, points, bonuses, is_refund, .. } = *row;
        Self { title, subtitle, points, bonuses, is_refund }
    }
}

impl<'r> From<&'r Activity> for Shown<'r> {
    fn from(activity: &'r Activity) -> Self {
        let Activity { kind, title, subtitle, points, bonuses, .. } = activity;
        let is_refund = kind.is_order() && *points > Points::ZERO;
        Self { title, subtitle, points: *points, bonuses, is_refund }
    }
}

/// A row, with what kind of row it is where its title does not say that.
fn transaction(visit: &Visit<'_>, row: &Shown<'_>, kind: &str) -> Markup {
    let total = row.points.get().saturating_add(row.bonuses.total().get());
    let kind = if row.is_refund { visit.words.say("refund") } else { kind.into() };
    let line: Vec<&str> = [&*kind, row.subtitle].into_iter().filter(|text| !text.is_empty()).collect();
    html! {
        div {
            span .title { (row.title) }
            @if !line.is_empty() { span .quiet { (line.join(" · ")) } }
            (sum(visit, total))
        }
        @for bonus in row.bonuses.breakdown() { (included(visit, &bonus.title, bonus.points.get())) }
    }
}

/// A bonus that is part of the sum above it.
fn included(visit: &Visit<'_>, title: &str, points: i64) -> Markup {
    html! { span .bonus { span { (visit.words.with("including", "title", title)) } (sum(visit, points)) } }
}

/// Points with a sign, and a class that says which.
fn sum(visit: &Visit<'_>, value: i64) -> Markup {
    let class = if value < 0 { "sum spent" } else { "sum" };
    html! { strong class=(class) { (signed(value, visit.words)) } }
}

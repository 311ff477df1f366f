//! The point history, by day and group, as the interface groups it.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_customers::{PointHistory, point_history};
use pointbook_domain::{ActivityGroup, HistoryRow};
use pointbook_http_kernel::Response;
use pointbook_page_kit::{PageError, date, html_in, pager, points, signed};
use pointbook_query_string::QueryString;
use pointbook_requests::query::{self, ReadQuery};
use pointbook_texts::Tally;

use super::list_query;
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let query = list_query::text(visit.request.uri.query());
    let query_string = QueryString::parse(Some(&query)).map_err(|_| PageError::BadRequest)?;
    let page = query_string.read(query::point_history).map_err(|_| PageError::BadRequest)?;
    let PointHistory { grouped, window, user_points } = point_history(&visit.context()?, page).await?;
    let words = visit.words;
    let shared = visit.path("/points?page%5Bnumber%5D=");
    let content = html! {
        h1 { (words.say("my-points")) }
        p .total { strong { (points(user_points.get(), words)) } }
        @if window.total == 0 { p .empty { (words.say("no-points")) } }
        @for day in grouped.days() {
            section .day {
                h2 { (date(day.day, words)) }
                @for group in day.groups() { (group_of(visit, &group)) }
            }
        }
        (pager(visit.words, &window, &shared))
    };
    let page = shop_page(visit, Tab::Points, &words.say("my-points"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// A group that opens, or its only transaction. Sums include the bonuses, which are told below them.
fn group_of(visit: &Visit<'_>, group: &ActivityGroup<'_>) -> Markup {
    let texts = visit.texts.texts.of(group.kind);
    let refunds = group.refund_count();
    let tally = Tally { count: group.rows().len() - refunds, refunds };
    let bonus = group.total_bonus_points();
    let total = group.total_points().saturating_add(bonus);
    let rows = || html! { ul { @for row in group.rows() { li { (transaction(visit, &row)) } } } };
    html! {
        @if group.rows().len() == 1 {
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
            }
        }
    }
}

fn transaction(visit: &Visit<'_>, row: &HistoryRow<'_>) -> Markup {
    let total = row.points.get().saturating_add(row.bonuses.total().get());
    html! {
        div {
            span .title { (row.title) }
            @if !row.subtitle.is_empty() { span .quiet { (row.subtitle) } }
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

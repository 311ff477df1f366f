//! The boxes of the overview: orders that wait, campaigns that run, the gifts with the most points, and low stock.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::lists::{Column, list_table, thing};
use pointbook_access::console_kit::path_part::segment;
use pointbook_catalogue::products::list_managed::{ProductListFilter, list_products};
use pointbook_domain::{OrderStatus, PageNumber, PageRequest, PageSize, Scope};
use pointbook_http::pages::{PageError, date, number, signed};
use pointbook_points::campaigns::manage::{BudgetUse, ShownState, campaign, campaigns};
use pointbook_points::orders::age::age;
use pointbook_points::orders::waits::{Wait, count_waiting};
use pointbook_reports::compared::Sum;
use pointbook_reports::for_role::{column, number_at};
use pointbook_reports::reports::{ReportTable, Value};
use pointbook_store::ports::OrderFilter;

fn first(count: u32) -> PageRequest {
    PageRequest { number: PageNumber::FIRST, size: PageSize::new(count).unwrap_or(PageSize::DEFAULT) }
}

fn may(visit: &Visit<'_>, scope: Scope) -> Result<bool, PageError> {
    Ok(visit.signed_in()?.operator.role.has(scope))
}

/// A box with a heading and a link to everything.
fn card(
    visit: &Visit<'_>,
    width: &str,
    heading: &str,
    (link, path): (&str, &str),
    content: &Markup,
) -> Markup {
    html! {
        section class=(format!("card {width}")) {
            header .card-head { h2 { (heading) } a href=(visit.path(path)) { (visit.words.say(link)) } }
            (content)
        }
    }
}

const SHOWN: usize = 4;

/// The orders that wait, by age, with the oldest ones, for operators who may see orders.
pub(super) async fn waiting(visit: &Visit<'_>) -> Result<Markup, PageError> {
    if !may(visit, Scope::OrdersRead)? {
        return Ok(html! {});
    }
    let words = visit.words;
    let filter = OrderFilter { status: Some(OrderStatus::Placed), ..OrderFilter::default() };
    let oldest =
        visit.served.data.queued_orders(&filter, first(u32::try_from(SHOWN).unwrap_or_default())).await?;
    let counts = count_waiting(&visit.served, filter, visit.now).await?;
    let most = counts.into_iter().max().unwrap_or_default().max(1);
    let count = |count: u64| number(i64::try_from(count).unwrap_or(i64::MAX), words);
    let content = html! {
        @if oldest.total == 0 { p .quiet { (words.say("orders-none-wait")) } } @else {
            dl .ages { @for (wait, waiting) in Wait::ALL.into_iter().zip(counts) {
                @let percent = usize::try_from(waiting.saturating_mul(100) / most).unwrap_or_default();
                div { dt { (words.say(wait.text())) } dd { (count(waiting)) " " (meter(percent, None, wait == Wait::Long)) } }
            } }
            ul .rows { @for order in &oldest.items { li {
                a href=(visit.path(&format!("/orders/{}", segment(order.id.as_str())))) { (order.product.title.trim()) }
                span .quiet { (order.number) }
                span .badge .bad[Wait::of(order, visit.now) == Wait::Long] { (age(visit, order.created_at)) }
            } } }
        }
    };
    let heading = words.with("orders-waiting", "count", count(oldest.total));
    Ok(card(visit, "five", &heading, ("orders-queue", "/orders"), &content))
}

/// A bar that is full at 100, with a mark at another place. Its words are beside it.
pub(super) fn meter(percent: usize, mark: Option<usize>, is_late: bool) -> Markup {
    html! {
        svg .meter .late[is_late] aria-hidden="true" {
            rect .ground width="100%" height="100%" rx="3" {}
            rect .filled width=(format!("{}%", percent.min(100))) height="100%" rx="3" {}
            @if let Some(mark) = mark { rect .tick-mark x=(format!("{}%", mark.min(100))) width="2" height="100%" {} }
        }
    }
}

/// The campaigns that run, with their budget and their time.
pub(super) async fn running(visit: &Visit<'_>) -> Result<Markup, PageError> {
    if !may(visit, Scope::CampaignsRead)? {
        return Ok(html! {});
    }
    let (words, served) = (visit.words, &visit.served);
    let all = campaigns(served, visit.now, false).await?;
    let mut rows = Vec::new();
    let mut count = 0;
    for summary in all.iter().filter(|summary| summary.state == ShownState::Running) {
        count += 1;
        if rows.len() == SHOWN {
            continue;
        }
        let running = &summary.version.campaign;
        let budget = campaign(served, running.id(), visit.now).await?.and_then(|detail| detail.budget);
        let (from, until) = (running.starts_at(), running.ends_at());
        let gone = from.zip(until).map(|(from, until)| {
            let whole = (until.as_micros() - from.as_micros()).max(1);
            usize::try_from((visit.now.as_micros() - from.as_micros()).max(0) / (whole / 100).max(1))
                .unwrap_or(100)
        });
        rows.push(html! {
            li .campaign {
                span {
                    a href=(visit.path(&format!("/campaigns/{}", segment(running.id().as_str())))) { (running.title(None, &served.tenant.locale)) } " "
                    span .quiet { @match until {
                        Some(until) => (words.with("campaign-ends", "time", date(served.local_time(until).day, words))),
                        None => (words.say("campaign-no-end")),
                    } }
                }
                @if let Some((used, limit)) = budget.and_then(used) {
                    @let percent = usize::try_from(used.max(0).saturating_mul(100) / limit.max(1)).unwrap_or(100);
                    span .quiet { (words.with_all("campaign-used", [("count", number(used, words)), ("of", number(limit, words))])) }
                    (meter(percent, gone, gone.is_some_and(|gone| percent > gone)))
                }
            }
        });
    }
    let heading = words.with("campaigns-run", "count", count.to_string());
    let content = html! {
        @if rows.is_empty() { p .quiet { (words.say("campaigns-none-run")) } }
        ul .rows { @for row in rows { (row) } }
    };
    Ok(card(visit, "seven", &heading, ("campaigns-all", "/campaigns"), &content))
}

/// How much of a budget is used, and of how much: points, or bonuses where these alone are limited.
fn used(budget: BudgetUse) -> Option<(i64, i64)> {
    let BudgetUse { budget, spent_awards, spent_points } = budget;
    let points = budget.points.map(|limit| (spent_points, limit.get()));
    points.or(budget.awards.map(|limit| (spent_awards, i64::try_from(limit).unwrap_or(i64::MAX))))
}

const GIFTS: [Column; 4] = [
    Column::text("gift"),
    Column::number("gift-orders"),
    Column::number("gift-change"),
    Column::number("gift-points").rank(2),
];

/// The gifts with the most points, and by how many orders they gained or lost.
pub(super) fn top_gifts(visit: &Visit<'_>, [before, now]: &[ReportTable; 2]) -> Markup {
    let words = visit.words;
    let (id, title) = (column(now, "product_id"), column(now, "title"));
    let (orders, points) = (column(now, "orders"), column(now, "points"));
    let (Some(id), Some(title), Some(orders), Some(points)) = (id, title, orders, points) else {
        return html! {};
    };
    let text = |row: &[Value], place: usize| match row.get(place) {
        Some(Value::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let rows: Vec<_> = now
        .rows
        .iter()
        .take(5)
        .map(|row| {
            let key = text(row, id);
            let earlier = before.rows.iter().find(|row| text(row, id) == key);
            let earlier = earlier.map_or(Some(0), |row| number_at(row, orders));
            let path = visit.path(&format!("/products/{}", segment(&key)));
            let change = number_at(row, orders).zip(earlier).map(|(now, before)| now - before);
            vec![
                html! { a href=(path) { (text(row, title).trim()) } },
                html! { (Sum::one(number_at(row, orders)).shown(words)) },
                html! { @match change {
                    Some(0) => span .quiet { "0" },
                    Some(change) => span .good[change > 0] { (signed(change, words)) },
                    None => "–",
                } },
                html! { (Sum::one(number_at(row, points)).shown(words)) },
            ]
        })
        .collect();
    let content = html! {
        @if rows.is_empty() { p .quiet { (words.say("gifts-none")) } }
        @else { (list_table(visit, &words.say("gifts-top"), &GIFTS, &rows)) }
    };
    card(visit, "seven", &words.say("gifts-top"), ("to-report", "/reports/products"), &content)
}

/// The products with few pieces left, with the way to more.
pub(super) async fn low_stock(visit: &Visit<'_>) -> Result<Markup, PageError> {
    if !may(visit, Scope::ProductsRead)? {
        return Ok(html! {});
    }
    let words = visit.words;
    let filter = ProductListFilter { low_stock: true, ..ProductListFilter::default() };
    let count = u32::try_from(SHOWN).unwrap_or_default();
    let products = list_products(&visit.served, filter, first(count), visit.now).await?;
    let may_write = may(visit, Scope::ProductsWrite)?;
    let content = html! {
        @if products.items.is_empty() { p .quiet { (words.say("stock-fine")) } }
        ul .rows { @for stored in &products.items {
            @let product = &stored.product;
            @let path = visit.path(&format!("/products/{}", segment(product.id.as_str())));
            @let picture = Some(product.thumbnail.as_str()).filter(|url| !url.is_empty());
            li {
                (thing(picture, &path, product.title.trim(), &html! {}, ""))
                span .badge .warn { (words.with("stock-left", "count", product.stock.unwrap_or_default().to_string())) }
                @if may_write { a .button href={ (path) "#stock" } { (words.say("stock-set")) } }
            }
        } }
    };
    let heading = words.say("stock-low");
    Ok(card(visit, "five", &heading, ("stock-all", "/products?low=1"), &content))
}

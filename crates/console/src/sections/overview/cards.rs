//! The boxes of the overview: orders that wait, campaigns that run, the gifts with the most points, and low stock.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::lists::{Column, list_table, thing};
use pointbook_access::console_kit::path_part::segment;
use pointbook_catalogue::products::list_managed::{ProductListFilter, list_products};
use pointbook_catalogue::products::thumbnails::thumbnails;
use pointbook_domain::{OrderStatus, PageNumber, PageRequest, PageSize, Scope};
use pointbook_http::pages::{PageError, date, number, signed, visible};
use pointbook_points::campaigns::manage::{BudgetUse, ShownState, campaign, campaigns};
use pointbook_points::orders::age::age;
use pointbook_points::orders::waits::{Wait, count_waiting};
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
    let counts = count_waiting(&visit.served, filter, oldest.total, visit.now).await?;
    let most = counts.into_iter().max().unwrap_or_default().max(1);
    let count = |count: u64| number(i64::try_from(count).unwrap_or(i64::MAX), words);
    let ids = oldest.items.iter().map(|order| order.product.id.as_str());
    let pictures = thumbnails(&*visit.served.data, ids).await?;
    let content = html! {
        @if oldest.total == 0 { p .quiet { (words.say("orders-none-wait")) } } @else {
            dl .ages { @for (wait, waiting) in Wait::ALL.into_iter().zip(counts) {
                @let percent = usize::try_from(waiting.saturating_mul(100) / most).unwrap_or_default();
                div { dt { (words.say(wait.text())) } dd { (count(waiting)) " " (meter(percent, None, wait == Wait::Long)) } }
            } }
            ul .rows { @for order in &oldest.items { li {
                @let picture = pictures.get(order.product.id.as_str()).map(String::as_str);
                @let path = visit.path(&format!("/orders/{}", segment(order.id.as_str())));
                @let key = format!("{} · {}", order.number, visible(order.user_id.as_str()));
                (thing(picture, &path, order.product.title.trim(), &html! {}, &key))
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
                @if let Some((unit, used, limit)) = budget.and_then(used) {
                    @let percent = usize::try_from(used.max(0).saturating_mul(100) / limit.max(1)).unwrap_or(100);
                    span .quiet { (words.with_all(unit, [("count", number(used, words)), ("of", number(limit, words))])) }
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

/// The id of the text, how much of a budget is used, and of how much: points, or bonuses where these alone are limited.
fn used(budget: BudgetUse) -> Option<(&'static str, i64, i64)> {
    let BudgetUse { budget, spent_awards, spent_points } = budget;
    let points = budget.points.map(|limit| ("campaign-used-points", spent_points, limit.get()));
    let awards = |limit| ("campaign-used-awards", spent_awards, i64::try_from(limit).unwrap_or(i64::MAX));
    points.or(budget.awards.map(awards))
}

const GIFTS_SHOWN: usize = 5;
const GIFTS: [Column; 4] = [
    Column::text("gift"),
    Column::number("gift-orders"),
    Column::number("gift-change"),
    Column::number("gift-points").rank(2),
];

/// A gift, and what members ordered of it, less what was cancelled in the same days.
struct GiftSums {
    id: String,
    title: String,
    orders: i64,
    points: i64,
}

/// The gifts of a report of products of which members ordered more than was cancelled. The gift with the most points comes first.
fn gift_sums(table: &ReportTable) -> Vec<GiftSums> {
    let [id, title] = ["product_id", "title"].map(|name| column(table, name));
    let net = |row: &[Value], name: &str| {
        let of = |name: &str| column(table, name).and_then(|place| number_at(row, place)).unwrap_or_default();
        of(name) - of(&format!("cancelled_{name}"))
    };
    let text = |row: &[Value], place: Option<usize>| match place.and_then(|place| row.get(place)) {
        Some(Value::Text(text)) => text.clone(),
        _ => String::new(),
    };
    let gifts = table.rows.iter().map(|row| GiftSums {
        id: text(row, id),
        title: text(row, title),
        orders: net(row, "orders"),
        points: net(row, "points"),
    });
    let mut gifts: Vec<_> = gifts.filter(|gift| gift.orders > 0).collect();
    gifts.sort_by_key(|gift| std::cmp::Reverse(gift.points));
    gifts
}

/// The gifts with the most points, and by how many orders they gained or lost.
pub(super) async fn top_gifts(visit: &Visit<'_>, tables: &[ReportTable; 2]) -> Result<Markup, PageError> {
    let words = visit.words;
    let [before, now] = tables.each_ref().map(gift_sums);
    let now = now.get(..GIFTS_SHOWN).unwrap_or(&now);
    let may_read = may(visit, Scope::ProductsRead)?;
    let ids = now.iter().filter(|_| may_read).map(|gift| gift.id.as_str());
    let pictures = thumbnails(&*visit.served.data, ids).await?;
    let row = |gift: &GiftSums| {
        let earlier = before.iter().find(|known| known.id == gift.id).map_or(0, |known| known.orders);
        let change = gift.orders - earlier;
        let path = visit.path(&format!("/products/{}", segment(&gift.id)));
        let picture = pictures.get(&gift.id).map(String::as_str);
        vec![
            if may_read {
                thing(picture, &path, gift.title.trim(), &html! {}, &gift.id)
            } else {
                html! { (gift.title.trim()) }
            },
            html! { (number(gift.orders, words)) },
            html! { @if change == 0 { span .quiet { "0" } } @else { span .good[change > 0] { (signed(change, words)) } } },
            html! { (number(gift.points, words)) },
        ]
    };
    let rows: Vec<_> = now.iter().map(row).collect();
    let content = html! {
        @if rows.is_empty() { p .quiet { (words.say("gifts-none")) } }
        @else { (list_table(visit, &words.say("gifts-top"), &GIFTS, &rows)) }
    };
    Ok(card(visit, "seven", &words.say("gifts-top"), ("to-report", "/reports/products"), &content))
}

/// The products that are sold out or have few pieces left, with the way to more.
pub(super) async fn low_stock(visit: &Visit<'_>) -> Result<Markup, PageError> {
    if !may(visit, Scope::ProductsRead)? {
        return Ok(html! {});
    }
    let words = visit.words;
    let filter = ProductListFilter { scarce: true, ..ProductListFilter::default() };
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
                @match product.stock.unwrap_or_default() {
                    0 => span .badge .bad { (words.say("product-sold-out")) },
                    pieces => span .badge .warn { (words.with("stock-left", "count", pieces.to_string())) },
                }
                @if may_write { a .button href={ (path) "#stock" } { (words.say("stock-set")) } }
            }
        } }
    };
    let heading = words.say("stock-low");
    Ok(card(visit, "five", &heading, ("stock-all", "/products?low=1"), &content))
}

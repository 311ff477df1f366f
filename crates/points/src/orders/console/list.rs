//! The queue: placed orders with the oldest first, and closed orders with the newest first.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::lists::{
    Bar, Chip, Column, Rows, bulk, grouped_table, list_table, no_rows, thing,
};
use pointbook_access::console_kit::navigation::{Counting, due};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::{Sheet, tabs};
use pointbook_access::console_kit::{Visit, assets};
use pointbook_catalogue::products::thumbnails::thumbnails;
use pointbook_domain::{Order, OrderStatus, Timestamp, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment_text, number, pager, points, visible};
use pointbook_store::ServedTenant;
use pointbook_store::ports::{OrderFilter, PageOf};
use url::form_urlencoded;

use super::parts::{SECTION, may_write, member, number_link, pieces, status};
use crate::orders::age::age;
use crate::orders::waits::{Wait, count_waiting};

const STATUS: &str = "status";
const USER: &str = "user";
const SEARCH: &str = "search";
/// The status that stands for orders in all states.
const ALL: &str = "all";

/// The orders of one page. An operator may tick all of them, and a form takes twice as many.
const ORDERS_PER_PAGE: u32 = 50;

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, StatusCode::OK, None).await
}

/// The list, with what is wrong with the form below it as the id of a text.
pub(super) async fn page(
    visit: &Visit<'_>,
    code: StatusCode,
    error: Option<&str>,
) -> Result<Response, PageError> {
    let (asked, page, data) = (Asked::of(visit), visit.page(ORDERS_PER_PAGE), &visit.served.data);
    let filter = asked.filter()?;
    let is_queue = filter.status == Some(OrderStatus::Placed);
    let orders =
        if is_queue { data.queued_orders(&filter, page).await? } else { data.orders(&filter, page).await? };
    let (words, window) = (visit.words, page.window(orders.total));
    let none = if is_queue { "orders-none-wait" } else { "orders-none-found" };
    let is_restricted = filter.user_id.is_some() || filter.search.is_some();
    let counts = if is_queue {
        Some(count_waiting(&visit.served, filter, orders.total, visit.now).await?)
    } else {
        None
    };
    let content = html! {
        div .with-tabs {
            (states(visit, &asked, orders.total).await?)
            (bar(visit, &asked, found(visit, &orders, is_queue)).markup(visit))
        }
        @if let Some(error) = error { p .error role="alert" { (words.say(error)) } }
        div #results {
            @if orders.items.is_empty() {
                (no_rows(visit, &window, is_restricted, (none, None), &visit.path(SECTION)))
            } @else if is_queue && may_write(visit) {
                (form(visit, &orders.items, counts, &asked).await?)
            } @else {
                (rows(visit, &orders.items, counts, false).await?)
            }
            (pager(words, &window, &visit.address_of_pages(SECTION, &asked.parameters())))
        }
    };
    let actions = html! {
        @if is_queue && orders.total > 0 {
            a .button href=(visit.path("/packing-list")) download { (icon(Icon::Download)) (words.say("orders-packing-list")) }
        }
    };
    Ok(Sheet::new(visit, SECTION, words.say("orders"))
        .styled(&[assets::LISTS])
        .actions(actions)
        .respond_with(code, &content))
}

/// How many orders wait to be sent.
pub(super) fn waiting(served: &ServedTenant, _: Timestamp) -> Counting<'_> {
    Box::pin(async {
        let placed = OrderFilter { status: Some(OrderStatus::Placed), ..OrderFilter::default() };
        Ok(due(served.data.count(&placed.query()).await?, "count-wait"))
    })
}

/// What the address asks for, as it is written there.
struct Asked {
    status: String,
    user: String,
    search: String,
}

impl Asked {
    fn of(visit: &Visit<'_>) -> Self {
        let user = visit.query(USER).trim().to_owned();
        Self { status: visit.query(STATUS), user, search: visit.searched_words(SEARCH) }
    }

    fn parameters(&self) -> [(&'static str, &str); 3] {
        [(STATUS, &self.status), (USER, &self.user), (SEARCH, &self.search)]
    }

    /// Without a status, the orders that wait.
    fn filter(&self) -> Result<OrderFilter, PageError> {
        let user = Some(&self.user).filter(|user| !user.is_empty()).map(|user| UserId::new(user.clone()));
        let status = match self.status.as_str() {
            ALL => None,
            other => Some(OrderStatus::parse(other).unwrap_or(OrderStatus::Placed)),
        };
        let search = Some(self.search.clone()).filter(|search| !search.is_empty());
        Ok(OrderFilter { user_id: user.transpose().map_err(|_| PageError::BadRequest)?, status, search })
    }
}

/// The lists of orders beside each other, and how many orders each has: this one has `total`. They keep what restricts the list.
async fn states(visit: &Visit<'_>, asked: &Asked, total: u64) -> Result<Markup, PageError> {
    let restricted = asked.filter()?;
    let mut counts = Vec::new();
    for status in [OrderStatus::Placed, OrderStatus::Fulfilled, OrderStatus::Cancelled].map(Some) {
        let filter = OrderFilter { status, ..restricted.clone() };
        let is_here = status == restricted.status;
        counts.push(if is_here { total } else { visit.served.data.count(&filter.query()).await? });
    }
    counts.push(counts.iter().sum());
    let all = [
        ("placed", "orders-status-placed"),
        ("fulfilled", "orders-status-fulfilled"),
        ("cancelled", "orders-status-cancelled"),
        (ALL, "orders-all"),
    ];
    let here = all.iter().position(|(value, _)| *value == asked.status).unwrap_or_default();
    let address = |status: &str| {
        let parameters = [(STATUS, status), (USER, asked.user.as_str()), (SEARCH, asked.search.as_str())];
        format!("{}1", visit.address_of_pages(SECTION, &parameters))
    };
    let tab = |(at, ((value, text), count)): (usize, (&(&str, &'static str), u64))| {
        let waits = at == 0 && count > 0;
        let count = number(i64::try_from(count).unwrap_or(i64::MAX), visit.words);
        (
            *text,
            address(value),
            at == here,
            html! { span class=(if waits { "due" } else { "count" }) { (count) } },
        )
    };
    Ok(tabs(visit, all.iter().zip(counts).enumerate().map(tab)))
}

fn bar<'b>(visit: &'b Visit<'_>, asked: &'b Asked, found: Markup) -> Bar<'b> {
    let Asked { status, user, search } = asked;
    let hidden = html! {
        @for (name, value) in [(STATUS, status), (USER, user)] { @if !value.is_empty() { input type="hidden" name=(name) value=(value); } }
    };
    let without = format!("{}1", visit.address_of_pages(SECTION, &[(STATUS, status), (SEARCH, search)]));
    let text = format!("{}: {}", visit.words.say("orders-member"), visible(user));
    let chips = if user.is_empty() { Vec::new() } else { vec![Chip { text, without }] };
    let search = Some(("orders-search", SEARCH, search.as_str()));
    Bar { action: visit.path(SECTION), search, chips, filters: html! {}, hidden, found }
}

/// How many orders, for how many points when all of them are on this page, and in which order.
fn found(visit: &Visit<'_>, orders: &PageOf<Order>, is_queue: bool) -> Markup {
    let (words, total) = (visit.words, i64::try_from(orders.total).unwrap_or(i64::MAX));
    let text = if is_queue { "orders-found-oldest" } else { "orders-found-newest" };
    let sum: i64 = orders.items.iter().map(|order| order.points.get()).sum();
    html! {
        @if total > 0 {
            @if orders.items.len() as u64 == orders.total { (points(sum, words)) " · " }
            (words.with(text, "count", number(total, words)))
        }
    }
}

/// The orders with a box each, and above them the button that fulfils those that are ticked. Its result begins at its top.
async fn form(
    visit: &Visit<'_>,
    orders: &[Order],
    counts: Option<[u64; 3]>,
    asked: &Asked,
) -> Result<Markup, PageError> {
    let fulfil = html! { button { (visit.words.say("orders-fulfil-selected")) } };
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs(asked.parameters().into_iter().filter(|(_, value)| !value.is_empty()))
        .finish();
    let joint = if query.is_empty() { "" } else { "?" };
    Ok(html! {
        form method="post" action=(format!("{}{joint}{query}", visit.path(SECTION))) data-from-top {
            (form_token(&visit.signed_in()?.form_token))
            (bulk(visit, "order", &fulfil))
            (rows(visit, orders, counts, true).await?)
        }
    })
}

const COLUMNS: [Column; 9] = [
    Column::BOXES,
    Column::number("orders-waits"),
    Column::number("orders-pieces"),
    Column::text("orders-product"),
    Column::text("orders-number").rank(2),
    Column::text("orders-member").rank(2),
    Column::number("orders-points"),
    Column::text("orders-placed-at").rank(3),
    Column::text("orders-status").rank(3),
];

/// The rows of a list. Those of the queue are in groups by their age, of which `counts` says how many orders they have on all pages.
pub(crate) async fn rows(
    visit: &Visit<'_>,
    orders: &[Order],
    counts: Option<[u64; 3]>,
    has_boxes: bool,
) -> Result<Markup, PageError> {
    let is_queue = counts.is_some();
    let ids = orders.iter().map(|order| order.product.id.as_str());
    let pictures = thumbnails(&*visit.served.data, ids).await?;
    // All orders of the queue wait, and no other ones.
    let first = if is_queue { usize::from(!has_boxes) } else { 2 };
    let last = COLUMNS.len() - usize::from(is_queue);
    let columns = COLUMNS.get(first..last).unwrap_or_default();
    let caption = visit.words.say("orders");
    let mut groups: Vec<(Wait, Rows)> = Vec::new();
    for order in orders {
        let picture = pictures.get(order.product.id.as_str()).map(|url| &**url);
        let row: Vec<_> = row(visit, order, picture).into_iter().take(last).skip(first).collect();
        let wait = if is_queue { Wait::of(order, visit.now) } else { Wait::Short };
        match groups.last_mut() {
            Some((known, rows)) if *known == wait => rows.push(row),
            _ => groups.push((wait, vec![row])),
        }
    }
    let Some(counts) = counts else {
        let rows: Rows = groups.into_iter().flat_map(|(_, rows)| rows).collect();
        return Ok(list_table(visit, &caption, columns, &rows));
    };
    let named = |(wait, rows): (Wait, Rows)| {
        let count = Wait::ALL.into_iter().zip(counts).find(|(known, _)| *known == wait);
        let count = i64::try_from(count.map_or(0, |(_, count)| count)).unwrap_or(i64::MAX);
        (format!("{} · {}", visit.words.say(wait.text()), number(count, visit.words)), rows)
    };
    let groups: Vec<_> = groups.into_iter().map(named).collect();
    Ok(grouped_table(visit, &caption, columns, &groups))
}

fn row(visit: &Visit<'_>, order: &Order, picture: Option<&str>) -> [Markup; 9] {
    let words = visit.words;
    let label = words.with("orders-select-number", "number", order.number.as_str());
    let path = visit.path(&format!("/orders/{}", segment(order.id.as_str())));
    let is_late = Wait::of(order, visit.now) == Wait::Long;
    let sku = html! { " " span .quiet .rank-3 { (order.product.sku) } };
    [
        html! { input type="checkbox" name="order" value=(order.id) aria-label=(label); },
        html! { span .badge .bad[is_late] { (age(visit, order.created_at)) } },
        html! { span .quiet[order.quantity.get() == 1] .strong[order.quantity.get() > 1] { (pieces(order, words)) " ×" } },
        thing(picture, &path, order.product.title.trim(), &sku, &order.number),
        html! { span .mono { (number_link(visit, order)) } },
        member(visit, &order.user_id),
        html! { (number(order.points.get(), words)) },
        html! { span .quiet { (moment_text(order.created_at, &visit.served, words)) } },
        status(visit, order.status),
    ]
}

//! The queue: placed orders with the oldest first, and closed orders with the newest first.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::icons::{Icon, icon};
use pointbook_access::console_kit::lists::{Bar, Column, Rows, grouped_table, list_table, named, no_rows};
use pointbook_access::console_kit::navigation::{Counting, due};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::{Sheet, tabs};
use pointbook_domain::{Order, OrderStatus, PageNumber, PageRequest, PageSize, Timestamp, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, number, pager};
use pointbook_store::ServedTenant;
use pointbook_store::ports::{OrderFilter, PageOf};
use url::form_urlencoded;

use super::parts::{SECTION, age, days_since, may_write, member, number_link, pieces, status};

const STATUS: &str = "status";
const USER: &str = "user";
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
    let filter = filter(visit)?;
    let page = visit.page(ORDERS_PER_PAGE);
    let data = &visit.served.data;
    let is_queue = filter.status == Some(OrderStatus::Placed);
    let orders =
        if is_queue { data.queued_orders(&filter, page).await? } else { data.orders(&filter, page).await? };
    let (words, (state, user)) = (visit.words, asked(visit));
    let window = page.window(orders.total);
    let addresses = visit.address_of_pages(SECTION, &[(STATUS, &state), (USER, &user)]);
    let none = if is_queue { "orders-none-wait" } else { "orders-none-found" };
    let content = html! {
        (states(visit, &state, &user))
        (bar(visit, &state, &user, found(visit, &orders, is_queue)).markup(visit))
        @if let Some(error) = error { p .error role="alert" { (words.say(error)) } }
        div #results {
            @if orders.items.is_empty() {
                (no_rows(visit, &window, !user.is_empty(), none, &visit.path(SECTION)))
            } @else if is_queue && may_write(visit) {
                (form(visit, &orders.items, &state, &user)?)
            } @else {
                (rows(visit, &orders.items, is_queue, false))
            }
            (pager(words, &window, &addresses))
        }
    };
    let packing = html! {
        @if is_queue && orders.total > 0 {
            a .button href=(visit.path("/packing-list")) download { (icon(Icon::Download)) (words.say("orders-packing-list")) }
        }
    };
    Ok(Sheet::new(visit, SECTION, words.say("orders")).actions(packing).respond_with(code, &content))
}

/// How many orders wait to be sent.
pub(super) fn waiting(served: &ServedTenant, _: Timestamp) -> Counting<'_> {
    Box::pin(async {
        let placed = OrderFilter { status: Some(OrderStatus::Placed), ..OrderFilter::default() };
        let first = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT };
        Ok(due(served.data.orders(&placed, first).await?.total, "count-wait"))
    })
}

/// The status and the user of the address, as they are written there.
fn asked(visit: &Visit<'_>) -> (String, String) {
    (visit.query(STATUS), visit.query(USER).trim().to_owned())
}

/// Without a status, the orders that wait.
fn filter(visit: &Visit<'_>) -> Result<OrderFilter, PageError> {
    let (state, user) = asked(visit);
    let user = if user.is_empty() { None } else { Some(UserId::new(user)) };
    let user_id = user.transpose().map_err(|_| PageError::BadRequest)?;
    let status = match state.as_str() {
        ALL => None,
        other => Some(OrderStatus::parse(other).unwrap_or(OrderStatus::Placed)),
    };
    Ok(OrderFilter { user_id, status })
}

/// The lists of orders beside each other.
fn states(visit: &Visit<'_>, state: &str, user: &str) -> Markup {
    let states = [("", "orders-status-placed"), ("fulfilled", "orders-status-fulfilled")];
    let states = states.into_iter().chain([("cancelled", "orders-status-cancelled"), (ALL, "orders-all")]);
    let is_here = |value: &str| {
        state == value || (value.is_empty() && OrderStatus::parse(state) == Ok(OrderStatus::Placed))
    };
    let address = |value| format!("{}1", visit.address_of_pages(SECTION, &[(STATUS, value), (USER, user)]));
    let all: Vec<_> = states.map(|(value, text)| (text, address(value), is_here(value))).collect();
    tabs(visit, &all)
}

fn bar<'b>(visit: &'b Visit<'_>, state: &str, user: &'b str, found: Markup) -> Bar<'b> {
    let hidden = html! { @if !state.is_empty() { input type="hidden" name=(STATUS) value=(state); } };
    let search = Some(("orders-of-member", USER, user));
    Bar { action: visit.path(SECTION), search, chips: Vec::new(), filters: html! {}, hidden, found }
}

/// How many orders, and in which order.
fn found(visit: &Visit<'_>, orders: &PageOf<Order>, is_queue: bool) -> Markup {
    let total = i64::try_from(orders.total).unwrap_or(i64::MAX);
    let text = if is_queue { "orders-found-oldest" } else { "orders-found-newest" };
    html! { @if total > 0 { (visit.words.with(text, "count", number(total, visit.words))) } }
}

/// The orders with a box each, and above them the button that fulfils those that are ticked. Its result begins at its top.
fn form(visit: &Visit<'_>, orders: &[Order], state: &str, user: &str) -> Result<Markup, PageError> {
    let words = visit.words;
    let query = form_urlencoded::Serializer::new(String::new())
        .extend_pairs([(STATUS, state), (USER, user)].into_iter().filter(|(_, value)| !value.is_empty()))
        .finish();
    let joint = if query.is_empty() { "" } else { "?" };
    Ok(html! {
        form method="post" action=(format!("{}{joint}{query}", visit.path(SECTION))) data-from-top {
            (form_token(&visit.signed_in()?.form_token))
            div .bulk {
                label .check data-all="order" hidden { input type="checkbox"; (words.say("orders-select-all")) }
                button { (words.say("orders-fulfil-selected")) }
            }
            (rows(visit, orders, true, true))
        }
    })
}

const COLUMNS: [Column; 8] = [
    Column::BOXES,
    Column::text("orders-product"),
    Column::number("orders-pieces"),
    Column::text("orders-number").rank(2),
    Column::text("orders-member").rank(2),
    Column::number("orders-points"),
    Column::number("orders-age"),
    Column::text("orders-status").rank(3),
];

/// The headings of the queue, with the least age of their orders in days.
const AGES: [(&str, i64); 3] =
    [("orders-waits-long", 3), ("orders-waits-some", 1), ("orders-waits-short", 0)];

fn rows(visit: &Visit<'_>, orders: &[Order], is_queue: bool, has_boxes: bool) -> Markup {
    let first = usize::from(!has_boxes);
    // All orders of the queue wait.
    let last = COLUMNS.len() - usize::from(is_queue);
    let columns = COLUMNS.get(first..last).unwrap_or_default();
    let cells = |order: &Order| row(visit, order, is_queue).into_iter().take(last).skip(first).collect();
    let caption = visit.words.say("orders");
    if !is_queue {
        return list_table(visit, &caption, columns, &orders.iter().map(cells).collect::<Vec<_>>());
    }
    let mut groups: Vec<(String, Rows)> = Vec::new();
    let mut rest = orders;
    for (text, least) in AGES {
        let count = rest.iter().take_while(|order| days_since(visit, order.created_at) >= least).count();
        let (these, others) = rest.split_at(count);
        if !these.is_empty() {
            groups.push((visit.words.say(text).into_owned(), these.iter().map(cells).collect()));
        }
        rest = others;
    }
    grouped_table(visit, &caption, columns, &groups)
}

fn row(visit: &Visit<'_>, order: &Order, is_queue: bool) -> [Markup; 8] {
    let words = visit.words;
    let label = words.with("orders-select-number", "number", order.number.as_str());
    let path = visit.path(&format!("/orders/{}", segment(order.id.as_str())));
    [
        html! { input type="checkbox" name="order" value=(order.id) aria-label=(label); },
        html! {
            (named(&path, order.product.title.trim(), &order.number))
            " " span .quiet .rank-3 { (order.product.sku) }
        },
        pieces(order, words),
        html! { span .mono { (number_link(visit, order)) } },
        member(visit, &order.user_id),
        html! { (number(order.points.get(), words)) },
        html! { @if is_queue { span .badge .bad[days_since(visit, order.created_at) >= 3] { (age(visit, order.created_at)) } } @else { (age(visit, order.created_at)) } },
        status(visit, order.status),
    ]
}

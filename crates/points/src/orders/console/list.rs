//! The queue: placed orders with the oldest first, and closed orders with the newest first.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{empty_list, respond_with, table};
use pointbook_access::console_kit::navigation::{Counting, due};
use pointbook_domain::{Order, OrderStatus, PageNumber, PageRequest, PageSize, Timestamp, UserId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, number, pager, points};
use pointbook_store::ServedTenant;
use pointbook_store::ports::{OrderFilter, PageOf};
use url::form_urlencoded;

use super::parts::{SECTION, age, may_write, member, number_link, pieces, status};

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
    let content = html! {
        (filters(visit, &state, &user))
        @if let Some(error) = error { p .error role="alert" { (words.say(error)) } }
        (found(visit, &orders, is_queue))
        @if orders.items.is_empty() {
            (empty_list(visit, &window, if is_queue && user.is_empty() { "orders-none-wait" } else { "orders-none-found" }))
        } @else if is_queue && may_write(visit) {
            (form(visit, &orders.items, &state, &user)?)
        } @else {
            (rows(visit, &orders.items, false))
        }
        (pager(words, &window, &addresses))
    };
    Ok(respond_with(visit, code, SECTION, &words.say("orders"), &content))
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

fn filters(visit: &Visit<'_>, state: &str, user: &str) -> Markup {
    let words = visit.words;
    let states = [("", "orders-status-placed"), ("fulfilled", "orders-status-fulfilled")];
    let states = states.into_iter().chain([("cancelled", "orders-status-cancelled"), (ALL, "orders-all")]);
    html! {
        form .filters method="get" action=(visit.path(SECTION)) role="search" aria-label=(words.say("orders")) {
            label { (words.say("orders-status"))
                select name=(STATUS) {
                    @for (value, text) in states { option value=(value) selected[value == state] { (words.say(text)) } }
                }
            }
            label { (words.say("orders-member")) input type="search" name=(USER) value=(user) maxlength="255"; }
            button { (words.say("orders-show")) }
        }
    }
}

/// How many orders, in which order, and the way to the packing list.
fn found(visit: &Visit<'_>, orders: &PageOf<Order>, is_queue: bool) -> Markup {
    let words = visit.words;
    let total = i64::try_from(orders.total).unwrap_or(i64::MAX);
    let text = if is_queue { "orders-found-oldest" } else { "orders-found-newest" };
    html! {
        @if total > 0 {
            p .count { (words.with(text, "count", number(total, words)))
                @if is_queue { " " a href=(visit.path("/packing-list")) download { (words.say("orders-packing-list")) } }
            }
        }
    }
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
            p .orders-act {
                label .check data-all="order" hidden { input type="checkbox"; (words.say("orders-select-all")) }
                button { (words.say("orders-fulfil-selected")) }
            }
            (rows(visit, orders, true))
        }
    })
}

fn rows(visit: &Visit<'_>, orders: &[Order], has_boxes: bool) -> Markup {
    let headings = [
        "orders-select",
        "orders-number",
        "orders-age",
        "orders-member",
        "orders-product",
        "orders-pieces",
        "orders-points",
        "orders-status",
    ];
    let first = usize::from(!has_boxes);
    let rows: Vec<Vec<Markup>> =
        orders.iter().map(|order| row(visit, order).into_iter().skip(first).collect()).collect();
    table(visit, headings.get(first..).unwrap_or_default(), &rows)
}

fn row(visit: &Visit<'_>, order: &Order) -> [Markup; 8] {
    let words = visit.words;
    let label = words.with("orders-select-number", "number", order.number.as_str());
    [
        html! { input type="checkbox" name="order" value=(order.id) aria-label=(label); },
        number_link(visit, order),
        age(visit, order.created_at),
        member(visit, &order.user_id),
        html! { (order.product.title.trim()) br; span .quiet { (order.product.sku) } },
        pieces(order, words),
        html! { (points(order.points.get(), words)) },
        status(visit, order.status),
    ]
}

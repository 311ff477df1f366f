//! The member's orders.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_catalogue::cache::snapshot;
use pointbook_catalogue::index::Snapshot;
use pointbook_domain::{ClosedStatus, Order, OrderId, OrderStatus, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, html_in, moment, number, pager, points, see_other};
use pointbook_http::query::{ReadQuery, unfiltered_list};
use pointbook_http::query_string::{PageLinks, QueryString};
use pointbook_points::orders::own::{cancel_own_order, show_own_order};
use pointbook_store::ports::{Execution, OrderFilter, OrderStepOutcome};

use super::list_query;
use super::product::{ShownProduct, picture};
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

/// The query of the page of an order that was just placed.
pub(super) const PLACED: &str = "placed";
/// The query of the page of an order that the member just cancelled.
const CANCELLED: &str = "cancelled";
/// The query of the page of an order that could not be cancelled.
const NOT_CANCELLED: &str = "not-cancelled";

/// A page that is opened again after this time does not say again that the order was placed or cancelled.
const NEWS_SECONDS: u32 = 60;

pub(super) async fn list(visit: &Visit<'_>) -> Result<Response, PageError> {
    let query = list_query::text(visit.request.uri.query());
    let query_string = QueryString::parse(Some(&query)).map_err(|_| PageError::BadRequest)?;
    let query = query_string.read(unfiltered_list).map_err(|_| PageError::BadRequest)?;
    let page = query.request(&visit.served.tenant.settings);
    let filter = OrderFilter { user_id: Some(visit.session()?.user_id().clone()), ..OrderFilter::default() };
    let orders = visit.served.data.orders(&filter, page).await?;
    let window = page.window(orders.total);
    let links = PageLinks::new(&visit.root, "/orders", &query_string);
    let shared = String::from_utf8_lossy(links.shared()).into_owned();
    let words = visit.words;
    let snapshot = snapshot(&visit.served, visit.now).await?;
    let content = html! {
        h1 { (words.say("my-orders")) }
        @if window.total == 0 {
            p .empty { (words.say("no-orders")) " " a href=(visit.root) { (words.say("to-gifts")) } }
        }
        ul { @for order in &orders.items { li { (row(visit, &snapshot, order)?) } } }
        (pager(visit.words, &window, &shared))
    };
    let page = shop_page(visit, Tab::Orders, &words.say("my-orders"), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// A gift that is gone has no picture any more.
fn row(visit: &Visit<'_>, snapshot: &Snapshot, order: &Order) -> Result<Markup, PageError> {
    let gift = snapshot.product(order.product.id.as_str());
    let gift = gift.map(|gift| ShownProduct::read(visit, snapshot, gift.json)).transpose()?;
    let url = gift.as_ref().map_or("", |gift| &gift.thumbnail);
    Ok(html! {
        a .row href=(visit.path(&format!("/orders/{}", order.id))) {
            (picture(visit, &order.product.title, url))
            span .title { (number(order.quantity.get().into(), visit.words)) " × " (order.product.title.trim()) }
            span .quiet { (order.number) ", " (moment(order.created_at, &visit.served, visit.words)) }
            (status(visit, order.status))
            strong { (points(order.points.get(), visit.words)) }
        }
    })
}

fn status(visit: &Visit<'_>, status: OrderStatus) -> Markup {
    html! { span .status data-status=(status.as_str()) { (visit.words.say(&format!("status-{}", status.as_str()))) } }
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    let order = find(visit).await?;
    let words = visit.words;
    let content = html! {
        p .back { a href=(visit.path("/orders")) { "← " (words.say("my-orders")) } }
        section .message {
            (told(visit, &order))
            h1 { (words.with("order-number", "name", order.number.as_str())) }
            p .title { (number(order.quantity.get().into(), visit.words)) " × " (order.product.title.trim()) }
            (status(visit, order.status))
            dl .sums {
                dt { (words.say("total")) } dd { (points(order.points.get(), words)) }
                dt { (words.say("status-placed")) } dd { (moment(order.created_at, &visit.served, words)) }
                @if let Some(at) = order.fulfilled_at { dt { (words.say("status-fulfilled")) } dd { (moment(at, &visit.served, words)) } }
                @if let Some(at) = order.cancelled_at { dt { (words.say("status-cancelled")) } dd { (moment(at, &visit.served, words)) } }
            }
            @if may_cancel(visit, &order) { (cancel_form(visit, &order)?) }
        }
    };
    let page =
        shop_page(visit, Tab::Orders, &words.with("order-number", "name", order.number.as_str()), &content);
    Ok(html_in(&words.content_language, StatusCode::OK, page))
}

/// What became of the form that led here. A page that is opened again later tells only what is still true. The script takes the query out of
/// the address, so a reload does not say it again.
fn told(visit: &Visit<'_>, order: &Order) -> Markup {
    let toast = |id: &str| html! { p .toast role="status" { (visit.words.say(id)) } };
    let is_news = |at: Timestamp| visit.now <= at.plus_seconds(NEWS_SECONDS);
    match (visit.request.uri.query().unwrap_or_default(), order.status) {
        (PLACED, OrderStatus::Placed | OrderStatus::Fulfilled) if is_news(order.created_at) => {
            toast("order-placed")
        }
        (CANCELLED, OrderStatus::Cancelled) if order.cancelled_at.is_some_and(is_news) => {
            toast("order-cancelled")
        }
        (NOT_CANCELLED, OrderStatus::Placed | OrderStatus::Fulfilled) => {
            html! { p .error role="alert" { (visit.words.say("not-cancelled")) } }
        }
        _ => html! {},
    }
}

/// An order of another user counts as missing.
async fn find(visit: &Visit<'_>) -> Result<Order, PageError> {
    show_own_order(&visit.context()?, &order_id(visit)?).await?.ok_or(PageError::NotFound)
}

fn order_id(visit: &Visit<'_>) -> Result<OrderId, PageError> {
    OrderId::new(visit.param("id")?).map_err(|_| PageError::NotFound)
}

fn may_cancel(visit: &Visit<'_>, order: &Order) -> bool {
    visit.served.tenant.settings.members_cancel_orders && order.status == OrderStatus::Placed
}

fn cancel_form(visit: &Visit<'_>, order: &Order) -> Result<Markup, PageError> {
    Ok(html! {
        details {
            summary { (visit.words.say("cancel")) }
            form method="post" action=(visit.path(&format!("/orders/{}/cancel", order.id))) {
                (form_token(&visit.session()?.form_token))
                p { (visit.words.with("cancel-hint", "points", points(order.points.get(), visit.words))) }
                button .danger { (visit.words.say("cancel-now")) }
            }
        }
    })
}

/// Cancels an order that the back office has not sent. A form that is sent twice shows the cancelled order.
pub(super) async fn cancel(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = order_id(visit)?;
    let page = visit.path(&format!("/orders/{id}"));
    match cancel_own_order(&visit.context()?, id).await? {
        Execution::Executed(OrderStepOutcome::Unknown) => Err(PageError::NotFound),
        Execution::Executed(
            OrderStepOutcome::Done(_) | OrderStepOutcome::AlreadyClosed(ClosedStatus::Cancelled),
        ) => Ok(see_other(&format!("{page}?{CANCELLED}"))),
        _ => Ok(see_other(&format!("{page}?{NOT_CANCELLED}"))),
    }
}

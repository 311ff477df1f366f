//! The page of an order, and its two last steps.

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::audit_log::brief::changes_of;
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{facts, field};
use pointbook_access::console_kit::lists::thing;
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_catalogue::products::thumbnails::thumbnails;
use pointbook_domain::{ClosedStatus, Order, OrderId, OrderStatus, Scope};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, moment, points, see_other};
use pointbook_store::limits::MAX_TITLE_CHARS;
use pointbook_store::ports::OrderStepOutcome;

use super::parts::{SECTION, may_write, member, pieces, status};
use crate::orders::age::age;
use crate::orders::step::{cancel_order, fulfil_order};

/// What an operator typed into the form of a cancellation, and the id of the text that says what is wrong.
#[derive(Default)]
struct Mistake<'f> {
    reason: &'f str,
    text: Option<&'static str>,
}

pub(super) async fn show(visit: &Visit<'_>) -> Result<Response, PageError> {
    page(visit, StatusCode::OK, &id(visit)?, &Mistake::default()).await
}

fn id(visit: &Visit<'_>) -> Result<OrderId, PageError> {
    OrderId::new(visit.param("id")?).map_err(|_| PageError::NotFound)
}

fn path(visit: &Visit<'_>, id: &OrderId, below: &str) -> String {
    visit.path(&format!("/orders/{}{below}", segment(id.as_str())))
}

async fn page(
    visit: &Visit<'_>,
    code: StatusCode,
    id: &OrderId,
    mistake: &Mistake<'_>,
) -> Result<Response, PageError> {
    let order = visit.served.data.order(id).await?.ok_or(PageError::NotFound)?;
    let words = visit.words;
    let pictures = thumbnails(&*visit.served.data, std::iter::once(order.product.id.as_str())).await?;
    let picture = pictures.get(order.product.id.as_str()).map(String::as_str);
    let content = html! {
        @if let Some(text) = mistake.text { p .error role="alert" { (words.say(text)) } }
        (cards(visit, &order, picture))
        @if let Some(changes) = changes_of(visit, "audit-brief", &[(format!("order:{id}"), None)]).await? { (changes) }
    };
    let actions = html! {
        @if order.status == OrderStatus::Placed && may_write(visit) {
            form method="post" action=(path(visit, id, "/fulfil")) {
                (form_token(&visit.signed_in()?.form_token))
                button .primary { (words.say("orders-fulfil")) }
            }
            (cancel_form(visit, &order, mistake)?)
        }
    };
    let title = words.with("orders-title", "number", order.number.as_str());
    let sheet = Sheet::new(visit, SECTION, title).beside(status(visit, order.status)).actions(actions);
    Ok(sheet.respond_with(code, &content))
}

/// What was ordered, by whom, and when something became of it.
fn cards(visit: &Visit<'_>, order: &Order, picture: Option<&str>) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let may_see_products =
        visit.signed_in.as_ref().is_some_and(|own| own.operator.role.has(Scope::ProductsRead));
    let title = order.product.title.trim();
    let product = html! {
        @if may_see_products {
            p { (thing(picture, &visit.path(&format!("/products/{}", segment(order.product.id.as_str()))), title, &html! {}, "")) }
        } @else {
            p { span .thing { @if let Some(picture) = picture { img src=(picture) alt="" width="28" height="28" loading="lazy"; } span { (title) } } }
        }
    };
    let placed = html! {
        (moment(order.created_at, served, words))
        @if order.status == OrderStatus::Placed { " (" (age(visit, order.created_at)) ")" }
    };
    let stock = if order.takes_stock { "orders-stock-taken" } else { "orders-stock-unlimited" };
    let what = vec![
        ("orders-sku", html! { (order.product.sku) }),
        ("orders-pieces", pieces(order, words)),
        ("orders-price", html! { (points(order.product.price.get(), words)) }),
        ("orders-total", html! { strong { (points(order.points.get(), words)) } }),
        ("orders-stock", html! { (words.say(stock)) }),
    ];
    let who =
        vec![("orders-member", member(visit, &order.user_id)), ("orders-id", html! { code { (order.id) } })];
    let closed = [("orders-fulfilled-at", order.fulfilled_at), ("orders-cancelled-at", order.cancelled_at)];
    let closed = closed.into_iter().filter_map(|(name, at)| Some((name, moment(at?, served, words))));
    let when = std::iter::once(("orders-placed-at", placed)).chain(closed).collect();
    let card = |name: &str, width: &str, above: Markup, known| {
        html! { section class=(format!("card {width}")) { h2 { (words.say(name)) } (above) (facts(visit, known)) } }
    };
    html! {
        div .cards {
            (card("orders-what", "eight", product, what))
            div .four { (card("orders-who", "", html! {}, who)) (card("orders-history", "", html! {}, when)) }
        }
    }
}

/// Behind a summary, because a cancellation cannot be undone. It is open when something is wrong with it.
fn cancel_form(visit: &Visit<'_>, order: &Order, mistake: &Mistake<'_>) -> Result<Markup, PageError> {
    let words = visit.words;
    Ok(html! {
        details .danger open[mistake.text.is_some()] {
            summary { (words.say("orders-cancel")) }
            form .stack method="post" action=(path(visit, &order.id, "/cancel")) {
                (form_token(&visit.signed_in()?.form_token))
                p { (words.with("orders-cancel-hint", "points", points(order.points.get(), words))) }
                (field(visit, "orders-reason", html! {
                    input name="reason" value=(mistake.reason) maxlength=(MAX_TITLE_CHARS) required;
                }))
                button .danger { (words.say("orders-cancel")) }
            }
        }
    })
}

/// An order that was fulfilled meanwhile is as the operator wants it.
pub(super) async fn fulfil(visit: &Visit<'_>) -> Result<Response, PageError> {
    visit.form_of_session().await?;
    let id = id(visit)?;
    let outcome = fulfil_order(&visit.context()?, id.clone()).await?.without_key()?;
    finish(visit, &id, &outcome, ClosedStatus::Fulfilled, "").await
}

/// Returns the points and the pieces. The audit log keeps the reason.
pub(super) async fn cancel(visit: &Visit<'_>) -> Result<Response, PageError> {
    let sent = visit.form_of_session().await?;
    let (id, reason) = (id(visit)?, sent.field("reason")?.trim());
    if reason.is_empty() || reason.chars().count() > MAX_TITLE_CHARS || reason.contains('\0') {
        let mistake = Mistake { reason, text: Some("orders-error-reason") };
        return page(visit, StatusCode::UNPROCESSABLE_ENTITY, &id, &mistake).await;
    }
    let outcome =
        cancel_order(&visit.context()?, id.clone(), Some(reason.to_owned())).await?.without_key()?;
    finish(visit, &id, &outcome, ClosedStatus::Cancelled, reason).await
}

async fn finish(
    visit: &Visit<'_>,
    id: &OrderId,
    outcome: &OrderStepOutcome,
    wanted: ClosedStatus,
    reason: &str,
) -> Result<Response, PageError> {
    let text = match outcome {
        OrderStepOutcome::AlreadyClosed(closed) if *closed != wanted => match closed {
            ClosedStatus::Fulfilled => "orders-error-fulfilled",
            ClosedStatus::Cancelled => "orders-error-cancelled",
        },
        OrderStepOutcome::Done(_) | OrderStepOutcome::AlreadyClosed(_) => {
            let said = match wanted {
                ClosedStatus::Fulfilled => "?said=order-fulfilled",
                ClosedStatus::Cancelled => "?said=order-cancelled",
            };
            return Ok(see_other(&path(visit, id, said)));
        }
        OrderStepOutcome::Unknown => return Err(PageError::NotFound),
        OrderStepOutcome::OutOfRange => "orders-error-range",
        OrderStepOutcome::RefundRecorded | OrderStepOutcome::NotByCustomers => "orders-error-refund",
    };
    page(visit, StatusCode::UNPROCESSABLE_ENTITY, id, &Mistake { reason, text: Some(text) }).await
}

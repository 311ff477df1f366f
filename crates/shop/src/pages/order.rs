//! Ordering: the question, and the order.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use http::{Method, StatusCode};
use maud::{Markup, html};
use pointbook_domain::{OrderRefusal, ProductId, Quantity, Timestamp};
use pointbook_http::kernel::Response;
use pointbook_http::pages::{PageError, form_token, html_in, number, points, see_other};
use pointbook_http::sender::{MAX_CUSTOMER_KEYS, key_owner_of};
use pointbook_points::orders::place::place_order;
use pointbook_store::Context;
use pointbook_store::ports::{Execution, NewAnswer, Once, PlaceOrderOutcome, RequestKey, StoredAnswer};
use sha2::{Digest, Sha256};
use url::form_urlencoded;

use super::list_query::{LIST, carried};
use super::orders::PLACED;
use super::product::{ShownProduct, path_of};
use crate::layout::{Tab, shop_page};
use crate::visit::Visit;

/// A number of pieces that no order has.
const BAD_QUANTITY: PageError =
    PageError::Said { status: StatusCode::BAD_REQUEST, texts: ["error-quantity", "error-quantity-hint"] };

/// What a member wants.
struct Wish {
    product: String,
    quantity: Quantity,
    /// The query of the list that led to the product.
    list: String,
}

/// Why the question is asked once more.
#[derive(Clone, Copy)]
enum Notice<'f> {
    Refused(OrderRefusal),
    /// The price is another one than the member confirmed. The new form has the key of the sent one, because the sent one may have placed
    /// the order already.
    OtherPrice {
        key: &'f str,
    },
}

impl Wish {
    fn read(product: &str, quantity: &str, list: Option<&str>) -> Result<Self, PageError> {
        let list = list.map(|list| carried(Some(list))).unwrap_or_default();
        let quantity = quantity.trim().parse().ok().and_then(|pieces| Quantity::new(pieces).ok());
        Ok(Self { product: product.to_owned(), quantity: quantity.ok_or(BAD_QUANTITY)?, list })
    }

    /// What it costs.
    fn total(&self, product: &ShownProduct) -> i64 {
        product.price().saturating_mul(self.quantity.get().into())
    }
}

/// Asks whether to order, with what it costs and what stays.
pub(super) async fn confirm(visit: &Visit<'_>) -> Result<Response, PageError> {
    let query = visit.request.uri.query().unwrap_or_default();
    let fields: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let field = |name: &str| {
        let found = fields.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| &**value).ok_or(PageError::BadRequest)
    };
    let list = fields.iter().find(|(known, _)| known == LIST).map(|(_, value)| &**value);
    let wish = Wish::read(field("product")?, field("quantity")?, list)?;
    question(visit, &wish, None).await
}

/// Places the order once, however often the form is sent.
pub(super) async fn place(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let wish = Wish::read(form.field("product")?, form.field("quantity")?, form.optional(LIST))?;
    let product = ProductId::new(&*wish.product).map_err(|_| PageError::BadRequest)?;
    if let Ok(shown) = ShownProduct::find(visit, &wish.product).await
        && form.field("total")? != wish.total(&shown).to_string()
    {
        let notice = Notice::OtherPrice { key: form.field("once")? };
        return question(visit, &wish, Some(notice)).await;
    }
    let bare = visit.context()?;
    let once = once(visit, &wish, form.field("once")?, bare.real_now())?;
    let context = Context { once: Some(once), ..bare };
    let id = match place_order(&context, product, wish.quantity).await? {
        Execution::Executed(PlaceOrderOutcome::Placed(written)) => written.order.id.to_string(),
        Execution::Executed(PlaceOrderOutcome::Refused(refusal)) => {
            return question(visit, &wish, Some(Notice::Refused(refusal))).await;
        }
        Execution::Replayed(StoredAnswer(id)) => String::from_utf8_lossy(&id).into_owned(),
        Execution::KeyTaken => return Err(PageError::BadRequest),
        Execution::TooManyKeys => return Err(PageError::TooManyRequests { retry_after_seconds: None }),
    };
    // A refused order is kept without an id. Its form, sent again, asks again.
    if id.is_empty() {
        return question(visit, &wish, None).await;
    }
    Ok(see_other(&visit.path(&format!("/orders/{id}?{PLACED}"))))
}

/// Keeps the id of the order under the key of the form.
fn once(
    visit: &Visit<'_>,
    wish: &Wish,
    key: &str,
    now: Timestamp,
) -> Result<Once<PlaceOrderOutcome>, PageError> {
    if key.len() != 2 * KEY_BYTES {
        return Err(PageError::BadRequest);
    }
    let request = format!("shop.order.place\n{}\n{}", wish.quantity.get(), wish.product);
    let key = RequestKey {
        principal: key_owner_of(visit.session()?.user_id()),
        key: format!("shop-{key}"),
        fingerprint: Sha256::digest(request).into(),
        max_kept: Some(MAX_CUSTOMER_KEYS),
    };
    let answer = |outcome: &PlaceOrderOutcome| {
        let (id, is_refusal) = match outcome {
            PlaceOrderOutcome::Placed(written) => (written.order.id.as_str().as_bytes().to_vec(), false),
            PlaceOrderOutcome::Refused(_) => (Vec::new(), true),
        };
        Some(NewAnswer { answer: StoredAnswer(id), is_refusal })
    };
    Ok(Once { key, now, answer: Arc::new(answer) })
}

/// The random bytes of the key of a form.
const KEY_BYTES: usize = 32;

/// Asks, or says why the order is not possible. That is an error only of a form, because a question asks for nothing yet.
async fn question(visit: &Visit<'_>, wish: &Wish, notice: Option<Notice<'_>>) -> Result<Response, PageError> {
    let product = match (ShownProduct::find(visit, &wish.product).await, notice) {
        (Err(PageError::NotFound), Some(_)) => return Ok(gone(visit)),
        (found, _) => found?,
    };
    // A form that was sent comes first: it may have placed the order, and taken the points for it.
    let notice = notice.or(foreseen(visit, wish, &product)?.map(Notice::Refused));
    let is_error = notice.is_some() && *visit.request.method == Method::POST;
    let status = if is_error { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    let (words, is_refused) = (visit.words, matches!(notice, Some(Notice::Refused(_))));
    let heading = words.say(if is_refused { "not-ordered" } else { "confirm" });
    let content = html! {
        section .message {
            h1 { (heading) }
            (product.picture(visit))
            (sums(visit, wish, &product, is_refused)?)
            @if let Some(notice) = notice { p .error role="alert" { (words.say(reason(notice))) } }
            @if !is_refused { (confirm_form(visit, wish, &product, notice)?) }
            p .back { a href=(path_of(visit, &wish.product, &wish.list)) { "← " (words.say("to-gift")) } }
        }
    };
    let page = shop_page(visit, Tab::Products, &heading, &content);
    Ok(html_in(&words.content_language, status, page))
}

/// Why the order would be refused, as far as the page can tell before the order.
fn foreseen(
    visit: &Visit<'_>,
    wish: &Wish,
    product: &ShownProduct,
) -> Result<Option<OrderRefusal>, PageError> {
    Ok(if product.marks.is_sold_out {
        Some(OrderRefusal::SoldOut)
    } else if visit.session()?.missing(wish.total(product)) > 0 {
        Some(OrderRefusal::TooFewPoints)
    } else {
        None
    })
}

/// What the order costs, and what stays, unless it is refused.
fn sums(
    visit: &Visit<'_>,
    wish: &Wish,
    product: &ShownProduct,
    is_refused: bool,
) -> Result<Markup, PageError> {
    let words = visit.words;
    let have = visit.session()?.points.get();
    let total = wish.total(product);
    let row = |label: &str, value: i64| html! { dt { (words.say(label)) } dd { (points(value, words)) } };
    Ok(html! {
        p .title { (number(wish.quantity.get().into(), words)) " × " (product.title.trim()) }
        dl .sums {
            (row("total", total))
            (row("you-have", have))
            @if !is_refused { (row("you-keep", have.saturating_sub(total))) }
        }
    })
}

/// The page of a product that left the shop between the question and the order.
fn gone(visit: &Visit<'_>) -> Response {
    let words = visit.words;
    let content = html! {
        section .message {
            h1 { (words.say("refused-unknown")) }
            p { a .button href=(visit.root) { (words.say("to-gifts")) } }
        }
    };
    let page = shop_page(visit, Tab::Products, &words.say("refused-unknown"), &content);
    html_in(&words.content_language, StatusCode::UNPROCESSABLE_ENTITY, page)
}

fn confirm_form(
    visit: &Visit<'_>,
    wish: &Wish,
    product: &ShownProduct,
    notice: Option<Notice<'_>>,
) -> Result<Markup, PageError> {
    let key = match notice {
        Some(Notice::OtherPrice { key }) => key.to_owned(),
        _ => HEXLOWER.encode(&visit.shared.secrets.secret()),
    };
    Ok(html! {
        form method="post" action=(visit.path("/orders")) {
            (form_token(&visit.session()?.form_token))
            input type="hidden" name="once" value=(key);
            input type="hidden" name="product" value=(wish.product);
            input type="hidden" name="quantity" value=(wish.quantity.get());
            @if !wish.list.is_empty() { input type="hidden" name=(LIST) value=(wish.list); }
            input type="hidden" name="total" value=(wish.total(product));
            button { (visit.words.say("order-now")) }
        }
    })
}

fn reason(notice: Notice<'_>) -> &'static str {
    match notice {
        Notice::OtherPrice { .. } => "other-price",
        Notice::Refused(OrderRefusal::UnknownProduct) => "refused-unknown",
        Notice::Refused(OrderRefusal::SoldOut) => "refused-sold-out",
        Notice::Refused(OrderRefusal::NotEnoughStock) => "refused-stock",
        Notice::Refused(OrderRefusal::OutOfRange) => "refused-range",
        Notice::Refused(OrderRefusal::TooFewPoints) => "refused-points",
    }
}

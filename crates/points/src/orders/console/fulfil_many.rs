//! Fulfils the orders that an operator ticked, and tells the result of each.

use std::collections::BTreeSet;
use std::sync::Arc;

use http::StatusCode;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::lists::{Column, list_table};
use pointbook_access::console_kit::sheet::Sheet;
use pointbook_domain::{ClosedStatus, Order, OrderId};
use pointbook_http::kernel::Response;
use pointbook_http::pages::PageError;
use pointbook_store::StoreError;
use pointbook_store::ports::OrderStepOutcome;

use super::list;
use super::parts::{SECTION, member, number_link, pieces};
use crate::orders::step::fulfil_order;

/// The most orders of one form.
const MAX_ORDERS: usize = 100;

const COLUMNS: [Column; 5] = [
    Column::text("orders-number"),
    Column::text("orders-member").rank(2),
    Column::text("orders-product"),
    Column::number("orders-pieces"),
    Column::text("orders-result"),
];

/// What became of one order.
struct Fulfilled {
    /// As the form has it.
    id: String,
    order: Option<Order>,
    /// The id of the text that says it.
    text: &'static str,
}

/// Takes one step for each order, as the operation for one order does. A form that is sent again finds them fulfilled.
pub(super) async fn fulfil(visit: &Visit<'_>) -> Result<Response, PageError> {
    let form = visit.form_of_session().await?;
    let ids: Vec<&str> = distinct(form.all("order"));
    if ids.is_empty() {
        return list::page(visit, StatusCode::UNPROCESSABLE_ENTITY, Some("orders-error-none")).await;
    }
    if ids.len() > MAX_ORDERS {
        return list::page(visit, StatusCode::UNPROCESSABLE_ENTITY, Some("orders-error-too-many")).await;
    }
    let (mut results, mut failure) = (Vec::with_capacity(ids.len()), None);
    for id in ids {
        // When the database fails once, the other orders do not wait for it too.
        let result =
            if failure.is_none() { one(visit, id).await } else { Ok((None, "orders-result-failed")) };
        let (order, text) = result.unwrap_or_else(|error| {
            failure = Some(error);
            (None, "orders-result-failed")
        });
        results.push(Fulfilled { id: id.to_owned(), order, text });
    }
    let back = html! { a .button href=(visit.path(SECTION)) { (visit.words.say("orders-back")) } };
    let sheet = Sheet::new(visit, SECTION, visit.words.say("orders-results")).actions(back);
    let mut response = sheet.respond(&results_list(visit, &results));
    response.failure = failure.map(|error| Arc::new(error) as _);
    Ok(response)
}

/// Each id once, in the given order.
fn distinct<'f>(ids: impl Iterator<Item = &'f str>) -> Vec<&'f str> {
    let mut seen = BTreeSet::new();
    ids.filter(|id| seen.insert(*id)).collect()
}

async fn one(visit: &Visit<'_>, text: &str) -> Result<(Option<Order>, &'static str), StoreError> {
    let Ok(id) = OrderId::new(text) else { return Ok((None, "orders-result-unknown")) };
    let context = visit.context().map_err(|_| StoreError::Failed("the operator signed out".into()))?;
    let said = match fulfil_order(&context, id.clone()).await?.without_key()? {
        OrderStepOutcome::Done(written) => return Ok((Some(written.order), "orders-result-done")),
        OrderStepOutcome::AlreadyClosed(ClosedStatus::Fulfilled) => "orders-result-already",
        OrderStepOutcome::AlreadyClosed(ClosedStatus::Cancelled) => "orders-result-cancelled",
        OrderStepOutcome::Unknown => return Ok((None, "orders-result-unknown")),
        // These are outcomes of a cancellation.
        OrderStepOutcome::NotByCustomers
        | OrderStepOutcome::OutOfRange
        | OrderStepOutcome::RefundRecorded => "orders-result-failed",
    };
    Ok((visit.served.data.order(&id).await?, said))
}

fn results_list(visit: &Visit<'_>, results: &[Fulfilled]) -> Markup {
    let words = visit.words;
    let done = results.iter().filter(|result| result.text == "orders-result-done").count();
    let counts = [("count", done.to_string()), ("of", results.len().to_string())];
    let rows: Vec<Vec<Markup>> = results.iter().map(|result| row(visit, result)).collect();
    html! {
        p .toast role="status" { (words.with_all("orders-results-sum", counts)) }
        (list_table(visit, &words.say("orders-results"), &COLUMNS, &rows))
    }
}

fn row(visit: &Visit<'_>, Fulfilled { id, order, text }: &Fulfilled) -> Vec<Markup> {
    let result = html! { span .error[*text != "orders-result-done"] { (visit.words.say(text)) } };
    match order {
        Some(order) => vec![
            number_link(visit, order),
            member(visit, &order.user_id),
            html! { (order.product.title.trim()) },
            pieces(order, visit.words),
            result,
        ],
        None => vec![html! { (id) }, html! {}, html! {}, html! {}, result],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_that_is_named_twice_is_fulfilled_once() {
        assert_eq!(distinct(["b", "a", "b", "c", "a"].into_iter()), ["b", "a", "c"]);
    }
}

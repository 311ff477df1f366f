//! How the list and the page of an order show its status, number, member and pieces.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::{Order, OrderStatus, Scope, UserId};
use pointbook_http::pages::{Words, number, visible};

/// The path of the section.
pub(super) const SECTION: &str = "/orders";

pub(super) fn status(visit: &Visit<'_>, status: OrderStatus) -> Markup {
    let text = visit.words.say(&format!("orders-status-{}", status.as_str()));
    let kind = match status {
        OrderStatus::Placed => "warn",
        OrderStatus::Fulfilled => "good",
        OrderStatus::Cancelled => "bad",
    };
    html! { span .badge .(kind) { (text) } }
}

/// The number of an order, with a link to its page.
pub(super) fn number_link(visit: &Visit<'_>, order: &Order) -> Markup {
    html! { a href=(visit.path(&format!("/orders/{}", segment(order.id.as_str())))) { (order.number) } }
}

/// The member, with a link for operators who may see members.
pub(super) fn member(visit: &Visit<'_>, id: &UserId) -> Markup {
    let may_see = visit.signed_in.as_ref().is_some_and(|own| own.operator.role.has(Scope::UsersRead));
    html! {
        @if may_see { a href=(visit.path(&format!("/members/{}", segment(id.as_str())))) { (visible(id.as_str())) } }
        @else { (visible(id.as_str())) }
    }
}

pub(super) fn pieces(order: &Order, words: &Words) -> Markup {
    html! { (number(order.quantity.get().into(), words)) }
}

/// Whether the operator may fulfil and cancel.
pub(super) fn may_write(visit: &Visit<'_>) -> bool {
    visit.signed_in.as_ref().is_some_and(|own| own.operator.role.has(Scope::OrdersWrite))
}

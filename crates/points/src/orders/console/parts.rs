//! How the list and the page of an order show its age, status, number, member and pieces.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::path_part::segment;
use pointbook_domain::{Order, OrderStatus, Scope, Timestamp, UserId};
use pointbook_http::pages::{Words, date, number, visible};

/// The path of the section.
pub(super) const SECTION: &str = "/orders";

const MICROS_PER_MINUTE: i64 = 60_000_000;
const MINUTES_PER_HOUR: i64 = 60;
const MINUTES_PER_DAY: i64 = 24 * MINUTES_PER_HOUR;

/// How long ago this was, in its largest unit. Its moment is the title.
pub(super) fn age(visit: &Visit<'_>, at: Timestamp) -> Markup {
    let minutes = visit.now.as_micros().saturating_sub(at.as_micros()).max(0) / MICROS_PER_MINUTE;
    let text = age_text(minutes, visit.words);
    html! { time datetime=(at.to_string()) title=(moment_text(visit, at)) { (text) } }
}

/// The whole days since then.
pub(super) fn days_since(visit: &Visit<'_>, at: Timestamp) -> i64 {
    let minutes = visit.now.as_micros().saturating_sub(at.as_micros()).max(0) / MICROS_PER_MINUTE;
    minutes / MINUTES_PER_DAY
}

fn age_text(minutes: i64, words: &Words) -> String {
    let (unit, count) = match minutes {
        0 => return words.say("orders-age-now").into_owned(),
        MINUTES_PER_DAY.. => ("orders-age-days", minutes / MINUTES_PER_DAY),
        MINUTES_PER_HOUR.. => ("orders-age-hours", minutes / MINUTES_PER_HOUR),
        _ => ("orders-age-minutes", minutes),
    };
    words.with(unit, "count", count).into_owned()
}

fn moment_text(visit: &Visit<'_>, at: Timestamp) -> String {
    let local = visit.served.local_time(at);
    let (hour, minute) = (local.minute_of_day / 60, local.minute_of_day % 60);
    format!("{}, {hour:02}:{minute:02} · {at}", date(local.day, visit.words))
}

pub(super) fn status(visit: &Visit<'_>, status: OrderStatus) -> Markup {
    let text = visit.words.say(&format!("orders-status-{}", status.as_str()));
    html! { span .status data-status=(status.as_str()) { (text) } }
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

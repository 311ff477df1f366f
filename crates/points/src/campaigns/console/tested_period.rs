//! The period of a back-test or a back-fill.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_domain::{Day, Timestamp};
use pointbook_http::pages::{date, moment};

/// From its first to its last day, both included. Times where it does not begin and end at midnight in the zone of the tenant.
pub(super) fn tested_period(visit: &Visit<'_>, from: Timestamp, until: Timestamp) -> Markup {
    let (words, served) = (visit.words, &visit.served);
    let [first, after] = [from, until].map(|at| served.local_time(at));
    let is_midnight =
        [(from, first.day), (until, after.day)].iter().all(|(at, day)| visit.midnight(*day) == Some(*at));
    let last = Day::from_days(after.day.as_days() - 1);
    match last.filter(|last| is_midnight && *last >= first.day) {
        Some(last) if last == first.day => html! { (date(last, words)) },
        Some(last) => html! { (date(first.day, words)) " – " (date(last, words)) },
        None => html! { (moment(from, served, words)) " – " (moment(until, served, words)) },
    }
}

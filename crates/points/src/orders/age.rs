//! How long ago something was, as pages say it.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_domain::Timestamp;
use pointbook_http::pages::moment_text;

const MICROS_PER_MINUTE: i64 = 60_000_000;
const MINUTES_PER_HOUR: i64 = 60;
const MINUTES_PER_DAY: i64 = 24 * MINUTES_PER_HOUR;

/// In its largest unit. Its moment is the title.
pub fn age(visit: &Visit<'_>, at: Timestamp) -> Markup {
    let words = visit.words;
    let minutes = visit.now.as_micros().saturating_sub(at.as_micros()).max(0) / MICROS_PER_MINUTE;
    let (unit, count) = match minutes {
        0 => ("orders-age-now", 0),
        MINUTES_PER_DAY.. => ("orders-age-days", minutes / MINUTES_PER_DAY),
        MINUTES_PER_HOUR.. => ("orders-age-hours", minutes / MINUTES_PER_HOUR),
        _ => ("orders-age-minutes", minutes),
    };
    let moment = format!("{} · {at}", moment_text(at, &visit.served, words));
    html! { time datetime=(at.to_string()) title=(moment) { (words.with(unit, "count", count)) } }
}

//! The products that name a picture of this server that is gone, and lists of products in general.

use maud::{Markup, html};
use pointbook_access::console_kit::path_part::segment;
use pointbook_access::console_kit::visit::Visit;
use pointbook_http::pages::number;

use crate::pictures::NamedProducts;

/// Links to the first products, and how many there are besides. Products with the same title show their ids, too.
pub(crate) fn links(visit: &Visit<'_>, products: &NamedProducts) -> Markup {
    let named = u64::try_from(products.first.len()).unwrap_or(u64::MAX);
    let others = i64::try_from(products.count.saturating_sub(named)).unwrap_or(i64::MAX);
    let is_shared =
        |title: &str| products.first.iter().filter(|(_, other)| other.trim() == title).count() > 1;
    html! {
        @for (at, (id, title)) in products.first.iter().enumerate() {
            @let title = title.trim();
            @if at > 0 { ", " }
            a href=(visit.path(&format!("/products/{}", segment(id)))) {
                @if title.is_empty() { bdi { (id) } } @else {
                    bdi { (title) }
                    @if is_shared(title) { " (" bdi { (id) } ")" }
                }
            }
        }
        @if others > 0 { " " (visit.words.with("picture-more-products", "count", number(others, visit.words))) }
    }
}

pub(crate) fn notice(visit: &Visit<'_>, missing: &NamedProducts) -> Markup {
    html! {
        @if missing.count > 0 {
            div .notice { p { (visit.words.say("picture-missing")) } p { (links(visit, missing)) } }
        }
    }
}

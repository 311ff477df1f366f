//! What a list and a page say of a product at a glance.

use maud::{Markup, html};
use pointbook_access::console_kit::visit::Visit;
use pointbook_domain::{Availability, Price, Product};
use pointbook_http::pages::{number, points};
use pointbook_store::ports::StoredProduct;

/// The path of the section.
pub(super) const SECTION: &str = "/products";

/// The page of a new product is not below `/products`, where it would hide the product with that id.
pub(super) const NEW: &str = "/new-product";

/// Sold out, low, new, reduced, popular, hidden, and planned.
pub(super) fn marks(visit: &Visit<'_>, stored: &StoredProduct) -> Markup {
    let settings = &visit.served.tenant.settings;
    let product = &stored.product;
    let availability = Availability::of(product.stock, settings.low_stock_threshold);
    let is_new = product.is_visible_at(visit.now)
        && product.published_at >= visit.now.minus_days(settings.new_product_days);
    let all = [
        ("product-sold-out", availability == Availability::SoldOut),
        ("product-low", availability == Availability::Low),
        ("product-new", is_new),
        ("product-reduced", product.sale_price.is_some()),
        ("product-popular", product.popular),
        ("product-hidden", !product.active),
        ("product-planned", product.published_at > visit.now),
    ];
    html! { @for (text, _) in all.into_iter().filter(|(_, holds)| *holds) { " " span .mark { (visit.words.say(text)) } } }
}

/// The price, and the regular price when it is reduced.
pub(super) fn price(visit: &Visit<'_>, product: &Product) -> Markup {
    let words = visit.words;
    html! {
        (points(product.effective_price().get(), words))
        @if product.sale_price.is_some() { " " s { (number(Price::get(product.regular_price), words)) } }
    }
}

/// The pieces that are left.
pub(super) fn stock(visit: &Visit<'_>, product: &Product) -> Markup {
    html! {
        @match product.stock {
            Some(pieces) => (number(pieces.into(), visit.words)),
            None => (visit.words.say("product-unlimited")),
        }
    }
}

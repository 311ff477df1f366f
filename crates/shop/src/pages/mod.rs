//! The pages of a shop.

mod filter_fields;
mod list_query;
mod months;
mod order;
mod orders;
mod points;
mod product;
mod products;
mod sign_in;

use http::Method;
use pointbook_http::rate_limit::count::Counted;

use crate::page_spec::{PageSpec, Visitor};

/// A row of the table.
macro_rules! page {
    ($name:literal, $method:ident $path:literal, $visitor:ident, $counted:ident, $show:path) => {
        PageSpec {
            name: $name,
            method: Method::$method,
            path: $path,
            visitor: Visitor::$visitor,
            counted: Counted::$counted,
            show: |visit| Box::pin($show(visit)),
        }
    };
}

/// All pages of shops.
pub static PAGES: [PageSpec; 12] = [
    page!("shop.products", GET "/shop/{tenant}", Member, Read, products::show),
    page!("shop.product", GET "/shop/{tenant}/products/{id}", Member, Read, product::show),
    page!("shop.order.confirm", GET "/shop/{tenant}/order", Member, Read, order::confirm),
    page!("shop.order.place", POST "/shop/{tenant}/orders", Member, Write, order::place),
    page!("shop.orders", GET "/shop/{tenant}/orders", Member, Read, orders::list),
    page!("shop.order", GET "/shop/{tenant}/orders/{id}", Member, Read, orders::show),
    page!("shop.order.cancel", POST "/shop/{tenant}/orders/{id}/cancel", Member, Write, orders::cancel),
    page!("shop.points", GET "/shop/{tenant}/points", Member, Read, points::show),
    page!("shop.points.group", GET "/shop/{tenant}/points/{day}/{type}", Member, Read, points::group),
    page!("shop.sign_in", GET "/shop/{tenant}/sign-in", Anyone, Read, sign_in::show),
    page!("shop.sign_in.open", POST "/shop/{tenant}/sign-in", Anyone, Never, sign_in::open),
    page!("shop.sign_out", POST "/shop/{tenant}/sign-out", Member, Never, sign_in::sign_out),
];

//! The pages of a shop.

mod order;
mod orders;
mod pager;
mod points;
mod product;
mod products;
mod sign_in;

use http::Method;

use crate::page_spec::{PageSpec, Visitor};

/// A page that reads.
macro_rules! page {
    ($name:literal, $path:literal, $visitor:expr, $show:path) => {
        PageSpec {
            name: $name,
            method: Method::GET,
            path: $path,
            visitor: $visitor,
            show: |visit| Box::pin($show(visit)),
        }
    };
}

/// What a form does.
macro_rules! form {
    ($name:literal, $path:literal, $visitor:expr, $show:path) => {
        PageSpec {
            name: $name,
            method: Method::POST,
            path: $path,
            visitor: $visitor,
            show: |visit| Box::pin($show(visit)),
        }
    };
}

/// All pages of shops.
pub static PAGES: [PageSpec; 11] = [
    page!("shop.products", "/shop/{tenant}", Visitor::Member, products::show),
    page!("shop.product", "/shop/{tenant}/products/{id}", Visitor::Member, product::show),
    page!("shop.order.confirm", "/shop/{tenant}/order", Visitor::Member, order::confirm),
    form!("shop.order.place", "/shop/{tenant}/orders", Visitor::Member, order::place),
    page!("shop.orders", "/shop/{tenant}/orders", Visitor::Member, orders::list),
    page!("shop.order", "/shop/{tenant}/orders/{id}", Visitor::Member, orders::show),
    form!("shop.order.cancel", "/shop/{tenant}/orders/{id}/cancel", Visitor::Member, orders::cancel),
    page!("shop.points", "/shop/{tenant}/points", Visitor::Member, points::show),
    page!("shop.sign_in", "/shop/{tenant}/sign-in", Visitor::Anyone, sign_in::show),
    form!("shop.sign_in.open", "/shop/{tenant}/sign-in", Visitor::Anyone, sign_in::open),
    form!("shop.sign_out", "/shop/{tenant}/sign-out", Visitor::Member, sign_in::sign_out),
];

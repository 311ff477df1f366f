//! What customers do themselves, by the interface and on pages: they look at gifts, at their points and orders, and cancel orders. Their requests
//! count toward the limits of the tenant.

mod cancel_own_order;
mod list_products;
mod point_history;
mod rate_limit;
mod show_own_order;

pub use cancel_own_order::cancel_own_order;
pub use list_products::{ProductList, ProductListQuery, list_products, search_titles};
pub use point_history::{PointHistory, point_history};
pub use rate_limit::{Counted, RateLimit, count_request};
pub use show_own_order::show_own_order;

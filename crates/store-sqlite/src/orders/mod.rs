//! Orders: points for pieces of a product.

mod most_ordered;
pub(crate) mod order_row;

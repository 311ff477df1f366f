//! Reads and writes orders for commands, and finds the most ordered products.

mod most_ordered;
pub(crate) mod order_row;

//! Reads and writes orders.

mod most_ordered;
pub(crate) mod order_row;

//! How clients see the catalogue.

/// How clients see the catalogue; a change makes a new snapshot from all products.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SnapshotOptions {
    /// Limited stock at or below this many pieces, and not sold out, is low.
    pub low_stock_threshold: u32,
    /// Whether sold-out products leave the list. They can still be looked at one by one.
    pub hide_sold_out: bool,
}

//! The audit of one tenant's stock: compares the counts in each product's row with its orders.

use std::collections::HashMap;
use std::fmt;

use pointbook_domain::{OrderId, OrderStatus, ProductId};
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, RowReader, TenantData, read_all};
use pointbook_store::schema::rows::{OrderedPieces, StockRow};

/// The result of an audit of one tenant's stock.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StockReport {
    /// The number of products, retired ones included.
    pub products: u64,
    pub differences: u64,
}

/// A count of a product that does not agree with its orders.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockDifference {
    pub product_id: ProductId,
    pub fault: StockFault,
}

/// What is wrong with a product's counts. All numbers are pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockFault {
    /// The stock is not the supplied pieces minus the pieces that orders took.
    Stock {
        stored: i64,
        /// The stock and the pieces that orders took, as the product's row says.
        supplied: i64,
        /// The pieces that orders took and did not return.
        taken: i64,
    },
    /// Orders took more pieces than were supplied, and the stock agrees with that.
    Negative { stored: i64 },
    /// The stock is unlimited, and the row counts other pieces as taken than orders took.
    Taken { counted: i64, taken: i64 },
    /// The reserved pieces differ from the pieces of placed orders.
    Reserved { stored: i64, placed: i64 },
}

impl fmt::Display for StockDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "product {:?}: {}", self.product_id.as_str(), self.fault)
    }
}

impl fmt::Display for StockFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stock { stored, supplied, taken } => {
                write!(f, "stock is {stored} but {supplied} were supplied and orders took {taken}")
            }
            Self::Negative { stored } => write!(f, "stock is {stored}, below nothing"),
            Self::Taken { counted, taken } => {
                write!(f, "{counted} pieces count as taken but orders took {taken}")
            }
            Self::Reserved { stored, placed } => {
                write!(f, "{stored} pieces are reserved but the placed orders hold {placed}")
            }
        }
    }
}

/// The counts of a product, and the sums of its orders. All numbers are pieces.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StockCount {
    pub product_id: ProductId,
    /// `None` when it is unlimited.
    pub stock: Option<i64>,
    /// The stock and the pieces that orders took.
    pub supplied: i64,
    pub reserved: i64,
    /// Those in placed orders.
    pub placed: i64,
    /// Those that orders took from the stock and did not return.
    pub taken: i64,
}

const ROWS_PER_READ: u32 = 1_000;

/// Recomputes the counts of every product, and passes each fault to `each`, by product id.
pub async fn audit_stock(
    data: &dyn TenantData,
    mut each: impl FnMut(&StockDifference) + Send,
) -> StoreResult<StockReport> {
    let counts = stock_counts(data).await?;
    let mut report = StockReport { products: counts.len() as u64, differences: 0 };
    for count in &counts {
        for fault in [stock_fault(count), reserved_fault(count)].into_iter().flatten() {
            report.differences += 1;
            each(&StockDifference { product_id: count.product_id.clone(), fault });
        }
    }
    Ok(report)
}

/// The counts of all products, retired ones included, by id, with the sums of all orders of the same moment. Keeps one count for each
/// product in memory, and never all orders.
pub async fn stock_counts(data: &dyn TenantData) -> StoreResult<Vec<StockCount>> {
    let moment = data.row_snapshot().await?;
    let mut sums = sums_of_orders(&*moment).await?;
    let (mut counts, mut after) = (Vec::new(), None);
    loop {
        let rows = Query::of::<StockRow>("stock_counts", &["id"]).after(after.as_ref()).limit(ROWS_PER_READ);
        let rows: Vec<StockRow> = read_all(&*moment, rows).await?;
        let Some(last) = rows.last() else { return Ok(counts) };
        after = Some(last.id.clone());
        counts.extend(rows.into_iter().map(|StockRow { id, stock, stock_supplied, reserved }| {
            let Pieces { placed, taken } = sums.remove(id.as_str()).unwrap_or_default();
            StockCount { product_id: id, stock, supplied: stock_supplied, reserved, placed, taken }
        }));
    }
}

#[derive(Default)]
struct Pieces {
    placed: i64,
    taken: i64,
}

/// The pieces of the orders of each product.
async fn sums_of_orders(moment: &dyn RowReader) -> StoreResult<HashMap<String, Pieces>> {
    let (mut sums, mut after) = (HashMap::<String, Pieces>::new(), None::<OrderId>);
    loop {
        let orders =
            Query::of::<OrderedPieces>("stock_sums", &["id"]).after(after.as_ref()).limit(ROWS_PER_READ);
        let orders: Vec<OrderedPieces> = read_all(moment, orders).await?;
        let Some(last) = orders.last() else { return Ok(sums) };
        after = Some(last.id.clone());
        for OrderedPieces { id: _, product_id, quantity, takes_stock, status } in orders {
            let sum = sums.entry(product_id).or_default();
            let pieces = |counts: bool| if counts { quantity } else { 0 };
            sum.placed = sum.placed.saturating_add(pieces(status == OrderStatus::Placed.as_str()));
            let is_kept = status != OrderStatus::Cancelled.as_str();
            sum.taken = sum.taken.saturating_add(pieces(takes_stock && is_kept));
        }
    }
}

fn stock_fault(count: &StockCount) -> Option<StockFault> {
    let StockCount { stock, supplied, taken, .. } = *count;
    match stock {
        None => (supplied != taken).then_some(StockFault::Taken { counted: supplied, taken }),
        Some(stored) if supplied.checked_sub(taken) != Some(stored) => {
            Some(StockFault::Stock { stored, supplied, taken })
        }
        Some(stored) => (stored < 0).then_some(StockFault::Negative { stored }),
    }
}

fn reserved_fault(count: &StockCount) -> Option<StockFault> {
    let (stored, placed) = (count.reserved, count.placed);
    (stored != placed).then_some(StockFault::Reserved { stored, placed })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 10 supplied, 4 taken, 3 of them in placed orders.
    fn count() -> StockCount {
        StockCount {
            product_id: ProductId::new("mug").unwrap(),
            stock: Some(6),
            supplied: 10,
            reserved: 3,
            placed: 3,
            taken: 4,
        }
    }

    #[test]
    fn counts_that_agree_are_fine() {
        let unlimited = StockCount { stock: None, supplied: 4, ..count() };
        for count in [count(), unlimited] {
            assert_eq!((stock_fault(&count), reserved_fault(&count)), (None, None));
        }
    }

    #[test]
    fn a_stock_that_orders_do_not_explain_is_a_fault() {
        let wrong = StockCount { stock: Some(7), ..count() };
        assert_eq!(stock_fault(&wrong), Some(StockFault::Stock { stored: 7, supplied: 10, taken: 4 }));
        let beyond = StockCount { supplied: i64::MIN, ..count() };
        assert!(matches!(stock_fault(&beyond), Some(StockFault::Stock { .. })));
    }

    #[test]
    fn a_stock_below_nothing_is_a_fault() {
        let wrong = StockCount { stock: Some(-1), taken: 11, ..count() };
        assert_eq!(stock_fault(&wrong), Some(StockFault::Negative { stored: -1 }));
    }

    #[test]
    fn pieces_of_an_unlimited_stock_that_orders_do_not_hold_are_a_fault() {
        let wrong = StockCount { stock: None, supplied: 5, ..count() };
        assert_eq!(stock_fault(&wrong), Some(StockFault::Taken { counted: 5, taken: 4 }));
    }

    #[test]
    fn reserved_pieces_without_their_orders_are_a_fault() {
        let wrong = StockCount { reserved: -1, ..count() };
        assert_eq!(reserved_fault(&wrong), Some(StockFault::Reserved { stored: -1, placed: 3 }));
    }
}

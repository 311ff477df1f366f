//! The audit of one tenant's stock: compares the counts in each product's row with its orders.

use std::fmt;

use pointbook_domain::ProductId;
use pointbook_store::StoreResult;
use pointbook_store::ports::{StockCount, TenantData};

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
        /// All pieces that the operator ever put in.
        supplied: i64,
        /// The pieces that orders took and did not return.
        taken: i64,
    },
    /// Orders took more pieces than were supplied, and the stock agrees with that.
    Negative { stored: i64 },
    /// The stock is unlimited and the supply is not, or the reverse.
    HalfLimited,
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
            Self::HalfLimited => f.write_str("stock and supply are not limited both"),
            Self::Reserved { stored, placed } => {
                write!(f, "{stored} pieces are reserved but the placed orders hold {placed}")
            }
        }
    }
}

const PRODUCTS_PER_READ: u32 = 1_000;

/// Recomputes the counts of every product, and passes each fault to `each`, by product id.
pub async fn audit_stock(
    data: &dyn TenantData,
    mut each: impl FnMut(&StockDifference) + Send,
) -> StoreResult<StockReport> {
    let mut report = StockReport::default();
    let mut after = None;
    loop {
        let counts = data.stock_counts(after.as_ref(), PRODUCTS_PER_READ).await?;
        for count in &counts {
            let product_id = &count.product_id;
            for fault in [stock_fault(count), reserved_fault(count)].into_iter().flatten() {
                report.differences += 1;
                each(&StockDifference { product_id: product_id.clone(), fault });
            }
        }
        report.products += counts.len() as u64;
        match counts.into_iter().next_back() {
            Some(last) => after = Some(last.product_id),
            None => return Ok(report),
        }
    }
}

fn stock_fault(count: &StockCount) -> Option<StockFault> {
    let taken = count.taken_pieces;
    match (count.stock, count.supplied) {
        (None, None) => None,
        (Some(_), None) | (None, Some(_)) => Some(StockFault::HalfLimited),
        (Some(stored), Some(supplied)) if supplied.checked_sub(taken) != Some(stored) => {
            Some(StockFault::Stock { stored, supplied, taken })
        }
        (Some(stored), Some(_)) => (stored < 0).then_some(StockFault::Negative { stored }),
    }
}

fn reserved_fault(count: &StockCount) -> Option<StockFault> {
    let (stored, placed) = (count.reserved, count.placed_pieces);
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
            supplied: Some(10),
            reserved: 3,
            placed_pieces: 3,
            taken_pieces: 4,
        }
    }

    #[test]
    fn counts_that_agree_are_fine() {
        let unlimited = StockCount { stock: None, supplied: None, ..count() };
        for count in [count(), unlimited] {
            assert_eq!((stock_fault(&count), reserved_fault(&count)), (None, None));
        }
    }

    #[test]
    fn a_stock_that_orders_do_not_explain_is_a_fault() {
        let wrong = StockCount { stock: Some(7), ..count() };
        assert_eq!(stock_fault(&wrong), Some(StockFault::Stock { stored: 7, supplied: 10, taken: 4 }));
        let beyond = StockCount { supplied: Some(i64::MIN), ..count() };
        assert!(matches!(stock_fault(&beyond), Some(StockFault::Stock { .. })));
    }

    #[test]
    fn a_stock_below_nothing_is_a_fault() {
        let wrong = StockCount { stock: Some(-1), taken_pieces: 11, ..count() };
        assert_eq!(stock_fault(&wrong), Some(StockFault::Negative { stored: -1 }));
    }

    #[test]
    fn a_supply_without_a_stock_is_a_fault_and_the_other_way_round() {
        for wrong in [StockCount { stock: None, ..count() }, StockCount { supplied: None, ..count() }] {
            assert_eq!(stock_fault(&wrong), Some(StockFault::HalfLimited));
        }
    }

    #[test]
    fn reserved_pieces_without_their_orders_are_a_fault() {
        let wrong = StockCount { reserved: -1, ..count() };
        assert_eq!(reserved_fault(&wrong), Some(StockFault::Reserved { stored: -1, placed: 3 }));
    }
}

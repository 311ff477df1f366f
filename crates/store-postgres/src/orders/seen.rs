//! When clients see another catalogue because of an order.

use pointbook_domain::ProductId;
use pointbook_domain::product::Availability;

use crate::catalogue::NextVersion;
use crate::connection::Transaction;
use crate::error::{Outcome, StoreFailure};
use crate::row::{Record, count};

/// What was read of a product and its catalogue, without a lock. Whatever changes the product for clients
/// or by the operator's hand stamps it with another version: its price, its end, a limit to its stock, the
/// class of its stock, another threshold. While it has this version, orders alone changed it, and only
/// the number of its pieces.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) version: i64,
    low_stock_threshold: u32,
}

impl Seen {
    /// Reads a row that has the product's version and the tenant's threshold at these places.
    pub(super) fn read(record: &Record<'_>, version: usize, threshold: usize) -> Outcome<Self> {
        Ok(Self { version: record.get(version)?, low_stock_threshold: record.read(threshold, count)? })
    }

    /// Takes the next version of the catalogue if clients will see this change of a stock. Before the
    /// product's row is locked, as everybody does who takes both; most orders change a number that
    /// clients do not see, and keep out of each other's way.
    pub(super) async fn foresee(
        self,
        database: &Transaction,
        tenant: &str,
        change: Change,
    ) -> Outcome<Option<NextVersion>> {
        Ok(if self.is_shown(change) { Some(NextVersion::take(database, tenant).await?) } else { None })
    }

    /// Stamps the product and raises the catalogue to what was foreseen if clients see the change as it came
    /// out; true then. Fails where that was not foreseen, because other orders moved the stock meanwhile.
    pub(super) async fn show(
        self,
        database: &Transaction,
        tenant: &str,
        product: &ProductId,
        change: Change,
        foreseen: Option<NextVersion>,
    ) -> Outcome<bool> {
        if !self.is_shown(change) {
            return Ok(false);
        }
        let next = foreseen.ok_or(StoreFailure::Overtaken)?;
        let stamp = "UPDATE products SET version = $3 WHERE tenant_id = $1 AND id = $2";
        database.execute(stamp, &[&tenant, &product.as_str(), &next.stamp()]).await?;
        next.raise(database, tenant).await?;
        Ok(true)
    }

    /// Whether clients see this change.
    pub(super) fn is_shown(self, change: Change) -> bool {
        let class = |stock| Availability::of(stock, self.low_stock_threshold);
        class(change.from) != class(change.to)
    }
}

/// How many pieces are left before and after an order.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) from: Option<u32>,
    pub(super) to: Option<u32>,
}

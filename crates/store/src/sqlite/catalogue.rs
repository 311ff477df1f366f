//! The pieces that orders took.

use pointbook_domain::ProductId;
use rusqlite::Connection;

use crate::sqlite::error::Outcome;
use crate::sqlite::row;

/// How many pieces orders took out of the limited stock of a product and did not return.
pub(crate) fn taken_pieces(database: &Connection, tenant: &str, id: &ProductId) -> Outcome<i64> {
    let select = "SELECT coalesce(sum(quantity), 0) FROM orders
         WHERE tenant_id = ?1 AND product_id = ?2 AND status IN ('placed', 'fulfilled') AND takes_stock = 1";
    let pieces: Option<(i64,)> = row::one_of(("orders", 0), database, select, [tenant, id.as_str()])?;
    Ok(pieces.map_or(0, |(pieces,)| pieces))
}

//! Saving what commands left behind, in one round trip.

use pointbook_app::commands::Changes;

use super::accounts::AccountColumns;
use super::days::DayColumns;
use super::{orders, stock};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::ledger::transaction_row::RowColumns;
use crate::once;
use crate::pipeline::both;

/// Saves all of it. New users are inserted in one round trip before, since all rows of theirs refer to them. The
/// keys of requests come last: a transaction that has taken one waits for nothing but the disk.
pub(super) async fn changes(database: &Transaction, tenant: &str, changes: Changes) -> Outcome<()> {
    let raises_catalogue = changes.raises_catalogue();
    let Changes { accounts, entries, days, stocks, new_orders, closed_orders, responses, key_uses } = changes;
    let (new_users, known_users) = AccountColumns::of(&accounts);
    let (entries, days) = (RowColumns::of(&entries)?, DayColumns::of(&days));
    new_users.insert(database, tenant).await?;
    let ledger = both(
        entries.insert(database, tenant),
        both(known_users.update(database, tenant), days.upsert(database, tenant)),
    );
    // Before the orders, whose foreign keys would share the rows of products with others first.
    let stock = stock::save(database, tenant, &stocks, raises_catalogue);
    let orders =
        both(orders::insert(database, tenant, &new_orders), orders::close(database, tenant, &closed_orders));
    let keys =
        both(once::keep_all(database, tenant, &responses), once::touch_all(database, tenant, &key_uses));
    both(ledger, both(stock, both(orders, keys))).await?;
    Ok(())
}

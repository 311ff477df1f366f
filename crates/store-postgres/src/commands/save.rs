//! Saving what commands left behind, in one round trip.

use pointbook_app::commands::Changes;
use pointbook_schema::rows::NewUser;

use super::{accounts, catalogue, entries, keys, orders, tokens};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::pipeline::both;
use crate::users;

/// Saves all of it. New users are inserted in one round trip before, since all rows of theirs refer to them. The
/// keys of requests come last: a transaction that has taken one waits for nothing but the disk.
pub(super) async fn changes(database: &Transaction, tenant: &str, changes: &Changes) -> Outcome<()> {
    let Changes {
        accounts: states,
        entries: rows,
        days,
        stocks: _,
        new_orders,
        closed_orders,
        new_users,
        ..
    } = changes;
    let Changes { changed_users, tokens, revoked_tokens, responses, key_uses, .. } = changes;
    accounts::insert(database, tenant, states).await?;
    let new_users: Vec<_> = new_users.iter().map(NewUser::from).collect();
    users::insert(database, tenant, &new_users).await?;
    let ledger = both(
        entries::insert(database, tenant, rows),
        both(accounts::update(database, tenant, states), entries::add_to_days(database, tenant, days)),
    );
    // Before the orders, whose foreign keys would share the rows of products with others first.
    let catalogue = catalogue::save(database, tenant, changes);
    let orders =
        both(orders::insert(database, tenant, new_orders), orders::close(database, tenant, closed_orders));
    let keys = both(keys::keep_all(database, tenant, responses), keys::touch_all(database, tenant, key_uses));
    let profiles = both(
        users::update(database, tenant, changed_users),
        both(tokens::store(database, tenant, tokens), tokens::revoke(database, tenant, revoked_tokens)),
    );
    both(both(ledger, profiles), both(catalogue, both(orders, keys))).await?;
    Ok(())
}

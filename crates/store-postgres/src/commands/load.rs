//! Loading what commands need, in one round trip.

use pointbook_app::commands::{Facts, Needs};
use pointbook_domain::{Order, User};
use tokio_postgres::Row;

use super::hold::Hold;
use super::{accounts, entries, orders, stock, tokens};
use crate::connection::Transaction;
use crate::error::Outcome;
use crate::pipeline::both;
use crate::{row, users};

/// What the database has of some needs, as rows.
#[derive(Default)]
pub(super) struct Loaded {
    orders: Vec<Row>,
    accounts: Vec<Row>,
    entries: Vec<Row>,
    products: Vec<Row>,
    order_names: Vec<Row>,
    users: Vec<Row>,
    tokens: Vec<Row>,
    tokens_of: Vec<Vec<Row>>,
}

/// Asks for all of it without waiting in between. Orders and accounts are locked first, so that the rest is of a
/// moment at which no other transaction changes them.
pub(super) async fn rows(database: &Transaction, tenant: &str, needs: &Needs, hold: Hold) -> Outcome<Loaded> {
    let Needs { accounts, entries, order_names, orders, products, users, tokens, tokens_of, .. } = needs;
    let locked =
        both(orders::hold(database, tenant, orders, hold), accounts::hold(database, tenant, accounts, hold));
    let profiles = both(
        users::hold(database, tenant, users, hold),
        both(
            tokens::hold(database, tenant, tokens, hold),
            tokens::hold_those_of(database, tenant, tokens_of),
        ),
    );
    let named = both(stock::find(database, tenant, products), orders::known(database, tenant, order_names));
    let found = both(entries::find(database, tenant, entries), named);
    let (((orders, accounts), (users, (tokens, tokens_of))), (entries, (products, order_names))) =
        both(both(locked, profiles), found).await?;
    Ok(Loaded { orders, accounts, entries, products, order_names, users, tokens, tokens_of })
}

impl Loaded {
    /// Puts it all among the facts: what was asked for and not found is absent, unless it is perhaps locked by another
    /// transaction.
    pub(super) fn put(self, needs: Needs, hold: Hold, facts: &mut Facts) -> Outcome<()> {
        for row in &self.orders {
            let order = row::read::<Order>(row)?;
            facts.put_order(order.id.clone(), Some(order));
        }
        accounts::put(&self.accounts, facts)?;
        entries::put(&self.entries, hold, facts)?;
        stock::put(&self.products, facts)?;
        orders::put_names(&self.order_names, facts)?;
        for row in &self.users {
            let user = row::read::<User>(row)?;
            facts.put_user(user.id.clone(), Some(user));
        }
        tokens::put(&self.tokens, facts)?;
        tokens::put_those_of(&needs.tokens_of, &self.tokens_of, facts)?;
        facts.put_absent(needs, hold == Hold::Waiting);
        Ok(())
    }
}

//! Orders of users in turn, one piece each.

use std::time::Instant;

use anyhow::{Result, ensure};
use futures_util::future::try_join3;
use tokio_postgres::{Client, Row, Statement};

use super::ledger::{Columns, Ledger};
use super::{Worker, begin, now_micros, statements};

/// The prepared statements of one connection.
struct Orders {
    ledger: Ledger,
    find_offer: Statement,
    add_order: Statement,
    take_stock: Statement,
}

/// An order to place.
struct Order {
    id: String,
    number: String,
    at: i64,
    user: String,
    product: String,
}

/// The ordered products. `cargo benchmark` adds them with unlimited stock and a price of one point.
#[derive(Clone, Copy)]
pub(super) enum Wanted {
    /// Each user orders the product with the user's number.
    TheirOwn,
    /// All users order the same product.
    One,
}

/// Orders until the given time. Returns the number of orders.
pub(super) async fn place(mut worker: Worker, wanted: Wanted, until: Instant) -> Result<usize> {
    let orders = Orders::prepare(&worker.client).await?;
    let mut count = 0;
    while Instant::now() < until {
        for user in worker.turns.next(1) {
            let product = match wanted {
                Wanted::TheirOwn => user.replace("buyer", "ORDERED"),
                Wanted::One => "ORDERED".to_owned(),
            };
            let (id, at) = (worker.ids.next()?, now_micros()?);
            let order = Order { number: scattered(&id)?, id, at, user, product };
            orders.place(&worker.client, &worker.tenant, &order).await?;
            count += 1;
        }
    }
    Ok(count)
}

impl Orders {
    async fn prepare(client: &Client) -> Result<Self> {
        Ok(Self {
            ledger: Ledger::prepare(client).await?,
            find_offer: client.prepare(statements::FIND_OFFER).await?,
            add_order: client.prepare(statements::ADD_ORDER).await?,
            take_stock: client.prepare(statements::TAKE_STOCK).await?,
        })
    }

    async fn place(&self, client: &Client, tenant: &str, order: &Order) -> Result<()> {
        let Order { id, at, user, product, .. } = order;
        let mut columns = Columns::default();
        columns.push(user, id.clone(), *at, -1)?;
        let offer =
            async { Ok(client.query_one(&self.find_offer, &[&tenant, &vec![product.as_str()]]).await?) };
        let held = self.ledger.hold(client, tenant, &columns);
        let ((), states, offer) = try_join3(begin(client), held, offer).await?;
        try_join3(
            self.ledger.write(client, tenant, &columns, &states),
            self.take(client, tenant, order, offer.get(11)),
            self.add(client, tenant, order, &offer),
        )
        .await?;
        Ok(client.batch_execute("COMMIT").await?)
    }

    async fn add(&self, client: &Client, tenant: &str, order: &Order, offer: &Row) -> Result<()> {
        let Order { id, number, at, user, product } = order;
        let (sku, title, price): (&str, &str, i64) = (offer.get(1), offer.get(2), offer.get(3));
        let none = None::<i64>;
        client
            .execute(
                &self.add_order,
                &[
                    &tenant,
                    &vec![id],
                    &vec![number],
                    &vec![user],
                    &vec![product],
                    &vec![sku],
                    &vec![title],
                    &vec![price],
                    &vec![1_i64],
                    &vec![price],
                    &vec![false],
                    &vec!["placed"],
                    &vec![*at],
                    &vec![none],
                    &vec![none],
                ],
            )
            .await?;
        Ok(())
    }

    async fn take(&self, client: &Client, tenant: &str, order: &Order, version: i64) -> Result<()> {
        let (none, zero) = (vec![None::<i64>], vec![0_i64]);
        // The stock is unlimited, so the order only reserves a piece, and the version is the guard.
        let (product, reserved, version) = (vec![&order.product], vec![1_i64], vec![version]);
        let taken = client
            .execute(
                &self.take_stock,
                &[&tenant, &product, &zero, &reserved, &zero, &none, &version, &none, &none, &none, &none],
            )
            .await?;
        ensure!(taken == 1, "another writer changed the product");
        Ok(())
    }
}

/// A number as long as an order's number, and as random in its index.
fn scattered(id: &str) -> Result<String> {
    let both = u128::from_str_radix(id, 16)?.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    Ok(format!("{both:032x}").chars().take(14).collect())
}

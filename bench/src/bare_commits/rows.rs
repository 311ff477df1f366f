//! Writes the rows of one request after another.

use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Result, ensure};
use rusqlite::{Connection, params};

const DAY_MICROS: i64 = 86_400_000_000;

/// The step from one user to the next, as in `cargo benchmark`. Neighbours would share database pages.
const STRIDE: usize = 7_919;

/// The ordered product: of unlimited stock, for one point.
const PRODUCT: &str = "ORDERED";

/// A user with the `seq` of the newest row.
struct User {
    id: String,
    balance: i64,
    last_seq: i64,
}

/// Writes for one user after the other. It keeps the users' states, so that it need not read them.
pub(super) struct Rows<'c> {
    connection: &'c Connection,
    tenant: String,
    orders: bool,
    users: Vec<User>,
    written: usize,
}

impl<'c> Rows<'c> {
    pub(super) fn new(connection: &'c Connection, orders: bool, prefix: &str) -> Result<Self> {
        let tenant: String = connection.query_row("SELECT id FROM tenants", [], |row| row.get(0))?;
        let mut select = connection.prepare(
            "SELECT id, balance, last_seq FROM users WHERE tenant_id = ?1 AND substr(id, 1, length(?2)) = ?2",
        )?;
        let user = |row: &rusqlite::Row<'_>| {
            Ok(User { id: row.get(0)?, balance: row.get(1)?, last_seq: row.get(2)? })
        };
        let users: Vec<User> = select.query_map([&tenant, prefix], user)?.collect::<Result<_, _>>()?;
        ensure!(!users.is_empty(), "no user's id begins with {prefix}");
        Ok(Self { connection, tenant, orders, users, written: 0 })
    }

    /// Writes the rows of one request.
    pub(super) fn write(&mut self) -> Result<()> {
        let place = self.written * STRIDE % self.users.len();
        self.written += 1;
        let at = now_micros()?;
        let id = format!("{at:016x}{:016x}", self.written);
        let points = if self.orders { -1 } else { 10 };
        if let Some(user) = self.users.get_mut(place) {
            user.balance += points;
            user.last_seq += 1;
            add_transaction(self.connection, &self.tenant, user, &Row { id: &id, at, points })?;
            if self.orders {
                add_order(self.connection, &self.tenant, user, &Row { id: &id, at, points })?;
            }
        }
        Ok(())
    }
}

struct Row<'r> {
    id: &'r str,
    at: i64,
    points: i64,
}

/// Writes the ledger row, the day's count and the user's state.
fn add_transaction(connection: &Connection, tenant: &str, user: &User, row: &Row<'_>) -> Result<()> {
    let Row { id, at, points } = row;
    let kind = if *points < 0 { "order" } else { "code" };
    // A fake hash of 32 bytes: it takes the same space on the disk as a real one.
    let mut hash = [0x5a_u8; 32];
    for (byte, digit) in hash.iter_mut().zip(id.bytes()) {
        *byte ^= digit;
    }
    connection
        .prepare_cached(
            "INSERT INTO transactions (tenant_id, user_id, created_at, id, type, source_id, points, bonus_points,
                 bonus_breakdown, title, subtitle, recorded_at, seq, balance_after, hash)
             VALUES (?1, ?2, ?3, ?4, ?5, ?4, ?6, 0, '[]', 'QR code scan', 'Item 12345', ?3, ?7, ?8, ?9)",
        )?
        .execute(params![tenant, user.id, at, id, kind, points, user.last_seq, user.balance, hash])?;
    connection
        .prepare_cached(
            "INSERT INTO history_days (tenant_id, user_id, day, transaction_count) VALUES (?1, ?2, ?3, 1)
             ON CONFLICT (tenant_id, user_id, day) DO UPDATE SET transaction_count = transaction_count + 1",
        )?
        .execute(params![tenant, user.id, at / DAY_MICROS])?;
    connection
        .prepare_cached(
            "UPDATE users SET balance = ?3, last_seq = ?4, last_hash = ?5 WHERE tenant_id = ?1 AND id = ?2",
        )?
        .execute(params![tenant, user.id, user.balance, user.last_seq, hash])?;
    Ok(())
}

/// Writes the order, and reserves its piece.
fn add_order(connection: &Connection, tenant: &str, user: &User, row: &Row<'_>) -> Result<()> {
    connection
        .prepare_cached(
            "INSERT INTO orders (tenant_id, id, number, user_id, product_id, product_sku, product_title,
                 product_price, quantity, points, takes_stock, status, created_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?5, 1, 1, 1, 0, 'placed', ?6)",
        )?
        .execute(params![tenant, row.id, scattered(row.at), user.id, PRODUCT, row.at])?;
    connection
        .prepare_cached("UPDATE products SET reserved = reserved + 1 WHERE tenant_id = ?1 AND id = ?2")?
        .execute(params![tenant, PRODUCT])?;
    Ok(())
}

/// A number as long as an order's number, and as random in its index.
fn scattered(at: i64) -> String {
    format!("{:014x}", at.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 8)
}

#[expect(clippy::disallowed_methods, reason = "rows lie in time as those of a server do")]
fn now_micros() -> Result<i64> {
    Ok(i64::try_from(SystemTime::now().duration_since(UNIX_EPOCH)?.as_micros())?)
}

//! Copies of the statements of `crates/store-postgres`, from the named files. A test keeps them equal.

/// Selects the only tenant.
pub(super) const TENANT: &str = "SELECT id FROM tenants";

/// Selects users by the prefix of their ids.
pub(super) const USERS: &str =
    "SELECT id FROM users WHERE tenant_id = $1 AND starts_with(id, $2) ORDER BY id";

/// `access.rs`: begins a writing transaction, with the default limits.
pub(super) const BEGIN: &str = "BEGIN; SET LOCAL lock_timeout = 1000; SET LOCAL statement_timeout = 8000; \
         SET LOCAL idle_in_transaction_session_timeout = 10000; SET LOCAL plan_cache_mode = force_generic_plan";

/// `ledger/history.rs`.
pub(super) const HISTORY_PAGE: &str = "WITH days AS (
        SELECT day FROM history_days WHERE tenant_id = $1 AND user_id = $2 ORDER BY day DESC LIMIT $3 OFFSET $4
    )
    SELECT users.id, transactions.id, transactions.created_at, transactions.type, transactions.source_id,
        transactions.points, transactions.bonus_breakdown, transactions.title, transactions.subtitle, balance, day_count,
        type = 'order' AND EXISTS (
            SELECT 1 FROM orders WHERE orders.tenant_id = $1
                AND orders.id IN (source_id, CASE WHEN source_id LIKE '%:refund' THEN left(source_id, -7) END)
        ) AS is_own_order
    FROM users LEFT JOIN transactions ON transactions.tenant_id = $1 AND transactions.user_id = $2
        AND transactions.created_at >= (SELECT min(day) FROM days) * 86400000000
        AND transactions.created_at < ((SELECT max(day) FROM days) + 1) * 86400000000
    WHERE users.tenant_id = $1 AND users.id = $2
    ORDER BY transactions.created_at DESC, transactions.id DESC";

/// `commands/load.rs`.
pub(super) const HOLD_USERS: &str =
    "SELECT id, balance, day_count, last_seq, last_hash, earned_counts, birth_date,
             birth_date_set_at, locale, created_at FROM users
             WHERE tenant_id = $1 AND id = ANY ($2::text[]) ORDER BY id FOR UPDATE";
/// `commands/save.rs`.
pub(super) const UPDATE_USERS: &str = "UPDATE users SET balance = given.balance, day_count = given.day_count,
                     last_seq = given.last_seq, last_hash = given.last_hash, earned_counts = given.earned_counts
                 FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bytea[], $7::text[], $8::bigint[],
                     $9::bigint[])
                     AS given (id, balance, day_count, last_seq, last_hash, earned_counts, seq_before, balance_before)
                 WHERE users.tenant_id = $1 AND users.id = given.id
                     AND users.last_seq = given.seq_before AND users.balance = given.balance_before";

/// `commands/load.rs`.
pub(super) const SEE: &str =
    "SELECT given.user_id, standing.seq, standing.id, standing.created_at, standing.type,
        standing.source_id, standing.points, standing.bonus_breakdown, standing.title, standing.subtitle,
        standing.attributes, standing.bonus_origin, begun.day, known.last_seq
    FROM unnest($2::text[], $3::text[], $4::text[], $5::integer[]) AS given (user_id, type, source_id, day)
    CROSS JOIN LATERAL (
        SELECT last_seq FROM users WHERE tenant_id = $1 AND id = given.user_id LIMIT 1
    ) AS known
    LEFT JOIN LATERAL (
        SELECT history_days.day FROM history_days
        WHERE tenant_id = $1 AND user_id = given.user_id AND history_days.day = given.day LIMIT 1
    ) AS begun ON TRUE
    LEFT JOIN LATERAL (
        SELECT seq, transactions.id, transactions.created_at, transactions.type, transactions.source_id,
            transactions.points, transactions.bonus_breakdown, transactions.title, transactions.subtitle,
            transactions.attributes, transactions.bonus_origin
        FROM transactions
        WHERE tenant_id = $1 AND user_id = given.user_id AND transactions.type = given.type
            AND transactions.source_id = given.source_id LIMIT 1
    ) AS standing ON TRUE";

/// `pointbook_schema` generates it for `commands/save.rs`.
pub(super) const ADD_TRANSACTIONS: &str =
    "INSERT INTO transactions (tenant_id, user_id, seq, id, created_at, type, source_id, points, bonus_breakdown,
         title, subtitle, attributes, bonus_origin, bonus_points, balance_after, recorded_at, hash)
     SELECT own.tenant_id, given.user_id, given.seq, given.id, given.created_at, given.type, given.source_id,
         given.points, given.bonus_breakdown, given.title, given.subtitle, given.attributes, given.bonus_origin,
         given.bonus_points, given.balance_after, given.recorded_at, given.hash
     FROM catalogue_versions AS own CROSS JOIN unnest($2::text[], $3::bigint[], $4::text[], $5::bigint[], $6::text[], $7::text[], $8::bigint[],
         $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::bigint[], $15::bigint[], $16::bigint[], $17::bytea[])
         AS given (user_id, seq, id, created_at, type, source_id, points, bonus_breakdown,
         title, subtitle, attributes, bonus_origin, bonus_points, balance_after, recorded_at, hash) WHERE own.tenant_id = $1";
/// `commands/save.rs`.
pub(super) const ADD_DAYS: &str = "INSERT INTO history_days (tenant_id, user_id, day, transaction_count)
         SELECT own.tenant_id, given.user_id, given.day, given.added
         FROM catalogue_versions AS own CROSS JOIN unnest($2::text[], $3::bigint[], $4::bigint[])
             AS given (user_id, day, added)
         WHERE own.tenant_id = $1
         ON CONFLICT (tenant_id, user_id, day)
         DO UPDATE SET transaction_count = history_days.transaction_count + excluded.transaction_count";

/// `commands/load.rs`.
pub(super) const FIND_OFFER: &str =
    "SELECT products.id, products.sku, products.title, products.regular_price, products.sale_price,
             products.stock, products.popular, products.published_at, products.active, products.retired_at,
             products.reserved, products.version, low_stock_threshold
         FROM products LEFT JOIN catalogue_versions ON catalogue_versions.tenant_id = $1
         WHERE products.tenant_id = $1 AND id = ANY ($2::text[])";
/// `commands/catalogue.rs`.
pub(super) const TAKE_STOCK: &str = "UPDATE products SET stock = products.stock + given.stock,
             reserved = products.reserved + given.reserved,
             stock_supplied = products.stock_supplied + given.supplied,
             version = coalesce(given.stamp, products.version)
         FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[], $6::bigint[], $7::bigint[],
                 $8::bigint[], $9::bigint[], $10::bigint[], $11::bigint[])
             AS given (id, stock, reserved, supplied, stamp, version, least, most, least_after, most_after)
         WHERE products.tenant_id = $1 AND products.id = given.id
             AND products.reserved + given.reserved >= 0
             AND (given.version IS NULL OR products.version = given.version)
             AND (given.least IS NULL OR products.stock BETWEEN given.least AND given.most)
             AND (given.least_after IS NULL
                 OR products.stock + given.stock BETWEEN given.least_after AND given.most_after)";

/// `pointbook_schema` generates it for `commands/save.rs`.
pub(super) const ADD_ORDER: &str =
    "INSERT INTO orders (tenant_id, id, number, user_id, product_id, product_sku, product_title,
         product_price, quantity, points, takes_stock, status, created_at, fulfilled_at, cancelled_at)
     SELECT own.tenant_id, given.id, given.number, given.user_id, given.product_id, given.product_sku,
         given.product_title, given.product_price, given.quantity, given.points, given.takes_stock, given.status,
         given.created_at, given.fulfilled_at, given.cancelled_at
     FROM catalogue_versions AS own CROSS JOIN unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],
         $9::bigint[], $10::bigint[], $11::boolean[], $12::text[], $13::bigint[], $14::bigint[], $15::bigint[])
         AS given (id, number, user_id, product_id, product_sku, product_title,
         product_price, quantity, points, takes_stock, status, created_at, fulfilled_at, cancelled_at)
     WHERE own.tenant_id = $1";

#[cfg(test)]
mod tests {
    use pointbook_domain::{Order, Transaction};
    use pointbook_schema::rows::{HistoryLine, NewLedgerRow, ProductOffer, UserAccount};
    use pointbook_schema::{Dialect, Group, OnConflict, Statement};

    use super::*;

    macro_rules! store {
        ($file:literal) => {
            words(include_str!(concat!("../../../crates/store-postgres/src/", $file)))
        };
    }

    /// The text without white space and line continuations.
    fn words(text: &str) -> String {
        text.replace('\\', " ").split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The statement with `unnest` arrays of the column types.
    fn arrays(statement: &str) -> String {
        let (_, arrays) = statement.split_once("unnest(").unwrap();
        words(arrays.split_once(')').unwrap().0)
    }

    #[test]
    fn every_statement_is_in_the_store() {
        let begin = BEGIN.replace("10000", "{idle}").replace("8000", "{statement}").replace("1000", "{lock}");
        let begin = begin.replace("force_generic_plan", "{plans}");
        let hold = HOLD_USERS.split_once("FROM users").unwrap().1;
        let see = store!("commands/load.rs")
            .replace("{standing}", &Transaction::names_of("standing"))
            .replace("{transaction}", &Transaction::names_of("transactions"));
        for (statement, file) in [
            (begin.as_str(), store!("access.rs")),
            (HISTORY_PAGE, store!("ledger/history.rs").replace("{}", &HistoryLine::names_of("transactions"))),
            (hold, store!("commands/load.rs")),
            (UPDATE_USERS, store!("commands/save.rs").replace("{arrays}", &arrays(UPDATE_USERS))),
            (SEE, see),
            (ADD_DAYS, store!("commands/save.rs").replace("{arrays}", &arrays(ADD_DAYS))),
            (FIND_OFFER, store!("commands/load.rs").replace("{}", &ProductOffer::names_of("products"))),
            (TAKE_STOCK, store!("commands/catalogue.rs").replace("{arrays}", &arrays(TAKE_STOCK))),
        ] {
            assert!(file.contains(&words(statement)), "the store no longer has this statement: {statement}");
        }
        assert_eq!(words(HOLD_USERS), words(&UserAccount::select(hold)));
    }

    #[test]
    fn inserts_match_the_schema() {
        let insert = |statement: Statement| words(&statement.sql);
        let rows = Statement::insert::<NewLedgerRow<'_>>(Dialect::Postgres, OnConflict::Fail);
        assert_eq!(words(ADD_TRANSACTIONS), insert(rows));
        let orders = Statement::insert::<Order>(Dialect::Postgres, OnConflict::Fail);
        assert_eq!(words(ADD_ORDER), insert(orders));
    }
}

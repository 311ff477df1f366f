//! The statements of ports that are not generated, each one text for both databases. [`Query`](crate::schema::Query) and the statements of commands
//! generate all others.
//!
//! A text is SQL that both databases know: a boolean column is a condition, and a sum is a `BIGINT`. The first parameter is the tenant.
//! SQLite has `?` where PostgreSQL has `$`. `{columns}` stands for the columns of the rows that are read. A text that reads rows gets its
//! limit from its query.

use std::sync::OnceLock;

use crate::schema::{Column, Dialect, Table};

#[derive(Debug, PartialEq, Eq)]
pub struct Text {
    /// The name of the operation in metrics.
    pub name: &'static str,
    pub sql: &'static str,
    /// The finished statements, on SQLite and on PostgreSQL.
    built: [OnceLock<String>; 2],
}

impl Text {
    const fn new(name: &'static str, sql: &'static str) -> Self {
        Self { name, sql, built: [const { OnceLock::new() }; 2] }
    }

    /// The statement that writes.
    pub fn write(&self, dialect: Dialect) -> &str {
        self.build(dialect, || self.sql.to_owned())
    }

    /// The statement that reads these columns, which are the same for each use of a text. `given` is the number of parameters before limit
    /// and offset.
    pub fn select(&self, dialect: Dialect, columns: &[Column], given: usize) -> &str {
        self.build(dialect, || {
            let sql = self.sql.replace("{columns}", &Table::names(columns));
            format!("{sql} LIMIT ${}::bigint OFFSET ${}::bigint", given + 1, given + 2)
        })
    }

    fn build(&self, dialect: Dialect, sql: impl FnOnce() -> String) -> &str {
        let [sqlite, postgres] = &self.built;
        match dialect {
            Dialect::Sqlite => sqlite.get_or_init(|| sql().replace("::bigint", "").replace('$', "?")),
            Dialect::Postgres => postgres.get_or_init(sql),
        }
    }
}

/// All texts.
pub static TEXTS: [&Text; 5] = [&FIND_TOKEN, &CHANGED_PRODUCTS, &MOST_ORDERED, &SCHEDULE_JOB, &MAKE_JOBS_DUE];

/// A token and whether its user is shut out. Joins two tables, because every request may wait for it and two reads would take two round
/// trips.
pub static FIND_TOKEN: Text = Text::new(
    "find_token",
    "SELECT {columns} FROM tokens LEFT JOIN
         (SELECT id AS member, disabled_at FROM users WHERE tenant_id = $1) AS members ON member = user_id
     WHERE tenant_id = $1 AND hash = $2",
);

/// The products that changed after a version and have an id above another. The first part finds the few changed ids in an index. In one
/// part, both databases would read the whole catalogue along its key.
pub static CHANGED_PRODUCTS: Text = Text::new(
    "product_changes",
    "WITH changed AS MATERIALIZED (SELECT id FROM products WHERE tenant_id = $1 AND version > $2)
     SELECT {columns} FROM products
     WHERE tenant_id = $1 AND id IN (SELECT id FROM changed WHERE id > $3 ORDER BY id LIMIT $4) ORDER BY id",
);

/// The visible products with the most ordered pieces. Sums pieces first, so that it looks up each product only once. Sums are not generated.
pub static MOST_ORDERED: Text = Text::new(
    "most_ordered",
    "SELECT {columns} FROM (
         SELECT product_id, sum(quantity) AS pieces FROM orders
         WHERE tenant_id = $1 AND created_at >= $2 AND status <> 'cancelled'
         GROUP BY product_id
     ) AS ordered JOIN products ON tenant_id = $1 AND id = product_id
     WHERE retired_at IS NULL AND active ORDER BY pieces DESC, product_id",
);

/// Schedules a job without disturbing a run in progress. The stored time differs from the end of the lease. So the end of the run can
/// recognize that time and keep it. One statement, so that a command need not lock the job that it makes due.
pub static SCHEDULE_JOB: Text = Text::new(
    "schedule_job",
    "INSERT INTO jobs (tenant_id, name, key, next_run_at, attempts) VALUES ($1, $2, $3, $4, 0)
     ON CONFLICT (tenant_id, name, key) DO UPDATE SET next_run_at =
         CASE WHEN jobs.lease_ends_at <= excluded.next_run_at THEN jobs.lease_ends_at - 1
              ELSE excluded.next_run_at END
     WHERE jobs.next_run_at > excluded.next_run_at OR jobs.next_run_at = jobs.lease_ends_at",
);

/// Makes all jobs of a tenant due, because they follow its clock. The stored time differs from the end of a lease, as in [`SCHEDULE_JOB`].
pub static MAKE_JOBS_DUE: Text = Text::new(
    "make_jobs_due",
    "UPDATE jobs SET next_run_at = CASE WHEN lease_ends_at <= $2 THEN lease_ends_at - 1 ELSE $2 END
     WHERE tenant_id = $1 AND (next_run_at > $2 OR next_run_at = lease_ends_at)",
);

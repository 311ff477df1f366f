use crate::schema::{Column, Columns, Group, Table};

/// The SQL dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// One row per statement, its values from `?2` on.
    Sqlite,
    /// Any number of rows per statement, an array per column from `$2` on.
    Postgres,
}

/// What an insert does when a row with the same key exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnConflict {
    Fail,
    /// Keeps the existing row.
    Keep,
    /// Overwrites the inserted columns of the existing row.
    Replace,
}

/// A statement whose first parameter is the tenant's id, followed by the values of `columns`.
#[derive(Debug)]
pub struct Statement {
    pub sql: String,
    /// The columns of the parameters after the tenant's id.
    pub columns: Vec<Column>,
}

impl Statement {
    /// Inserts rows of a table for a tenant that has a row in `catalogue_versions`.
    pub fn insert<T: Group>(dialect: Dialect, on_conflict: OnConflict) -> Self {
        let tenant = if T::TABLE.tenant_column == "tenant_id" { OF_KNOWN_TENANT } else { GIVEN };
        insert(dialect, T::TABLE, T::list(), on_conflict, tenant)
    }

    /// Inserts complete rows, for a copy of a tenant.
    pub fn insert_rows(dialect: Dialect, table: &Table) -> Self {
        let on_conflict = if table.is_append_only { OnConflict::Keep } else { OnConflict::Replace };
        let mut insert = insert(dialect, table, table.columns.to_vec(), on_conflict, GIVEN);
        if dialect == Dialect::Postgres && on_conflict == OnConflict::Keep {
            // Without RETURNING, Citus also counts the rows that the conflict skipped.
            insert.sql.push_str(" RETURNING TRUE");
        }
        insert
    }

    /// Deletes the rows with these keys.
    pub fn delete_rows(dialect: Dialect, table: &Table) -> Self {
        let key = Table::names(table.key());
        let given = match dialect {
            Dialect::Sqlite => format!("= ({})", placeholders(dialect, table.key())),
            Dialect::Postgres => format!("IN (SELECT {key} FROM {})", given(table.key())),
        };
        let of_key = if key.is_empty() { String::new() } else { format!(" AND ({key}) {given}") };
        let sql = format!("DELETE FROM {} WHERE tenant_id = {}{of_key}", table.name, dialect.placeholder(1));
        Self { sql: of_table(table, &sql), columns: table.key().to_vec() }
    }

    /// A PostgreSQL statement in which `{arrays}` is replaced by the array parameters of `T`.
    pub fn of_arrays<T: Columns>(sql: &str) -> Self {
        let mut columns = Vec::with_capacity(T::WIDTH);
        T::columns("", &mut columns);
        Self { sql: sql.replace("{arrays}", &placeholders(Dialect::Postgres, &columns)), columns }
    }
}

impl Dialect {
    /// The placeholder of the parameter with this number.
    pub(crate) fn placeholder(self, number: usize) -> String {
        let sign = match self {
            Self::Sqlite => '?',
            Self::Postgres => '$',
        };
        format!("{sign}{number}")
    }
}

/// Where an insert in PostgreSQL takes the tenant's id from.
#[derive(Clone, Copy)]
struct TenantSource {
    id: &'static str,
    /// The SQL before the arrays.
    from: &'static str,
    /// The SQL after the arrays.
    condition: &'static str,
}

/// The parameter.
const GIVEN: TenantSource = TenantSource { id: "$1", from: "", condition: "" };

/// The row in `catalogue_versions`, which every tenant has. With a table in the statement, Citus sends it to the one server
/// of the tenant. Without a table, Citus pulls the rows to its coordinator and commits in two phases.
const OF_KNOWN_TENANT: TenantSource = TenantSource {
    id: "own.tenant_id",
    from: "catalogue_versions AS own CROSS JOIN ",
    condition: " WHERE own.tenant_id = $1",
};

fn insert(
    dialect: Dialect,
    table: &Table,
    columns: Vec<Column>,
    on_conflict: OnConflict,
    tenant: TenantSource,
) -> Statement {
    let (name, names) = (table.name, Table::names(&columns));
    let values = match dialect {
        Dialect::Sqlite => format!("VALUES (?1, {})", placeholders(dialect, &columns)),
        Dialect::Postgres => {
            let TenantSource { id, from, condition } = tenant;
            let given_names = join(columns.iter().map(|column| format!("given.{}", column.name)));
            format!("SELECT {id}, {given_names} FROM {from}{}{condition}", given(&columns))
        }
    };
    let on_conflict = match on_conflict {
        OnConflict::Fail => String::new(),
        OnConflict::Keep => " ON CONFLICT DO NOTHING".to_owned(),
        OnConflict::Replace => replace(table, &columns),
    };
    let sql = format!("INSERT INTO {name} (tenant_id, {names}) {values}{on_conflict}");
    Statement { sql: of_table(table, &sql), columns }
}

fn replace(table: &Table, columns: &[Column]) -> String {
    let key = join(["tenant_id"].into_iter().chain(table.key().iter().map(|column| column.name)));
    let others = columns.iter().filter(|column| !table.key().contains(column));
    let replaced = join(others.map(|Column { name, .. }| format!("{name} = excluded.{name}")));
    format!(" ON CONFLICT ({key}) DO UPDATE SET {replaced}")
}

/// The placeholders from number 2 on, one per column. In PostgreSQL each is an array.
fn placeholders(dialect: Dialect, columns: &[Column]) -> String {
    let placeholder = |(column, number): (&Column, usize)| match dialect {
        Dialect::Sqlite => dialect.placeholder(number),
        Dialect::Postgres => format!("{}::{}[]", dialect.placeholder(number), column.sql_type()),
    };
    join(columns.iter().zip(2..).map(placeholder))
}

/// The array parameters as a table named `given`.
fn given(columns: &[Column]) -> String {
    format!("unnest({}) AS given ({})", placeholders(Dialect::Postgres, columns), Table::names(columns))
}

/// A statement that counts the rows of a tenant.
pub fn count_rows(dialect: Dialect, table: &Table) -> String {
    let sql = format!("SELECT count(*) FROM {} WHERE tenant_id = {}", table.name, dialect.placeholder(1));
    of_table(table, &sql)
}

/// A statement that finds a row of a tenant with an event after the second parameter. `None` for a table without events.
pub fn find_event_after(dialect: Dialect, table: &Table) -> Option<String> {
    if table.event_columns.is_empty() {
        return None;
    }
    let after = |column: &&str| format!("{column} > {}", dialect.placeholder(2));
    let events: Vec<_> = table.event_columns.iter().map(after).collect();
    let (name, tenant, events) = (table.name, dialect.placeholder(1), events.join(" OR "));
    Some(format!("SELECT 1 FROM {name} WHERE tenant_id = {tenant} AND ({events}) LIMIT 1"))
}

/// A statement that removes at most `limit` rows of a tenant. A table with one row per tenant is
/// emptied at once. The limit is a literal: with a parameter, PostgreSQL plans to read all rows.
pub fn remove_rows(dialect: Dialect, table: &Table, limit: u32) -> String {
    let (name, key, tenant) = (table.name, Table::names(table.key()), dialect.placeholder(1));
    let all = format!("DELETE FROM {name} WHERE tenant_id = {tenant}");
    let sql = if table.key_columns == 0 {
        all
    } else {
        let some =
            format!("SELECT {key} FROM {name} WHERE tenant_id = {tenant} ORDER BY {key} LIMIT {limit}");
        format!("{all} AND ({key}) IN ({some})")
    };
    of_table(table, &sql)
}

/// Uses the tenant column of the table. It is `id` in `tenants` and `tenant_id` in every other table.
fn of_table(table: &Table, sql: &str) -> String {
    sql.replace("tenant_id", table.tenant_column)
}

fn join(parts: impl Iterator<Item: AsRef<str>>) -> String {
    let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
    parts.join(", ")
}

/// A [`Statement`] that is built once.
#[macro_export]
macro_rules! statement {
    ($statement:expr) => {{
        static STATEMENT: std::sync::LazyLock<$crate::schema::Statement> =
            std::sync::LazyLock::new(|| $statement);
        &*STATEMENT
    }};
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::rows::{NewSecret, NewTenant};
    use crate::schema::{HISTORY_DAYS, TABLES, TENANTS, TOKENS};

    #[test]
    fn sqlite_inserts_one_row_and_postgres_inserts_arrays() {
        let sqlite = Statement::insert::<NewSecret<'_>>(Dialect::Sqlite, OnConflict::Keep);
        assert_eq!(
            sqlite.sql,
            "INSERT INTO tenant_secrets (tenant_id, name, value, created_at) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO NOTHING"
        );
        let postgres = Statement::insert::<NewSecret<'_>>(Dialect::Postgres, OnConflict::Replace);
        assert_eq!(
            postgres.sql,
            "INSERT INTO tenant_secrets (tenant_id, name, value, created_at) \
             SELECT own.tenant_id, given.name, given.value, given.created_at FROM catalogue_versions AS own \
             CROSS JOIN unnest($2::text[], $3::bytea[], $4::bigint[]) AS given (name, value, created_at) \
             WHERE own.tenant_id = $1 ON CONFLICT (tenant_id, name) DO UPDATE SET value = excluded.value, created_at = excluded.created_at"
        );
    }

    #[test]
    fn tenant_id_column_of_tenants_is_id() {
        let insert = Statement::insert::<NewTenant<'_>>(Dialect::Sqlite, OnConflict::Fail);
        assert!(insert.sql.starts_with("INSERT INTO tenants (id, slug,"), "{}", insert.sql);
        assert_eq!(count_rows(Dialect::Postgres, &TENANTS), "SELECT count(*) FROM tenants WHERE id = $1");
    }

    #[test]
    fn delete_finds_rows_by_key() {
        let delete = |dialect| Statement::delete_rows(dialect, &HISTORY_DAYS).sql;
        let days = "DELETE FROM history_days WHERE tenant_id";
        assert_eq!(delete(Dialect::Sqlite), format!("{days} = ?1 AND (user_id, day) = (?2, ?3)"));
        assert_eq!(
            delete(Dialect::Postgres),
            format!(
                "{days} = $1 AND (user_id, day) IN (SELECT user_id, day FROM \
                 unnest($2::text[], $3::bigint[]) AS given (user_id, day))"
            )
        );
    }

    #[test]
    fn copy_replaces_rows_of_every_table_that_is_not_append_only() {
        for (dialect, table) in [Dialect::Sqlite, Dialect::Postgres]
            .into_iter()
            .flat_map(|dialect| TABLES.iter().map(move |table| (dialect, table)))
        {
            let sql = Statement::insert_rows(dialect, table).sql;
            assert_eq!(sql.contains("DO NOTHING"), table.is_append_only, "{sql}");
            assert!(sql.contains(&format!("({}, ", table.tenant_column)), "{sql}");
        }
    }

    /// The others are plans, imported times, or times of the real clock.
    #[test]
    fn every_column_with_a_time_is_an_event_or_known_to_be_none() {
        let mut others = Vec::new();
        for table in &TABLES {
            for column in table.columns.iter().filter(|column| column.name.ends_with("_at")) {
                if !table.event_columns.contains(&column.name) {
                    others.push(format!("{}.{}", table.name, column.name));
                }
            }
            let is_column = |name: &&str| table.columns.iter().any(|column| column.name == *name);
            assert!(table.event_columns.iter().all(is_column), "{}", table.name);
        }
        assert_eq!(
            others,
            [
                "tenants.created_at",
                "products.published_at",
                "transactions.created_at",
                "request_keys.created_at",
                "tenant_secrets.created_at",
                "data_keys.created_at",
                "jobs.next_run_at",
                "jobs.lease_ends_at",
                "jobs.last_success_at",
                "operator_sessions.expires_at",
                "operator_sessions.last_used_at",
                "audit_chains.sealed_at",
                "webhook_progress.retry_at",
                "feed_blocks.created_at",
                "tokens.expires_at",
                "tokens.last_used_at",
            ]
        );
    }

    #[test]
    fn later_events_are_looked_for_in_every_event_column() {
        assert_eq!(
            find_event_after(Dialect::Sqlite, &TOKENS).unwrap(),
            "SELECT 1 FROM tokens WHERE tenant_id = ?1 AND (created_at > ?2 OR revoked_at > ?2) LIMIT 1"
        );
        assert_eq!(find_event_after(Dialect::Postgres, &HISTORY_DAYS), None);
    }
}

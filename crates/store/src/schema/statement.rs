use crate::schema::{Column, Columns, Group, Table};

/// The SQL dialect of a database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// One row per statement, its values from `?2` on.
    Sqlite,
    /// Any number of rows per statement, an array per column from `$2` on.
    Postgres,
}

/// What an insert does when a row with the same key exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
        Self::insert_columns(dialect, T::TABLE, &T::list(), on_conflict)
    }

    /// Inserts rows with these columns for a tenant that has a row in `catalogue_versions`.
    pub(crate) fn insert_columns(
        dialect: Dialect,
        table: &Table,
        columns: &[Column],
        on_conflict: OnConflict,
    ) -> Self {
        let tenant = if table.tenant_column == "tenant_id" { OF_KNOWN_TENANT } else { GIVEN };
        insert(dialect, table, columns.to_vec(), on_conflict, tenant)
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

/// The statements of commands for the rows of one type. The key of a row is `key`, and `columns` are all that a command reads.
impl Statement {
    /// Selects rows by their keys. On SQLite one row. On PostgreSQL it may lock the rows, in the order of their keys.
    pub(crate) fn select_by_key(
        dialect: Dialect,
        table: &Table,
        columns: &[Column],
        key: &[Column],
        hold: Option<Hold>,
    ) -> Self {
        let (name, names) = (table.name, Table::names(columns));
        let hold = hold.map_or("", Hold::clause);
        let sql = match (dialect, key) {
            (Dialect::Sqlite, _) => {
                format!("SELECT {names} FROM {name} WHERE tenant_id = ?1{}", equal_to_placeholders(key))
            }
            (Dialect::Postgres, []) => format!("SELECT {names} FROM {name} WHERE tenant_id = $1{hold}"),
            (Dialect::Postgres, [only]) => {
                let (key, given) = (only.name, placeholders(dialect, key));
                let order = if hold.is_empty() { String::new() } else { format!(" ORDER BY {key}{hold}") };
                format!("SELECT {names} FROM {name} WHERE tenant_id = $1 AND {key} = ANY ({given}){order}")
            }
            (Dialect::Postgres, _) if hold.is_empty() => {
                // A row at a time: otherwise PostgreSQL may plan to read the whole table.
                let found = join(columns.iter().map(|column| format!("found.{}", column.name)));
                let is_given = and(key, |column| format!("{name}.{column} = given.{column}"));
                format!(
                    "SELECT {found} FROM {} CROSS JOIN LATERAL (
                         SELECT {names} FROM {name} WHERE tenant_id = $1{is_given} LIMIT 1
                     ) AS found",
                    given(key)
                )
            }
            (Dialect::Postgres, _) => {
                let key_names = Table::names(key);
                let given = format!("SELECT {key_names} FROM {}", given(key));
                format!(
                    "SELECT {names} FROM {name} WHERE tenant_id = $1 AND ({key_names}) IN ({given})
                     ORDER BY {key_names}{hold}"
                )
            }
        };
        Self { sql: of_table(table, &sql), columns: key.to_vec() }
    }

    /// Finds which ranges have a row: on SQLite for one range, on PostgreSQL the numbers of those that have one, from 1.
    pub(crate) fn any(dialect: Dialect, table: &Table, tests: &[RangeTest]) -> Self {
        let mut columns = Vec::new();
        let mut next = |column: Column| {
            columns.push(column);
            match dialect {
                Dialect::Sqlite => dialect.placeholder(columns.len() + 1),
                Dialect::Postgres => format!("given.v{}", columns.len()),
            }
        };
        let condition = |test: &RangeTest| match test {
            RangeTest::Equal(column) => format!(" AND {} = {}", column.name, next(*column)),
            RangeTest::Null(column) => format!(" AND {} IS NULL", column.name),
            RangeTest::Between(column) => {
                format!(" AND {} BETWEEN {} AND {}", column.name, next(*column), next(*column))
            }
        };
        let conditions: String = tests.iter().map(condition).collect();
        let (name, tenant) = (table.name, dialect.placeholder(1));
        let rows = format!("SELECT 1 FROM {name} WHERE tenant_id = {tenant}{conditions}");
        let sql = match dialect {
            Dialect::Sqlite => format!("{rows} LIMIT 1"),
            Dialect::Postgres => {
                let arrays = placeholders(dialect, &columns);
                let names = join((1..=columns.len()).map(|number| format!("v{number}")));
                // A row at a time, as in `select_by_key`.
                format!(
                    "SELECT given.number FROM unnest({arrays}) WITH ORDINALITY AS given ({names}, number)
                     CROSS JOIN LATERAL ({rows} LIMIT 1) AS found"
                )
            }
        };
        Self { sql: of_table(table, &sql), columns }
    }

    /// Changes rows. The values of a row are its key, then what [`Set`] and [`Check`] need, in their order.
    pub(crate) fn update(dialect: Dialect, table: &Table, key: &[Column], change: &UpdateShape) -> Self {
        let UpdateShape { sets, checks, skips_held } = change;
        let mut columns = key.to_vec();
        let mut next = |column: Column| {
            columns.push(column);
            match dialect {
                Dialect::Sqlite => dialect.placeholder(columns.len() + 1),
                Dialect::Postgres => format!("given.v{}", columns.len()),
            }
        };
        let own = |name: &str| match dialect {
            Dialect::Sqlite => name.to_owned(),
            Dialect::Postgres => format!("{}.{name}", table.name),
        };
        let set: Vec<(String, String)> = sets
            .iter()
            .map(|set| match set {
                Set::To(column) => (column.name.to_owned(), next(*column)),
                Set::Add(column) => {
                    (column.name.to_owned(), format!("{} + {}", own(column.name), next(*column)))
                }
            })
            .collect();
        let conditions = checks.iter().map(|check| match check {
            Check::Is(column) if dialect == Dialect::Sqlite => {
                format!("{} IS {}", own(column.name), next(*column))
            }
            Check::Is(column) => {
                format!("{} IS NOT DISTINCT FROM {}", own(column.name), next(*column))
            }
            Check::Within(column) => {
                let (least, most) = (next(*column), next(*column));
                let after = set.iter().find(|(name, _)| *name == column.name);
                let after = after.map(|(_, value)| format!(" AND {value} BETWEEN {least} AND {most}"));
                format!("{} BETWEEN {least} AND {most}{}", own(column.name), after.unwrap_or_default())
            }
        });
        let conditions = join_and(conditions);
        let assignments = join(set.iter().map(|(name, value)| format!("{name} = {value}")));
        let sql = match dialect {
            Dialect::Sqlite => {
                let of_key = equal_to_placeholders(key);
                format!("UPDATE {} SET {assignments} WHERE tenant_id = ?1{of_key}{conditions}", table.name)
            }
            Dialect::Postgres => {
                let arrays = placeholders(dialect, &columns);
                let names = join((1..=columns.len()).map(|number| format!("v{number}")));
                let name = table.name;
                let of_key = join_and(
                    key.iter().zip(1..).map(|(key, number)| format!("{name}.{} = given.v{number}", key.name)),
                );
                let free = if *skips_held { not_held_by_others(table, key) } else { String::new() };
                format!(
                    "UPDATE {name} SET {assignments} FROM unnest({arrays}) AS given ({names})
                     WHERE {name}.tenant_id = $1{of_key}{conditions}{free}"
                )
            }
        };
        Self { sql: of_table(table, &sql), columns }
    }

    /// Deletes the rows with these keys.
    pub(crate) fn delete_by_key(dialect: Dialect, table: &Table, key: &[Column]) -> Self {
        let name = table.name;
        let sql = match dialect {
            Dialect::Sqlite => {
                format!("DELETE FROM {name} WHERE tenant_id = ?1{}", equal_to_placeholders(key))
            }
            Dialect::Postgres if key.is_empty() => format!("DELETE FROM {name} WHERE tenant_id = $1"),
            Dialect::Postgres => {
                let is_given = and(key, |column| format!("{name}.{column} = given.{column}"));
                format!("DELETE FROM {name} USING {} WHERE {name}.tenant_id = $1{is_given}", given(key))
            }
        };
        Self { sql: of_table(table, &sql), columns: key.to_vec() }
    }
}

/// What a range asks of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum RangeTest {
    Equal(Column),
    Null(Column),
    Between(Column),
}

/// How a statement on PostgreSQL locks the rows that it selects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Hold {
    /// It waits for rows that another writer holds.
    Waiting,
    /// It leaves them out.
    Skipping,
}

impl Hold {
    pub(crate) fn clause(self) -> &'static str {
        match self {
            Self::Waiting => " FOR NO KEY UPDATE",
            Self::Skipping => " FOR NO KEY UPDATE SKIP LOCKED",
        }
    }
}

/// What an update does with the rows of one statement.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct UpdateShape {
    pub(crate) sets: Vec<Set>,
    pub(crate) checks: Vec<Check>,
    /// Whether it leaves out rows that another writer holds. Only on PostgreSQL.
    pub(crate) skips_held: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Set {
    /// A value.
    To(Column),
    /// A difference.
    Add(Column),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Check {
    /// The column has a value, which may be `NULL`.
    Is(Column),
    /// The column is between two values, before and after the change.
    Within(Column),
}

/// The condition of an update that no other writer holds the row.
fn not_held_by_others(table: &Table, key: &[Column]) -> String {
    let (name, names) = (table.name, Table::names(key));
    let changed = join((1..=key.len()).map(|number| format!("given.v{number}")));
    let free = format!(
        "SELECT {names} FROM {name} WHERE tenant_id = $1 AND ({names}) IN (SELECT {names} FROM {}){}",
        given(key),
        Hold::Skipping.clause()
    );
    format!(" AND ({changed}) IN ({free})")
}

/// A condition for each column of a key. On SQLite the key begins with the second parameter.
fn equal_to_placeholders(key: &[Column]) -> String {
    let equal = |(column, number): (&Column, usize)| format!("{} = ?{number}", column.name);
    join_and(key.iter().zip(2..).map(equal))
}

fn and(columns: &[Column], condition: impl Fn(&str) -> String) -> String {
    join_and(columns.iter().map(|column| condition(column.name)))
}

fn join_and(conditions: impl Iterator<Item = String>) -> String {
    conditions.flat_map(|condition| [" AND ".to_owned(), condition]).collect()
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
    use crate::schema::rows::NewTenant;
    use crate::schema::rows::TenantSecret;
    use crate::schema::{BUDGET_SHARES, TABLES, TOKENS};

    #[test]
    fn sqlite_inserts_one_row_and_postgres_inserts_arrays() {
        let sqlite = Statement::insert::<TenantSecret>(Dialect::Sqlite, OnConflict::Keep);
        assert_eq!(
            sqlite.sql,
            "INSERT INTO tenant_secrets (tenant_id, name, value, created_at) VALUES (?1, ?2, ?3, ?4) \
             ON CONFLICT DO NOTHING"
        );
        let postgres = Statement::insert::<TenantSecret>(Dialect::Postgres, OnConflict::Replace);
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
    }

    #[test]
    fn delete_finds_rows_by_key() {
        let delete = |dialect| Statement::delete_rows(dialect, &BUDGET_SHARES).sql;
        let shares = "DELETE FROM budget_shares WHERE tenant_id";
        assert_eq!(delete(Dialect::Sqlite), format!("{shares} = ?1 AND (campaign_id, holder) = (?2, ?3)"));
        assert_eq!(
            delete(Dialect::Postgres),
            format!(
                "{shares} = $1 AND (campaign_id, holder) IN (SELECT campaign_id, holder FROM \
                 unnest($2::text[], $3::text[]) AS given (campaign_id, holder))"
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
                "held_activities.created_at",
                "held_activities.release_at",
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
        assert_eq!(find_event_after(Dialect::Postgres, &BUDGET_SHARES), None);
    }
}

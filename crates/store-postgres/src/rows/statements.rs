//! The statements that work on any table. The tenant is `$1`, and a column of many rows is one array.

use pointbook_app::tables::{Column, Kind, Table};

/// A page of at most `$2` rows, above the key from `$3` on if there is one before.
pub(super) fn page(table: &Table, has_before: bool) -> String {
    let (columns, key) = (Table::names(table.columns), Table::names(table.key()));
    let after = if has_before {
        let values =
            table.key().iter().zip(3..).map(|(column, place)| format!("${place}::{}", sql_type(column)));
        format!("AND ({key}) > ({})", join(values))
    } else {
        String::new()
    };
    let order = if key.is_empty() { "tenant_id" } else { &key };
    let sql = format!(
        "SELECT {columns} FROM {table} WHERE tenant_id = $1 {after} ORDER BY {order} LIMIT $2::bigint",
        table = table.name
    );
    of_table(table, &sql)
}

/// Inserts rows, in the place of others where that is allowed.
pub(super) fn insert(table: &Table) -> String {
    let columns = Table::names(table.columns);
    let value = |Column { name, kind }: &Column| match kind {
        Kind::Truth => format!("given.{name} <> 0"),
        Kind::Integer | Kind::Text | Kind::Bytes => format!("given.{name}"),
    };
    let values = join(table.columns.iter().map(value));
    let key = ["tenant_id"].into_iter().chain(table.key().iter().map(|column| column.name));
    let others = table.columns.iter().skip(table.key_columns);
    let replaced = others.map(|Column { name, .. }| format!("{name} = excluded.{name}"));
    let on_conflict = if table.is_append_only {
        "DO NOTHING".to_owned()
    } else {
        format!("({}) DO UPDATE SET {}", join(key), join(replaced))
    };
    let sql = format!(
        "INSERT INTO {table} (tenant_id, {columns}) SELECT $1, {values} FROM {given} ON CONFLICT {on_conflict}",
        table = table.name,
        given = given(table.columns),
    );
    of_table(table, &sql)
}

/// Deletes the rows with these keys.
pub(super) fn delete(table: &Table) -> String {
    let key = Table::names(table.key());
    let sql = format!(
        "DELETE FROM {table} WHERE tenant_id = $1 AND ({key}) IN (SELECT {key} FROM {given})",
        table = table.name,
        given = given(table.key()),
    );
    of_table(table, &sql)
}

/// In the list of tenants, their id is the key.
pub(crate) fn of_table(table: &Table, sql: &str) -> String {
    sql.replace("tenant_id", table.tenant_column)
}

/// Arrays from `$2` on, as a table.
fn given(columns: &[Column]) -> String {
    let array = |(column, place): (&Column, usize)| format!("${place}::{}[]", sql_type(column));
    format!("unnest({}) AS given ({})", join(columns.iter().zip(2..).map(array)), Table::names(columns))
}

/// What the values of a column are sent as.
fn sql_type(column: &Column) -> &'static str {
    match column.kind {
        Kind::Integer | Kind::Truth => "bigint",
        Kind::Text => "text",
        Kind::Bytes => "bytea",
    }
}

fn join(parts: impl Iterator<Item: AsRef<str>>) -> String {
    let parts: Vec<_> = parts.map(|part| part.as_ref().to_owned()).collect();
    parts.join(", ")
}

//! Lists and lookups whose SQL is generated.

mod condition;
mod letters;
mod parts;

use std::borrow::Cow;

use serde::Serialize;

pub use self::condition::{Comparison, Condition};
use self::parts::LIST;
use crate::schema::{
    ALL_TENANTS, Cell, Column, Corrupt, Dialect, Group, Kind, Read, Record, Row, Source, Table, Text, Write,
    cells,
};

/// A query for rows of one table of a tenant.
#[expect(clippy::struct_excessive_bools, reason = "each says one thing of the query")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The name of the operation in metrics.
    pub name: &'static str,
    pub table: &'static Table,
    pub columns: Vec<Column>,
    /// How many of the first columns form the key that errors name.
    pub key_columns: usize,
    /// A row must meet all of them.
    pub conditions: Vec<Condition>,
    /// The columns that order the rows; empty when the conditions match at most one row.
    pub order: Vec<Column>,
    pub is_descending: bool,
    /// What orders the rows before these columns.
    pub(crate) sort: Option<Sort>,
    pub limit: u32,
    /// How many rows are skipped.
    pub offset: u64,
    /// Whether it reads the rows of all tenants. Only the handle for all tenants may.
    pub is_of_all_tenants: bool,
    /// Whether all requests of the tenant wait for it.
    pub is_urgent: bool,
    /// Whether the keys of the rows are found first.
    is_by_keys: bool,
    /// The text in place of a generated `SELECT`, with its parameters between the tenant and the limit.
    pub(crate) text: Option<(&'static Text, Vec<Cell>)>,
}

/// The first of these columns that has a value orders the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Sort {
    columns: Vec<Column>,
    is_descending: bool,
}

impl Query {
    /// Reads all rows, ordered by these columns.
    pub fn of<T: Group>(name: &'static str, order: &[&'static str]) -> Self {
        let order = order.iter().map(|column| T::TABLE.column(column)).collect();
        Self::new(name, T::TABLE, T::list(), T::KEY).ordered_by(order)
    }

    /// Reads all columns of all rows, ordered by the key.
    pub fn of_table(name: &'static str, table: &'static Table) -> Self {
        Self::new(name, table, table.columns.to_vec(), table.key_columns).ordered_by(table.key().to_vec())
    }

    /// Reads rows with a text. `given` are its parameters after the tenant.
    pub fn of_text<T: Group>(text: &'static Text, given: &impl Write) -> Self {
        let query = Self::new(text.name, T::TABLE, T::list(), T::KEY);
        Self { text: Some((text, cells(given).into_iter().map(Cell::from).collect())), ..query }
    }

    fn new(name: &'static str, table: &'static Table, columns: Vec<Column>, key_columns: usize) -> Self {
        let (conditions, order) = (Vec::new(), Vec::new());
        let (is_descending, limit, offset) = (false, u32::MAX, 0);
        let (is_of_all_tenants, is_urgent, is_by_keys, text, sort) = (false, false, false, None, None);
        Self {
            name,
            table,
            columns,
            key_columns,
            conditions,
            order,
            is_descending,
            sort,
            limit,
            offset,
            is_of_all_tenants,
            is_urgent,
            is_by_keys,
            text,
        }
    }

    fn ordered_by(self, order: Vec<Column>) -> Self {
        Self { order, ..self }
    }

    /// Reads the rows of all tenants.
    #[must_use]
    pub fn of_all_tenants(self) -> Self {
        Self { is_of_all_tenants: true, ..self }
    }

    /// A query for which all requests of the tenant wait.
    #[must_use]
    pub fn urgent(self) -> Self {
        Self { is_urgent: true, ..self }
    }

    /// Reads only the key of each row.
    #[must_use]
    pub fn only_keys(self) -> Self {
        Self { columns: self.table.key().to_vec(), key_columns: self.table.key_columns, ..self }
    }

    /// Finds and sorts the keys first, and then reads their rows: for long rows, where an index has what the conditions and the order need.
    #[must_use]
    pub fn by_keys(self) -> Self {
        Self { is_by_keys: true, ..self }
    }

    /// Reverses the order.
    #[must_use]
    pub fn descending(self) -> Self {
        Self { is_descending: true, ..self }
    }

    /// Sorts by the first of these columns that has a value. A row without one counts as the greatest, and the case of ASCII letters does
    /// not matter. The order columns sort equal rows. `None` leaves the order as it is.
    #[must_use]
    pub fn sorted(self, sort: Option<(&[&'static str], bool)>) -> Self {
        let sort = sort.map(|(columns, is_descending)| {
            let columns = columns.iter().map(|column| self.table.column(column)).collect();
            Sort { columns, is_descending }
        });
        Self { sort, ..self }
    }

    #[must_use]
    pub fn limit(self, limit: u32) -> Self {
        Self { limit, ..self }
    }

    /// Leaves out this many of the first rows.
    #[must_use]
    pub fn skip(self, offset: u64) -> Self {
        Self { offset, ..self }
    }

    /// Keeps rows with this value. `None` keeps all rows.
    #[must_use]
    pub fn equal<V: Write + ?Sized>(self, column: &'static str, value: Option<&V>) -> Self {
        let column = self.table.column(column);
        self.with(value.and_then(cell).map(|cell| Condition::Equal(column, cell)))
    }

    /// Keeps rows where the column is `NULL` (true) or has a value (false). `None` keeps all rows.
    #[must_use]
    pub fn null(self, column: &'static str, is_null: Option<bool>) -> Self {
        let column = self.table.column(column);
        self.with(is_null.map(|is_null| Condition::Null(column, is_null)))
    }

    #[must_use]
    pub fn compared<V: Write>(self, column: &'static str, comparison: Comparison, value: &V) -> Self {
        let column = self.table.column(column);
        self.with(cell(value).map(|cell| Condition::Compared(column, comparison, cell)))
    }

    /// Keeps rows between the two bounds, both included.
    #[must_use]
    pub fn between<V: Write>(self, column: &'static str, bounds: [&V; 2]) -> Self {
        let column = self.table.column(column);
        let bounds = bounds.map(|bound| cell(bound).unwrap_or(Cell::Null));
        self.with(Some(Condition::Between(column, bounds)))
    }

    /// Keeps rows whose first column that has a value is between the two bounds, both included. `None` keeps all rows.
    #[must_use]
    pub fn first_between<V: Write>(self, columns: &[&'static str], bounds: Option<[V; 2]>) -> Self {
        let columns = columns.iter().map(|column| self.table.column(column)).collect();
        let bounds = bounds.map(|bounds| bounds.map(|bound| cell(&bound).unwrap_or(Cell::Null)));
        self.with(bounds.map(|bounds| Condition::FirstBetween(columns, bounds)))
    }

    /// Keeps rows with one of these texts in a column that is a JSON array of texts. `None` keeps all rows.
    #[must_use]
    pub fn has_item(self, column: &'static str, texts: Option<Vec<&str>>) -> Self {
        let column = self.table.column(column);
        // Strings always serialise.
        let list = texts.map(|texts| serde_json::to_string(&texts).unwrap_or_default());
        self.with(list.map(|list| Condition::HasItem(column, Cell::Text(list.into()))))
    }

    /// Keeps rows with one of these texts in a column of texts.
    #[must_use]
    pub fn one_of<'t>(self, column: &'static str, texts: impl IntoIterator<Item = &'t str>) -> Self {
        self.with_key(&[column], texts.into_iter().map(|text| [text]))
    }

    /// Keeps rows with one of these keys in columns of numbers and texts.
    #[must_use]
    pub fn with_key<K: Serialize>(self, columns: &[&'static str], keys: impl IntoIterator<Item = K>) -> Self {
        let columns = columns.iter().map(|column| self.table.column(column)).collect();
        // Strings and numbers always serialise.
        let list = serde_json::to_string(&keys.into_iter().collect::<Vec<_>>()).unwrap_or_default();
        self.with(Some(Condition::OneOf(columns, Cell::Text(list.into()))))
    }

    /// Keeps rows after the one with these values in the order columns. `None` keeps all rows.
    #[must_use]
    pub fn after<V: Write>(self, values: Option<&V>) -> Self {
        let cells = values.map(|values| cells(values).into_iter().map(Cell::from).collect());
        self.with(cells.map(Condition::After))
    }

    /// Keeps rows that contain this part in one of the columns, in any case. `None` keeps all rows.
    #[must_use]
    pub fn has_part(self, columns: &[&'static str], part: Option<&str>) -> Self {
        let columns = columns.iter().map(|column| self.table.column(column)).collect();
        self.with(part.map(|part| Condition::HasPart(columns, letters::in_any_case(part))))
    }

    fn with(mut self, condition: Option<Condition>) -> Self {
        self.conditions.extend(condition);
        self
    }

    /// Refuses a query of all tenants on the handle of one tenant.
    pub(crate) fn check_tenant(&self, tenant: &str) -> Result<(), Corrupt> {
        if self.is_of_all_tenants && tenant != ALL_TENANTS {
            return Err(Corrupt(format!("query {}: a tenant reads only its own rows", self.name)));
        }
        Ok(())
    }

    /// Whether all rows belong to one user, or all belong to no user.
    pub fn is_of_user(&self) -> bool {
        self.conditions.iter().any(Condition::names_user)
    }

    /// A query for all rows of that user, in any order.
    #[must_use]
    pub fn all_of_user(&self) -> Self {
        let conditions = self.conditions.iter().filter(|condition| condition.names_user()).cloned().collect();
        Self { conditions, order: Vec::new(), ..self.clone() }
    }

    /// Whether the rows are one range of the order.
    pub fn follows_order(&self) -> bool {
        let is_range = self.conditions.iter().all(|condition| matches!(condition, Condition::After(_)));
        is_range && self.text.is_none() && self.sort.is_none()
    }

    /// The values of the conditions with their columns, in the order of the parameters after the tenant.
    pub fn values(&self) -> impl Iterator<Item = (Column, &Cell)> {
        let given = self.text.iter().flat_map(|(_, given)| given);
        given.map(|cell| (given_as(cell), cell)).chain(self.values_of_conditions())
    }

    fn values_of_conditions(&self) -> impl Iterator<Item = (Column, &Cell)> {
        self.conditions.iter().flat_map(|condition| match condition {
            Condition::Equal(column, value) | Condition::Compared(column, _, value) => {
                vec![(*column, value)]
            }
            Condition::OneOf(_, list) | Condition::HasItem(_, list) => vec![(LIST, list)],
            Condition::Null(..) => Vec::new(),
            Condition::Between(column, bounds) => bounds.iter().map(|bound| (*column, bound)).collect(),
            Condition::FirstBetween(columns, bounds) => columns
                .first()
                .map(|column| bounds.iter().map(|bound| (*column, bound)).collect())
                .unwrap_or_default(),
            Condition::After(values) => self.order.iter().copied().zip(values).collect(),
            Condition::HasPart(columns, texts) => columns
                .first()
                .map(|column| texts.iter().map(|text| (*column, text)).collect())
                .unwrap_or_default(),
        })
    }

    /// The `SELECT` of the rows. Its last two parameters are limit and offset.
    pub fn select(&self, dialect: Dialect) -> Cow<'static, str> {
        if let Some((text, given)) = &self.text {
            return text.select(dialect, &self.columns, given.len() + 1).into();
        }
        let (source, next) = self.table_and_conditions(dialect);
        let direction = if self.is_descending { " DESC" } else { "" };
        let columns = self.order.iter().map(|column| format!("{}{direction}", column.name));
        let order: Vec<String> = self.sort.iter().map(|sort| sort.order(dialect)).chain(columns).collect();
        let order = if order.is_empty() { String::new() } else { format!(" ORDER BY {}", order.join(", ")) };
        let (limit, offset) = (dialect.count(next), dialect.count(next + 1));
        let columns = Table::names(&self.columns);
        let bounds = format!("{order} LIMIT {limit} OFFSET {offset}");
        if !self.is_by_keys || self.is_of_all_tenants {
            return format!("SELECT {columns} FROM {source}{bounds}").into();
        }
        let (table, key) = (self.table.name, Table::names(self.table.key()));
        let tenant = format!("{} = {}", self.table.tenant_column, dialect.placeholder(1));
        let keys = format!("SELECT {key} FROM {source}{bounds}");
        format!("SELECT {columns} FROM {table} WHERE {tenant} AND ({key}) IN ({keys}){order}").into()
    }

    /// The statement that counts the rows of all pages.
    pub fn count(&self, dialect: Dialect) -> String {
        format!("SELECT count(*) FROM {}", self.table_and_conditions(dialect).0)
    }

    /// The `DELETE` of the rows of all pages.
    pub fn delete(&self, dialect: Dialect) -> String {
        format!("DELETE FROM {}", self.table_and_conditions(dialect).0)
    }

    /// The SQL after `FROM`, and the number of the next parameter.
    fn table_and_conditions(&self, dialect: Dialect) -> (String, usize) {
        let mut next = usize::from(!self.is_of_all_tenants);
        let mut placeholder = |column: &Column| {
            next += 1;
            dialect.typed(next, *column)
        };
        let table = self.table;
        let tenant = (!self.is_of_all_tenants)
            .then(|| format!("{} = {}", table.tenant_column, dialect.placeholder(1)));
        let conditions =
            self.conditions.iter().map(|condition| self.condition(dialect, condition, &mut placeholder));
        let conditions = tenant.into_iter().chain(conditions).collect::<Vec<_>>().join(" AND ");
        let which = if conditions.is_empty() { String::new() } else { format!(" WHERE {conditions}") };
        (format!("{}{}{which}", table.name, self.index(dialect)), next + 1)
    }

    fn condition(
        &self,
        dialect: Dialect,
        condition: &Condition,
        placeholder: &mut dyn FnMut(&Column) -> String,
    ) -> String {
        match condition {
            Condition::Equal(column, _) => format!("{} = {}", column.name, placeholder(column)),
            Condition::Compared(column, comparison, _) => {
                let (name, value) = (column.name, placeholder(column));
                match comparison {
                    Comparison::Below => format!("{name} < {value}"),
                    Comparison::AtMost => format!("{name} <= {value}"),
                    Comparison::NullOrAtMost => format!("({name} IS NULL OR {name} <= {value})"),
                }
            }
            Condition::Null(column, true) => format!("{} IS NULL", column.name),
            Condition::Null(column, false) => format!("{} IS NOT NULL", column.name),
            Condition::Between(column, _) => {
                format!("{} BETWEEN {} AND {}", column.name, placeholder(column), placeholder(column))
            }
            Condition::FirstBetween(columns, _) => {
                let mut bound = || columns.first().map(&mut *placeholder).unwrap_or_default();
                format!("{} BETWEEN {} AND {}", first_of(columns), bound(), bound())
            }
            Condition::HasItem(column, _) => dialect.has_item(*column, &placeholder(&LIST)),
            Condition::OneOf(columns, _) => dialect.one_of(columns, &placeholder(&LIST)),
            Condition::After(_) => {
                let values: Vec<String> = self.order.iter().map(placeholder).collect();
                format!("({}) > ({})", Table::names(&self.order), values.join(", "))
            }
            Condition::HasPart(columns, texts) => {
                let texts: Vec<String> = columns
                    .first()
                    .map(|column| texts.iter().map(|_| placeholder(column)).collect())
                    .unwrap_or_default();
                let has: Vec<_> = columns.iter().map(|column| dialect.has_part(*column, &texts)).collect();
                format!("({})", has.join(" OR "))
            }
        }
    }

    /// The index hint for the rows of a user. Without it, SQLite assumes a small table and scans it.
    fn index(&self, dialect: Dialect) -> String {
        match (dialect, self.table.user_index) {
            (Dialect::Sqlite, Some(index)) if self.is_of_user() => format!(" INDEXED BY {index}"),
            _ => String::new(),
        }
    }

    /// Converts the rows that a store returned for this query.
    ///
    /// # Errors
    /// Names the first column with an invalid value, with table and key.
    pub fn read<T: Group + for<'r> Read<'r>>(&self, rows: &[Row]) -> Result<Vec<T>, Corrupt> {
        let read = |cells| {
            let source = Cells { columns: &self.columns, cells };
            Record::new(self.table.name, self.key_columns, &source).read()
        };
        rows.iter().map(read).collect()
    }
}

/// The first of these columns that has a value.
fn first_of(columns: &[Column]) -> String {
    let names = Table::names(columns);
    if columns.len() > 1 { format!("COALESCE({names})") } else { names }
}

impl Sort {
    /// The databases put `NULL` at different ends, so it has a place of its own.
    fn order(&self, dialect: Dialect) -> String {
        let first = first_of(&self.columns);
        let is_text = self.columns.iter().any(|column| column.kind == Kind::Text);
        let value = if is_text { dialect.lower(&first) } else { first.clone() };
        let direction = if self.is_descending { " DESC" } else { "" };
        format!("{first} IS NULL{direction}, {value}{direction}")
    }
}

fn cell<V: Write + ?Sized>(value: &V) -> Option<Cell> {
    cells(value).into_iter().next().map(Cell::from)
}

/// The column that a parameter of a text has the type of.
fn given_as(cell: &Cell) -> Column {
    let kind = match cell {
        Cell::Integer(_) => Kind::Integer,
        Cell::Text(_) | Cell::Null => Kind::Text,
        Cell::Bytes(_) => Kind::Bytes,
    };
    Column { name: "given", kind }
}

/// A row of cells as a [`Source`].
struct Cells<'r> {
    columns: &'r [Column],
    cells: &'r Row,
}

impl Cells<'_> {
    fn cell(&self, column: usize) -> &Cell {
        self.cells.get(column).unwrap_or(&Cell::Null)
    }
}

impl Source for Cells<'_> {
    fn integer(&self, column: usize) -> Result<Option<i64>, String> {
        match self.cell(column) {
            Cell::Null => Ok(None),
            Cell::Integer(number) => Ok(Some(*number)),
            Cell::Text(_) | Cell::Bytes(_) => Err("not a whole number".to_owned()),
        }
    }

    fn truth(&self, column: usize) -> Result<Option<bool>, String> {
        Ok(self.integer(column)?.map(|number| number != 0))
    }

    fn text(&self, column: usize) -> Result<Option<&str>, String> {
        match self.cell(column) {
            Cell::Null => Ok(None),
            Cell::Text(text) => Ok(Some(text)),
            Cell::Integer(_) | Cell::Bytes(_) => Err("not a string".to_owned()),
        }
    }

    fn raw_text(&self, column: usize) -> Result<Option<&[u8]>, String> {
        Ok(self.text(column)?.map(str::as_bytes))
    }

    fn bytes(&self, column: usize) -> Result<Option<&[u8]>, String> {
        match self.cell(column) {
            Cell::Null => Ok(None),
            Cell::Bytes(bytes) => Ok(Some(bytes)),
            Cell::Integer(_) | Cell::Text(_) => Err("not bytes".to_owned()),
        }
    }

    fn is_null(&self, column: usize) -> bool {
        *self.cell(column) == Cell::Null
    }

    fn column_name(&self, column: usize) -> &str {
        self.columns.get(column).map_or("", |column| column.name)
    }

    fn describe(&self, column: usize) -> String {
        self.cell(column).describe()
    }
}

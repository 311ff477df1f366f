//! Lists and lookups that need no SQL of their own.

use crate::{Cell, Column, Corrupt, Dialect, Group, Read, Record, Row, Source, Table, Write, cells};

/// Which rows of one table of a tenant are read, and in which order. The databases make a `SELECT` of it, the store in memory
/// a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// What metrics call the operation.
    pub name: &'static str,
    pub table: &'static Table,
    pub columns: Vec<Column>,
    /// How many of the first columns find a row, for errors.
    pub key_columns: usize,
    /// All of them hold.
    pub conditions: Vec<Condition>,
    /// The columns that order the rows; none when the conditions name one row.
    pub order: Vec<Column>,
    pub is_descending: bool,
    pub limit: u32,
    /// How many rows are passed over.
    pub offset: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Condition {
    Equal(Column, Cell),
    /// Whether the column is `NULL`.
    Null(Column, bool),
    /// From the first value to the second, both included.
    Between(Column, [Cell; 2]),
    /// The columns of an ascending order come after these values.
    After(Vec<Cell>),
    /// One of the columns has this part, which is in lower case; the case of ASCII letters does not matter.
    HasPart(Vec<Column>, Cell),
}

impl Condition {
    /// Whether it holds for the rows of one user, or for those of no user.
    fn names_user(&self) -> bool {
        matches!(self, Self::Equal(column, _) | Self::Null(column, true) if column.name == "user_id")
    }
}

impl Query {
    /// All rows, in the order of these columns.
    pub fn of<T: Group>(name: &'static str, order: &[&'static str]) -> Self {
        let order = order.iter().map(|column| T::TABLE.column(column)).collect();
        Self::new(name, T::TABLE, T::list(), T::KEY).ordered_by(order)
    }

    /// All columns of all rows, in the order of the key.
    pub fn of_table(name: &'static str, table: &'static Table) -> Self {
        Self::new(name, table, table.columns.to_vec(), table.key_columns).ordered_by(table.key().to_vec())
    }

    fn new(name: &'static str, table: &'static Table, columns: Vec<Column>, key_columns: usize) -> Self {
        let (conditions, order) = (Vec::new(), Vec::new());
        let (is_descending, limit, offset) = (false, u32::MAX, 0);
        Self { name, table, columns, key_columns, conditions, order, is_descending, limit, offset }
    }

    fn ordered_by(self, order: Vec<Column>) -> Self {
        Self { order, ..self }
    }

    /// In descending order.
    #[must_use]
    pub fn descending(self) -> Self {
        Self { is_descending: true, ..self }
    }

    #[must_use]
    pub fn limit(self, limit: u32) -> Self {
        Self { limit, ..self }
    }

    /// Rows with this value; without a value, all.
    #[must_use]
    pub fn equal<V: Write + ?Sized>(self, column: &'static str, value: Option<&V>) -> Self {
        let column = self.table.column(column);
        self.with(value.and_then(cell).map(|cell| Condition::Equal(column, cell)))
    }

    /// Rows with `NULL`, or with a value; without a choice, all.
    #[must_use]
    pub fn null(self, column: &'static str, is_null: Option<bool>) -> Self {
        let column = self.table.column(column);
        self.with(is_null.map(|is_null| Condition::Null(column, is_null)))
    }

    /// Rows from the first value to the second.
    #[must_use]
    pub fn between<V: Write>(self, column: &'static str, bounds: [&V; 2]) -> Self {
        let column = self.table.column(column);
        let bounds = bounds.map(|bound| cell(bound).unwrap_or(Cell::Null));
        self.with(Some(Condition::Between(column, bounds)))
    }

    /// Rows behind the one with these values in the columns of the order; without values, all.
    #[must_use]
    pub fn after<V: Write>(self, values: Option<&V>) -> Self {
        let cells = values.map(|values| cells(values).into_iter().map(Cell::from).collect());
        self.with(cells.map(Condition::After))
    }

    /// Rows with this part in one of the columns; without a part, all.
    #[must_use]
    pub fn has_part(self, columns: &[&'static str], part: Option<&str>) -> Self {
        let columns = columns.iter().map(|column| self.table.column(column)).collect();
        let part = part.map(|part| Cell::Text(part.to_ascii_lowercase().into()));
        self.with(part.map(|part| Condition::HasPart(columns, part)))
    }

    fn with(mut self, condition: Option<Condition>) -> Self {
        self.conditions.extend(condition);
        self
    }

    /// Whether all rows are of one user.
    pub fn is_of_user(&self) -> bool {
        self.conditions.iter().any(Condition::names_user)
    }

    /// All rows of that user, in any order.
    #[must_use]
    pub fn all_of_user(&self) -> Self {
        let conditions = self.conditions.iter().filter(|condition| condition.names_user()).cloned().collect();
        Self { conditions, order: Vec::new(), ..self.clone() }
    }

    /// Whether the rows lie one behind the other along the order.
    pub fn follows_order(&self) -> bool {
        self.conditions.iter().all(|condition| matches!(condition, Condition::After(_)))
    }

    /// The values of the conditions, each with its column, as the statements number them from 2 on.
    pub fn values(&self) -> impl Iterator<Item = (Column, &Cell)> {
        self.conditions.iter().flat_map(|condition| match condition {
            Condition::Equal(column, value) => vec![(*column, value)],
            Condition::Null(..) => Vec::new(),
            Condition::Between(column, bounds) => bounds.iter().map(|bound| (*column, bound)).collect(),
            Condition::After(values) => self.order.iter().copied().zip(values).collect(),
            Condition::HasPart(columns, part) => {
                columns.first().map(|column| (*column, part)).into_iter().collect()
            }
        })
    }

    /// Selects the rows: after the values of the conditions come limit and offset.
    pub fn select(&self, dialect: Dialect) -> String {
        let (which, next) = self.which(dialect);
        let direction = if self.is_descending { " DESC" } else { "" };
        let order: Vec<String> =
            self.order.iter().map(|column| format!("{}{direction}", column.name)).collect();
        let order = if order.is_empty() { String::new() } else { format!(" ORDER BY {}", order.join(", ")) };
        let (limit, offset) = (dialect.count(next), dialect.count(next + 1));
        let columns = Table::names(&self.columns);
        format!("SELECT {columns} FROM {which}{order} LIMIT {limit} OFFSET {offset}")
    }

    /// Counts the rows of all pages.
    pub fn count(&self, dialect: Dialect) -> String {
        format!("SELECT count(*) FROM {}", self.which(dialect).0)
    }

    /// Table and conditions, and the number of the next value.
    fn which(&self, dialect: Dialect) -> (String, usize) {
        let mut next = 1;
        let mut place = |column: &Column| {
            next += 1;
            dialect.typed(next, *column)
        };
        let table = self.table;
        let mut which = format!(
            "{}{} WHERE {} = {}",
            table.name,
            self.index(dialect),
            table.tenant_column,
            dialect.place(1)
        );
        for condition in &self.conditions {
            which.push_str(" AND ");
            which.push_str(&self.condition(dialect, condition, &mut place));
        }
        (which, next + 1)
    }

    fn condition(
        &self,
        dialect: Dialect,
        condition: &Condition,
        place: &mut dyn FnMut(&Column) -> String,
    ) -> String {
        match condition {
            Condition::Equal(column, _) => format!("{} = {}", column.name, place(column)),
            Condition::Null(column, true) => format!("{} IS NULL", column.name),
            Condition::Null(column, false) => format!("{} IS NOT NULL", column.name),
            Condition::Between(column, _) => {
                format!("{} BETWEEN {} AND {}", column.name, place(column), place(column))
            }
            Condition::After(_) => {
                let values: Vec<String> = self.order.iter().map(place).collect();
                format!("({}) > ({})", Table::names(&self.order), values.join(", "))
            }
            Condition::HasPart(columns, _) => {
                let part = columns.first().map(place).unwrap_or_default();
                let has: Vec<_> = columns.iter().map(|column| dialect.has_part(*column, &part)).collect();
                format!("({})", has.join(" OR "))
            }
        }
    }

    /// SQLite takes a table for short and reads all of it, unless told that the rows of a user have an index.
    fn index(&self, dialect: Dialect) -> String {
        match (dialect, self.table.user_index) {
            (Dialect::Sqlite, Some(index)) if self.is_of_user() => format!(" INDEXED BY {index}"),
            _ => String::new(),
        }
    }

    /// The rows that a store gave for this query, as what they are.
    ///
    /// # Errors
    /// The first column that does not hold what it should, with table and key.
    pub fn read<T: Group + for<'r> Read<'r>>(&self, rows: &[Row]) -> Result<Vec<T>, Corrupt> {
        let read = |cells| {
            let source = Cells { columns: &self.columns, cells };
            Record::new(self.table.name, self.key_columns, &source).read()
        };
        rows.iter().map(read).collect()
    }
}

impl Dialect {
    /// A value as one of this column: PostgreSQL is told the type.
    fn typed(self, number: usize, column: Column) -> String {
        match self {
            Self::Sqlite => self.place(number),
            Self::Postgres => format!("{}::{}", self.place(number), column.sql_type()),
        }
    }

    fn count(self, number: usize) -> String {
        let suffix = if self == Self::Postgres { "::bigint" } else { "" };
        self.place(number) + suffix
    }

    fn has_part(self, column: Column, part: &str) -> String {
        match self {
            Self::Sqlite => format!("instr(lower({}), {part}) > 0", column.name),
            Self::Postgres => format!("strpos(lower({} COLLATE \"C\"), {part}) > 0", column.name),
        }
    }
}

fn cell<V: Write + ?Sized>(value: &V) -> Option<Cell> {
    cells(value).into_iter().next().map(Cell::from)
}

/// A row of cells, as the readers of rows take it.
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
            Cell::Integer(_) | Cell::Bytes(_) => Err("not a text".to_owned()),
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

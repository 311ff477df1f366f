//! What a store knows of a type of rows.

use std::any::TypeId;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use super::facts::Facts;
use super::needs::Held;
use super::range::Range;
use crate::schema::{
    Cell, Column, Corrupt, Dialect, Group, Hold, OnConflict, RangeTest, Read, Row, Source, Statement, Table,
    UpdateShape, Write,
};

/// A type that commands read from rows of a table and write to them. The first [`Group::KEY`] of its columns name a row.
pub trait TableRow: Group + for<'r> Read<'r> + Write + Clone + Send + Sync + 'static {}

impl<T: Group + for<'r> Read<'r> + Write + Clone + Send + Sync + 'static> TableRow for T {}

/// What a store knows of a [`TableRow`].
#[derive(Clone)]
pub(crate) struct RowKind {
    pub(crate) id: TypeId,
    pub(crate) table: &'static Table,
    pub(crate) columns: Vec<Column>,
    key_width: usize,
    /// Loads a row.
    pub(crate) put: fn(&mut Facts, &dyn Source, Held) -> Result<(), Corrupt>,
    /// Notes that there is no row with this key.
    pub(crate) put_absent: fn(&mut Facts, Row),
    /// Notes that all rows of a range are loaded.
    pub(crate) put_range: fn(&mut Facts, &Range),
}

impl RowKind {
    pub(crate) fn of<T: TableRow>() -> Self {
        Self {
            id: TypeId::of::<T>(),
            table: T::TABLE,
            columns: T::list(),
            key_width: T::KEY,
            put: Facts::put_stored::<T>,
            put_absent: Facts::put_absent::<T>,
            put_range: Facts::put_range::<T>,
        }
    }

    /// Complete rows of a table, which no command reads.
    pub(super) fn of_table(table: &'static Table) -> Self {
        let columns = table.columns.to_vec();
        Self {
            id: TypeId::of::<Table>(),
            table,
            columns,
            key_width: table.key_columns,
            put: |_, _, _| Ok(()),
            put_absent: |_, _| (),
            put_range: |_, _| (),
        }
    }

    pub(crate) fn key(&self) -> &[Column] {
        self.columns.get(..self.key_width).unwrap_or_default()
    }
    /// The key values of a row.
    pub(crate) fn key_of<'r>(&self, row: &'r Row) -> &'r [Cell] {
        row.get(..self.key_width).unwrap_or(row)
    }

    /// The key of a row, for messages.
    pub(crate) fn describe_key(&self, row: &Row) -> String {
        self.key_of(row).iter().map(Cell::describe).collect::<Vec<_>>().join(", ")
    }

    /// The statement for rows of this type. It is built once.
    pub(crate) fn statement(&self, dialect: Dialect, work: Work) -> Arc<Statement> {
        let name = (self.id, self.table.name, dialect, work);
        let known = STATEMENTS.read().unwrap_or_else(PoisonError::into_inner).get(&name).cloned();
        known.unwrap_or_else(|| {
            let built = Arc::new(self.build(dialect, &name.3));
            STATEMENTS.write().unwrap_or_else(PoisonError::into_inner).insert(name, built.clone());
            built
        })
    }

    fn build(&self, dialect: Dialect, work: &Work) -> Statement {
        let (table, columns, key) = (self.table, &self.columns, self.key());
        match work {
            Work::Select(hold) => Statement::select_by_key(dialect, table, columns, key, *hold),
            Work::Find(hold) => Statement::select_by_key(dialect, table, key, key, *hold),
            Work::Any(tests) => Statement::any(dialect, table, tests),
            Work::Insert(on_conflict) => Statement::insert_columns(dialect, table, columns, *on_conflict),
            Work::Update(shape) => Statement::update(dialect, table, key, shape),
            Work::Delete => Statement::delete_by_key(dialect, table, key),
        }
    }
}

/// What a statement does with rows of one type.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Work {
    /// Selects rows by their keys.
    Select(Option<Hold>),
    /// Selects the keys of rows by these keys.
    Find(Option<Hold>),
    /// Finds which ranges have a row.
    Any(Vec<RangeTest>),
    Insert(OnConflict),
    Update(UpdateShape),
    /// Deletes rows by their keys.
    Delete,
}

/// By type and table.
type Statements = HashMap<(TypeId, &'static str, Dialect, Work), Arc<Statement>>;

/// The statements that were needed so far. There are as many as the code has kinds of changes.
static STATEMENTS: LazyLock<RwLock<Statements>> = LazyLock::new(RwLock::default);

//! Rows of a table that a command needs without naming their keys.

use crate::schema::{Cell, Column, Condition, Group, Query, RangeTest, Row, Table, Write, cells};

/// The rows of a table that meet all conditions. Without a condition: all of them, which must be few.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Range(Vec<Test>);

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Test {
    Equal(&'static str, Cell),
    Null(&'static str),
    Between(&'static str, [Cell; 2]),
}

impl Range {
    #[must_use]
    pub fn equal<V: Write + ?Sized>(mut self, column: &'static str, value: &V) -> Self {
        self.0.push(Test::Equal(column, cell(value)));
        self
    }

    #[must_use]
    pub fn null(mut self, column: &'static str) -> Self {
        self.0.push(Test::Null(column));
        self
    }

    /// Both bounds are included.
    #[must_use]
    pub fn between<V: Write>(mut self, column: &'static str, [first, last]: [&V; 2]) -> Self {
        self.0.push(Test::Between(column, [cell(first), cell(last)]));
        self
    }

    /// The rows, in the order of the key.
    pub fn query<T: Group>(&self, name: &'static str) -> Query {
        let columns = T::list();
        let key: Vec<&'static str> = columns.iter().take(T::KEY).map(|column| column.name).collect();
        let mut query = Query::of::<T>(name, &key);
        query.conditions.extend(self.0.iter().map(|test| match test {
            Test::Equal(column, value) => Condition::Equal(T::TABLE.column(column), value.clone()),
            Test::Null(column) => Condition::Null(T::TABLE.column(column), true),
            Test::Between(column, bounds) => Condition::Between(T::TABLE.column(column), bounds.clone()),
        }));
        query
    }

    /// What an `EXISTS` compares, and the values that it compares with.
    pub(crate) fn tests(&self, table: &Table) -> (Vec<RangeTest>, Row) {
        let mut values = Row::new();
        let tests = self.0.iter().map(|test| match test {
            Test::Equal(column, value) => {
                values.push(value.clone());
                RangeTest::Equal(table.column(column))
            }
            Test::Null(column) => RangeTest::Null(table.column(column)),
            Test::Between(column, bounds) => {
                values.extend(bounds.iter().cloned());
                RangeTest::Between(table.column(column))
            }
        });
        (tests.collect(), values)
    }

    /// The values of the first key columns that all rows have.
    pub(super) fn prefix(&self, key: &[Column]) -> Row {
        let value = |column: &Column| {
            self.0.iter().find_map(|test| match test {
                Test::Equal(name, value) if *name == column.name => Some(value.clone()),
                Test::Equal(..) | Test::Null(_) | Test::Between(..) => None,
            })
        };
        key.iter().map_while(value).collect()
    }

    /// Whether it has every row with this key, whatever else is in the row.
    pub(super) fn has_key(&self, columns: &[Column], key: &[Cell]) -> bool {
        self.0.iter().all(|test| match test {
            Test::Equal(name, wanted) => {
                let place = columns.iter().position(|column| column.name == *name);
                place.and_then(|place| key.get(place)) == Some(wanted)
            }
            Test::Null(_) | Test::Between(..) => false,
        })
    }

    /// Whether a row with these cells is one of them.
    pub(super) fn has(&self, columns: &[Column], row: &[Cell]) -> bool {
        let value = |name: &str| {
            let place = columns.iter().position(|column| column.name == name);
            place.and_then(|place| row.get(place)).unwrap_or(&Cell::Null)
        };
        self.0.iter().all(|test| match test {
            Test::Equal(column, wanted) => value(column) == wanted,
            Test::Null(column) => *value(column) == Cell::Null,
            Test::Between(column, [first, last]) => (first..=last).contains(&value(column)),
        })
    }
}

fn cell<V: Write + ?Sized>(value: &V) -> Cell {
    cells(value).into_iter().next().map_or(Cell::Null, Cell::from)
}

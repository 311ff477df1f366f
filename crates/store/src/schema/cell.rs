use std::borrow::Cow;

use crate::schema::packed_id;

/// One value of a row, the same for both databases. A boolean is 0 or 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    Null,
    Integer(i64),
    /// A string, ordered by its bytes.
    Text(Box<str>),
    Bytes(Box<[u8]>),
}

/// The values of a row without the tenant's id, in the order of [`crate::schema::Table::columns`].
pub type Row = Vec<Cell>;

/// A [`Cell`] that borrows from the value to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellRef<'v> {
    Null,
    Integer(i64),
    /// A string. It is owned when it is JSON that was built for the write.
    Text(Cow<'v, str>),
    /// Bytes. They are owned when they are an id in its stored form.
    Bytes(Cow<'v, [u8]>),
}

impl<'v> From<&'v Cell> for CellRef<'v> {
    fn from(cell: &'v Cell) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Integer(number) => Self::Integer(*number),
            Cell::Text(text) => Self::Text((&**text).into()),
            Cell::Bytes(bytes) => Self::Bytes((&**bytes).into()),
        }
    }
}

impl From<CellRef<'_>> for Cell {
    fn from(cell: CellRef<'_>) -> Self {
        match cell {
            CellRef::Null => Self::Null,
            CellRef::Integer(number) => Self::Integer(number),
            CellRef::Text(text) => Self::Text(text.into()),
            CellRef::Bytes(bytes) => Self::Bytes(bytes.into()),
        }
    }
}

impl Cell {
    /// The value for an error message.
    pub fn describe(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Text(text) => format!("{text:?}"),
            Self::Bytes(bytes) => packed_id::describe(bytes),
            Self::Null => "?".to_owned(),
        }
    }
}

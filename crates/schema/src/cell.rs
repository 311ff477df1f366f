use std::borrow::Cow;

/// One value of a row, as every database keeps it. Truth is 0 or 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cell {
    Null,
    /// A whole number.
    Integer(i64),
    /// A text, ordered by its bytes.
    Text(Box<str>),
    Bytes(Box<[u8]>),
}

/// The values of a row, in the order of [`crate::Table::columns`]: all but the tenant's id.
pub type Row = Vec<Cell>;

/// A [`Cell`] that borrows from what is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CellRef<'v> {
    Null,
    /// A whole number.
    Integer(i64),
    /// A text; JSON is made while it is written.
    Text(Cow<'v, str>),
    Bytes(&'v [u8]),
}

impl<'v> From<&'v Cell> for CellRef<'v> {
    fn from(cell: &'v Cell) -> Self {
        match cell {
            Cell::Null => Self::Null,
            Cell::Integer(number) => Self::Integer(*number),
            Cell::Text(text) => Self::Text((&**text).into()),
            Cell::Bytes(bytes) => Self::Bytes(bytes),
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
    /// The value as errors show it. Bytes may be the hash of a token or a secret, so they are never shown.
    pub fn describe(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Text(text) => format!("{text:?}"),
            Self::Bytes(_) | Self::Null => "?".to_owned(),
        }
    }
}

//! The parts of a condition in which the databases differ.

use crate::schema::{Column, Dialect, Kind, Table};

/// The parameter of a list of keys.
pub(super) const LIST: Column = Column { name: "keys", kind: Kind::Text };

impl Dialect {
    /// The placeholder of a value of this column. PostgreSQL needs a cast to its type.
    pub(super) fn typed(self, number: usize, column: Column) -> String {
        match self {
            Self::Sqlite => self.placeholder(number),
            Self::Postgres => format!("{}::{}", self.placeholder(number), column.sql_type()),
        }
    }

    pub(super) fn count(self, number: usize) -> String {
        let suffix = if self == Self::Postgres { "::bigint" } else { "" };
        self.placeholder(number) + suffix
    }

    /// Whether the columns have one of the keys of a JSON array. One parameter for any number of keys keeps the statement the same.
    pub(super) fn one_of(self, columns: &[Column], list: &str) -> String {
        let names = Table::names(columns);
        let part = |(at, column): (usize, &Column)| match (self, column.kind) {
            (Self::Sqlite, _) => format!("json_extract(value, '$[{at}]')"),
            (Self::Postgres, Kind::Text) => format!("key ->> {at}"),
            (Self::Postgres, _) => format!("(key ->> {at})::bigint"),
        };
        let parts = columns.iter().enumerate().map(part).collect::<Vec<_>>().join(", ");
        match self {
            Self::Sqlite => format!("({names}) IN (SELECT {parts} FROM json_each({list}))"),
            Self::Postgres => {
                let keys = format!("SELECT {parts} FROM json_array_elements({list}::json) AS given (key)");
                // An array keeps the order of an index, so that a limit ends the scan. A join does not.
                if columns.len() == 1 {
                    format!("{names} = ANY (ARRAY({keys}))")
                } else {
                    format!("({names}) IN ({keys})")
                }
            }
        }
    }

    /// A text with ASCII letters in lower case.
    pub(super) fn lower(self, text: &str) -> String {
        match self {
            Self::Sqlite => format!("lower({text})"),
            Self::Postgres => format!("lower({text} COLLATE \"C\")"),
        }
    }

    /// Whether the column contains the first text. The others are pairs of letters in upper and lower case. `lower` knows ASCII only, so that both
    /// databases find the same.
    pub(super) fn has_part(self, column: Column, texts: &[String]) -> String {
        let Some((part, letters)) = texts.split_first() else { return String::new() };
        let find = if self == Self::Sqlite { "instr" } else { "strpos" };
        let folded = letters
            .chunks(2)
            .fold(self.lower(column.name), |text, pair| format!("replace({text}, {})", pair.join(", ")));
        format!("{find}({folded}, {part}) > 0")
    }

    /// Whether the column, a JSON array of texts, has one of the texts of another JSON array.
    pub(super) fn has_item(self, column: Column, list: &str) -> String {
        let (items, given) = match self {
            Self::Sqlite => {
                (format!("json_each({})", column.name), format!("SELECT value FROM json_each({list})"))
            }
            Self::Postgres => (
                format!("json_array_elements_text({}::json) AS item (value)", column.name),
                format!("SELECT json_array_elements_text({list}::json)"),
            ),
        };
        format!("EXISTS (SELECT 1 FROM {items} WHERE value IN ({given}))")
    }
}

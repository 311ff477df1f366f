use crate::schema::{CellRef, Column, Corrupt, Kind, Record, Source, Table};

/// A type that is stored in one or several adjacent columns of a statement.
pub trait Columns {
    const WIDTH: usize;

    /// Adds the columns in order. A type of one column takes its name from the group that contains it.
    fn columns(name: &'static str, columns: &mut Vec<Column>);
}

/// A type that is stored in one column.
pub trait Scalar: Columns {
    const KIND: Kind;
}

impl<T: Scalar> Scalar for Option<T> {
    const KIND: Kind = T::KIND;
}

pub trait Read<'r>: Columns + Sized {
    /// Reads the columns that start at index `at`.
    ///
    /// # Errors
    /// Names the first column with an invalid value.
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt>;
}

/// A type that can be written to its [`Columns`].
pub trait Write: Columns {
    /// Adds one value for each column.
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>);
}

/// Named columns of one table.
pub trait Group: Columns {
    const TABLE: &'static Table;
    /// How many of the first columns form the key that errors name.
    const KEY: usize;

    fn list() -> Vec<Column> {
        let mut columns = Vec::with_capacity(Self::WIDTH);
        Self::columns("", &mut columns);
        columns
    }

    /// The column list of a `SELECT`.
    fn names() -> String {
        Table::names(&Self::list())
    }

    /// The column list of a `SELECT`, with the table's alias before each name.
    fn names_of(alias: &str) -> String {
        Self::list().iter().map(|column| format!("{alias}.{}", column.name)).collect::<Vec<_>>().join(", ")
    }

    /// A `SELECT` of these columns. `rest` follows the table name: conditions, order and limit.
    fn select(rest: &str) -> String {
        format!("SELECT {} FROM {} {rest}", Self::names(), Self::TABLE.name)
    }
}

/// The values of `written`, one per column.
pub fn cells<T: Write + ?Sized>(written: &T) -> Vec<CellRef<'_>> {
    let mut cells = Vec::with_capacity(16);
    written.write(&mut cells);
    cells
}

/// The SQL of a statement, built once.
#[macro_export]
macro_rules! sql {
    ($text:expr) => {{
        static SQL: std::sync::LazyLock<String> = std::sync::LazyLock::new(|| String::from($text));
        SQL.as_str()
    }};
}

/// The SQL that selects a [`Group`], built once.
#[macro_export]
macro_rules! select {
    ($group:ty, $rest:expr) => {
        $crate::sql!(<$group as $crate::schema::Group>::select($rest))
    };
}

/// Maps the fields of structs to columns of a table, and says how many of the first columns form the key. The generated
/// code names every field, so a new field does not compile until it has a column.
macro_rules! columns {
    ($($name:ident $(<$life:lifetime>)? of $table:ident / $key:expr, $how:ident $fields:tt)*) => {$(
        columns!(@columns $name [$($life)?] $fields);
        columns!(@$how $name [$($life)?] $fields);
        impl $(<$life>)? crate::schema::Group for $name $(<$life>)? {
            const TABLE: &'static crate::schema::Table = &crate::schema::$table;
            const KEY: usize = $key;
        }
    )*};
    (@columns $name:ident [$($life:lifetime)?] { $($(#[$doc:meta])* $field:ident $(as $column:literal)?: $type:ty),* $(,)? }) => {
        impl $(<$life>)? crate::schema::Columns for $name $(<$life>)? {
            const WIDTH: usize = 0 $(+ <$type as crate::schema::Columns>::WIDTH)*;

            fn columns(_: &'static str, columns: &mut Vec<crate::schema::Column>) {
                $(<$type as crate::schema::Columns>::columns(columns!(@name $field $($column)?), columns);)*
            }
        }
    };
    (@both $name:ident $life:tt $fields:tt) => {
        columns!(@read $name $life $fields);
        columns!(@write $name $life $fields);
    };
    (@read $name:ident [] $fields:tt) => {
        impl<'r> crate::schema::Read<'r> for $name {
            columns!(@reader 'r $fields);
        }
    };
    (@read $name:ident [$life:lifetime] $fields:tt) => {
        impl<$life> crate::schema::Read<$life> for $name<$life> {
            columns!(@reader $life $fields);
        }
    };
    (@reader $life:lifetime { $($(#[$doc:meta])* $field:ident $(as $column:literal)?: $type:ty),* $(,)? }) => {
        #[inline]
        fn read<S: crate::schema::Source + ?Sized>(row: &crate::schema::Record<$life, S>, at: usize) -> Result<Self, crate::schema::Corrupt> {
            let mut at = at;
            $(
                let $field = <$type as crate::schema::Read<$life>>::read(row, at)?;
                at += <$type as crate::schema::Columns>::WIDTH;
            )*
            let _ = at;
            Ok(Self { $($field),* })
        }
    };
    (@write $name:ident [$($life:lifetime)?] { $($(#[$doc:meta])* $field:ident $(as $column:literal)?: $type:ty),* $(,)? }) => {
        impl $(<$life>)? crate::schema::Write for $name $(<$life>)? {
            fn write<'w>(&'w self, cells: &mut Vec<crate::schema::CellRef<'w>>) {
                let Self { $($field),* } = self;
                $(crate::schema::Write::write($field, cells);)*
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $column:literal) => { $column };
}

/// Structs for parts of tables, with [`columns!`].
macro_rules! rows {
    ($(
        $(#[$meta:meta])*
        $name:ident $(<$life:lifetime>)? of $table:ident / $key:literal, $how:ident $fields:tt
    )*) => {$(
        rows!(@struct [$(#[$meta])*] $name [$($life)?] $fields);
        columns! { $name $(<$life>)? of $table / $key, $how $fields }
    )*};
    (@struct [$($meta:tt)*] $name:ident [$($life:lifetime)?] {
        $($(#[$doc:meta])* $field:ident $(as $column:literal)?: $type:ty),* $(,)?
    }) => {
        $($meta)*
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct $name $(<$life>)? {
            $(
                $(#[$doc])*
                #[doc = concat!("Column `", columns!(@name $field $($column)?), "`.")]
                pub $field: $type,
            )*
        }
    };
}

/// Types that use the same columns as another type.
macro_rules! columns_of {
    ($(($($generics:tt)*) $type:ty as $other:ty;)*) => {$(
        impl<$($generics)*> Columns for $type {
            const WIDTH: usize = <$other>::WIDTH;

            fn columns(name: &'static str, columns: &mut Vec<Column>) {
                <$other>::columns(name, columns);
            }
        }
    )*};
}

columns_of! {
    (T: Columns + ?Sized) &T as T;
    (T: Columns) Option<T> as T;
    (T: Columns) Result<T, Corrupt> as T;
}

impl<T: Write + ?Sized> Write for &T {
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
        (**self).write(cells);
    }
}

/// `None` when the first column is `NULL`.
impl<'r, T: Read<'r>> Read<'r> for Option<T> {
    #[inline]
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        if row.is_null(at) { Ok(None) } else { T::read(row, at).map(Some) }
    }
}

impl<T: Write> Write for Option<T> {
    fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
        match self {
            Some(value) => value.write(cells),
            None => cells.extend((0..T::WIDTH).map(|_| CellRef::Null)),
        }
    }
}

/// The key of a table with one row for each tenant.
impl Columns for () {
    const WIDTH: usize = 0;

    fn columns(_: &'static str, _: &mut Vec<Column>) {}
}

impl Write for () {
    fn write<'w>(&'w self, _: &mut Vec<CellRef<'w>>) {}
}

/// Tuples for columns without a struct, such as the result of a join or the values of a guard.
macro_rules! tuples {
    ($(($($part:ident)+))*) => {$(
        impl<$($part: Columns),+> Columns for ($($part,)+) {
            const WIDTH: usize = 0 $(+ $part::WIDTH)+;

            fn columns(name: &'static str, columns: &mut Vec<Column>) {
                $($part::columns(name, columns);)+
            }
        }

        impl<'r, $($part: Read<'r>),+> Read<'r> for ($($part,)+) {
            #[inline]
            #[expect(non_snake_case, reason = "a part is named as its type")]
            fn read<Row: Source + ?Sized>(row: &Record<'r, Row>, at: usize) -> Result<Self, Corrupt> {
                let mut at = at;
                $(
                    let $part = $part::read(row, at)?;
                    at += $part::WIDTH;
                )+
                let _ = at;
                Ok(($($part,)+))
            }
        }

        impl<$($part: Write),+> Write for ($($part,)+) {
            #[expect(non_snake_case, reason = "a part is named as its type")]
            fn write<'w>(&'w self, cells: &mut Vec<CellRef<'w>>) {
                let ($($part,)+) = self;
                $($part.write(cells);)+
            }
        }
    )*};
}

tuples! { (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F) (A B C D E F G) (A B C D E F G H I J) }

/// For an audit, which continues after a column that cannot be read.
impl<'r, T: Read<'r>> Read<'r> for Result<T, Corrupt> {
    fn read<S: Source + ?Sized>(row: &Record<'r, S>, at: usize) -> Result<Self, Corrupt> {
        Ok(T::read(row, at))
    }
}

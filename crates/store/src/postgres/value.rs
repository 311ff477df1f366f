//! The parameters of statements, each with its PostgreSQL type.

use std::borrow::Cow;

use tokio_postgres::types::{ToSql, Type};

/// A value with a known type. A statement that is not prepared is sent together with its values and their types, because the
/// server has not described its parameters yet.
pub(crate) trait Value: ToSql {
    /// The PostgreSQL type, also of a `NULL`.
    fn kind(&self) -> Type;
}

impl<T: Typed + ToSql> Value for T {
    fn kind(&self) -> Type {
        T::KIND
    }
}

pub(crate) trait Typed {
    const KIND: Type;
    const ARRAY: Type;
}

macro_rules! typed {
    ($($rust:ty: $kind:ident, $array:ident;)*) => {
        $(impl Typed for $rust {
            const KIND: Type = Type::$kind;
            const ARRAY: Type = Type::$array;
        })*
    };
}

typed! {
    &str: TEXT, TEXT_ARRAY;
    String: TEXT, TEXT_ARRAY;
    Cow<'_, str>: TEXT, TEXT_ARRAY;
    &[u8]: BYTEA, BYTEA_ARRAY;
    Vec<u8>: BYTEA, BYTEA_ARRAY;
    i64: INT8, INT8_ARRAY;
    i32: INT4, INT4_ARRAY;
    bool: BOOL, BOOL_ARRAY;
}

impl<T: Typed> Typed for Option<T> {
    const KIND: Type = T::KIND;
    const ARRAY: Type = T::ARRAY;
}

impl<T: Typed> Typed for &T {
    const KIND: Type = T::KIND;
    const ARRAY: Type = T::ARRAY;
}

impl<T: Typed> Typed for &[T] {
    const KIND: Type = T::ARRAY;
    const ARRAY: Type = T::ARRAY;
}

impl<T: Typed> Typed for Vec<T> {
    const KIND: Type = T::ARRAY;
    const ARRAY: Type = T::ARRAY;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_has_type_of_its_column() {
        assert_eq!(None::<i32>.kind(), Type::INT4);
        assert_eq!(vec![None::<&str>].kind(), Type::TEXT_ARRAY);
    }

    #[test]
    fn byte_slice_is_bytea_and_not_array() {
        let bytes: &[u8] = &[1, 2];
        assert_eq!((bytes.kind(), vec![bytes].kind()), (Type::BYTEA, Type::BYTEA_ARRAY));
    }
}

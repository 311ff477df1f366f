//! Views: the JSON of responses. One declaration gives the struct, its serialization and its schema.

use std::borrow::Cow;

use super::schema::{Field, NamedSchema, Schema};

/// JSON of a response. [`view!`](crate::view) implements it; by hand it is for bodies that are written without a struct.
pub trait View {
    /// The name of its component. A view without a name is described where it is used.
    const NAME: &'static str = "";

    fn members() -> Vec<Field>;

    /// Adds the components that its members name. Most name none.
    fn add_components(_: &mut Vec<NamedSchema>) {}

    fn object() -> Schema {
        Schema::object(Self::members())
    }
}

/// A view of which the OpenAPI document shows one: alone, in a response with `data`, and in a page.
pub trait Sample: View {
    /// Its JSON. A test holds it against the schema.
    const SAMPLE: &'static str;
}

/// A type of a member, whose schema is known.
pub trait Described {
    fn schema() -> Schema;

    /// The schema of a member that is left out when there is no value.
    fn schema_when_present() -> Schema {
        Self::schema()
    }

    /// Adds the components that its schema names. Most name none.
    fn add_components(_: &mut Vec<NamedSchema>) {}
}

impl<V: View> Described for V {
    fn schema() -> Schema {
        if V::NAME.is_empty() { V::object() } else { Schema::named(V::NAME) }
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        // A view may contain itself.
        if all.iter().any(|(name, _)| name == V::NAME) {
            return;
        }
        if !V::NAME.is_empty() {
            all.push((Cow::Borrowed(V::NAME), V::object));
        }
        <V as View>::add_components(all);
    }
}

impl<T: Described> Described for Option<T> {
    fn schema() -> Schema {
        T::schema().or_null()
    }

    fn schema_when_present() -> Schema {
        T::schema()
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        T::add_components(all);
    }
}

impl<T: Described> Described for Vec<T> {
    fn schema() -> Schema {
        Schema::list(T::schema())
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        T::add_components(all);
    }
}

impl<T: Described> Described for &[T] {
    fn schema() -> Schema {
        Schema::list(T::schema())
    }

    fn add_components(all: &mut Vec<NamedSchema>) {
        T::add_components(all);
    }
}

macro_rules! described {
    ($($type:ty: $schema:ident;)*) => {
        $(impl Described for $type {
            fn schema() -> Schema {
                Schema::$schema()
            }
        })*
    };
}

described! {
    bool: boolean;
    &str: text;
    String: text;
    u16: count;
    u32: count;
    u64: count;
    usize: count;
    i64: whole;
    serde_json::Value: any_object;
}

/// Declares views: structs, in which
///
/// - the comment of a member is its description in the OpenAPI document.
/// - a member has at most one attribute, of serde and after its comment: `flatten`, `rename`, or `skip_serializing_if` of an `Option`.
/// - `=>` gives the schema of a member where its type does not say it.
/// - `as` gives the name of the component.
///
/// ```text
/// view! {
///     /// A user, for the back office.
///     pub struct UserView<'u> as "User" {
///         id: &'u str => Schema::id(),
///         /// Whether the user's tokens are refused.
///         disabled: bool,
///         #[serde(skip_serializing_if = "Option::is_none")]
///         note: Option<&'u str>,
///     }
/// }
/// ```
#[macro_export]
macro_rules! view {
    (@member $members:ident, [flatten], $name:ident, $type:ty, [], []) => {
        $members.extend(<$type as $crate::describe::View>::members());
    };
    (@member $members:ident, [rename = $name:literal], $_:ident, $type:ty, $schema:tt, $lines:tt) => {
        $members.push($crate::describe::required($name, $crate::view!(@schema schema, $type, $schema, $lines)));
    };
    (@member $members:ident, [skip_serializing_if = "Option::is_none"], $name:ident, $type:ty, $schema:tt, $lines:tt) => {
        let schema = $crate::view!(@schema schema_when_present, $type, $schema, $lines);
        $members.push($crate::describe::optional(stringify!($name), schema));
    };
    (@member $members:ident, [], $name:ident, $type:ty, $schema:tt, $lines:tt) => {
        let schema = $crate::view!(@schema schema, $type, $schema, $lines);
        $members.push($crate::describe::required(stringify!($name), schema));
    };
    (@components $all:ident, [flatten], $type:ty) => {
        <$type as $crate::describe::View>::add_components($all);
    };
    (@components $all:ident, $serde:tt, $type:ty) => {
        <$type as $crate::describe::Described>::add_components($all);
    };
    (@schema $_:ident, $type:ty, [$schema:expr], [$($line:literal)*]) => {
        $schema.describe_by(&[$($line),*])
    };
    (@schema $of_type:ident, $type:ty, [], [$($line:literal)*]) => {
        <$type as $crate::describe::Described>::$of_type().describe_by(&[$($line),*])
    };
    ($(
        $(#[$meta:meta])*
        $vis:vis struct $view:ident $(<$life:lifetime>)? $(as $component:literal)? {
            $(
                $(#[doc = $line:literal])*
                $(#[serde($($serde:tt)*)])?
                $member_vis:vis $member:ident: $type:ty $(=> $schema:expr)?
            ),* $(,)?
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(::serde::Serialize)]
        $vis struct $view $(<$life>)? {
            $(
                $(#[doc = $line])*
                $(#[serde($($serde)*)])?
                $member_vis $member: $type,
            )*
        }

        impl $(<$life>)? $crate::describe::View for $view $(<$life>)? {
            $(const NAME: &'static str = $component;)?

            fn members() -> Vec<$crate::describe::Field> {
                let mut members = Vec::new();
                $($crate::view!(@member members, [$($($serde)*)?], $member, $type, [$($schema)?], [$($line)*]);)*
                members
            }

            fn add_components(all: &mut Vec<$crate::describe::NamedSchema>) {
                $($crate::view!(@components all, [$($($serde)*)?], $type);)*
            }
        }
    )*};
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::describe::IntoJson;

    view! {
        struct Inner as "Inner" {
            /// How many.
            count: u32,
        }

        struct Outer<'o> {
            #[serde(flatten)]
            inner: Inner,
            /// A comment
            /// of two lines.
            #[serde(rename = "type")]
            kind: &'o str => Schema::one_of(["a", "b"]),
            #[serde(skip_serializing_if = "Option::is_none")]
            points: Option<i64>,
            at: Option<bool>,
            items: Vec<Inner>,
        }
    }

    #[test]
    fn a_view_is_written_as_it_is_described() {
        let outer = Outer { inner: Inner { count: 3 }, kind: "a", points: None, at: None, items: vec![] };
        let json = serde_json::to_string(&outer).unwrap();
        assert_eq!(json, r#"{"count":3,"type":"a","at":null,"items":[]}"#);
        let schema = serde_json::to_string(&Outer::object().into_json()).unwrap();
        insta::assert_snapshot!(schema.replace("},", "},\n"), @r##"
        {"type":"object","properties":{"count":{"type":"integer","format":"int64","minimum":0,"description":"How many."},
        "type":{"type":"string","enum":["a","b"],"description":"A comment of two lines."},
        "points":{"type":"integer","format":"int64"},
        "at":{"type":["boolean","null"]},
        "items":{"type":"array","items":{"$ref":"#/components/schemas/Inner"}}},
        "required":["count","type","at","items"]}
        "##);
    }
}

//! The body of a successful operation.

use std::borrow::Cow;

use pointbook_domain::Points;
use serde::Serialize;

use crate::describe::{Described, ResponseBody, Schema, View, required};
use crate::view;

/// `success`, the data, and after a change of points the balance.
#[derive(Debug, Serialize)]
#[expect(clippy::struct_field_names, reason = "the key that clients read")]
pub struct Success<T> {
    success: bool,
    data: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    user_points: Option<i64>,
}

impl<T> Success<T> {
    /// Says what it came to.
    pub fn of(data: T) -> Self {
        Self { success: true, data, user_points: None }
    }

    /// The same with the user's balance.
    pub fn with_points(data: T, balance: Points) -> Self {
        Self { user_points: Some(balance.get()), ..Self::of(data) }
    }
}

view! {
    /// `{"success":true}` without data.
    #[derive(Debug)]
    pub struct Done as "Done" {
        success: bool => Schema::always(true),
    }
}

impl Done {
    pub fn success() -> Self {
        Self { success: true }
    }
}

/// A response whose `data` is this view.
pub fn success_of<V: View>() -> ResponseBody {
    success_named::<V>(format!("{}Answer", V::NAME))
}

/// A response whose `data` is of this type, under a name of its own.
pub fn success_named<D: Described>(name: impl Into<Cow<'static, str>>) -> ResponseBody {
    ResponseBody::named(name, || {
        Schema::object([required("success", Schema::always(true)), required("data", D::schema())])
    })
    .with::<D>()
}

/// The same with the balance after a write.
pub fn written_of<V: View>() -> ResponseBody {
    ResponseBody::named(format!("{}Written", V::NAME), || {
        let user_points = Schema::points().describe("The balance of the user after the write.");
        Schema::object([
            required("success", Schema::always(true)),
            required("data", V::schema()),
            required("user_points", user_points),
        ])
    })
    .with::<V>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balance_stands_behind_the_data_where_there_is_one() {
        let balance = Points::new(-7).unwrap();
        let json = |body: &Success<[u8; 0]>| serde_json::to_string(body).unwrap();
        assert_eq!(json(&Success::of([])), r#"{"success":true,"data":[]}"#);
        assert_eq!(
            json(&Success::with_points([], balance)),
            r#"{"success":true,"data":[],"user_points":-7}"#
        );
        assert_eq!(serde_json::to_string(&Done::success()).unwrap(), r#"{"success":true}"#);
    }
}

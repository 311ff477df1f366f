//! A new token.

use pointbook_domain::{Timestamp, UserId};
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    pub struct TokenView<'t> as "IssuedToken" {
        /// The server shows the token only in this response.
        token: &'t str,
        user_id: &'t str => Schema::id(),
        /// Null for a token that never expires.
        expires_at: Option<DateTimeView>,
    }
}

impl<'t> TokenView<'t> {
    /// A token of a user. Without a time it never expires.
    pub fn new(token: &'t str, user_id: &'t UserId, expires_at: Option<Timestamp>) -> Self {
        Self { token, user_id: user_id.as_str(), expires_at: expires_at.map(DateTimeView) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_without_an_end_says_so() {
        let user_id = UserId::new("u1").unwrap();
        let json = |end| serde_json::to_string(&TokenView::new("pb_x", &user_id, end)).unwrap();
        assert_eq!(json(None), r#"{"token":"pb_x","user_id":"u1","expires_at":null}"#);
        assert_eq!(
            json(Timestamp::from_micros(0)),
            r#"{"token":"pb_x","user_id":"u1","expires_at":"1970-01-01T00:00:00.000000Z"}"#
        );
    }
}

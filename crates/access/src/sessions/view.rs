//! A one-time link to the shop.

use pointbook_domain::{Timestamp, UserId};
use pointbook_http::describe::Schema;
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    pub struct SignInLinkView<'l> as "SignInLink" {
        /// The page where the user signs in. Give it to this user only.
        url: &'l str,
        user_id: &'l str => Schema::id(),
        expires_at: DateTimeView,
    }
}

impl<'l> SignInLinkView<'l> {
    pub fn new(url: &'l str, user_id: &'l UserId, expires_at: Timestamp) -> Self {
        Self { url, user_id: user_id.as_str(), expires_at: DateTimeView(expires_at) }
    }
}

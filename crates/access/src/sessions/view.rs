//! A one-time link to the shop.

use pointbook_domain::{Timestamp, UserId};
use pointbook_http::describe::{Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;

/// The link, with its user and its end.
#[derive(Serialize)]
pub struct SignInLinkView<'l> {
    url: &'l str,
    user_id: &'l str,
    expires_at: DateTimeView,
}

impl<'l> SignInLinkView<'l> {
    pub fn new(url: &'l str, user_id: &'l UserId, expires_at: Timestamp) -> Self {
        Self { url, user_id: user_id.as_str(), expires_at: DateTimeView(expires_at) }
    }
}

pub fn sign_in_link_schema() -> Schema {
    Schema::object([
        required(
            "url",
            Schema::text().describe("The page where the user signs in. Give it to this user only."),
        ),
        required("user_id", Schema::id()),
        required("expires_at", Schema::date_time()),
    ])
}

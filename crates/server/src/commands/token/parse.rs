//! What options say about tokens.

use pointbook_domain::{TokenId, TokenLabel, UserId};

pub(super) fn parse_user(text: &str) -> Result<UserId, String> {
    UserId::new(text).map_err(|error| error.to_string())
}

pub(super) fn parse_id(text: &str) -> Result<TokenId, String> {
    TokenId::parse(text).map_err(|error| error.to_string())
}

pub(super) fn parse_label(text: &str) -> Result<TokenLabel, String> {
    TokenLabel::new(text).map_err(|error| error.to_string())
}

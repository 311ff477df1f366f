//! How members sign in to the pages of the server: a one-time link becomes a session.
//!
//! A session is a customer's token that a cookie carries. So it expires, is listed and is revoked like any other token of the
//! user.

mod address;
mod form_token;
mod link;
mod open;

pub use address::{LINK_PARAMETER, link_url, shop_path, tenant_of_segment};
pub use form_token::form_token;
pub use link::{LINK_SECONDS, LinkRefusal, SignInLink};
pub use open::{SESSION_SECONDS, SignInRefusal, open_session};

//! How members and operators sign in to the pages of the server: a one-time link becomes a session.
//!
//! The session of a member is a customer's token that a cookie carries. So it expires, is listed and is revoked like any other
//! token of the user. The session of an operator is a row that no request to the interface can use.

mod address;
pub mod clean;
pub(crate) mod console;
mod link;
mod link_requests;
mod open;
mod operators;
pub(crate) mod session_cookie;
mod shop_link;
pub mod view;

pub use address::{ConsoleOrigin, LINK_PARAMETER, PagesOf, link_url, pages_path, tenant_of_segment};
pub use link::{LINK_SECONDS, LinkRefusal, SignInLink, Subject};
pub(crate) use link_requests::LinkAsks;
pub use link_requests::{AskForLink, list_link_requests};
pub use open::{SESSION_SECONDS, SignInRefusal, open_session};
pub use operators::{
    EndOperatorSession, EndSessionsOfOperator, MAX_SESSIONS, NoteLink, OpenOperatorSession, OperatorEntry,
    OperatorSignIn, SignInMeans, find_operator, find_operator_by_email, find_operator_session,
    list_operator_sessions, note_session_use, open_operator_session, operator_actor, store_session_uses,
};
pub use session_cookie::{signed_token, verified_token};
pub use shop_link::{ShopLink, make_shop_link};

pub use crate::sessions::session_cookie::form_token;

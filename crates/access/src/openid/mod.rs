//! The client of one OpenID Connect issuer: discovery, the authorization URL, the exchange of the code, the check of the ID
//! token.
//!
//! It uses the authorization code flow with PKCE. The ID token comes from the token endpoint over TLS, so the check of its claims
//! needs no signature (OpenID Connect Core 1.0, section 3.1.3.7, item 6). The client says which verified email address a person
//! has. It knows no page and no store: the folder `console` finds the operator with that address and opens the session. No text
//! of the issuer leaves the client except that address.

mod attempt;
mod callback;
mod channel;
mod client;
pub(crate) mod console;
mod error;
mod id_token;
mod issuer;
mod members;
mod metadata;
pub(crate) mod rate;

pub use attempt::{ATTEMPT_SECONDS, Attempt};
pub use callback::{Callback, is_callback_query};
pub use client::{OpenId, Prompt, Requester, Settings};
pub use console::{CALLBACK, callback, find};
pub use error::OpenIdError;
pub use id_token::Identity;
pub use issuer::Issuer;

//! Sends one signed request to the receiver of a webhook.
//!
//! A receiver's URL comes from a tenant, so the sender treats it as hostile. It resolves the name, refuses the URL when any of
//! its addresses is not global, and connects to an address that it has checked. It follows no redirect, uses no proxy, keeps no
//! cookie, and drops the body of the response.
//!
//! The sender knows no tenant, no event and no database. Time and randomness are parameters.

mod address;
mod attempt;
mod certificates;
mod connection;
mod embedded;
mod pool;
mod receiver_url;
mod refusal;
mod resolve;
mod retry;
pub(crate) mod send;
mod signature;
mod special_range;

pub use address::AddressPolicy;
pub use attempt::{Attempt, ErrorClass, Outcome};
pub use certificates::system_certificates;
pub use receiver_url::{Scheme, UrlError};
pub use refusal::{Refusal, RefusedBecause, RefusedHost};
pub use resolve::{Resolve, SystemResolver};
pub use rustls::RootCertStore;
pub use signature::{SignedHeaders, SigningSecrets};
pub use special_range::SpecialRange;

pub use crate::webhooks::sender::send::{Message, Sender, SenderError, SenderOptions};

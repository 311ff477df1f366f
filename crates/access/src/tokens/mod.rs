//! Bearer tokens of customers and of the back office: issuing, checking at each request, listing, revoking, and removing old
//! ones.

pub(crate) mod api;
pub mod authenticate;
pub(crate) mod clean;
pub mod issue;
pub(crate) mod job;
pub mod principal_cache;
pub mod revoke;
pub mod secret_text;
pub mod view;
pub mod watch;

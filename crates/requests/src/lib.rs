//! Readers of requests: who sent one, its body and its query string. A reader returns one value, or all field errors at once. A
//! schema of the OpenAPI document is beside its reader.
//!
//! This room decides about no status: `http` maps each error to its response.

pub mod body;
mod head;
pub mod query;
mod sender;

pub use head::Head;
pub use sender::{MAX_CUSTOMER_KEYS, Sender, key_owner_of};

//! The audit log: what an entry says of a change and its author, and the chain of the entries.
//!
//! Nothing here reads or writes a database.

mod actor;
mod chain;
mod fields;
mod note;

pub use actor::{Actor, Author, Origin};
pub use chain::{AuditSeal, append, link};
pub use fields::{
    campaign_fields, category_fields, operator_note, order_fields, picture_added_note, picture_removed_note,
    session_note, shortened_fields, tenant_fields, token_fields, user_fields, webhook_fields,
};
pub use note::{ChangeNote, MAX_FIELDS_BYTES, Notes, digest_fields};

//! The use cases of pointbook, one file each, and the ports they need.
//!
//! Nothing here knows SQL, HTTP, files or the environment. Stores implement [`ports`]; `http` and
//! `server` call the use cases.

pub mod add_tenant;
pub mod address;
pub mod audit_ledger;
pub mod authenticate;
pub mod catalogue_cache;
pub mod chain;
pub mod change_tenant;
pub mod directory;
pub mod import_products;
pub mod issue_token;
pub mod json;
pub mod limits;
pub mod list_products;
pub mod point_history;
pub mod ports;
pub mod record_activities;
pub mod revoke_token;
pub mod service;
pub mod sources;
pub mod timestamp_text;

pub use add_tenant::{NewTenant, add_tenant};
pub use address::{Route, split_path};
pub use audit_ledger::{AuditReport, audit_ledger};
pub use authenticate::authenticate;
pub use catalogue_cache::CatalogueCache;
pub use change_tenant::change_tenant;
pub use directory::{Directory, ServedTenant};
pub use import_products::{ProductDraft, import_products};
pub use issue_token::{IssuedToken, issue_token, keep_token, token_hash};
pub use list_products::{ProductList, ProductListQuery, list_products};
pub use point_history::{PointHistory, point_history};
pub use pointbook_catalogue::{ProductFilter, ProductPage, ProductQuery, ProductSort, Snapshot};
pub use ports::{StoreError, StoreResult};
pub use record_activities::{NewActivity, RecordError, record_activities};
pub use revoke_token::{revoke_token, revoke_user_tokens};
pub use service::{Service, ServiceLimits};
pub use sources::{Clock, IdSource, SecretSource};

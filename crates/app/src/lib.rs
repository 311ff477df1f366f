//! The use cases of pointbook, one file each, and the ports they need.
//!
//! Nothing here knows SQL, HTTP, files or the environment. Stores implement [`ports`]; `http` and
//! `server` call the use cases.

pub mod authenticate;
pub mod background;
pub mod catalogue_cache;
pub mod chain;
mod cleaning;
pub mod commands;
pub mod context;
pub mod data_key;
pub mod database_health;
pub mod directory;
mod edit_catalogue;
pub mod feed;
pub mod issue_token;
mod known_operators;
pub mod limits;
mod list_products;
pub mod list_tokens;
pub mod place_order;
pub mod ports;
pub mod principal_cache;
pub mod processor;
pub mod product_draft;
pub mod put_user;
pub mod request_counts;
pub mod revoke_token;
pub mod rules_cache;
pub mod service;
pub mod sources;
pub mod step_order;
mod tenant_clock;
pub mod tenant_secret;
pub mod use_key;

pub use authenticate::authenticate;
pub use catalogue_cache::CatalogueCache;
pub use cleaning::permit_to_clean;
pub use context::Context;
pub use data_key::{DataKeyError, KeepDataKey, ResealDataKey, Resealing, check_data_key, reseal_data_key};
pub use database_health::{DatabaseHealth, with_causes};
pub use directory::{Directory, ServedTenant};
pub use edit_catalogue::{
    ChangeCategories, EditProduct, ReplaceCategories, RetireProducts, TreeText, UpsertProducts,
};
pub use issue_token::{
    DEFAULT_KEY_SECONDS, IssueTokenError, IssuedToken, MAX_KEYS, NewToken, StoreToken, derived_secret,
    derived_secret_of_caller, is_token_shape, issue_token, keep_token, token_hash, token_record, token_text,
};
pub use known_operators::KnownOperators;
pub use list_products::{ProductListFilter, list_products};
pub use list_tokens::list_tokens;
pub use place_order::{PlaceOrder, place_order};
pub use pointbook_audit_log::{Actor, Author, Origin};
pub use pointbook_catalogue::{
    ContentKey, Fragment, ProductFilter, ProductPage, ProductQuery, ProductSort, SharedFragment, Snapshot,
    fold_title,
};
/// The hashes of the audit log, which stores compute.
pub mod audit_log {
    pub use pointbook_audit_log::{AuditSeal, append};
}
/// Master keys and data keys.
pub mod keyring {
    pub use pointbook_keyring::{
        AssociatedData, CipherError, DataKey, MasterKey, MasterKeyId, MasterKeys, Zeroizing,
    };
}
/// The tables of a tenant, which ports and `copy` use.
pub mod tables {
    pub use pointbook_schema::{Cell, Column, Kind, Row, TABLES, Table};
}
pub use pointbook_time::{time_zone, timestamp_text};
pub use ports::{StoreError, StoreResult};
pub use principal_cache::KnownPrincipal;
pub use processor::Processor;
pub use product_draft::{
    ProductDraft, ProductPatchDraft, StockDraft, cleaned, cleaned_description, first_repeated, is_sale_above,
};
pub use put_user::{ChangeUser, ImportUsers, put_user};
pub use revoke_token::{
    RevokeKeyOutcome, RevokeToken, RevokeTokensOf, revoke_key, revoke_super_user_tokens, revoke_token,
    revoke_token_with_id, revoke_user_tokens,
};
pub use rules_cache::RulesCache;
pub use service::{Service, ServiceLimits};
pub use sources::{Clock, IdSource, KeyFileError, SecretSource};
pub use step_order::{StepOrder, cancel_order, execute_cancellation, fulfil_order};
pub use tenant_secret::{TenantSecret, TenantSecrets};
pub use time_zone::{UnknownTimeZone, Zone};
pub use use_key::{UseKeys, Uses, store_key_uses};

//! The nouns and rules that slices share.
//!
//! This crate reads no clock, file, socket or random source, and knows no SQL and no endpoint. Its types are parsed once, at the
//! edge, and cannot hold wrong values.

pub mod activity;
pub mod attributes;
pub mod audit;
pub mod audit_log;
mod canonical;
pub mod category;
pub mod civil_date;
pub mod clock_offset;
pub mod digits;
mod earned_counts;
pub mod errors;
pub mod expiry;
pub mod feed;
mod field_change;
mod hexadecimal;
pub mod history;
pub mod id;
pub mod json;
pub mod ledger;
pub mod local_time;
pub mod network;
pub mod operator;
mod operator_session;
pub mod order;
pub mod page;
mod page_query;
pub mod picture;
pub mod points;
pub mod product;
pub mod role;
mod rules;
pub mod scope;
pub mod settings;
pub mod spreadsheet;
pub mod tenant;
pub mod texts;
pub mod time;
pub mod token;
pub mod user;
pub mod web_url;
pub mod webhook;
mod webhook_secret;
mod words;
pub mod zones;

pub use activity::{Activity, ActivityType, Bonus, BonusOrigin, Bonuses, BonusesError, Transaction};
pub use attributes::{Attributes, AttributesError};
pub use audit_log::{AuditChain, AuditEntry, NewAuditEntry};
pub use category::{Category, CategoryEntry, CategoryTree, EntryParent};
pub use civil_date::CivilDate;
pub use clock_offset::ClockOffset;
pub use earned_counts::EarnedCounts;
pub use feed::{Cursor, EventType, Feed, FeedBlock, FeedEntry};
pub use field_change::FieldChange;
pub use history::{ActivityGroup, GroupedHistory, HistoryDay, HistoryRow, HistoryRows};
pub use id::{CategoryId, OperatorId, ProductId, SourceId, TenantId, TransactionId, UserId};
pub use local_time::{LocalTime, TimeZoneName};
pub use network::{Network, Networks};
pub use operator::{Email, Operator, OperatorName};
pub use operator_session::OperatorSession;
pub use order::{ClosedStatus, Order, OrderId, OrderRefusal, OrderStatus, OrderedProduct, Quantity};
pub use page::{PageNumber, PageRequest, PageSize, PageWindow};
pub use page_query::PageQuery;
pub use picture::{Picture, PictureFormat, PictureId};
pub use points::{Points, Price};
pub use product::{Availability, Product, ProductPatch};
pub use role::Role;
pub use scope::{Scope, Scopes};
pub use settings::{CorsPolicy, Feb29, TenantSettings};
pub use tenant::{BaseUrl, Environment, Locale, Slug, Tenant, TenantName};
pub use time::{Day, Timestamp};
pub use token::{Principal, TokenHash, TokenId, TokenKind, TokenLabel, TokenRecord};
pub use user::User;
pub use webhook::{
    DisabledBecause, EventTypes, Webhook, WebhookAttempt, WebhookMode, WebhookProgress, WebhookState,
};
pub use webhook_secret::WebhookSecret;

//! Examines over HTTP any server that follows the interface, with requests that change nothing.
//!
//! The examination compares responses with models that it builds from earlier responses. It uses no other code of pointbook, so
//! it cannot repeat its mistakes.

mod base_url_probe;
mod client;
mod cursor;
mod examine;
mod exchange;
mod json;
mod read;
mod report;
mod results;
mod rule;
mod secrets;
mod server_url;

pub use base_url_probe::{BaseUrlProbe, probe_base_url};
pub use client::{Client, Politeness, Token, TokenError};
pub use examine::{Filter, History, Products, ReadError, Refusal, Source, examine};
pub use json::Json;
pub use read::{Bonus, Category, Day, Group, Product, Transaction};
pub use report::{Counts, Example, Outcome, Report, RuleReport};
pub use rule::{Origin, RULES, Rule};
pub use secrets::one_line;
pub use server_url::{ServerUrl, UrlError};

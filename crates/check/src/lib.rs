//! Is the server at this address what the interface says?
//!
//! Any server of the interface is examined from outside, by reading requests alone. What is right is told by models of
//! this room's own, made of what the server answered before; nothing here knows how pointbook itself does it.

mod address;
mod answer;
mod book;
mod client;
mod cursor;
mod examine;
mod json;
mod patience;
mod read;
mod report;
mod rule;
mod secrets;

pub use address::{AddressError, BaseAddress};
pub use client::{Client, Politeness, Token, TokenError};
pub use examine::{Filter, History, Products, ReadError, Refusal, Source, examine};
pub use json::Json;
pub use read::{Bonus, Category, Day, Group, Product, Transaction};
pub use report::{Counts, Example, Outcome, Report, RuleReport};
pub use rule::{Origin, RULES, Rule};
pub use secrets::one_line;

//! Examines any server of the interface from outside, by reading requests alone.
//!
//! Models of this room, made of earlier responses, decide what is right. Nothing here knows how pointbook works inside.

mod address;
mod answer;
mod book;
mod client;
mod cursor;
mod examine;
mod json;
mod knock;
mod read;
mod report;
mod rule;
mod secrets;

pub use address::{AddressError, BaseAddress};
pub use client::{Client, Politeness, Token, TokenError};
pub use examine::{Filter, History, Products, ReadError, Refusal, Source, examine};
pub use json::Json;
pub use knock::{Knock, knock};
pub use read::{Bonus, Category, Day, Group, Product, Transaction};
pub use report::{Counts, Example, Outcome, Report, RuleReport};
pub use rule::{Origin, RULES, Rule};
pub use secrets::one_line;

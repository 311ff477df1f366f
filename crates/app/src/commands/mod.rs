//! Writes: each is a command that says what it needs, decides without I/O, and leaves behind what changed.
//!
//! A store loads what [`Needs`] names into [`Facts`] and saves the [`Changes`]; it decides nothing. Commands
//! that wait at the same moment may be decided one after the other on the same facts and saved in one commit
//! (docs/adr/0024).

mod changes;
mod facts;
mod keyed;
mod needs;
mod store;

pub use changes::{
    AccountChange, Changes, DayCount, KeptResponse, KeyUse, NewEntry, ProductWrite, StockChange, StockGuard,
};
pub use facts::{
    AccountState, Addition, CatalogueRow, Facts, Overdraft, OwnedToken, ProductFacts, Refusal, StoredEntry,
    StoredKey,
};
pub use keyed::{AnyCommand, Decided, KeyedCommand};
pub use needs::{EntryKey, Needs, Reported};
pub use store::{CommandStore, Lane, execute};

/// A write with its ids and its time inside.
pub trait Command: Send + Sync + 'static {
    /// What the write came to.
    type Outcome: Send + 'static;

    /// The name in the metrics of stores.
    const NAME: &'static str;

    /// Whether it learns from the first facts what else it needs, so that a store asks it twice.
    const IS_ASKED_TWICE: bool = false;

    /// The queue in which it waits.
    fn lane(&self) -> Lane;

    /// Names what must be loaded before it can decide. A command that learns from the first facts what else it
    /// needs adds it when it is asked again.
    fn needs(&self, facts: &Facts, needs: &mut Needs);

    /// Decides, and changes the facts. Every call with the same facts does the same.
    ///
    /// # Errors
    /// [`CommandError`]; nothing of the command is saved then.
    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError>;
}

/// Why a command cannot be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// What is stored contradicts itself, or the command asks for facts that it did not need.
    #[error("{0}")]
    Corrupt(String),
    /// The response to the request cannot be rendered, so it cannot be kept.
    #[error("the response to the write cannot be made")]
    NoResponse,
}

impl CommandError {
    /// Of the row with this key.
    pub fn in_row(table: &str, key: &str, what: impl std::fmt::Display) -> Self {
        Self::Corrupt(format!("table {table}, key ({key:?}): {what}"))
    }

    /// Of a row that other rows promise and that is missing.
    pub fn missing(table: &str, key: &str) -> Self {
        Self::in_row(table, key, "no such row")
    }
}

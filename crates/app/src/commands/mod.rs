//! Writes: each is a command that says what it needs, decides without I/O, and leaves behind what changed.
//!
//! A store loads what [`Needs`] names into [`Facts`] and saves the [`Changes`]; it decides nothing. Commands
//! that wait at the same moment may be decided one after the other on the same facts and saved in one commit
//! (docs/adr/0024).

mod changes;
mod error;
mod facts;
mod keyed;
mod needs;

pub use changes::{
    AccountChange, Changes, DayCount, KeptResponse, KeyUse, NewEntry, ProductWrite, StockChange, StockGuard,
};
pub use error::CommandError;
pub use facts::{
    AccountState, Addition, CatalogueRow, Facts, Overdraft, OwnedToken, ProductFacts, Refusal, StoredEntry,
    StoredKey,
};
pub use keyed::{AnyCommand, CommandStore, Decided, KeyedCommand, first_needs, further_needs};
pub use needs::{EntryKey, Needs, Reported};

use pointbook_domain::{OrderId, UserId};

/// A write with its ids and its time inside.
pub trait Command: Send + Sync + 'static {
    /// What the write came to.
    type Outcome: Send + 'static;

    /// The name in the metrics of stores.
    const NAME: &'static str;

    /// The queue in which it waits.
    fn lane(&self) -> Lane {
        Lane::BackOffice
    }

    /// Names what must be loaded before it can decide.
    fn needs(&self, needs: &mut Needs);

    /// Names what else must be loaded, as it learns from what [`Self::needs`] had loaded.
    fn further_needs(&self, _facts: &Facts, _needs: &mut Needs) {}

    /// Decides, and changes the facts. Every call with the same facts does the same.
    ///
    /// # Errors
    /// [`CommandError`]; nothing of the command is saved then.
    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError>;
}

/// The queue in which a write waits. Tenants take turns, and so do the lanes of a tenant; within a lane
/// the order of arrival holds.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// What one user does, or what is recorded of one user.
    User(UserId),
    /// The steps of one order. A back office may close many orders at a time.
    Order(OrderId),
    /// What the back office of a tenant does: imports, catalogue, users, tokens.
    BackOffice,
}

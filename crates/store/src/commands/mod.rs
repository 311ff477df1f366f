//! Writes are commands. A command names its needs, decides without I/O, and leaves changes.
//!
//! A store loads the [`Needs`] into [`Facts`] and saves the [`Changes`]. It decides nothing. A store may decide commands that
//! wait at the same time one after the other on the same facts, and save them in one commit (docs/adr/0024).

mod changes;
pub(crate) mod dry_run;
mod error;
mod facts;
mod keyed;
mod kind;
mod needs;
mod range;
mod update;

pub use changes::{Changes, KeptResponse, KeyUse, RowChange, RowUpdate, TableChanges};
pub use error::CommandError;
pub use facts::{Facts, Guard, StoredKey};
pub use keyed::{AnyCommand, CommandStore, Decided, KeyedCommand, first_needs, further_needs};
pub use kind::TableRow;
pub(crate) use kind::{RowKind, Work};
pub use needs::Needs;
pub(crate) use needs::{Held, RowNeeds};
use pointbook_domain::{OrderId, UserId};
pub use range::Range;
pub(crate) use update::Update;

use crate::audit_log::Actor;
pub use crate::commands::dry_run::Trial;

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

    /// Whether the audit log has its changes when this actor makes them.
    fn is_audited(&self, _by: &Actor) -> bool {
        true
    }

    /// Whether a repeated request gets the response to this outcome again. Not so for a refusal that follows from something outside
    /// of the database, which may be another one a minute later. Such a decision changes nothing.
    fn is_kept(&self, _outcome: &Self::Outcome) -> bool {
        true
    }

    /// Names the facts that it needs to decide.
    fn needs(&self, needs: &mut Needs);

    /// Names further facts, which depend on the facts of [`Self::needs`]. A store asks [`FURTHER_ROUNDS`] times, because these may depend on
    /// one another.
    fn further_needs(&self, _facts: &Facts, _needs: &mut Needs) {}

    /// Decides, and changes the facts. It must do the same for the same facts.
    ///
    /// # Errors
    /// [`CommandError`]: the store saves nothing of the command.
    fn decide(&self, facts: &mut Facts) -> Result<Self::Outcome, CommandError>;
}

/// How many times a store asks commands for further needs.
pub const FURTHER_ROUNDS: u32 = 2;

/// The queue of a write. Tenants take turns, then the lanes of a tenant. Within a lane, the first write goes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Lane {
    /// The writes of one user and the records about that user.
    User(UserId),
    /// The steps of one order. A back office may close many orders at a time.
    Order(OrderId),
    /// The writes of a back office: imports, catalogue, users, tokens.
    BackOffice,
    /// The writes of the service itself: background jobs, secrets.
    Service,
}

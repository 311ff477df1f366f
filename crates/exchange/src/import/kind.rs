//! The kinds of data that an import accepts, and the trait of each kind of row.

use std::fmt;
use std::sync::Arc;

use pointbook_domain::Timestamp;
use pointbook_store::ports::UpsertOutcome;
use pointbook_store::{Actor, Clock, Context, IdSource, Origin, ServedTenant, StoreResult};

use super::fields::Fields;
use super::problems::Problems;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Kind {
    /// The category tree.
    #[default]
    Categories,
    /// The products of the gift store.
    Products,
    /// The profiles of users.
    Users,
    /// The activities of users, as rows of the ledger.
    Activities,
}

impl fmt::Display for Kind {
    /// The same word as on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Categories => "categories",
            Self::Products => "products",
            Self::Users => "users",
            Self::Activities => "activities",
        })
    }
}

/// Who imports, for the audit log.
#[derive(Debug, Clone)]
pub struct Importer {
    pub actor: Actor,
    pub origin: Origin,
}

impl From<Origin> for Importer {
    /// A person at the command line.
    fn from(origin: Origin) -> Self {
        Self { actor: Actor::CommandLine, origin }
    }
}

/// The tenant that receives the rows, and the source of their times and ids.
#[derive(Clone, Copy)]
pub struct Target<'t> {
    pub tenant: &'t Arc<ServedTenant>,
    pub clock: &'t Arc<dyn Clock>,
    pub ids: &'t Arc<dyn IdSource>,
    pub by: &'t Importer,
}

impl Target<'_> {
    /// The context of a use case that starts now.
    pub fn context<T>(self) -> Context<T> {
        let (tenant, now) = (self.tenant.clone(), self.clock.now());
        let bare = Context::new(tenant, self.by.actor.clone(), now, self.ids.clone());
        Context { origin: self.by.origin.clone(), ..bare }
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Columns {
    /// All columns of the kind, in the order of an export.
    pub known: &'static [&'static str],
    /// The columns that a CSV header must name.
    pub required: &'static [&'static str],
}

/// The outcome of a row, or why it is rejected.
pub(super) type RowOutcome = Result<UpsertOutcome, Problems>;

/// A kind whose rows do not depend on each other.
pub(super) trait RowKind: Send {
    type Item: Send + 'static;

    const KIND: Kind;
    const COLUMNS: Columns;
    /// The columns that count as empty cells when a CSV header lacks them, so that the import clears what is stored.
    const CLEARED_WITHOUT_COLUMN: &'static [&'static str] = &[];
    /// The column whose absence from a CSV header makes what is stored active.
    const ACTIVE_WITHOUT_COLUMN: Option<&'static str> = None;
    /// How many rows are stored in one commit.
    const BATCH_ROWS: usize;

    /// Builds an item from the fields, or returns all their problems.
    fn check(fields: Fields<'_>, now: Timestamp) -> Result<Self::Item, Problems>;

    /// Notes how many rows of a batch were refused by [`Self::check`], before the others are stored.
    fn note_refused(&mut self, _rows: usize) {}

    /// Stores items in one commit. Returns one outcome per item, in order.
    fn store(
        &mut self,
        target: Target<'_>,
        items: Vec<Self::Item>,
    ) -> impl Future<Output = StoreResult<Vec<RowOutcome>>> + Send;
}

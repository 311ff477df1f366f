//! What can be imported, and what each kind of row says of itself.

use std::fmt;
use std::sync::Arc;

use pointbook_app::ports::UpsertOutcome;
use pointbook_app::{Actor, Clock, Context, IdSource, ServedTenant, StoreResult};
use pointbook_domain::Timestamp;

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
    /// What users did: the rows of the ledger.
    Activities,
}

impl fmt::Display for Kind {
    /// The word of the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Categories => "categories",
            Self::Products => "products",
            Self::Users => "users",
            Self::Activities => "activities",
        })
    }
}

/// Where rows go, and the time and the ids they get.
#[derive(Clone, Copy)]
pub struct Target<'t> {
    pub tenant: &'t Arc<ServedTenant>,
    pub clock: &'t Arc<dyn Clock>,
    pub ids: &'t Arc<dyn IdSource>,
}

impl Target<'_> {
    /// The context of a use case that begins now.
    pub fn context<T>(self) -> Context<T> {
        Context::new(self.tenant.clone(), Actor::CommandLine, self.clock.now(), self.ids.clone())
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Columns {
    /// All that there are, in the order that an export writes them.
    pub(super) known: &'static [&'static str],
    /// Those that a CSV header must name.
    pub(super) required: &'static [&'static str],
}

/// What became of a row, or why it was rejected.
pub(super) type RowOutcome = Result<UpsertOutcome, String>;

/// A kind whose rows stand on their own.
pub(super) trait RowKind: Send {
    type Item: Send + 'static;

    const KIND: Kind;
    const COLUMNS: Columns;
    /// How many rows are stored in one commit.
    const BATCH_ROWS: usize;

    /// Makes an item of the fields, or tells everything that is wrong with them.
    fn check(fields: Fields<'_>, now: Timestamp) -> Result<Self::Item, Problems>;

    /// Stores items in one commit; one outcome per item, in order.
    fn store(
        &mut self,
        target: Target<'_>,
        items: Vec<Self::Item>,
    ) -> impl Future<Output = StoreResult<Vec<RowOutcome>>> + Send;
}

//! What an import came to.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::io;

use pointbook_app::ports::UpsertOutcome;
use pointbook_app::{ProductDraft, StoreError};
use pointbook_domain::CategoryId;
use serde_json::{Value, json};

use super::Kind;
use super::kind::RowOutcome;
use super::problems::quoted;
use super::rejects::Reject;

/// The numbers of an import, and how it ended. What is counted as created or replaced is stored,
/// also when the import ended early.
#[derive(Debug, Default)]
pub struct Summary {
    pub kind: Kind,
    /// Rows read; for categories, nodes of the tree.
    pub read: u64,
    pub created: u64,
    /// Rows that replaced an older one; none among activities.
    pub replaced: u64,
    /// Rows that were there already, the same.
    pub unchanged: u64,
    pub rejected: u64,
    /// Whether the input is a reject file, which lacks all rows that were good.
    pub is_of_rejects: bool,
    pub first_reject: Option<Reject>,
    pub retirement: Retirement,
    pub unknown_categories: UnknownCategories,
    /// The line that the last row began on; 0 before the first row.
    pub last_line: u64,
    pub ending: Ending,
}

/// What became of products that the input lacks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Retirement {
    #[default]
    NotAsked,
    /// This many were retired; all that the input lacks, if the import is complete.
    Retired(u64),
    /// None was retired, for this reason.
    LeftOut(&'static str),
}

/// How many unknown categories are told by their ids.
const MAX_TOLD_CATEGORIES: usize = 10;

/// Categories that products name and the tree lacks. The products are stored all the same: the tree may follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnknownCategories {
    /// How many products name one.
    pub products: u64,
    ids: BTreeSet<CategoryId>,
}

impl UnknownCategories {
    /// Notes what these products name beside the known categories.
    pub(super) fn note(&mut self, products: &[ProductDraft], known: &HashSet<CategoryId>) {
        for product in products {
            let mut unknown = product.categories.iter().filter(|id| !known.contains(*id)).peekable();
            self.products += u64::from(unknown.peek().is_some());
            self.ids.extend(unknown.cloned());
        }
    }
}

impl fmt::Display for UnknownCategories {
    /// The first of them by id, and how many there are beside them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told: Vec<String> =
            self.ids.iter().take(MAX_TOLD_CATEGORIES).map(|id| quoted(id.as_str())).collect();
        let products = if self.products == 1 { "product names" } else { "products name" };
        write!(f, "{} {products} categories that the tree lacks: {}", self.products, told.join(", "))?;
        match self.ids.len() - told.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// How an import ended.
#[derive(Debug, Default)]
pub enum Ending {
    /// Every row was looked at.
    #[default]
    Complete,
    /// It was told to stop, and did so between two commits.
    Interrupted,
    /// The input could not be read any further.
    InputBroke(io::Error),
    /// The database failed; nothing of the commit that failed is stored or counted.
    StoreFailed(StoreError),
}

impl Summary {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Whether every row was taken in.
    pub fn is_clean(&self) -> bool {
        self.rejected == 0 && matches!(self.ending, Ending::Complete)
    }

    /// Counts a row, which begins on this line; 0 where there are no lines.
    pub(super) fn count(&mut self, line: u64, outcome: &RowOutcome) {
        (self.read, self.last_line) = (self.read + 1, line);
        *match outcome {
            Ok(UpsertOutcome::Created) => &mut self.created,
            Ok(UpsertOutcome::Replaced) => &mut self.replaced,
            Ok(UpsertOutcome::Unchanged) => &mut self.unchanged,
            Err(_) => &mut self.rejected,
        } += 1;
    }
}

impl Summary {
    /// The same numbers as an object.
    pub fn to_json(&self) -> Value {
        let Self { kind, read, created, replaced, unchanged, rejected, .. } = self;
        let retired = match self.retirement {
            Retirement::Retired(products) => products,
            Retirement::NotAsked | Retirement::LeftOut(_) => 0,
        };
        json!({
            "kind": kind.to_string(),
            "is_complete": matches!(self.ending, Ending::Complete),
            "read": read,
            "created": created,
            "replaced": replaced,
            "unchanged": unchanged,
            "rejected": rejected,
            "retired": retired,
            "products_in_unknown_categories": self.unknown_categories.products,
        })
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { kind, read, created, replaced, unchanged, rejected, .. } = self;
        let stored = match kind {
            Kind::Activities => format!("{created} recorded, {unchanged} skipped"),
            _ => format!("{created} created, {replaced} replaced, {unchanged} unchanged"),
        };
        write!(f, "{kind}: {read} read, {stored}, {rejected} rejected")?;
        match self.retirement {
            Retirement::Retired(products) => write!(f, ", {products} retired"),
            Retirement::LeftOut(_) => f.write_str(", 0 retired"),
            Retirement::NotAsked => Ok(()),
        }
    }
}

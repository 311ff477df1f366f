//! The result of an import.

use std::collections::{BTreeSet, HashSet};
use std::{fmt, io};

use pointbook_catalogue::products::draft::ProductDraft;
use pointbook_domain::{CategoryId, UserId};
use pointbook_store::StoreError;
use pointbook_store::ports::UpsertOutcome;
use serde_json::{Value, json};

use super::Kind;
use super::header::JSON_ROW;
use super::kind::RowOutcome;
use super::problems::quoted;
use super::rejects::Reject;
use super::rows::Column;
use super::watch::Reached;

/// The counts of an import, and how it ended. Every row counted as created or replaced is stored,
/// even when the import ended early.
#[derive(Debug, Default)]
pub struct Summary {
    pub kind: Kind,
    /// The rows read; for categories, the nodes of the tree.
    pub read: u64,
    pub created: u64,
    /// The rows that replaced an older one; always 0 for activities.
    pub replaced: u64,
    /// The rows that were already stored with the same content.
    pub unchanged: u64,
    pub rejected: u64,
    /// The stored categories that the tree does not have; 0 for other kinds.
    pub removed: u64,
    /// Whether the input is a reject file, which has only the rejected rows of another input.
    pub is_of_rejects: bool,
    /// The columns that the CSV header lacks, so that their values become empty.
    pub(super) lacking_columns: Vec<&'static str>,
    /// The column that the CSV header lacks, so that its value becomes `true`.
    pub(super) lacking_active: Option<&'static str>,
    pub first_reject: Option<Reject>,
    pub retirement: Retirement,
    pub unknown_categories: UnknownCategories,
    /// `None` unless the import only tried rows of users or activities.
    pub new_users: Option<NewUsers>,
    /// The first line of the last row; 0 before the first row.
    pub last_line: u64,
    pub ending: Ending,
}

/// What the import did with products that are not in the input.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Retirement {
    #[default]
    NotAsked,
    /// The import retired this many. If it is complete, it retired all of them.
    Retired(u64),
    /// The import retired no product, for this reason.
    LeftOut(&'static str),
}

/// How many ids of unknown categories a message lists.
const MAX_LISTED_CATEGORIES: usize = 10;

/// Categories that products name and that are not in the tree. The products are stored, because the tree may follow.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct UnknownCategories {
    /// How many products name at least one.
    pub products: u64,
    ids: BTreeSet<CategoryId>,
}

impl UnknownCategories {
    /// Notes the categories of these products that are not in `known`.
    pub(super) fn note(&mut self, products: &[ProductDraft], known: &HashSet<CategoryId>) {
        for product in products {
            let mut unknown = product.categories().iter().filter(|id| !known.contains(*id)).peekable();
            self.products += u64::from(unknown.peek().is_some());
            self.ids.extend(unknown.cloned());
        }
    }
}

impl UnknownCategories {
    /// The first ids in order.
    pub fn first(&self, count: usize) -> impl Iterator<Item = &CategoryId> {
        self.ids.iter().take(count)
    }

    /// How many different categories are unknown.
    pub fn count(&self) -> usize {
        self.ids.len()
    }
}

impl fmt::Display for UnknownCategories {
    /// Lists the first ids in order, then counts the rest.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed: Vec<String> =
            self.ids.iter().take(MAX_LISTED_CATEGORIES).map(|id| quoted(id.as_str())).collect();
        let products = if self.products == 1 { "product names" } else { "products name" };
        write!(f, "{} {products} categories that are not in the tree: {}", self.products, listed.join(", "))?;
        match self.ids.len() - listed.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// How many new users a dry run names.
const MAX_NAMED_USERS: usize = 10;

/// The users whom the import would create. A mistyped id is one of them.
#[derive(Debug, Default)]
pub struct NewUsers {
    all: HashSet<UserId>,
    first: Vec<UserId>,
}

impl NewUsers {
    pub(super) fn note(&mut self, user_id: UserId) {
        if self.first.len() < MAX_NAMED_USERS && !self.all.contains(&user_id) {
            self.first.push(user_id.clone());
        }
        self.all.insert(user_id);
    }

    pub fn count(&self) -> usize {
        self.all.len()
    }

    /// The first of them in the order of the input.
    pub fn first(&self) -> &[UserId] {
        &self.first
    }
}

impl fmt::Display for NewUsers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.count();
        let named: Vec<String> = self.first.iter().map(|id| quoted(id.as_str())).collect();
        write!(f, "new {}: {count}: {}", if count == 1 { "user" } else { "users" }, named.join(", "))?;
        match count - named.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// How an import ended.
#[derive(Debug, Default)]
pub enum Ending {
    /// Every row was read.
    #[default]
    Complete,
    /// The caller stopped the import, which ended between two commits.
    Interrupted,
    /// The input could not be read any further.
    InputBroke(io::Error),
    /// The database failed. No row of the failed commit is stored or counted.
    StoreFailed(StoreError),
}

impl Summary {
    pub(super) fn new(kind: Kind) -> Self {
        Self { kind, ..Self::default() }
    }

    /// Whether every row was read and none was rejected.
    pub fn is_clean(&self) -> bool {
        self.rejected == 0 && matches!(self.ending, Ending::Complete)
    }

    /// Notes which of these columns the header lacks. The rows of a JSON Lines file name their fields themselves.
    pub(super) fn note_header(
        &mut self,
        header: &[Column],
        cleared: &[&'static str],
        active: Option<&'static str>,
    ) {
        self.is_of_rejects = header.contains(&None);
        let lacks = |name: &&'static str| !header.contains(&Some(JSON_ROW)) && !header.contains(&Some(name));
        self.lacking_columns = cleared.iter().copied().filter(lacks).collect();
        self.lacking_active = active.filter(lacks);
    }

    /// The columns that the file lacks, where the import clears stored values for that.
    pub fn cleared_columns(&self) -> &[&'static str] {
        if self.replaced > 0 { &self.lacking_columns } else { &[] }
    }

    /// The column that the file lacks, where the import makes stored products active for that.
    pub fn activating_column(&self) -> Option<&'static str> {
        self.lacking_active.filter(|_| self.replaced > 0)
    }

    pub(super) fn reached(&self) -> Reached {
        let Self { last_line: line, created, replaced, unchanged, rejected, .. } = *self;
        Reached { line, created, replaced, unchanged, rejected }
    }

    /// Counts a row that begins on this line.
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
    /// The counts as a JSON object.
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
            "removed": self.removed,
            "products_in_unknown_categories": self.unknown_categories.products,
            "new_users": self.new_users.as_ref().map(NewUsers::count),
            "first_new_users": self.new_users.as_ref().map(|new| new.first.iter().map(UserId::as_str).collect::<Vec<_>>()),
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
        if self.removed > 0 {
            write!(f, ", {} removed", self.removed)?;
        }
        match self.retirement {
            Retirement::Retired(products) => write!(f, ", {products} retired"),
            Retirement::LeftOut(_) => f.write_str(", 0 retired"),
            Retirement::NotAsked => Ok(()),
        }
    }
}

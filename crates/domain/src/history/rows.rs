//! Rows of a history as a store reads them.

use std::borrow::Cow;
use std::convert::Infallible;

use crate::activity::ActivityTypeError;
use crate::order::is_refund;
use crate::{Activity, ActivityType, Bonuses, Points, Timestamp, Transaction};

/// What a history shows of a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HistoryRow<'r> {
    /// What kind of activity it was.
    pub kind: &'r str,
    /// Base points; negative for spending.
    pub points: Points,
    /// Bonus points on top.
    pub bonuses: Cow<'r, Bonuses>,
    /// Whether it gave points back for an order ([`is_refund`]).
    pub is_refund: bool,
    /// Display title.
    pub title: &'r str,
    /// Display subtitle.
    pub subtitle: &'r str,
    /// When it happened.
    pub created_at: Timestamp,
}

impl<'r> From<&'r Transaction> for HistoryRow<'r> {
    fn from(transaction: &'r Transaction) -> Self {
        let Transaction { id: _, activity } = transaction;
        let Activity { kind, source_id, points, bonuses, title, subtitle, created_at } = activity;
        let Ok(is_refund) = is_refund::<Infallible>(kind.as_str(), *points, || Ok(source_id.as_str()));
        Self {
            kind: kind.as_str(),
            points: *points,
            bonuses: Cow::Borrowed(bonuses),
            is_refund,
            title,
            subtitle,
            created_at: *created_at,
        }
    }
}

/// Transactions of a user in the order of the ledger's key, backwards: from the newest to the oldest, and
/// those of one moment from the last id to the first. Their texts are kept one after the other and each
/// type once, so that a row needs no memory of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryRows {
    rows: Vec<Row>,
    texts: String,
    /// In the order of meeting them.
    kinds: Vec<ActivityType>,
    /// The places of the types, by name.
    kinds_by_name: Vec<usize>,
    bonuses: Vec<Bonuses>,
}

/// A row, and where to find what it shares with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) created_at: Timestamp,
    pub(super) points: Points,
    /// The place of its type.
    pub(super) kind: usize,
    /// The place of its group, once there are groups.
    pub(super) group: usize,
    pub(super) is_refund: bool,
    /// The place of its bonuses, if it has any.
    bonuses: Option<usize>,
    /// Where its title begins.
    title: usize,
    /// Where its title ends and its subtitle begins.
    subtitle: usize,
    end: usize,
}

/// What most rows have.
static NO_BONUSES: Bonuses = Bonuses::NONE;

impl HistoryRows {
    /// With room for so many rows.
    pub fn with_capacity(rows: usize) -> Self {
        /// Room for a title and a subtitle, in bytes.
        const TEXT_BYTES: usize = 48;
        Self {
            rows: Vec::with_capacity(rows),
            texts: String::with_capacity(rows.saturating_mul(TEXT_BYTES)),
            ..Self::default()
        }
    }

    /// Adds the row that comes next.
    ///
    /// # Errors
    /// [`ActivityTypeError`] for a kind that no activity has.
    pub fn push(&mut self, row: HistoryRow<'_>) -> Result<(), ActivityTypeError> {
        let HistoryRow { kind, points, bonuses, is_refund, title, subtitle, created_at } = row;
        let kind = self.place_of(kind)?;
        let bonuses = (!bonuses.breakdown().is_empty()).then(|| {
            self.bonuses.push(bonuses.into_owned());
            self.bonuses.len() - 1
        });
        let start = self.texts.len();
        self.texts.push_str(title);
        let middle = self.texts.len();
        self.texts.push_str(subtitle);
        let end = self.texts.len();
        self.rows.push(Row {
            created_at,
            points,
            kind,
            group: 0,
            is_refund,
            bonuses,
            title: start,
            subtitle: middle,
            end,
        });
        Ok(())
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The rows in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = HistoryRow<'_>> {
        self.rows.iter().map(|row| self.view(row))
    }

    /// The place of a type, which is checked when it is met for the first time.
    fn place_of(&mut self, kind: &str) -> Result<usize, ActivityTypeError> {
        let name = |place: usize| self.kinds.get(place).map_or("", ActivityType::as_str);
        if let Some(last) = self.rows.last().map(|row| row.kind).filter(|&last| name(last) == kind) {
            return Ok(last);
        }
        match self.kinds_by_name.binary_search_by(|&place| name(place).cmp(kind)) {
            Ok(found) => Ok(self.kinds_by_name[found]),
            Err(next) => {
                self.kinds.push(ActivityType::new(kind)?);
                self.kinds_by_name.insert(next, self.kinds.len() - 1);
                Ok(self.kinds.len() - 1)
            }
        }
    }

    /// All types, by their places.
    pub(super) fn kinds(&self) -> &[ActivityType] {
        &self.kinds
    }

    pub(super) fn rows(&self) -> &[Row] {
        &self.rows
    }

    pub(super) fn rows_mut(&mut self) -> &mut [Row] {
        &mut self.rows
    }

    pub(super) fn kind(&self, place: usize) -> Option<&ActivityType> {
        self.kinds.get(place)
    }

    pub(super) fn bonuses(&self, row: &Row) -> &Bonuses {
        row.bonuses.and_then(|place| self.bonuses.get(place)).unwrap_or(&NO_BONUSES)
    }

    pub(super) fn view(&self, row: &Row) -> HistoryRow<'_> {
        let text = |from, to| self.texts.get(from..to).unwrap_or_default();
        HistoryRow {
            kind: self.kind(row.kind).map_or("", ActivityType::as_str),
            points: row.points,
            bonuses: Cow::Borrowed(self.bonuses(row)),
            is_refund: row.is_refund,
            title: text(row.title, row.subtitle),
            subtitle: text(row.subtitle, row.end),
            created_at: row.created_at,
        }
    }
}

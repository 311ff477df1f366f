//! Rows of a history as a store reads them.

use std::convert::Infallible;

use super::unchecked::TextError;
use crate::activity::TYPE_RULE;
use crate::id::FormError;
use crate::order::is_refund;
use crate::{Activity, ActivityType, Bonuses, Points, Timestamp, Transaction};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryRow<'r> {
    pub kind: &'r str,
    /// Base points; negative for spending.
    pub points: Points,
    pub bonuses: &'r Bonuses,
    /// Whether it returned points of an order ([`is_refund`]).
    pub is_refund: bool,
    /// Whether an order of this store moved the points. Then its title is the name of the item.
    pub is_own_order: bool,
    pub title: &'r str,
    pub subtitle: &'r str,
    pub created_at: Timestamp,
}

/// A [`HistoryRow`] as a store reads it, perhaps with unchecked bytes as texts.
#[derive(Debug)]
pub struct ReadRow<'r, T: ?Sized = str> {
    pub kind: &'r T,
    /// Base points; negative for spending.
    pub points: Points,
    pub bonuses: Bonuses,
    /// Whether it returned points of an order ([`is_refund`]).
    pub is_refund: bool,
    /// Whether an order of this store moved the points. Then its title is the name of the item.
    pub is_own_order: bool,
    pub title: &'r T,
    pub subtitle: &'r T,
    pub created_at: Timestamp,
}

/// A transaction does not know whether an order of this store made it, so `is_own_order` is false.
impl<'r> From<&'r Transaction> for HistoryRow<'r> {
    fn from(transaction: &'r Transaction) -> Self {
        let Transaction { id: _, activity, bonus_origin: _ } = transaction;
        let Activity { kind, source_id, points, bonuses, title, subtitle, created_at, attributes: _ } =
            activity;
        let Ok(is_refund) = is_refund::<_, Infallible>(kind.as_str(), *points, || Ok(source_id.as_str()));
        Self {
            kind: kind.as_str(),
            points: *points,
            bonuses,
            is_refund,
            is_own_order: false,
            title,
            subtitle,
            created_at: *created_at,
        }
    }
}

impl<'r> From<&'r Transaction> for ReadRow<'r> {
    fn from(transaction: &'r Transaction) -> Self {
        let HistoryRow { kind, points, bonuses, is_refund, is_own_order, title, subtitle, created_at } =
            transaction.into();
        let bonuses = bonuses.clone();
        Self { kind, points, bonuses, is_refund, is_own_order, title, subtitle, created_at }
    }
}

/// Transactions of a user in reverse key order: from the newest to the oldest, and those of one moment from the last id to the
/// first. The texts are in one buffer and each type is stored once, so that a row needs no allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryRows {
    pub(super) rows: Vec<Row>,
    pub(super) texts: String,
    /// In the order of their first row.
    pub(super) kinds: Vec<ActivityType>,
    /// The indices of the types, by name.
    kinds_by_name: Vec<usize>,
    bonuses: Vec<Bonuses>,
}

/// A row, and the places of the values that it shares with others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) created_at: Timestamp,
    pub(super) points: Points,
    pub(super) kind: usize,
    /// The index of its group, once there are groups.
    pub(super) group: usize,
    pub(super) is_refund: bool,
    is_own_order: bool,
    /// The index of its bonuses, if it has any.
    bonuses: Option<usize>,
    /// Where its title begins.
    title: usize,
    /// The end of its title, where its subtitle begins.
    subtitle: usize,
    end: usize,
}

/// What most rows have.
static NO_BONUSES: Bonuses = Bonuses::NONE;

impl HistoryRows {
    /// With capacity for this many rows, but none for texts.
    pub(super) fn with_room(rows: usize) -> Self {
        Self { rows: Vec::with_capacity(rows), ..Self::default() }
    }

    /// The rows with their texts, one after the other.
    ///
    /// # Errors
    /// [`TextError`] for the first row whose texts do not end between two characters.
    pub(super) fn with_texts(self, texts: String) -> Result<Self, TextError> {
        let is_whole = |row: &Row| texts.is_char_boundary(row.subtitle) && texts.is_char_boundary(row.end);
        match self.rows.iter().find(|row| !is_whole(row)) {
            Some(&Row { created_at, .. }) => Err(TextError { created_at }),
            None => Ok(Self { texts, ..self }),
        }
    }

    /// Adds the next row.
    ///
    /// # Errors
    /// [`FormError`] for a kind that no activity has.
    pub fn push(&mut self, row: ReadRow<'_>) -> Result<(), FormError> {
        let (title, subtitle) = (row.title, row.subtitle);
        self.add(row, self.texts.len())?;
        self.texts.push_str(title);
        self.texts.push_str(subtitle);
        Ok(())
    }

    /// Adds a row without its texts, which begin at this offset.
    pub(super) fn add<T: AsRef<[u8]> + ?Sized>(
        &mut self,
        row: ReadRow<'_, T>,
        title: usize,
    ) -> Result<(), FormError> {
        let ReadRow {
            kind,
            points,
            bonuses,
            is_refund,
            is_own_order,
            title: title_text,
            subtitle,
            created_at,
        } = row;
        let kind = self.place_of(kind.as_ref())?;
        let bonuses = (!bonuses.breakdown().is_empty()).then(|| {
            self.bonuses.push(bonuses);
            self.bonuses.len() - 1
        });
        let middle = title + title_text.as_ref().len();
        let end = middle + subtitle.as_ref().len();
        self.rows.push(Row {
            created_at,
            points,
            kind,
            group: 0,
            is_refund,
            is_own_order,
            bonuses,
            title,
            subtitle: middle,
            end,
        });
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = HistoryRow<'_>> {
        self.rows.iter().map(|row| self.view(row))
    }

    /// The index of a type. Its first row checks the type.
    fn place_of(&mut self, kind: &[u8]) -> Result<usize, FormError> {
        /// Most pages have few types, so a scan is faster than a search.
        const FEW: usize = 6;
        let is_it = |known: &ActivityType| known.as_str().as_bytes() == kind;
        if let Some(place) = self.kinds.iter().take(FEW).position(is_it) {
            return Ok(place);
        }
        let name = |place: usize| self.kinds.get(place).map_or("", ActivityType::as_str).as_bytes();
        match self.kinds_by_name.binary_search_by(|&place| name(place).cmp(kind)) {
            Ok(found) => Ok(self.kinds_by_name[found]),
            Err(next) => {
                let kind = str::from_utf8(kind).map_err(|_| TYPE_RULE)?;
                self.kinds.push(ActivityType::new(kind)?);
                self.kinds_by_name.insert(next, self.kinds.len() - 1);
                Ok(self.kinds.len() - 1)
            }
        }
    }

    pub(super) fn bonuses(&self, row: &Row) -> &Bonuses {
        row.bonuses.and_then(|place| self.bonuses.get(place)).unwrap_or(&NO_BONUSES)
    }

    #[inline]
    pub(super) fn view(&self, row: &Row) -> HistoryRow<'_> {
        let text = |from, to| self.texts.get(from..to).unwrap_or_default();
        HistoryRow {
            kind: self.kinds.get(row.kind).map_or("", ActivityType::as_str),
            points: row.points,
            bonuses: self.bonuses(row),
            is_refund: row.is_refund,
            is_own_order: row.is_own_order,
            title: text(row.title, row.subtitle),
            subtitle: text(row.subtitle, row.end),
            created_at: row.created_at,
        }
    }
}

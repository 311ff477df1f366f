//! What a dry run remembers of the rows before, so that a later row sees them as a row of an import sees what is stored.

use std::collections::HashMap;
use std::hash::Hash;

use super::kind::RowOutcome;

/// A row that a dry run tries.
pub(super) trait Tried: Clone {
    /// What only one stored row can have.
    type Key: Eq + Hash;

    fn key(&self) -> Self::Key;

    /// The outcome of a row whose key an earlier batch of rows had.
    fn after(&self, earlier: &Self) -> RowOutcome;
}

/// The good rows of the batches before. A batch is tried as a whole, so its own rows see each other.
pub(super) struct TriedRows<T: Tried>(HashMap<T::Key, T>);

impl<T: Tried> Default for TriedRows<T> {
    fn default() -> Self {
        Self(HashMap::new())
    }
}

impl<T: Tried> TriedRows<T> {
    /// The outcomes of the rows that earlier batches had, `None` for the others; and these others.
    pub(super) fn split(&mut self, rows: Vec<T>) -> (Vec<Option<RowOutcome>>, Vec<T>) {
        let (mut known, mut new) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            let Some(earlier) = self.0.get_mut(&row.key()) else {
                known.push(None);
                new.push(row);
                continue;
            };
            let outcome = row.after(earlier);
            if outcome.is_ok() {
                *earlier = row;
            }
            known.push(Some(outcome));
        }
        (known, new)
    }

    /// All outcomes in order, with those of the new rows.
    pub(super) fn join(
        &mut self,
        known: Vec<Option<RowOutcome>>,
        new: Vec<T>,
        outcomes: impl Iterator<Item = RowOutcome>,
    ) -> Vec<RowOutcome> {
        let mut new = new.into_iter().zip(outcomes);
        let mut outcome = |known: Option<RowOutcome>| {
            known.or_else(|| {
                let (row, outcome) = new.next()?;
                if outcome.is_ok() {
                    self.0.insert(row.key(), row);
                }
                Some(outcome)
            })
        };
        known.into_iter().filter_map(&mut outcome).collect()
    }
}

//! What a dry run remembers of the rows before, so that a later row sees them as a row of an import sees what is stored.
//!
//! It remembers digests, some 50 bytes for each row with the space of the table: a file may have millions of rows. The keys of
//! the digests are random, so a file cannot be made in which two rows have the same digest.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, RandomState};

use super::kind::RowOutcome;

/// A row that a dry run tries.
pub(super) trait Tried: Hash {
    /// What only one stored row can have.
    fn key(&self) -> impl Hash;

    /// What the stored row is compared by.
    fn content(&self) -> impl Hash {
        self
    }

    /// The outcome of a row whose key an earlier batch of rows had, with the same content or another one.
    fn after(&self, is_same: bool) -> RowOutcome;
}

/// The digest of a key. It tells apart all keys of a file, so it has 128 bits.
type KeyDigest = [u64; 2];

/// The good rows of the batches before. A batch is tried as a whole, so its own rows see each other.
pub(super) struct TriedRows<T> {
    /// The digest of the last good row with each key. It is compared with one other digest, so it has 64 bits.
    rows: HashMap<KeyDigest, u64>,
    hashers: [RandomState; 2],
    kind: std::marker::PhantomData<fn(T)>,
}

impl<T> Default for TriedRows<T> {
    fn default() -> Self {
        let hashers = [RandomState::new(), RandomState::new()];
        Self { rows: HashMap::new(), hashers, kind: std::marker::PhantomData }
    }
}

impl<T: Tried> TriedRows<T> {
    fn digests(&self, row: &T) -> (KeyDigest, u64) {
        let [first, second] = &self.hashers;
        let key = row.key();
        ([first.hash_one(&key), second.hash_one(&key)], first.hash_one(row.content()))
    }

    /// The outcomes of the rows that earlier batches had, `None` for the others; and these others.
    pub(super) fn split(&mut self, rows: Vec<T>) -> (Vec<Option<RowOutcome>>, Vec<T>) {
        let (mut known, mut new) = (Vec::with_capacity(rows.len()), Vec::new());
        for row in rows {
            let (key, content) = self.digests(&row);
            let Some(earlier) = self.rows.get_mut(&key) else {
                known.push(None);
                new.push(row);
                continue;
            };
            let outcome = row.after(*earlier == content);
            if outcome.is_ok() {
                *earlier = content;
            }
            known.push(Some(outcome));
        }
        (known, new)
    }

    /// All outcomes in order, with those of the new rows.
    pub(super) fn join(
        &mut self,
        known: Vec<Option<RowOutcome>>,
        new: &[T],
        outcomes: impl Iterator<Item = RowOutcome>,
    ) -> Vec<RowOutcome> {
        let mut new = new.iter().zip(outcomes);
        let mut outcome = |known: Option<RowOutcome>| {
            known.or_else(|| {
                let (row, outcome) = new.next()?;
                if outcome.is_ok() {
                    let (key, content) = self.digests(row);
                    self.rows.insert(key, content);
                }
                Some(outcome)
            })
        };
        known.into_iter().filter_map(&mut outcome).collect()
    }
}

#[cfg(test)]
mod tests {
    use pointbook_store::ports::UpsertOutcome;

    use super::*;
    use crate::import::{Problems, Rule};

    #[derive(Debug, Clone, PartialEq, Eq, Hash)]
    struct Row(&'static str, u32);

    impl Tried for Row {
        fn key(&self) -> impl Hash {
            self.0
        }

        fn after(&self, is_same: bool) -> RowOutcome {
            Ok(if is_same { UpsertOutcome::Unchanged } else { UpsertOutcome::Replaced })
        }
    }

    /// Tries a batch. Each new row has this outcome.
    fn batch(tried: &mut TriedRows<Row>, rows: Vec<Row>, stored: &RowOutcome) -> Vec<RowOutcome> {
        let (known, new) = tried.split(rows);
        let outcomes = vec![stored.clone(); new.len()];
        tried.join(known, &new, outcomes.into_iter())
    }

    #[test]
    fn a_row_sees_the_last_good_row_of_its_key() {
        use UpsertOutcome::{Created, Replaced, Unchanged};
        let mut tried = TriedRows::default();
        let first = vec![Row("a", 1), Row("b", 1)];
        assert_eq!(batch(&mut tried, first, &Ok(Created)), [Ok(Created), Ok(Created)]);
        let rows = vec![Row("a", 1), Row("c", 1), Row("b", 2), Row("b", 2)];
        let expected = [Ok(Unchanged), Ok(Created), Ok(Replaced), Ok(Unchanged)];
        assert_eq!(batch(&mut tried, rows, &Ok(Created)), expected);
    }

    #[test]
    fn a_refused_row_is_forgotten() {
        let (mut tried, refused) = (TriedRows::default(), Err(Problems::from(Rule::Required)));
        assert_eq!(batch(&mut tried, vec![Row("a", 1)], &refused), std::slice::from_ref(&refused));
        let created = Ok(UpsertOutcome::Created);
        assert_eq!(batch(&mut tried, vec![Row("a", 1)], &created), std::slice::from_ref(&created));
    }
}

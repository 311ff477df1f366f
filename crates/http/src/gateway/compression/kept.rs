//! Compressed answers that are asked for again and again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use pointbook_domain::TenantId;

use super::Coding;
use crate::response::Tag;

/// Places for answers: with [`MAX_KEPT_BYTES`] in each, 8 MiB.
const PLACES: usize = 512;
/// A longer one is not kept.
const MAX_KEPT_BYTES: usize = 16 * 1_024;
/// How many answers are remembered as asked for; some thousand others, and one is asked for the first time again.
const SIGHTED: usize = 4_096;

/// What an answer is known by. The tag alone would do, were there only one tenant: whoever can choose what a product
/// says might find one that has the tag of somebody else's.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) tenant: TenantId,
    pub(super) tag: Tag,
    pub(super) coding: Coding,
}

/// What is known of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Sighting {
    First,
    Again,
    Kept(Bytes),
}

/// A place with the answer that is in it.
type Place = Mutex<Option<(Key, Bytes)>>;

/// Answers by key, each in one place, where the last one that was asked for twice stays.
pub(super) struct KeptAnswers {
    sighted: Box<[AtomicU64]>,
    places: Box<[Place]>,
}

impl Default for KeptAnswers {
    fn default() -> Self {
        Self {
            sighted: (0..SIGHTED).map(|_| AtomicU64::default()).collect(),
            places: (0..PLACES).map(|_| Mutex::default()).collect(),
        }
    }
}

impl KeptAnswers {
    /// Looks for an answer, and remembers that it was asked for.
    pub(super) fn look(&self, key: &Key) -> Sighting {
        let hash = hash(key);
        if let Some((known, bytes)) = &*locked(place(&self.places, hash))
            && known == key
        {
            return Sighting::Kept(bytes.clone());
        }
        let before = place(&self.sighted, hash).swap(hash, Ordering::Relaxed);
        if before == hash { Sighting::Again } else { Sighting::First }
    }

    /// Keeps an answer in place of another one.
    pub(super) fn keep(&self, key: Key, bytes: &Bytes) {
        if bytes.len() <= MAX_KEPT_BYTES {
            let place = place(&self.places, hash(&key));
            *locked(place) = Some((key, bytes.clone()));
        }
    }
}

fn hash(key: &Key) -> u64 {
    let mut hasher = DefaultHasher::new();
    key.hash(&mut hasher);
    // Zero is what no answer has.
    hasher.finish() | 1 << 63
}

/// The place for a hash, of so many as a power of two.
fn place<T>(places: &[T], hash: u64) -> &T {
    #[expect(clippy::cast_possible_truncation, reason = "the lowest bits are what is wanted")]
    let place = hash as usize & (places.len() - 1);
    &places[place]
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing fails under the lock, so what it guards is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tenant: &str, text: &str) -> Key {
        Key { tenant: TenantId::new(tenant).unwrap(), tag: Tag::of(text.as_bytes()), coding: Coding::Gzip }
    }

    #[test]
    fn an_answer_is_kept_from_its_second_time_on() {
        let answers = KeptAnswers::default();
        assert_eq!(answers.look(&key("a", "page")), Sighting::First);
        assert_eq!(answers.look(&key("a", "page")), Sighting::Again);
        answers.keep(key("a", "page"), &Bytes::from_static(b"x"));
        assert_eq!(answers.look(&key("a", "page")), Sighting::Kept(Bytes::from_static(b"x")));
    }

    #[test]
    fn an_answer_is_that_of_one_tenant_and_one_coding() {
        let answers = KeptAnswers::default();
        answers.keep(key("a", "page"), &Bytes::from_static(b"x"));
        let other_coding = Key { coding: Coding::Zstd, ..key("a", "page") };
        for other in [key("b", "page"), key("a", "other"), other_coding] {
            assert_eq!(answers.look(&other), Sighting::First);
        }
    }

    #[test]
    fn a_long_answer_is_not_kept() {
        let answers = KeptAnswers::default();
        answers.keep(key("a", "page"), &vec![0; MAX_KEPT_BYTES + 1].into());
        assert_eq!(answers.look(&key("a", "page")), Sighting::First);
    }
}

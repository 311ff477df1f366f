//! Compressed answers that are asked for again and again.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use pointbook_domain::TenantId;

use super::Coding;
use crate::response::Tag;

/// Places for answers.
const PLACES: usize = 512;
/// So much is kept at most. When more comes, all of it goes and begins anew: what is asked for often is back soon, and
/// what nobody asks for any more is gone.
const MAX_KEPT_BYTES: usize = 8 * 1_024 * 1_024;
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
    kept_bytes: AtomicUsize,
}

impl Default for KeptAnswers {
    fn default() -> Self {
        Self {
            sighted: (0..SIGHTED).map(|_| AtomicU64::default()).collect(),
            places: (0..PLACES).map(|_| Mutex::default()).collect(),
            kept_bytes: AtomicUsize::new(0),
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
        if bytes.len() > MAX_KEPT_BYTES / 2 {
            return;
        }
        if self.kept_bytes.load(Ordering::Relaxed) + bytes.len() > MAX_KEPT_BYTES {
            self.places.iter().for_each(|place| self.put(place, None));
        }
        let place = place(&self.places, hash(&key));
        self.put(place, Some((key, bytes.clone())));
    }

    fn put(&self, place: &Place, answer: Option<(Key, Bytes)>) {
        let length = |answer: &Option<(Key, Bytes)>| answer.as_ref().map_or(0, |(_, bytes)| bytes.len());
        let mut place = locked(place);
        self.kept_bytes.fetch_add(length(&answer), Ordering::Relaxed);
        self.kept_bytes.fetch_sub(length(&place), Ordering::Relaxed);
        *place = answer;
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
    fn what_is_kept_has_a_bound() {
        let answers = KeptAnswers::default();
        let third: Bytes = vec![0; MAX_KEPT_BYTES / 3].into();
        for round in 0..20 {
            answers.keep(key("a", &round.to_string()), &third);
            assert!(answers.kept_bytes.load(Ordering::Relaxed) <= MAX_KEPT_BYTES);
            assert_eq!(answers.look(&key("a", &round.to_string())), Sighting::Kept(third.clone()));
        }
        answers.keep(key("a", "19"), &Bytes::from_static(b"x"));
        let in_places: usize = answers
            .places
            .iter()
            .filter_map(|place| locked(place).as_ref().map(|(_, bytes)| bytes.len()))
            .sum();
        assert_eq!(answers.kept_bytes.load(Ordering::Relaxed), in_places);
    }
}

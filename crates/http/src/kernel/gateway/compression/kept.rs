//! Compressed responses that are asked for again and again.

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use moka::sync::Cache;
use pointbook_domain::TenantId;

use super::Coding;
use crate::kernel::tag::Tag;

/// So much is kept at most, keys included. Of more, what is asked for most stays: a response that is new does not push
/// out one that was asked for more often.
const MAX_KEPT_BYTES: u64 = 8 * 1_024 * 1_024;
/// No response takes more than its share of that.
const MAX_RESPONSE_BYTES: usize = 128 * 1_024;
/// How many responses are remembered as asked for; some thousand others, and one is asked for the first time again.
const SIGHTED: usize = 4_096;

/// What a response is found by, compared in full. A client chooses the target.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) tenant: TenantId,
    /// Path and query as the client sent them.
    pub(super) target: Box<str>,
    pub(super) coding: Coding,
}

/// The compressed form of one version of a response.
#[derive(Clone)]
struct Kept {
    tag: Tag,
    bytes: Bytes,
}

/// What is known of a response.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum LeaseState {
    First,
    Again,
    Kept(Bytes),
}

/// Responses by key, each in its last version. All hashes have random keys, so that no client can choose what shares a
/// place with what.
pub(super) struct KeptResponses {
    sighted: Box<[AtomicU64]>,
    hashes: RandomState,
    kept: Cache<Key, Kept>,
}

impl Default for KeptResponses {
    fn default() -> Self {
        let kept = Cache::builder().max_capacity(MAX_KEPT_BYTES).weigher(weight).build();
        let sighted = (0..SIGHTED).map(|_| AtomicU64::default()).collect();
        Self { sighted, hashes: RandomState::new(), kept }
    }
}

impl KeptResponses {
    /// Looks for this version of a response, and remembers that it was asked for.
    pub(super) fn look(&self, key: &Key, tag: Tag) -> LeaseState {
        if let Some(kept) = self.kept.get(key)
            && kept.tag == tag
        {
            return LeaseState::Kept(kept.bytes);
        }
        // Zero is what no response has.
        let hash = self.hashes.hash_one((key, tag)) | 1 << 63;
        let place = self.sighted.get(usize::try_from(hash % SIGHTED as u64).unwrap_or_default());
        let before = place.map(|place| place.swap(hash, Ordering::Relaxed));
        if before == Some(hash) { LeaseState::Again } else { LeaseState::First }
    }

    /// Keeps a version of a response in place of the one before.
    pub(super) fn keep(&self, key: Key, tag: Tag, bytes: Bytes) {
        if bytes.len() <= MAX_RESPONSE_BYTES {
            self.kept.insert(key, Kept { tag, bytes });
        }
    }
}

/// What an entry takes, in bytes.
fn weight(key: &Key, kept: &Kept) -> u32 {
    let bytes = size_of::<Key>() + size_of::<Kept>() + key.target.len() + kept.bytes.len();
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(tenant: &str, target: &str) -> Key {
        Key { tenant: TenantId::new(tenant).unwrap(), target: target.into(), coding: Coding::Gzip }
    }

    fn first() -> Tag {
        Tag::of_hash(1)
    }

    fn next() -> Tag {
        Tag::of_hash(2)
    }

    #[test]
    fn a_response_is_kept_from_its_second_time_on() {
        let responses = KeptResponses::default();
        assert_eq!(responses.look(&key("a", "/page"), first()), LeaseState::First);
        assert_eq!(responses.look(&key("a", "/page"), first()), LeaseState::Again);
        responses.keep(key("a", "/page"), first(), Bytes::from_static(b"x"));
        assert_eq!(responses.look(&key("a", "/page"), first()), LeaseState::Kept(Bytes::from_static(b"x")));
    }

    /// Were two responses to have one tag, neither is taken for the other.
    #[test]
    fn a_response_is_that_of_one_tenant_one_target_and_one_coding() {
        let responses = KeptResponses::default();
        responses.keep(key("a", "/page"), first(), Bytes::from_static(b"x"));
        let other_coding = Key { coding: Coding::Zstd, ..key("a", "/page") };
        for other in [key("b", "/page"), key("a", "/page?x=1"), other_coding] {
            assert_eq!(responses.look(&other, first()), LeaseState::First);
        }
    }

    #[test]
    fn another_version_takes_the_place_of_the_one_before() {
        let responses = KeptResponses::default();
        responses.keep(key("a", "/page"), first(), Bytes::from_static(b"x"));
        assert_eq!(responses.look(&key("a", "/page"), next()), LeaseState::First);
        responses.keep(key("a", "/page"), next(), Bytes::from_static(b"y"));
        assert_eq!(responses.look(&key("a", "/page"), next()), LeaseState::Kept(Bytes::from_static(b"y")));
        assert_eq!(responses.look(&key("a", "/page"), first()), LeaseState::First);
    }

    #[test]
    fn what_is_kept_has_a_bound() {
        let responses = KeptResponses::default();
        let large: Bytes = vec![0; MAX_RESPONSE_BYTES].into();
        for number in 0..200 {
            responses.keep(key("a", &number.to_string()), first(), large.clone());
        }
        responses.kept.run_pending_tasks();
        assert!(responses.kept.weighted_size() <= MAX_KEPT_BYTES);
        let larger: Bytes = vec![0; MAX_RESPONSE_BYTES + 1].into();
        responses.keep(key("a", "/large"), first(), larger);
        assert_eq!(responses.look(&key("a", "/large"), first()), LeaseState::First);
    }

    /// One client requests 4,000 unusual pages, each twice. Meanwhile others request 20 pages again and again.
    #[test]
    fn what_others_ask_for_often_stays_while_one_client_asks_for_junk() {
        let responses = KeptResponses::default();
        let page: Bytes = vec![0; 8 * 1_024].into();
        let popular: Vec<Key> = (0..20).map(|number| key("a", &format!("/popular/{number}"))).collect();
        let ask = |key: &Key| {
            let sighting = responses.look(key, first());
            if sighting == LeaseState::Again {
                responses.keep(key.clone(), first(), page.clone());
            }
            responses.kept.run_pending_tasks();
            matches!(sighting, LeaseState::Kept(_))
        };
        let mut found = 0;
        for number in 0..4_000 {
            let junk = key("a", &format!("/page?x={number}"));
            ask(&junk);
            ask(&junk);
            found += popular.iter().skip(number % 4).step_by(4).filter(|key| ask(key)).count();
        }
        assert!(
            responses.kept.entry_count() * 8 * 1_024 > MAX_KEPT_BYTES * 9 / 10,
            "the junk filled what was free"
        );
        assert!(found > 4_000 * 5 * 3 / 4, "{found} of 20,000 were found");
    }
}

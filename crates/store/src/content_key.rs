//! A fast keyed hash: what tells one content from another when clients choose parts of it.

use std::fmt;

use siphasher::sip128::{Hasher128, SipHasher13};
use std::hash::{BuildHasher, Hasher, RandomState};

/// How many bytes the first step takes at once.
const CHUNK_BYTES: usize = 1_024;
/// How many bytes are multiplied with each other.
const PAIR_BYTES: usize = 16;
/// An odd number: to multiply by it spreads the low bits of a number over its upper half. It is 2^64 over the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// The key under which contents are hashed. Without it, no client can find two contents of one hash, or tell what a hash
/// will be (docs/adr/0018).
///
/// The first step makes 16 bytes of each 1,024, by the sum of products that is known as NH: two contents of one length
/// come to the same with a chance of 2^-64 when the one who chose them lacks the key. The second step is SipHash-1-3 of these
/// sums and of the length, which shows nothing of them. A short content goes to the second step as it is.
pub struct ContentKey {
    pairs: Box<[(u64, u64); CHUNK_BYTES / PAIR_BYTES]>,
    sip: SipHasher13,
}

impl ContentKey {
    pub const BYTES: usize = CHUNK_BYTES + PAIR_BYTES;

    pub fn new(bytes: &[u8; Self::BYTES]) -> Self {
        let (last, chunk) =
            bytes.split_first_chunk::<PAIR_BYTES>().map_or((&[0; PAIR_BYTES], &[][..]), |all| all);
        let mut pairs = Box::new([(0, 0); CHUNK_BYTES / PAIR_BYTES]);
        let keys = chunk.as_chunks::<PAIR_BYTES>().0;
        pairs.iter_mut().zip(keys).for_each(|(pair, key)| *pair = words(key));
        Self { pairs, sip: SipHasher13::new_with_key(last) }
    }

    /// A random key for what is kept in the memory of one process, from the randomness of std's hash maps.
    pub fn random() -> Self {
        let random = RandomState::new();
        let word = |number: usize| random.hash_one(number);
        let pairs = Box::new(std::array::from_fn(|pair| (word(2 * pair), word(2 * pair + 1))));
        Self { pairs, sip: SipHasher13::new_with_keys(word(CHUNK_BYTES), word(CHUNK_BYTES + 1)) }
    }

    /// A number for the place of an id in a table: the first step alone, whose upper bits are spread over all. An id has
    /// at most 1,020 bytes; what is behind 1,024 does not count.
    pub fn scatter(&self, id: &[u8]) -> u64 {
        let sum = self.sum(id.get(..CHUNK_BYTES).unwrap_or(id)).wrapping_add(id.len() as u128);
        (lower(sum) ^ lower(sum >> 64)).wrapping_mul(SPREAD).swap_bytes()
    }

    /// The hash of a content: 128 bits.
    pub fn hash(&self, content: &[u8]) -> u128 {
        if content.len() <= 2 * PAIR_BYTES {
            return self.sip.hash(content).into();
        }
        let mut sip = self.sip;
        for chunk in content.chunks(CHUNK_BYTES) {
            let sum = self.sum(chunk);
            sip.write_u64(lower(sum));
            sip.write_u64(lower(sum >> 64));
        }
        sip.write_u64(content.len() as u64);
        sip.finish128().into()
    }

    /// What is left of the last pair is filled up with zeros: the length tells these contents apart.
    fn sum(&self, chunk: &[u8]) -> u128 {
        let (whole, rest) = chunk.as_chunks::<PAIR_BYTES>();
        let sum = whole.iter().zip(&*self.pairs).fold(0, |sum, (pair, key)| product(sum, words(pair), *key));
        let Some(key) = self.pairs.get(whole.len()).filter(|_| !rest.is_empty()) else { return sum };
        let mut last = [0; PAIR_BYTES];
        last.iter_mut().zip(rest).for_each(|(byte, of_rest)| *byte = *of_rest);
        product(sum, words(&last), *key)
    }
}

fn product(sum: u128, (one, other): (u64, u64), key: (u64, u64)) -> u128 {
    let (one, other) = (one.wrapping_add(key.0), other.wrapping_add(key.1));
    sum.wrapping_add(u128::from(one) * u128::from(other))
}

fn words(pair: &[u8; PAIR_BYTES]) -> (u64, u64) {
    let both = u128::from_le_bytes(*pair);
    (lower(both), lower(both >> 64))
}

fn lower(both: u128) -> u64 {
    #[expect(clippy::cast_possible_truncation, reason = "the lower half is what is wanted")]
    let lower = both as u64;
    lower
}

impl fmt::Debug for ContentKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ContentKey(..)")
    }
}

/// For tests: the same key each time.
#[doc(hidden)]
pub fn test_key() -> std::sync::Arc<ContentKey> {
    let random = SipHasher13::new_with_keys(1, 2);
    std::sync::Arc::new(ContentKey::new(&std::array::from_fn(|place| {
        random.hash(&place.to_le_bytes()).h1.to_le_bytes()[0]
    })))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// As written down in docs/adr/0018, in numbers without a bound.
    fn slow_hash(bytes: &[u8; ContentKey::BYTES], content: &[u8]) -> u128 {
        let (sip_key, keys) = bytes.split_at(16);
        let sip = SipHasher13::new_with_key(sip_key.try_into().unwrap());
        if content.len() <= 32 {
            return sip.hash(content).into();
        }
        let word = |bytes: &[u8], place: usize| {
            let byte = |place: usize| u64::from(bytes.get(place).copied().unwrap_or(0));
            (0..8).map(|offset| byte(8 * place + offset) << (8 * offset)).sum::<u64>()
        };
        let mut sums = Vec::new();
        for chunk in content.chunks(1_024) {
            let mut sum = 0_u128;
            for pair in 0..chunk.len().div_ceil(16) {
                let half = |half| word(chunk, 2 * pair + half).wrapping_add(word(keys, 2 * pair + half));
                sum = sum.wrapping_add(u128::from(half(0)) * u128::from(half(1)));
            }
            sums.extend(sum.to_le_bytes());
        }
        sums.extend((content.len() as u64).to_le_bytes());
        sip.hash(&sums).into()
    }

    fn content(length: usize) -> Vec<u8> {
        (0..length).map(|place| (place * place + place / 7).to_le_bytes()[0]).collect()
    }

    #[test]
    fn the_hash_is_the_one_that_is_written_down() {
        let bytes: [u8; ContentKey::BYTES] =
            std::array::from_fn(|place| (place * 31 + place / 5).to_le_bytes()[0]);
        let key = ContentKey::new(&bytes);
        for length in [0, 1, 16, 32, 33, 40, 47, 48, 49, 1_000, 1_023, 1_024, 1_025, 1_040, 2_048, 10_007] {
            assert_eq!(key.hash(&content(length)), slow_hash(&bytes, &content(length)), "{length}");
        }
    }

    #[test]
    fn contents_that_differ_in_a_bit_or_in_length_have_other_hashes() {
        let key = test_key();
        let mut seen = HashSet::new();
        for length in (0..100).chain(1_000..1_050) {
            assert!(seen.insert(key.hash(&vec![0; length])), "{length} zeros");
        }
        let content = content(1_100);
        assert!(seen.insert(key.hash(&content)));
        for bit in 0..content.len() * 8 {
            let mut other = content.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(seen.insert(key.hash(&other)), "bit {bit}");
        }
    }

    #[test]
    fn another_key_has_other_hashes() {
        let mut bytes = [5; ContentKey::BYTES];
        let one = ContentKey::new(&bytes);
        bytes[ContentKey::BYTES - 1] ^= 1;
        let last = ContentKey::new(&bytes);
        bytes[0] ^= 1;
        let first = ContentKey::new(&bytes);
        let content = content(1_024);
        assert_ne!(one.hash(&content), last.hash(&content));
        assert_ne!(one.hash(&content[..20]), first.hash(&content[..20]));
        assert_eq!(format!("{one:?}"), "ContentKey(..)");
    }
}

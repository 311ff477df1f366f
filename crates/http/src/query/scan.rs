//! Looking for separators in short pieces of text, eight bytes at a time.

/// A byte in each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH_BITS: u64 = ONES << 7;

/// The place of the first byte that is one of these two.
pub(super) fn find_either(text: &[u8], one: u8, other: u8) -> Option<usize> {
    let (words, rest) = text.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let hits = hits(word, one) | hits(word, other);
        if hits != 0 {
            return Some(place * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    let place = rest.iter().position(|&byte| byte == one || byte == other)?;
    Some(words.len() * 8 + place)
}

/// The high bit of each byte that is this one, but of bytes behind the first one perhaps too.
fn hits(word: u64, byte: u8) -> u64 {
    let difference = word ^ (ONES * u64::from(byte));
    difference.wrapping_sub(ONES) & !difference & HIGH_BITS
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_finds_what_a_walk_finds(text in proptest::collection::vec(any::<u8>(), 0..40), one: u8, place in 0_usize..40) {
            let other = text.get(place).copied().unwrap_or(one);
            let walked = text.iter().position(|&byte| byte == one || byte == other);
            prop_assert_eq!(find_either(&text, one, other), walked);
            prop_assert_eq!(find_either(&text, other, other), text.iter().position(|&byte| byte == other));
        }
    }
}

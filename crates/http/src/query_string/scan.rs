//! Finds separators in short pieces of text, eight bytes at a time.

/// A 1 in each byte of a word.
const ONES: u64 = u64::from_le_bytes([1; 8]);
const HIGH_BITS: u64 = ONES << 7;

/// The text before the first such ASCII character, and the text behind it.
pub(super) fn split_at(text: &str, byte: u8) -> (&str, &str) {
    let place = find(text.as_bytes(), byte).unwrap_or(text.len());
    (text.get(..place).unwrap_or_default(), text.get(place + 1..).unwrap_or_default())
}

/// The index of the first such byte.
pub(super) fn find(text: &[u8], byte: u8) -> Option<usize> {
    let (words, rest) = text.as_chunks::<8>();
    for (place, word) in words.iter().enumerate() {
        // Sets the high bit of the first byte that is equal. Bytes behind it may be false positives.
        let difference = u64::from_le_bytes(*word) ^ (ONES * u64::from(byte));
        let hits = difference.wrapping_sub(ONES) & !difference & HIGH_BITS;
        if hits != 0 {
            return Some(place * 8 + hits.trailing_zeros() as usize / 8);
        }
    }
    rest.iter().position(|&own| own == byte).map(|place| words.len() * 8 + place)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn it_finds_what_a_walk_finds(text in proptest::collection::vec(any::<u8>(), 0..40), place in 0_usize..40) {
            let byte = text.get(place).copied().unwrap_or(0);
            prop_assert_eq!(find(&text, byte), text.iter().position(|&own| own == byte));
        }
    }
}

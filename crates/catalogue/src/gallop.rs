//! Binary search over places of anything, halving or starting near by.

use std::ops::Range;

/// The first place in `range` where `is_before` no longer holds, or its end. All places where it
/// holds come first. Costs the logarithm of the distance from the start, so that a walk through a
/// long sequence in small steps stays cheap.
pub(crate) fn partition_point(range: Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end } = range;
    let mut high = low;
    let mut step = 1;
    while high < end && is_before(high) {
        low = high + 1;
        high += step;
        step *= 2;
    }
    halve(low..high.min(end), is_before)
}

/// The same, by halving the range: better when the place may be anywhere.
pub(crate) fn halve(range: Range<usize>, is_before: impl Fn(usize) -> bool) -> usize {
    let Range { start: mut low, end: mut high } = range;
    while low < high {
        let middle = low.midpoint(high);
        if is_before(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_finds_what_a_walk_finds() {
        for end in 0..40 {
            for start in 0..=end {
                for bound in 0..42 {
                    let walked = (start..end).find(|&place| place >= bound).unwrap_or(end);
                    assert_eq!(partition_point(start..end, |place| place < bound), walked);
                }
            }
        }
    }
}

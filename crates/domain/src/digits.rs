//! Decimal digits, two at a time: every response and every log line has numbers and times.

/// The two digits of a number below 100; of a larger one, the last two.
#[inline]
pub fn last_two_digits(number: u64) -> [u8; 2] {
    PAIRS[(number % 100) as usize]
}

/// Appends the decimal digits of a number. Many numbers have only one.
#[inline]
pub fn push_number(number: u64, into: &mut Vec<u8>) {
    if number < 10 {
        let [_, digit] = last_two_digits(number);
        into.push(digit);
    } else {
        push_pairs(number, into);
    }
}

/// Two digits at a time.
fn push_pairs(number: u64, into: &mut Vec<u8>) {
    if number >= 100 {
        push_number(number / 100, into);
    }
    into.extend_from_slice(&last_two_digits(number));
}

const PAIRS: [[u8; 2]; 100] = {
    const DIGITS: &[u8; 10] = b"0123456789";
    let mut pairs = [*b"00"; 100];
    let mut number = 0;
    while number < 100 {
        pairs[number] = [DIGITS[number / 10], DIGITS[number % 10]];
        number += 1;
    }
    pairs
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_two_digits_are_those_of_the_number() {
        for number in (0..1_000).chain([u64::MAX]) {
            let text = format!("{number:02}");
            assert_eq!(last_two_digits(number), text.as_bytes()[text.len() - 2..]);
        }
    }
    #[test]
    fn a_number_is_its_digits() {
        for number in (0..2_000).chain([4_096, 99_999, 100_000, u64::MAX]) {
            let mut digits = b"x".to_vec();
            push_number(number, &mut digits);
            assert_eq!(digits, format!("x{number}").into_bytes());
        }
    }
}

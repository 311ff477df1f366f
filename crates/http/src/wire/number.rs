use pointbook_domain::digits::last_two_digits;

/// Appends the decimal digits of a number. Many numbers have only one.
#[inline]
pub(crate) fn push_number(number: u64, into: &mut Vec<u8>) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_digits() {
        for number in (0..2_000).chain([4_096, 99_999, 100_000, u64::MAX]) {
            let mut digits = b"x".to_vec();
            push_number(number, &mut digits);
            assert_eq!(digits, format!("x{number}").into_bytes());
        }
    }
}

/// Digits of the largest number.
const MAX_DIGITS: usize = 20;

/// Appends the decimal digits of a number.
pub(crate) fn push_number(number: u64, into: &mut Vec<u8>) {
    let mut digits = [0; MAX_DIGITS];
    let (mut rest, mut count) = (number, 0);
    for digit in digits.iter_mut().rev() {
        // A remainder of ten is one digit.
        *digit = b'0' + (rest % 10) as u8;
        (rest, count) = (rest / 10, count + 1);
        if rest == 0 {
            break;
        }
    }
    into.extend_from_slice(digits.get(MAX_DIGITS - count..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_digits() {
        for number in [0, 7, 10, 4_096, u64::MAX] {
            let mut digits = b"x".to_vec();
            push_number(number, &mut digits);
            assert_eq!(digits, format!("x{number}").into_bytes());
        }
    }
}

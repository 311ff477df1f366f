/// How many digits the largest number has.
const MAX_DIGITS: usize = u64::MAX.ilog10() as usize + 1;

/// Appends the decimal digits of a number.
pub(crate) fn push_number(number: u64, into: &mut Vec<u8>) {
    let mut digits = [0; MAX_DIGITS];
    let (mut rest, mut length) = (number, 0);
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
        length += 1;
        if rest == 0 {
            break;
        }
    }
    into.extend_from_slice(&digits[MAX_DIGITS - length..]);
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

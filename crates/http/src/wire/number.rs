/// Appends the decimal digits of a number.
pub(crate) fn push_number(number: u64, into: &mut Vec<u8>) {
    let start = into.len();
    let mut rest = number;
    loop {
        // A remainder of ten is one digit.
        into.push(b'0' + (rest % 10) as u8);
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if let Some(digits) = into.get_mut(start..) {
        digits.reverse();
    }
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

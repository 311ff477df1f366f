//! Hexadecimal digits, as ids show them.

/// Reads bytes from twice as many digits. `None` for any other string, also for upper-case digits: an id has one form.
pub(crate) fn lower_hexadecimal<const N: usize>(text: &str) -> Option<[u8; N]> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    let pairs: &[[u8; 2]; N] = pairs.try_into().ok()?;
    let mut bytes = [0; N];
    for (byte, [high, low]) in bytes.iter_mut().zip(*pairs) {
        *byte = digit(high)? << 4 | digit(low)?;
    }
    Some(bytes)
}

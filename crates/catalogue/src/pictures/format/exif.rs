//! The orientation in the Exif block of a JPEG.

use super::cursor::Cursor;

/// The contents of the segment begin so.
const PREFIX: &[u8] = b"Exif\0\0";
const ORIENTATION: u16 = 0x0112;

/// How the camera was held, 1 to 8. `None` without an orientation, or for a wrong structure.
pub(super) fn orientation(segment: &[u8]) -> Option<u8> {
    let block = segment.strip_prefix(PREFIX)?;
    let is_little = match block.get(..4)? {
        b"II*\0" => true,
        b"MM\0*" => false,
        _ => return None,
    };
    let u16 = |cursor: &mut Cursor<'_>| {
        cursor
            .array()
            .map(|bytes| if is_little { u16::from_le_bytes(bytes) } else { u16::from_be_bytes(bytes) })
    };
    let first: [u8; 4] = block.get(4..8)?.try_into().ok()?;
    let first = if is_little { u32::from_le_bytes(first) } else { u32::from_be_bytes(first) };
    let mut entries = Cursor(block.get(usize::try_from(first).ok()?..)?);
    for _ in 0..u16(&mut entries)? {
        let tag = u16(&mut entries)?;
        entries.take(6)?;
        let value = u16(&mut entries)?;
        entries.take(2)?;
        if tag == ORIENTATION {
            return u8::try_from(value).ok().filter(|value| (1..=8).contains(value));
        }
    }
    None
}

/// The contents of a segment that says only the orientation.
pub(super) fn with_orientation(orientation: u8) -> Vec<u8> {
    // One entry: a short number. No block follows.
    let entry = [1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0];
    [PREFIX, b"II*\0\x08\0\0\0", &entry, &[0; 4]].concat()
}

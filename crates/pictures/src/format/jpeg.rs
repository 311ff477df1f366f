//! JPEG (ITU-T T.81): segments with markers up to the scan, which has the pixels.

use super::cursor::Cursor;

/// The start of the picture, and the first byte of the next marker.
pub(super) const SIGNATURE: &[u8] = b"\xff\xd8\xff";

const START_OF_SCAN: u8 = 0xda;
const END_OF_PICTURE: [u8; 2] = [0xff, 0xd9];

/// Width and height. `None` for a wrong structure: it must have a frame before the scan, and an end after it. Bytes may follow, because
/// cameras append further pictures there.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(bytes.get(2..)?);
    let mut size = None;
    loop {
        let marker = marker(&mut cursor)?;
        if !has_segment(marker) {
            return None;
        }
        let length = usize::from(cursor.u16()?).checked_sub(2)?;
        let segment = cursor.take(length)?;
        if marker == START_OF_SCAN {
            let has_end = cursor.0.windows(2).any(|pair| pair == END_OF_PICTURE);
            return size.filter(|_| has_end);
        }
        if is_frame(marker) && size.replace(size_of_frame(segment)?).is_some() {
            return None;
        }
    }
}

/// A marker has any number of bytes `ff` before it.
fn marker(cursor: &mut Cursor<'_>) -> Option<u8> {
    if cursor.byte()? != 0xff {
        return None;
    }
    loop {
        let byte = cursor.byte()?;
        if byte != 0xff {
            return Some(byte);
        }
    }
}

/// Markers without a segment do not come before the scan.
fn has_segment(marker: u8) -> bool {
    (0xc0..=0xfe).contains(&marker) && !(0xd0..=0xd9).contains(&marker)
}

/// The starts of frames, without `DHT`, `JPG` and `DAC`, which lie between them.
fn is_frame(marker: u8) -> bool {
    matches!(marker, 0xc0..=0xcf) && !matches!(marker, 0xc4 | 0xc8 | 0xcc)
}

fn size_of_frame(segment: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(segment);
    let precision = cursor.byte()?;
    let (height, width, components) = (cursor.u16()?, cursor.u16()?, cursor.byte()?);
    let is_whole = cursor.0.len() == usize::from(components) * 3;
    (matches!(precision, 8 | 12) && (1..=4).contains(&components) && is_whole)
        .then_some((width.into(), height.into()))
}

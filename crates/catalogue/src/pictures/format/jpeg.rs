//! JPEG (ITU-T T.81): segments with markers up to the scan, which has the pixels.

use super::cursor::Cursor;
use super::exif;

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

/// Without comments and the segments of applications, but for those that a decoder needs. Nothing follows the end.
pub(super) fn without_metadata(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut cursor = Cursor(bytes.get(2..)?);
    let mut kept = vec![0xff, 0xd8];
    loop {
        let marker = marker(&mut cursor)?;
        if [0xff, marker] == END_OF_PICTURE {
            kept.extend(END_OF_PICTURE);
            return Some(kept);
        }
        if !has_segment(marker) {
            return None;
        }
        let length = cursor.u16()?;
        let segment = cursor.take(usize::from(length).checked_sub(2)?)?;
        let exif = (marker == 0xe1).then(|| exif::orientation(segment)).flatten().map(exif::with_orientation);
        if let Some(segment) = exif.as_deref().or_else(|| is_needed(marker, segment).then_some(segment)) {
            kept.extend([0xff, marker]);
            kept.extend(u16::try_from(segment.len() + 2).ok()?.to_be_bytes());
            kept.extend_from_slice(segment);
        }
        if marker == START_OF_SCAN {
            kept.extend_from_slice(cursor.take(length_of_scan(cursor.0)?)?);
        }
    }
}

/// Whether a decoder needs a segment: all but comments and those of applications, of which it needs the kind of the file, the colour
/// profile and the colour transform.
fn is_needed(marker: u8, segment: &[u8]) -> bool {
    match marker {
        0xe0 => segment.starts_with(b"JFIF\0"),
        0xe2 => segment.starts_with(b"ICC_PROFILE\0"),
        0xee => segment.starts_with(b"Adobe"),
        0xe1..=0xef | 0xfe => false,
        _ => true,
    }
}

/// The pixels of a scan end before the next marker. Restart markers, and `ff` with a zero behind it, belong to them.
fn length_of_scan(bytes: &[u8]) -> Option<usize> {
    let is_end = |pair: &[u8]| matches!(pair, [0xff, second] if !matches!(second, 0 | 0xd0..=0xd7 | 0xff));
    // Any number of `ff` may stand before the marker.
    bytes.windows(2).position(is_end)
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

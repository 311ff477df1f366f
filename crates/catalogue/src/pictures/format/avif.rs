//! AVIF: a file of boxes (ISO 14496-12), whose `meta` box has the sizes of its pictures.

use super::cursor::Cursor;

/// A still picture, or a sequence.
const BRANDS: [&[u8; 4]; 2] = [b"avif", b"avis"];

/// Whether the first box says that this is AVIF.
pub(super) fn has_brand(bytes: &[u8]) -> bool {
    let Some((b"ftyp", brands)) = next(&mut Cursor(bytes)) else { return false };
    // The major brand, a version, and the compatible brands.
    let (Some(major), Some(others)) = (brands.get(..4), brands.get(8..)) else { return false };
    let is_avif = |brand: &[u8]| BRANDS.iter().any(|known| *known == brand);
    is_avif(major) || others.chunks_exact(4).any(is_avif)
}

/// Width and height of the largest picture in the file. `None` for a wrong structure: the boxes must fill the file, and one of them must
/// have pixels.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let (mut file, mut meta, mut has_pixels) = (Cursor(bytes), None, false);
    while !file.is_empty() {
        match next(&mut file)? {
            (b"meta", data) => meta = Some(data),
            (b"mdat", data) => has_pixels |= !data.is_empty(),
            _ => {}
        }
    }
    // A full box has a version and flags.
    let meta = meta?.get(4..)?;
    let mut properties = Cursor(find(find(meta, *b"iprp")?, *b"ipco")?);
    let mut largest = None;
    while !properties.is_empty() {
        if let (b"ispe", data) = next(&mut properties)? {
            let mut cursor = Cursor(data.get(4..)?);
            let size = (cursor.u32()?, cursor.u32()?);
            largest = largest.max(Some((u64::from(size.0) * u64::from(size.1), size)));
        }
    }
    let has_pixels = has_pixels || find(meta, *b"idat").is_some_and(|data| !data.is_empty());
    largest.filter(|_| has_pixels).map(|(_, size)| size)
}

/// The first box of a kind.
fn find(boxes: &[u8], kind: [u8; 4]) -> Option<&[u8]> {
    let mut boxes = Cursor(boxes);
    loop {
        let (found, data) = next(&mut boxes)?;
        if *found == kind {
            return Some(data);
        }
    }
}

fn next<'b>(boxes: &mut Cursor<'b>) -> Option<(&'b [u8; 4], &'b [u8])> {
    let (length, kind) = (boxes.u32()?, boxes.take(4)?.as_array()?);
    let length = match length {
        // Up to the end of the file.
        0 => boxes.0.len(),
        1 => usize::try_from(boxes.array().map(u64::from_be_bytes)?).ok()?.checked_sub(16)?,
        length => usize::try_from(length).ok()?.checked_sub(8)?,
    };
    Some((kind, boxes.take(length)?))
}

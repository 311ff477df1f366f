//! PNG (RFC 2083): a signature, then chunks up to `IEND`.

use super::cursor::Cursor;

pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Width and height. `None` for a wrong structure: it must begin with one `IHDR`, have an `IDAT`, and end with `IEND` and the file.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(bytes.strip_prefix(SIGNATURE)?);
    let (b"IHDR", header) = chunk(&mut cursor)? else { return None };
    let size = size_of_header(header)?;
    let mut has_pixels = false;
    loop {
        match chunk(&mut cursor)? {
            (b"IHDR", _) => return None,
            (b"IDAT", _) => has_pixels = true,
            (b"IEND", rest) => return (has_pixels && rest.is_empty() && cursor.is_empty()).then_some(size),
            _ => {}
        }
    }
}

/// Without the chunks of text, time and Exif.
pub(super) fn without_metadata(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut kept = SIGNATURE.to_vec();
    let mut cursor = Cursor(bytes.strip_prefix(SIGNATURE)?);
    while !cursor.is_empty() {
        let rest = cursor.0;
        let (kind, _) = chunk(&mut cursor)?;
        if !matches!(kind, b"eXIf" | b"tEXt" | b"zTXt" | b"iTXt" | b"tIME") {
            kept.extend_from_slice(rest.get(..rest.len() - cursor.0.len())?);
        }
    }
    Some(kept)
}

fn chunk<'b>(cursor: &mut Cursor<'b>) -> Option<(&'b [u8; 4], &'b [u8])> {
    let length = usize::try_from(cursor.u32()?).ok()?;
    let kind = cursor.take(4)?.as_array()?;
    let data = cursor.take(length)?;
    // The checksum is the decoder's business.
    cursor.take(4)?;
    Some((kind, data))
}

fn size_of_header(header: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(header);
    let size = (cursor.u32()?, cursor.u32()?);
    let [depth, colour, compression, filter, interlace] = cursor.array()?;
    let is_known = match colour {
        0 => matches!(depth, 1 | 2 | 4 | 8 | 16),
        3 => matches!(depth, 1 | 2 | 4 | 8),
        2 | 4 | 6 => matches!(depth, 8 | 16),
        _ => false,
    };
    (is_known && compression == 0 && filter == 0 && interlace <= 1 && cursor.is_empty()).then_some(size)
}

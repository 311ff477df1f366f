//! WebP (RFC 9649): a RIFF file with chunks.

use super::cursor::Cursor;

/// Width and height. `None` for a wrong structure: the chunks must fill the file, and one of them must have pixels.
pub(super) fn size(bytes: &[u8]) -> Option<(u32, u32)> {
    let mut file = Cursor(bytes);
    file.take(4)?;
    let length = little_endian(&mut file)?;
    let is_whole = file.0.len() == length;
    file.take(4)?;
    let (first, data) = chunk(&mut file)?;
    let (size, mut has_pixels) = match first {
        b"VP8 " => (size_of_lossy(data)?, true),
        b"VP8L" => (size_of_lossless(data)?, true),
        b"VP8X" => (size_of_canvas(data)?, false),
        _ => return None,
    };
    while !file.is_empty() {
        let (kind, _) = chunk(&mut file)?;
        has_pixels |= matches!(kind, b"VP8 " | b"VP8L" | b"ANMF");
    }
    (is_whole && has_pixels).then_some(size)
}

/// Without the chunks of Exif and XMP.
pub(super) fn without_metadata(bytes: &[u8]) -> Option<Vec<u8>> {
    /// The bits of the first byte of `VP8X` that announce these chunks.
    const EXIF_AND_XMP: u8 = 0b1100;
    let mut chunks = Vec::with_capacity(bytes.len());
    let mut file = Cursor(bytes.get(12..)?);
    while !file.is_empty() {
        let (rest, place) = (file.0, chunks.len());
        let (kind, _) = chunk(&mut file)?;
        if matches!(kind, b"EXIF" | b"XMP ") {
            continue;
        }
        chunks.extend_from_slice(rest.get(..rest.len() - file.0.len())?);
        if kind == b"VP8X" {
            *chunks.get_mut(place + 8)? &= !EXIF_AND_XMP;
        }
    }
    let length = u32::try_from(chunks.len() + 4).ok()?;
    Some([b"RIFF", &length.to_le_bytes()[..], b"WEBP", &chunks].concat())
}

fn little_endian(cursor: &mut Cursor<'_>) -> Option<usize> {
    usize::try_from(cursor.array().map(u32::from_le_bytes)?).ok()
}

/// A chunk of an odd length has one more byte behind it.
fn chunk<'b>(file: &mut Cursor<'b>) -> Option<(&'b [u8; 4], &'b [u8])> {
    let kind = file.take(4)?.as_array()?;
    let length = little_endian(file)?;
    let data = file.take(length)?;
    file.take(length % 2)?;
    Some((kind, data))
}

/// The header of a VP8 key frame (RFC 6386, 9.1).
fn size_of_lossy(data: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(data);
    let [tag, _, _] = cursor.array()?;
    let is_key_frame = tag & 1 == 0 && cursor.array()? == [0x9d, 0x01, 0x2a];
    let mut pixels = || cursor.array().map(|bytes| u32::from(u16::from_le_bytes(bytes) & 0x3fff));
    let size = (pixels()?, pixels()?);
    is_key_frame.then_some(size)
}

/// 14 bits for each side, less one.
fn size_of_lossless(data: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(data);
    let is_lossless = cursor.byte()? == 0x2f;
    let bits = cursor.array().map(u32::from_le_bytes)?;
    is_lossless.then_some(((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1))
}

/// 24 bits for each side, less one.
fn size_of_canvas(data: &[u8]) -> Option<(u32, u32)> {
    let mut cursor = Cursor(data);
    cursor.take(4)?;
    let mut pixels =
        || cursor.array().map(|[low, middle, high]| u32::from_le_bytes([low, middle, high, 0]) + 1);
    Some((pixels()?, pixels()?))
}

//! Bytes with the structure of pictures. Decoders find no pixels in them.

use pointbook_catalogue::pictures::{PictureShape, examine};
use pointbook_domain::{Picture, PictureId, Timestamp};
use pointbook_store::ports::tokens::token_hash;

/// What is known of these bytes of a picture.
pub fn picture_of(bytes: &[u8], created_at: Timestamp) -> Picture {
    let PictureShape { format, width, height } = examine(bytes).unwrap();
    let (id, size_bytes) = (PictureId(token_hash(bytes).0), u32::try_from(bytes.len()).unwrap());
    Picture { id, format, width, height, size_bytes, created_at }
}

/// A PNG whose pixels are this byte, so that two of them differ.
pub fn png(width: u32, height: u32, pixels: u8) -> Vec<u8> {
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[8, 6, 0, 0, 0]].concat();
    let chunks = [png_chunk(*b"IHDR", &header), png_chunk(*b"IDAT", &[pixels]), png_chunk(*b"IEND", &[])];
    [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat()
}

/// A PNG of this many bytes in all.
pub fn png_of_bytes(bytes: usize) -> Vec<u8> {
    let small = png(1, 1, 0);
    let filler = png_chunk(*b"teSt", &vec![7; bytes - small.len() - 12]);
    let end = small.len() - 12;
    [&small[..end], &filler, &small[end..]].concat()
}

/// Its checksum is wrong.
pub fn png_chunk(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    [&length(data).to_be_bytes(), &kind[..], data, &[0; 4]].concat()
}

pub fn jpeg(width: u16, height: u16) -> Vec<u8> {
    let frame =
        [&[8][..], &height.to_be_bytes(), &width.to_be_bytes(), &[3, 1, 17, 0, 2, 17, 0, 3, 17, 0]].concat();
    let segments = [segment(0xe0, b"JFIF\0"), segment(0xc0, &frame), segment(0xda, &[1, 1, 0, 0, 63, 0])];
    [&[0xff, 0xd8], &segments.concat()[..], &[1, 2, 3, 0xff, 0xd9]].concat()
}

pub fn segment(marker: u8, data: &[u8]) -> Vec<u8> {
    let length = u16::try_from(data.len() + 2).unwrap();
    [&[0xff, marker], &length.to_be_bytes()[..], data].concat()
}

/// A WebP file with these chunks.
pub fn webp(chunks: &[([u8; 4], &[u8])]) -> Vec<u8> {
    let chunk = |(kind, data): &([u8; 4], &[u8])| {
        [&kind[..], &length(data).to_le_bytes(), data, &[0][..data.len() % 2]].concat()
    };
    let chunks: Vec<u8> = chunks.iter().flat_map(chunk).collect();
    [b"RIFF", &(length(&chunks) + 4).to_le_bytes()[..], b"WEBP", &chunks].concat()
}

/// A lossy WebP.
pub fn webp_of(width: u16, height: u16) -> Vec<u8> {
    let frame =
        [&[0x10, 0, 0, 0x9d, 1, 0x2a][..], &width.to_le_bytes(), &height.to_le_bytes(), &[0]].concat();
    webp(&[(*b"VP8 ", &frame)])
}

/// An AVIF with a thumbnail of 1 by 1.
pub fn avif(width: u32, height: u32) -> Vec<u8> {
    let size = |width: u32, height: u32| {
        mp4_box(*b"ispe", &[&[0; 4], &width.to_be_bytes()[..], &height.to_be_bytes()].concat())
    };
    let properties = mp4_box(*b"ipco", &[size(1, 1), size(width, height)].concat());
    let meta = [&[0; 4][..], &mp4_box(*b"hdlr", &[0; 8]), &mp4_box(*b"iprp", &properties)].concat();
    let brands = mp4_box(*b"ftyp", b"avif\0\0\0\0mif1miafavif");
    [brands, mp4_box(*b"meta", &meta), mp4_box(*b"mdat", &[1, 2, 3])].concat()
}

pub fn mp4_box(kind: [u8; 4], data: &[u8]) -> Vec<u8> {
    [&(length(data) + 8).to_be_bytes(), &kind[..], data].concat()
}

fn length(data: &[u8]) -> u32 {
    u32::try_from(data.len()).unwrap()
}

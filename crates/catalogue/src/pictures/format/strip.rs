//! Takes out of a picture what is not part of what people see, such as the place where a photo was taken.

use pointbook_domain::PictureFormat;

use super::{jpeg, png, webp};

/// The picture without comments, Exif and XMP. A JPEG keeps its orientation and its colours, and loses the further pictures behind its
/// end. An AVIF stays as it is. `None` for a wrong structure.
pub fn without_metadata(format: PictureFormat, bytes: &[u8]) -> Option<Vec<u8>> {
    match format {
        PictureFormat::Png => png::without_metadata(bytes),
        PictureFormat::Jpeg => jpeg::without_metadata(bytes),
        PictureFormat::Webp => webp::without_metadata(bytes),
        PictureFormat::Avif => Some(bytes.to_vec()),
    }
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::pictures::{avif, png_chunk, segment, webp};

    use super::*;
    use crate::pictures::examine;

    const GPS: &[u8] = b"48.137 N 11.575 E";

    fn stripped(bytes: &[u8]) -> Vec<u8> {
        let shape = examine(bytes).unwrap();
        let kept = without_metadata(shape.format, bytes).unwrap();
        assert_eq!(examine(&kept), Ok(shape), "it is the same picture");
        assert!(!kept.windows(GPS.len()).any(|part| part == GPS), "{}", kept.escape_ascii());
        kept
    }

    #[test]
    fn a_png_keeps_what_is_seen() {
        let header = [0, 0, 0, 3, 0, 0, 0, 2, 8, 6, 0, 0, 0];
        let (start, end) = (png_chunk(*b"IHDR", &header), png_chunk(*b"IEND", &[]));
        let (colours, pixels) = (png_chunk(*b"iCCP", &[1]), png_chunk(*b"IDAT", &[7]));
        let of = |chunks: &[&[u8]]| [&b"\x89PNG\r\n\x1a\n"[..], &chunks.concat()].concat();
        let told =
            [*b"eXIf", *b"tEXt", *b"zTXt", *b"iTXt", *b"tIME"].map(|kind| png_chunk(kind, GPS)).concat();
        assert_eq!(
            stripped(&of(&[&start, &told, &colours, &pixels, &told, &end])),
            of(&[&start, &colours, &pixels, &end])
        );
    }

    #[test]
    fn a_jpeg_keeps_its_colours_and_its_orientation() {
        let (jfif, icc) = (segment(0xe0, b"JFIF\0"), segment(0xe2, b"ICC_PROFILE\0\x01\x01"));
        let adobe = segment(0xee, b"Adobe\0d\0\0\0\0\x01");
        let frame = segment(0xc0, &[8, 0, 2, 0, 3, 1, 1, 17, 0]);
        let told = [0xe1, 0xe2, 0xed, 0xef, 0xfe].map(|marker| segment(marker, GPS)).concat();
        let scan = [&segment(0xda, &[1, 1, 0, 0, 63, 0])[..], &[1, 0xff, 0, 0xff, 0xd0, 2]].concat();
        let end = [0xff, 0xd9];
        let of = |parts: &[&[u8]]| [&[0xff, 0xd8][..], &parts.concat()].concat();
        // Another scan may have tables before it, in which the bytes of the end may stand.
        let more = [segment(0xc4, &[0xff, 0xd9]), segment(0xfe, GPS), scan.clone()].concat();
        let bare_more = [segment(0xc4, &[0xff, 0xd9]), scan.clone()].concat();
        let whole = of(&[&jfif, &told, &icc, &adobe, &frame, &scan, &more, &end, GPS]);
        assert_eq!(stripped(&whole), of(&[&jfif, &icc, &adobe, &frame, &scan, &bare_more, &end]));
        for (order, entry) in [
            (b"II*\0\x08\0\0\0", &[1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]),
            (b"MM\0*\0\0\0\x08", &[0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]),
        ] {
            let exif = segment(0xe1, &[b"Exif\0\0", &order[..], entry, GPS].concat());
            let kept = [
                b"Exif\0\0",
                &b"II*\0\x08\0\0\0"[..],
                &[1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0],
                &[0; 4],
            ]
            .concat();
            assert_eq!(
                stripped(&of(&[&exif, &frame, &scan, &end])),
                of(&[&segment(0xe1, &kept), &frame, &scan, &end])
            );
        }
    }

    #[test]
    fn a_webp_says_that_it_has_no_metadata() {
        let canvas = |flags| [flags, 0, 0, 0, 2, 0, 0, 1, 0, 0];
        let (with, without) = (canvas(0b0010_1100), canvas(0b0010_0000));
        let icc: (_, &[u8]) = (*b"ICCP", &[1, 2, 3]);
        let pixels: (_, &[u8]) = (*b"VP8L", &[0x2f, 2, 0x40, 0, 0]);
        let whole = webp(&[(*b"VP8X", &with), icc, pixels, (*b"EXIF", GPS), (*b"XMP ", GPS)]);
        assert_eq!(stripped(&whole), webp(&[(*b"VP8X", &without), icc, pixels]));
    }

    #[test]
    fn an_avif_stays() {
        assert_eq!(stripped(&avif(3, 2)), avif(3, 2));
    }
}

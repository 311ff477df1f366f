use pointbook_testkit::pictures::{
    avif, jpeg, mp4_box, png, png_chunk, png_of_bytes, segment, webp, webp_of,
};

use super::*;

fn shape(format: PictureFormat, width: u32, height: u32) -> PictureShape {
    PictureShape { format, width, height }
}

#[test]
fn each_format_is_known_by_its_bytes() {
    assert_eq!(examine(&png(640, 480, 0)), Ok(shape(PictureFormat::Png, 640, 480)));
    assert_eq!(examine(&jpeg(640, 480)), Ok(shape(PictureFormat::Jpeg, 640, 480)));
    assert_eq!(examine(&webp_of(640, 480)), Ok(shape(PictureFormat::Webp, 640, 480)));
    assert_eq!(examine(&avif(640, 480)), Ok(shape(PictureFormat::Avif, 640, 480)));
}

#[test]
fn a_lossless_and_an_extended_webp_have_their_sizes_elsewhere() {
    let lossless = [&[0x2f], &(639_u32 + (479 << 14)).to_le_bytes()[..]].concat();
    assert_eq!(examine(&webp(&[(*b"VP8L", &lossless)])), Ok(shape(PictureFormat::Webp, 640, 480)));
    let canvas = [2, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0];
    let animated = webp(&[(*b"VP8X", &canvas), (*b"ANIM", &[0]), (*b"ANMF", &[0; 16])]);
    assert_eq!(examine(&animated), Ok(shape(PictureFormat::Webp, 640, 480)));
    assert_eq!(examine(&webp(&[(*b"VP8X", &canvas)])), Err(PictureFault::Damaged), "no pixels");
}

#[test]
fn other_files_are_no_pictures() {
    let svg = "<svg xmlns=\"http://www.w3.org/2000/svg\"><script>alert(1)</script></svg>";
    let html = "<!doctype html><script>alert(1)</script>";
    let xml = format!("<?xml version=\"1.0\"?>{svg}");
    let shifted = [b"<!--", &png(1, 1, 0)[..]].concat();
    let video = mp4_box(*b"ftyp", b"isom\0\0\0\0mp41");
    let sound = [b"RIFF\x04\0\0\0WAVE", &[0; 8][..]].concat();
    for bytes in [
        svg.as_bytes(),
        html.as_bytes(),
        xml.as_bytes(),
        &shifted,
        &video,
        &sound,
        b"GIF89a\x01\0\x01\0\0\0\0;",
        b"BM\x46\0\0\0",
        b"\0\0\x01\0\x01\0",
        b"%PDF-1.7",
        b"PK\x03\x04",
        b"\xff\xd8",
        b"\x89PNG",
        b" ",
    ] {
        assert_eq!(
            examine(bytes),
            Err(PictureFault::UnknownFormat),
            "{:?}",
            bytes.escape_ascii().to_string()
        );
    }
}

/// No part of a picture is a picture, also no part without its last byte.
#[test]
fn a_truncated_picture_is_refused_wherever_it_ends() {
    for whole in [png(640, 480, 0), jpeg(640, 480), webp_of(640, 480), avif(640, 480)] {
        for end in 0..whole.len() {
            assert!(examine(&whole[..end]).is_err(), "{:?} {end}", whole[..12].escape_ascii().to_string());
        }
    }
}

/// A JPEG may have bytes behind its end: cameras put more pictures there.
#[test]
fn a_picture_ends_where_the_file_ends() {
    let script = b"<script>alert(1)</script>";
    let longer = |bytes: Vec<u8>| examine(&[&bytes[..], script].concat());
    assert_eq!(longer(png(1, 1, 0)), Err(PictureFault::Damaged));
    assert_eq!(longer(webp_of(1, 1)), Err(PictureFault::Damaged));
    assert_eq!(longer(avif(1, 1)), Err(PictureFault::Damaged));
    assert_eq!(longer(jpeg(1, 1)), Ok(shape(PictureFormat::Jpeg, 1, 1)));
}

#[test]
fn a_side_has_1_to_8192_pixels() {
    for make in [|side| png(side, 1, 0), |side| png(1, side, 0), |side| avif(side, 2), |side| avif(2, side)] {
        assert!(examine(&make(8_192)).is_ok());
        assert_eq!(examine(&make(8_193)), Err(PictureFault::WrongSize));
        assert_eq!(examine(&make(u32::MAX)), Err(PictureFault::WrongSize));
    }
    for empty in [png(0, 1, 0), png(1, 0, 0), jpeg(0, 1), jpeg(1, 0), webp_of(0, 1), webp_of(1, 0)] {
        assert_eq!(examine(&empty), Err(PictureFault::WrongSize));
    }
    assert_eq!(examine(&jpeg(8_193, 1)), Err(PictureFault::WrongSize));
    assert_eq!(examine(&webp_of(1, 8_193)), Err(PictureFault::WrongSize));
}

/// A small file may stand for many pixels, all of which a browser keeps in memory.
#[test]
fn a_picture_has_at_most_24_million_pixels() {
    assert!(examine(&png(6_000, 4_000, 0)).is_ok());
    assert_eq!(examine(&png(6_000, 4_001, 0)), Err(PictureFault::WrongSize));
    assert_eq!(examine(&webp_of(8_192, 8_192)), Err(PictureFault::WrongSize));
}

#[test]
fn a_picture_has_1_byte_to_2_mib() {
    assert_eq!(examine(b""), Err(PictureFault::Empty));
    assert!(examine(&png_of_bytes(MAX_PICTURE_BYTES)).is_ok());
    assert_eq!(examine(&png_of_bytes(MAX_PICTURE_BYTES + 1)), Err(PictureFault::TooLarge));
}

#[test]
fn a_png_has_one_header_and_pixels() {
    let whole = png(1, 1, 0);
    let (header, pixels, end) = (&whole[8..33], &whole[33..46], &whole[46..]);
    let of = |chunks: &[&[u8]]| examine(&[&whole[..8], &chunks.concat()].concat());
    assert_eq!(of(&[header, pixels, end]), Ok(shape(PictureFormat::Png, 1, 1)));
    for chunks in [&[pixels, header, end][..], &[header, end], &[header, header, pixels, end], &[end]] {
        assert_eq!(of(chunks), Err(PictureFault::Damaged));
    }
    for (place, byte) in [(24, 3), (25, 1), (26, 1), (27, 1), (28, 2)] {
        let mut bytes = whole.clone();
        bytes[place] = byte;
        assert_eq!(examine(&bytes), Err(PictureFault::Damaged), "{place}");
    }
    let huge = [header, &[0xff; 8], pixels, end].concat();
    assert_eq!(of(&[&huge]), Err(PictureFault::Damaged), "a chunk that is longer than the file");
    assert_eq!(of(&[header, pixels, &png_chunk(*b"IEND", &[1])]), Err(PictureFault::Damaged));
}

#[test]
fn a_jpeg_has_one_frame_before_its_scan() {
    let frame = segment(0xc2, &[8, 0, 2, 0, 3, 1, 1, 17, 0]);
    let scan = [segment(0xda, &[1, 1, 0, 0, 63, 0]), vec![1, 0xff, 0xd9]].concat();
    let of = |segments: &[&[u8]]| examine(&[&[0xff, 0xd8], &segments.concat()[..]].concat());
    assert_eq!(of(&[&[0xff, 0xff], &frame, &scan]), Ok(shape(PictureFormat::Jpeg, 3, 2)));
    let tables = segment(0xc4, &[0; 9]);
    assert_eq!(of(&[&tables, &frame, &scan]), Ok(shape(PictureFormat::Jpeg, 3, 2)));
    let (wide, short) = (segment(0xc0, &[8, 0, 2, 0, 3, 2, 1, 17, 0]), [0xff, 0xe0, 0, 1]);
    for segments in [&[&scan[..]][..], &[&frame, &frame, &scan], &[&wide, &scan], &[&short, &frame, &scan]] {
        assert_eq!(of(segments), Err(PictureFault::Damaged));
    }
    assert_eq!(of(&[&[0xff, 0xd9], &frame, &scan]), Err(PictureFault::Damaged), "an end before the scan");
}

#[test]
fn an_avif_needs_its_brand_a_size_and_pixels() {
    let whole = avif(3, 2);
    let brand_at = whole.windows(4).position(|part| part == b"avif").unwrap();
    let with = |at: usize, bytes: &[u8]| {
        let mut changed = whole.clone();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        changed
    };
    assert_eq!(examine(&with(brand_at, b"mif1")), Ok(shape(PictureFormat::Avif, 3, 2)), "a compatible brand");
    let at = |kind: &[u8]| whole.windows(4).position(|part| part == kind).unwrap();
    for kind in [&b"meta"[..], b"iprp", b"ipco", b"mdat"] {
        assert_eq!(examine(&with(at(kind), b"free")), Err(PictureFault::Damaged), "{kind:?}");
    }
    assert_eq!(
        examine(&with(at(b"mdat") - 4, &[0; 4])),
        Ok(shape(PictureFormat::Avif, 3, 2)),
        "up to the end"
    );
    assert_eq!(examine(&with(at(b"mdat") - 4, &[0, 0, 0, 7])), Err(PictureFault::Damaged));
}

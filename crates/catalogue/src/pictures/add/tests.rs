use pointbook_domain::{PictureFormat, Timestamp};
use pointbook_store::commands::{Range, RowChange};
use pointbook_store::schema::{Cell, PICTURE_BYTES, PICTURES, Row, Write, cells};
use pointbook_testkit::pictures::{jpeg, segment};

use super::*;

fn picture(number: u32, size_bytes: u32) -> Picture {
    let mut id = [0; 32];
    id[..4].copy_from_slice(&number.to_be_bytes());
    let created_at = Timestamp::from_micros(i64::from(number)).unwrap();
    let format = PictureFormat::Png;
    Picture { id: PictureId(id), format, width: 3, height: 2, size_bytes, created_at }
}

fn row_of(value: &impl Write) -> Row {
    cells(value).into_iter().map(Cell::from).collect()
}

fn decide(known: &[Picture], picture: Picture) -> (Result<AddedPicture, TooManyPictures>, Vec<RowChange>) {
    let mut facts = Facts::default();
    facts.load_range(&Range::default(), known.iter().cloned());
    let add = AddPicture { picture, bytes: Bytes::from_static(b"bytes") };
    (add.decide(&mut facts).unwrap(), facts.into_changes().rows())
}

#[test]
fn a_new_picture_is_written_with_its_bytes() {
    let new = picture(1, 5);
    let bytes = PictureBytes { id: new.id, bytes: b"bytes".to_vec() };
    let expected = (
        Ok(AddedPicture { picture: new.clone(), is_new: true }),
        vec![RowChange::Write(&PICTURE_BYTES, row_of(&bytes)), RowChange::Write(&PICTURES, row_of(&new))],
    );
    assert_eq!(decide(&[picture(2, 5)], new), expected);
}

/// An orientation of 28 bytes becomes one of 32.
#[test]
fn a_picture_that_is_too_large_without_its_metadata_is_refused() {
    let orientation =
        [b"Exif\0\0II*\0\x08\0\0\0", &[1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0][..]].concat();
    let whole = jpeg(3, 2);
    let of = |segments: usize| {
        let segments = segment(0xe1, &orientation).repeat(segments);
        [&whole[..2], &segments, &whole[2..]].concat()
    };
    let now = Timestamp::from_micros(0).unwrap();
    let size = |picture: AddPicture| picture.picture.size_bytes as usize;
    let stored = |bytes: &[u8]| AddPicture::of(bytes, now).map(size);
    let small = of(2);
    assert_eq!(stored(&small), Ok(small.len() + 2 * 4));
    assert_eq!(stored(&of(MAX_PICTURE_BYTES / 32 - 4)), Err(PictureFault::TooLarge));
}

#[test]
fn a_known_picture_stays_as_it_is() {
    let stored = picture(1, 5);
    let again = Picture { created_at: Timestamp::from_micros(9).unwrap(), ..stored.clone() };
    let expected = (Ok(AddedPicture { picture: stored.clone(), is_new: false }), Vec::new());
    assert_eq!(decide(std::slice::from_ref(&stored), again), expected);
}

#[test]
fn a_tenant_has_at_most_5000_pictures_and_1_gib() {
    let refused = (Err(TooManyPictures), Vec::new());
    let many: Vec<_> = (0..5_000).map(|number| picture(number, 1)).collect();
    assert_eq!(decide(&many, picture(5_000, 1)), refused);
    assert!(decide(&many[1..], picture(5_000, 1)).0.is_ok());
    assert!(decide(&many, picture(7, 1)).0.is_ok_and(|added| !added.is_new), "a known one needs no room");
    let large: Vec<_> = (0..511).map(|number| picture(number, 2 * 1024 * 1024)).collect();
    assert!(decide(&large, picture(511, 2 * 1024 * 1024)).0.is_ok());
    assert_eq!(decide(&large, picture(511, 2 * 1024 * 1024 + 1)), refused);
}

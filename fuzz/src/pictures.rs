//! Pictures: their format, their size, and their bytes without metadata.

use pointbook_catalogue::pictures::{
    MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE, PictureShape, examine, without_metadata,
};

/// A picture is within its bounds. Without its metadata, it is the same picture, and has nothing more to remove. Only a picture at the bound may be too large then.
pub(crate) fn read(bytes: &[u8]) {
    let Ok(shape) = examine(bytes) else { return };
    let PictureShape { format, width, height } = shape;
    assert!((1..=MAX_PICTURE_SIDE).contains(&width) && (1..=MAX_PICTURE_SIDE).contains(&height));
    assert!(u64::from(width) * u64::from(height) <= MAX_PICTURE_PIXELS);
    let Some(kept) = without_metadata(format, bytes) else { return };
    if kept.len() > MAX_PICTURE_BYTES {
        return;
    }
    assert_eq!(examine(&kept), Ok(shape), "{}", kept.escape_ascii());
    assert_eq!(without_metadata(format, &kept).as_ref(), Some(&kept), "{}", kept.escape_ascii());
}

//! Finds the format and the size of a picture in its bytes.
//!
//! This decodes no pixels. It reads the signature and the structure around them, to the end of the file. So text, SVG, truncated
//! files, and files that are a picture only at their beginning are refused. Browsers decode the rest, and they get the format
//! that was found here.

mod avif;
mod cursor;
mod exif;
mod jpeg;
mod png;
mod strip;
mod webp;

use std::ops::RangeInclusive;

use pointbook_domain::PictureFormat;

pub use self::strip::without_metadata;
use crate::pictures::{MAX_PICTURE_BYTES, MAX_PICTURE_PIXELS, MAX_PICTURE_SIDE};

/// The allowed lengths of each side, in pixels.
const SIDES: RangeInclusive<u32> = 1..=MAX_PICTURE_SIDE;

/// What the bytes of a picture say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureShape {
    pub format: PictureFormat,
    pub width: u32,
    pub height: u32,
}

/// Why bytes are no picture that this service takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PictureFault {
    #[error("The picture is empty.")]
    Empty,
    #[error("The picture must have at most 2 MiB.")]
    TooLarge,
    /// Its bytes do not begin as any of the formats.
    #[error("The picture must be a PNG, JPEG, WebP or AVIF file.")]
    UnknownFormat,
    /// It begins as a picture, and its structure is wrong or ends early.
    #[error("The picture is damaged or incomplete.")]
    Damaged,
    #[error("The picture must have 1 to 8192 pixels on each side, and at most 24 million.")]
    WrongSize,
}

/// # Errors
/// [`PictureFault`] for bytes that this service does not store.
pub fn examine(bytes: &[u8]) -> Result<PictureShape, PictureFault> {
    if bytes.is_empty() {
        return Err(PictureFault::Empty);
    }
    if bytes.len() > MAX_PICTURE_BYTES {
        return Err(PictureFault::TooLarge);
    }
    let shape = shape_of(bytes)?;
    let PictureShape { width, height, .. } = shape;
    let pixels = u64::from(width) * u64::from(height);
    if !SIDES.contains(&width) || !SIDES.contains(&height) || pixels > MAX_PICTURE_PIXELS {
        return Err(PictureFault::WrongSize);
    }
    Ok(shape)
}

/// What the bytes say, however large the picture is.
pub(crate) fn shape_of(bytes: &[u8]) -> Result<PictureShape, PictureFault> {
    let format = format_of(bytes).ok_or(PictureFault::UnknownFormat)?;
    let size = match format {
        PictureFormat::Png => png::size(bytes),
        PictureFormat::Jpeg => jpeg::size(bytes),
        PictureFormat::Webp => webp::size(bytes),
        PictureFormat::Avif => avif::size(bytes),
    };
    let (width, height) = size.ok_or(PictureFault::Damaged)?;
    Ok(PictureShape { format, width, height })
}

fn format_of(bytes: &[u8]) -> Option<PictureFormat> {
    if bytes.starts_with(png::SIGNATURE) {
        Some(PictureFormat::Png)
    } else if bytes.starts_with(jpeg::SIGNATURE) {
        Some(PictureFormat::Jpeg)
    } else if bytes.starts_with(b"RIFF") && bytes.get(8..12) == Some(b"WEBP") {
        Some(PictureFormat::Webp)
    } else {
        avif::has_brand(bytes).then_some(PictureFormat::Avif)
    }
}

#[cfg(test)]
mod tests;

//! Pictures of products, as the back office uploaded them.

use std::fmt;

use crate::Timestamp;
use crate::hexadecimal::lower_hexadecimal;
use crate::id::FormError;

/// The SHA-256 of the bytes of a picture. The same picture has one id, and another picture has another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PictureId(pub [u8; 32]);

impl PictureId {
    /// Reads an id as it is displayed.
    ///
    /// # Errors
    /// [`FormError`] for any other string, also for upper-case digits: a picture has one URL.
    pub fn parse(text: &str) -> Result<Self, FormError> {
        lower_hexadecimal(text).map(Self).ok_or(ID_RULE)
    }
}

impl fmt::Display for PictureId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

const ID_RULE: FormError = FormError("the id of a picture has 64 characters of 0-9 and a-f");

/// The formats that all browsers show and that contain no script.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    Png,
    Jpeg,
    Webp,
    Avif,
}

impl PictureFormat {
    pub const ALL: [Self; 4] = [Self::Png, Self::Jpeg, Self::Webp, Self::Avif];

    pub fn content_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg => "image/jpeg",
            Self::Webp => "image/webp",
            Self::Avif => "image/avif",
        }
    }

    /// The end of the file name, without a dot.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Jpeg => "jpg",
            Self::Webp => "webp",
            Self::Avif => "avif",
        }
    }

    /// # Errors
    /// [`FormError`] for any other content type.
    pub fn parse(content_type: &str) -> Result<Self, FormError> {
        let found = Self::ALL.into_iter().find(|format| format.content_type() == content_type);
        found.ok_or(FormError("not a content type of pictures"))
    }
}

/// What is known of a stored picture without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    pub id: PictureId,
    pub format: PictureFormat,
    /// In pixels.
    pub width: u32,
    /// In pixels.
    pub height: u32,
    pub size_bytes: u32,
    pub created_at: Timestamp,
}

impl Picture {
    /// Its path below the base URL of the tenant.
    pub fn path(&self) -> String {
        format!("{}{}", path_of(&self.id), self.format.extension())
    }
}

/// The path of all pictures, below the base URL of the tenant.
pub const FOLDER: &str = "/pictures/";

/// The path of a picture up to its extension.
pub fn path_of(id: &PictureId) -> String {
    format!("{FOLDER}{id}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_64_lower_case_digits() {
        let id = PictureId(std::array::from_fn(|place| if place == 0 { 0xa5 } else { 0 }));
        let text = format!("a5{}", "00".repeat(31));
        assert_eq!((id.to_string(), PictureId::parse(&text)), (text.clone(), Ok(id)));
        for bad in ["", &text[1..], &text.to_uppercase(), &format!("{text}00"), &text.replace('a', "g")] {
            assert_eq!(PictureId::parse(bad), Err(ID_RULE), "{bad}");
        }
    }

    #[test]
    fn a_format_is_known_by_its_content_type_and_svg_is_none() {
        for format in PictureFormat::ALL {
            assert_eq!(PictureFormat::parse(format.content_type()), Ok(format));
        }
        assert!(PictureFormat::parse("image/svg+xml").is_err());
    }
}

//! The rows of pictures.

use pointbook_domain::{Picture, PictureFormat, PictureId, Timestamp};

columns! {
    Picture of PICTURES / 1, both {
        id: PictureId, format as "content_type": PictureFormat, width: u32, height: u32, size_bytes: u32,
        created_at: Timestamp,
    }
}

rows! {
    /// The id is their SHA-256.
    PictureBytes of PICTURE_BYTES / 1, both {
        id: PictureId, bytes: Vec<u8>,
    }
}

//! A picture of products.

use pointbook_domain::{Picture, PictureFormat};
use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;

view! {
    #[derive(Debug)]
    pub struct PictureView as "Picture" {
        /// The SHA-256 of the bytes.
        id: String => Schema::matching("^[0-9a-f]{64}$"),
        /// The URL of the picture, for `thumbnail` and `gallery` of products. It needs no token. Its bytes never change.
        url: String,
        /// What the bytes are.
        content_type: &'static str => Schema::one_of(PictureFormat::ALL.map(PictureFormat::content_type)),
        /// In pixels.
        width: u32 => Schema::integer(1..=8_192),
        /// In pixels.
        height: u32 => Schema::integer(1..=8_192),
        /// The size of the file.
        bytes: u32 => Schema::integer(1..=2_097_152),
        created_at: DateTimeView,
    }
}

impl Sample for PictureView {
    const SAMPLE: &'static str = include_str!("picture.json");
}

impl PictureView {
    /// The picture with the base URL of its tenant.
    pub fn new(base_url: &str, picture: &Picture) -> Self {
        let url = format!("{base_url}{}", picture.path());
        let Picture { id, format, width, height, size_bytes, created_at } = picture;
        Self {
            id: id.to_string(),
            url,
            content_type: format.content_type(),
            width: *width,
            height: *height,
            bytes: *size_bytes,
            created_at: DateTimeView(*created_at),
        }
    }
}

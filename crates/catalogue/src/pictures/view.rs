//! A picture of products.

use pointbook_domain::{Picture, PictureFormat};
use pointbook_http::describe::{Schema, required};
use pointbook_http::views::values::DateTimeView;
use serde::Serialize;

#[derive(Debug, Serialize)]
pub struct PictureView {
    id: String,
    url: String,
    content_type: &'static str,
    width: u32,
    height: u32,
    bytes: u32,
    created_at: DateTimeView,
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

pub fn picture_schema() -> Schema {
    let url = "The URL of the picture, for `thumbnail` and `gallery` of products. It needs no token. Its bytes never change.";
    let content_types = PictureFormat::ALL.map(PictureFormat::content_type);
    Schema::object([
        required("id", Schema::matching("^[0-9a-f]{64}$").describe("The SHA-256 of the bytes.")),
        required("url", Schema::text().describe(url)),
        required("content_type", Schema::one_of(content_types).describe("What the bytes are.")),
        required("width", Schema::integer(1..=8_192).describe("In pixels.")),
        required("height", Schema::integer(1..=8_192).describe("In pixels.")),
        required("bytes", Schema::integer(1..=2_097_152).describe("The size of the file.")),
        required("created_at", Schema::date_time()),
    ])
}

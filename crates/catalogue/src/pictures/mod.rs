//! Pictures of products: which bytes are a picture, how pictures are stored, found and removed.
//!
//! A picture is stored without metadata, and known by the SHA-256 of what is stored. So it never changes, and caches may keep it
//! for ever. Its format is what its bytes say, never what a client claims.

mod add;
pub(crate) mod api;
mod audit;
pub(crate) mod console;
pub mod file;
mod find;
mod format;
mod known;
mod remove;
pub mod upload;
mod uses;
pub mod view;

pub use add::{AddPicture, AddedPicture, TooManyPictures};
pub use audit::{PictureReport, audit_pictures};
pub use find::{find_bytes, find_picture, list_pictures, url_of};
pub use format::{PictureFault, PictureShape, examine, without_metadata};
pub use known::{KnownPictures, missing_pictures};
pub use remove::{PictureRemoval, RemovalOutcome, RemovePicture, remove_picture};
pub use uses::{MAX_NAMED_PRODUCTS, NamedProducts, PictureUses, find_uses};

/// The largest picture.
pub const MAX_PICTURE_BYTES: usize = 2 * 1024 * 1024;

/// The longest side of a picture, in pixels.
pub const MAX_PICTURE_SIDE: u32 = 8_192;

/// The most pixels of a picture. A browser needs 96 MB for them, however small the file is.
pub const MAX_PICTURE_PIXELS: u64 = 24_000_000;

/// How many pictures a tenant may have. A new one loads what is known of all of them.
pub const MAX_PICTURES: usize = 5_000;

/// How many bytes all pictures of a tenant may have together.
pub const MAX_BYTES_OF_PICTURES: u64 = 1024 * 1024 * 1024;

//! Bounds on what an import takes in. A row beyond a bound is rejected, never an abort.

/// The longest row, in bytes as it stands in the file.
pub const MAX_ROW_BYTES: usize = 2 << 20;
/// The largest category file, in bytes: a tree is checked as a whole, so it is read as a whole.
pub const MAX_CATEGORIES_BYTES: usize = 16 << 20;
/// How many bytes of rows are stored at a time, whatever the number of rows.
pub const MAX_BATCH_BYTES: usize = 4 << 20;

/// The longest title, subtitle, label or sku, in characters.
pub const MAX_TITLE_CHARS: usize = 1_000;
/// The longest description, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 64 << 10;
/// The longest URL, in characters.
pub const MAX_URL_CHARS: usize = 2_048;
/// The most images of a gallery.
pub const MAX_GALLERY_URLS: usize = 100;
/// The most categories of a product.
pub const MAX_PRODUCT_CATEGORIES: usize = 100;
/// The most bonuses of an activity.
pub const MAX_BONUSES: usize = 100;
/// The longest kind of a bonus, in characters.
pub const MAX_BONUS_KIND_CHARS: usize = 255;
/// How far ahead of this machine's clock an activity may be, in seconds: clocks differ.
pub const FUTURE_TOLERANCE_SECONDS: u32 = 300;

/// How many problems of one row or tree are told.
pub const MAX_PROBLEMS: usize = 20;
/// How much of a name that came with the input is told, in characters.
pub const MAX_QUOTED_CHARS: usize = 60;

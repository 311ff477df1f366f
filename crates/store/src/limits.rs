//! Bounds of input, the same for a file and for a request.

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
/// The most categories of a tree, at all its levels.
pub const MAX_CATEGORIES: usize = 10_000;
/// The most kinds of bonus of an activity.
pub const MAX_BONUSES: usize = 100;
/// The longest name of a bonus kind, in characters.
pub const MAX_BONUS_KIND_CHARS: usize = 255;
/// How many problems of one row a report has.
pub const MAX_TOLD_PROBLEMS: usize = 20;
/// How far ahead of this machine's clock an activity may be, in seconds, because clocks differ.
pub const FUTURE_TOLERANCE_SECONDS: u32 = 300;

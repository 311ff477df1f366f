//! The bounds of a definition.

pub const MAX_TITLES: usize = 20;
pub const MAX_TITLE_CHARS: usize = 100;
pub const MAX_PRIORITY: i64 = 1_000_000;
pub const MAX_CONTROL_PERCENT: i64 = 50;
pub const MAX_PERCENT: u32 = 10_000;
pub const MAX_TYPES: usize = 20;
pub const MAX_WINDOWS: usize = 50;
pub const MAX_SOURCE_PREFIXES: usize = 50;
pub const MAX_SOURCE_PREFIX_CHARS: usize = 100;
pub const MAX_ATTRIBUTE_VALUES: usize = 50;
pub const MAX_HOUR_WINDOWS: usize = 24;
pub const MAX_ORDINAL: i64 = 1_000_000;
pub const MAX_MEMBERS: usize = 1_000;

//! Bounds on what an import takes in; those of single fields are `app`'s. A row beyond a bound is
//! rejected, never an abort.

/// The longest row, in bytes as it stands in the file.
pub const MAX_ROW_BYTES: usize = 2 << 20;
/// The largest category file, in bytes: a tree is checked as a whole, so it is read as a whole.
pub const MAX_CATEGORIES_BYTES: usize = 16 << 20;
/// How many bytes of rows are stored at a time, whatever the number of rows.
pub const MAX_BATCH_BYTES: usize = 4 << 20;

/// How much of a name that came with the input is told, in characters.
pub const MAX_QUOTED_CHARS: usize = 60;

//! Time zones with their rules, and times as operators write them. In this crate, no other
//! module uses `jiff`.

pub mod time_zone;
pub mod timestamp_text;

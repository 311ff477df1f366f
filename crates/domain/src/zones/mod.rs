//! Time zones with their rules, and times as operators write them. The only room that knows `jiff`.

pub mod time_zone;
pub mod timestamp_text;

/// The log target of cleaning. Operators filter by it, so it stays the same as before there were jobs.
pub(super) const TARGET: &str = "pointbook_server::background";

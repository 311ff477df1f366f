//! `/v1/user`.

pub(super) mod point_history;

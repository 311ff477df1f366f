//! `/v1/store`.

pub(super) mod categories;
pub(super) mod products;

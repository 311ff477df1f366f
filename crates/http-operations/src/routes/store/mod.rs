//! `/v1/store`.

pub(super) mod categories;
pub(super) mod orders;
pub(super) mod products;

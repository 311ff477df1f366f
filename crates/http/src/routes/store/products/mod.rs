//! `/v1/store/products`.

pub(in crate::routes) mod list;
pub(in crate::routes) mod show;

//! `/v1/store/categories`.

pub(in crate::routes) mod list;

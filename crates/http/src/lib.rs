//! TODO: crates/http.

pub mod charts;
pub mod describe;
pub mod docs_page;
pub mod kernel;
pub mod pages;
pub mod query_string;

//! TODO: console_kit.

pub mod assets;
pub mod authors;
pub mod components;
pub mod csv_file;
pub mod draft;
pub mod layout;
pub mod navigation;
pub mod once;
pub mod page_spec;
pub mod path_part;
pub mod plots;
pub mod shared;
pub mod visit;

//! What all sections of the console share: the table of pages, the request to a page, layout and components, and the texts.

pub mod assets;
pub mod authors;
pub mod components;
pub mod csv_file;
pub mod days;
pub mod draft;
pub mod import_jobs;
pub mod kinds;
pub mod layout;
pub mod mistakes;
pub mod navigation;
pub mod once;
pub mod page_spec;
pub mod path_part;
pub mod plots;
pub mod report;
pub mod search_box;
pub mod shared;
pub mod visit;

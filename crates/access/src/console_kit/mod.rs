//! What the console pages of all slices share: the table of pages, the request with its operator, the layout, forms, CSV files.
//!
//! It is here, because every page asks for the operator and the role. The folder `locales` has the texts of all pages of the
//! console.

pub mod assets;
pub mod authors;
pub mod components;
pub mod csv_file;
pub mod draft;
pub mod frame;
pub mod icons;
pub mod layout;
pub mod lists;
pub mod navigation;
pub mod once;
pub mod page_spec;
pub mod path_part;
pub mod plots;
pub mod shared;
pub mod sheet;
pub mod visit;

pub use page_spec::{Access, PageSpec, page};
pub use shared::Shared;
pub use visit::Visit;

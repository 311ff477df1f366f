//! Changes of a whole catalogue: imports of products and of the category tree, and what they would do without storing it.
//!
//! The commands that change products and categories, and the edits of a single product, are in [`pointbook_app`].

mod import_categories;
mod import_products;
mod unknown_categories;

pub use import_categories::{TreeChange, import_categories, put_categories, try_categories};
pub use import_products::{import_products, put_products, try_products};
pub use unknown_categories::{not_in_tree, unknown_categories};

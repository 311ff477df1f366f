//! Changes of products and of the category tree: single edits, imports, and what an import would do without storing it.
//!
//! They execute commands of [`pointbook_app`]; the import of a tree has its own.

mod change_categories;
mod edit_product;
mod import_categories;
mod import_products;
mod unknown_categories;

pub use change_categories::change_categories;
pub use edit_product::{add_stock, patch_product, preview_description, put_product, retire_product};
pub use import_categories::{TreeChange, import_categories, put_categories, try_categories};
pub use import_products::{import_products, put_products, try_products};
pub use unknown_categories::{not_in_tree, unknown_categories};

//! Bodies: read as a whole, into fields, with everything that is wrong with them at once.
//!
//! An operation takes [`JsonBody`], [`EmptyBody`], [`NdjsonBody`] or [`BinaryBody`]. From JSON, it reads its fields in the documented order,
//! and gives them one item to make when none was refused:
//!
//! ```text
//! fn read_order(mut fields: BodyFields<'_>) -> Result<NewOrder, FieldErrors> {
//!     let product_id = fields.required("product_id", id(ProductId::new));
//!     let quantity = fields.optional("quantity", integer_in(1..=1_000));
//!     fields.finish(|| Some(NewOrder { product_id: product_id?, quantity: quantity.unwrap_or(1) }))
//! }
//! ```

mod activity;
mod binary;
mod category_tree;
mod content_type;
mod error;
mod fields;
mod json_body;
mod key;
mod ndjson;
mod product;
mod product_patch;
mod read;
mod read_text;

pub use activity::{
    ActivityBody, activity_line_schema, activity_schema, new_bonus_schema, read_activity, read_activity_line,
};
pub use binary::BinaryBody;
pub use category_tree::{category_tree_schema, new_category_schema, read_category_tree};
pub use error::{BodyError, Expected};
pub use fields::{ANY_FRACTION, BodyFields};
pub use json_body::{EmptyBody, JsonBody};
pub use ndjson::{NdjsonBody, NdjsonLine};
pub use product::{product_line_schema, product_schema, read_product, read_product_line, sale_above_regular};
pub use product_patch::{product_patch_schema, read_product_patch, read_stock_change, stock_change_schema};
pub use read::{
    Reader, Value, boolean, choice, date_time, id, integer, integer_in, list, new_id, new_user_id, object,
    past_date_time, past_day, text, texts, title,
};
pub use read_text::read_text;

/// The name for errors of the whole body.
const WHOLE: &str = "body";
/// The name for errors of a whole line.
const LINE: &str = "line";

#[cfg(test)]
mod tests;

//! Bodies: read as a whole, into fields, with everything that is wrong with them at once.
//!
//! An operation takes [`JsonBody`], [`EmptyBody`], [`NdjsonBody`] or [`BinaryBody`]. From JSON, a function reads its fields in the
//! documented order, and gives them one item to make when none was refused. [`schema_of`] makes the schema of the body from the same
//! function:
//!
//! ```text
//! fn read_order(mut fields: BodyFields<'_>) -> Result<NewOrder, FieldErrors> {
//!     let product_id = fields.required("product_id", id(ProductId::new));
//!     let quantity = fields.optional("quantity", integer_in(1..=1_000).about("Pieces. Default: 1."));
//!     fields.finish(|| Some(NewOrder { product_id: product_id?, quantity: quantity.unwrap_or(1) }))
//! }
//! ```

mod binary;
mod content_type;
mod error;
mod fields;
mod json_body;
mod key;
mod ndjson;
pub mod read;

pub use binary::BinaryBody;
pub use error::{BodyError, Expected};
pub use fields::{ANY_FRACTION, BodyFields, schema_of};
pub use json_body::{EmptyBody, JsonBody};
pub use ndjson::{NdjsonBody, NdjsonLine};
pub use read::{
    Reader, Value, boolean, choice, date_time, id, integer, integer_in, line, list, new_id, new_user_id,
    object, past_date_time, past_day, points, price, reader, text, texts, title, visible,
};

/// The name for errors of the whole body.
const WHOLE: &str = "body";
/// The name for errors of a whole line.
const LINE: &str = "line";

#[cfg(test)]
mod tests;

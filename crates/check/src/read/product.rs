//! Products, in a list and alone.

use crate::cursor::{Cursor, Flaws};
use crate::json::Json;
use crate::rule::{DETAIL_SHAPE, Rule};

/// A product as the interface documents it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Product {
    /// Unique product identifier.
    pub id: String,
    /// Product name.
    pub title: String,
    /// Stock keeping code.
    pub sku: String,
    /// Description as HTML.
    pub description: String,
    /// Regular price in points.
    pub regular_price: i64,
    /// Discounted price in points; none when there is no discount.
    pub sale_price: Option<i64>,
    /// URL of the thumbnail image.
    pub thumbnail: String,
    /// URLs of additional images.
    pub gallery: Vec<String>,
}

impl Product {
    /// What it costs now.
    pub(crate) fn effective_price(&self) -> i64 {
        self.sale_price.unwrap_or(self.regular_price)
    }
}

/// What is looked at in the answer of one product.
pub(crate) const DETAIL_RULES: &[&Rule] = &[&DETAIL_SHAPE];

/// Reads a product; every field is looked at before it is given up.
pub(super) fn product(cursor: &Cursor<'_>, flaws: &mut Flaws) -> Option<Product> {
    let id = cursor.text_of("id", flaws);
    let title = cursor.text_of("title", flaws);
    let sku = cursor.text_of("sku", flaws);
    let description = cursor.text_of("description", flaws);
    let regular_price = cursor.integer_of("regular_price", flaws);
    let sale_price = cursor.nullable_of("sale_price", flaws, Cursor::integer);
    let thumbnail = cursor.text_of("thumbnail", flaws);
    let gallery = cursor.items_of("gallery", flaws).and_then(|items| texts(&items, flaws));
    Some(Product {
        id: id?,
        title: title?,
        sku: sku?,
        description: description?,
        regular_price: regular_price?,
        sale_price: sale_price.ok()?,
        thumbnail: thumbnail?,
        gallery: gallery?,
    })
}

fn texts(items: &[Cursor<'_>], flaws: &mut Flaws) -> Option<Vec<String>> {
    let texts: Vec<_> = items.iter().map(|item| item.text(flaws)).collect();
    texts.into_iter().collect()
}

/// Reads the answer of one product.
pub(crate) fn product_detail(json: &Json, flaws: &mut Flaws) -> Option<Product> {
    let root = Cursor::root(&DETAIL_SHAPE, json);
    if let Some(success) = root.member("success", flaws)
        && *success.json() != Json::Bool(true)
    {
        success.refuse("is true", flaws);
    }
    product(&root.member("data", flaws)?, flaws)
}

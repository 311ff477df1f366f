//! A product from a back office, alone or in a line of an import.

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::product::is_sale_above;
use pointbook_domain::web_url::is_web_url;
use pointbook_domain::{CategoryId, Price, ProductId};
use pointbook_http::body::read::sku;
use pointbook_http::body::{
    BodyFields, Value, boolean, date_time, id, integer, integer_in, list, new_id, text, title,
};
use pointbook_http::describe::{Field, Schema, optional, required};
use pointbook_store::limits::{
    MAX_DESCRIPTION_CHARS, MAX_GALLERY_URLS, MAX_PRODUCT_CATEGORIES, MAX_TITLE_CHARS, MAX_URL_CHARS,
};
use pointbook_store::ports::FieldChange;

use crate::html::{complexity_rule, is_too_complex};
use crate::products::draft::{ProductDraft, StockDraft, first_repeated};

/// Reads a product whose id is outside of the body and may have been refused.
pub fn read_product(mut fields: BodyFields<'_>, id: Option<ProductId>) -> Result<ProductDraft, FieldErrors> {
    let path_id = id.clone();
    let draft = read_fields(&mut fields, |_, _| id);
    accept_read_only(&mut fields, path_id.as_ref());
    fields.finish(|| draft)
}

/// Reads a product of an import. Its `id` is its sku by default.
pub fn read_product_line(mut fields: BodyFields<'_>) -> Result<ProductDraft, FieldErrors> {
    let (own_id, has_id) = (fields.optional("id", new_id(ProductId::new)), fields.has("id"));
    let id = |fields: &mut BodyFields<'_>, sku: &str| if has_id { own_id } else { id_of_sku(fields, sku) };
    let draft = read_fields(&mut fields, id);
    fields.finish(|| draft)
}

/// A sku may be longer than an id.
fn id_of_sku(fields: &mut BodyFields<'_>, sku: &str) -> Option<ProductId> {
    let id = ProductId::new(sku).ok();
    if id.is_none() {
        let rule = format!("must not be greater than {MAX_ID_CHARS} characters where it is the id");
        fields.refuse("sku", Rule::new(FieldCode::TooLong, rule));
    }
    id
}

/// Reads everything but the id, which the sku may determine.
fn read_fields(
    fields: &mut BodyFields<'_>,
    id: impl FnOnce(&mut BodyFields<'_>, &str) -> Option<ProductId>,
) -> Option<ProductDraft> {
    let sku = fields.required("sku", sku);
    let id = sku.as_deref().and_then(|sku| id(fields, sku));
    let title = fields.required("title", title(MAX_TITLE_CHARS));
    let description = fields.optional("description", read_description);
    let (regular_price, sale_price) = read_prices(fields);
    let thumbnail = fields.optional("thumbnail", thumbnail);
    let gallery = fields.optional("gallery", list(MAX_GALLERY_URLS, web_url));
    let categories = fields.optional("categories", read_categories);
    let stock = match fields.nullable("stock", integer_in(0..=u32::MAX)) {
        FieldChange::Keep => StockDraft::Keep,
        FieldChange::Set(pieces) => StockDraft::Set(pieces),
    };
    let popular = fields.optional("popular", boolean);
    let published_at = fields.optional("published_at", date_time);
    let active = fields.optional("active", boolean);
    Some(ProductDraft {
        id: id?,
        sku: sku?,
        title: title?,
        description: description.unwrap_or_default(),
        regular_price: regular_price?,
        sale_price,
        thumbnail: thumbnail.unwrap_or_default(),
        gallery: gallery.unwrap_or_default(),
        categories: categories.unwrap_or_default(),
        stock,
        popular: popular.unwrap_or(false),
        published_at,
        active: active.unwrap_or(true),
    })
}

pub(super) fn read_description(value: Value<'_>) -> Result<String, FieldErrors> {
    let html = text(MAX_DESCRIPTION_CHARS)(value)?;
    if is_too_complex(&html) {
        return Err(value.refused(Rule::new(FieldCode::TooComplex, complexity_rule())));
    }
    Ok(html)
}

fn read_prices(fields: &mut BodyFields<'_>) -> (Option<Price>, Option<Price>) {
    let regular = fields.required("regular_price", integer(Price::new));
    let sale = fields.optional("sale_price", integer(Price::new));
    if is_sale_above(regular, sale) {
        fields.refuse("sale_price", sale_above_regular());
    }
    (regular, sale)
}

/// Also for a patch whose price breaks the rule together with a stored price.
pub fn sale_above_regular() -> Rule {
    Rule::new(FieldCode::SalePriceAboveRegular, "must not be above the regular price")
}

pub(super) fn thumbnail(value: Value<'_>) -> Result<String, FieldErrors> {
    let url = text(MAX_URL_CHARS)(value)?;
    if url.is_empty() || is_web_url(&url) { Ok(url) } else { Err(value.refused(no_url())) }
}

pub(super) fn web_url(value: Value<'_>) -> Result<String, FieldErrors> {
    let url = title(MAX_URL_CHARS)(value)?;
    if is_web_url(&url) { Ok(url) } else { Err(value.refused(no_url())) }
}

fn no_url() -> Rule {
    Rule::new(FieldCode::NotAUrl, "must be a valid URL")
}

pub(super) fn read_categories(value: Value<'_>) -> Result<Vec<CategoryId>, FieldErrors> {
    let categories = list(MAX_PRODUCT_CATEGORIES, id(CategoryId::new))(value)?;
    match first_repeated(&categories) {
        None => Ok(categories),
        Some(place) => Err(FieldErrors::one(&format!("{}.{place}", value.key), Rule::DISTINCT)),
    }
}

/// The schema of what [`read_product`] reads.
pub fn product_schema() -> Schema {
    Schema::closed(product_fields().into_iter().chain(read_only_fields()))
}

/// The schema of what [`read_product_line`] reads.
pub fn product_line_schema() -> Schema {
    let id = optional("id", Schema::new_id().or_null().describe("Default: the `sku`."));
    Schema::closed([id].into_iter().chain(product_fields()))
}

/// All fields of a product except its id.
fn product_fields() -> [Field; 12] {
    let list = |items, max_items| Schema::list(items).at_most(max_items).or_null();
    let stock = Schema::integer(0..=i64::from(u32::MAX)).or_null();
    let published_at = "From this time on, customers see the product. The time has `Z` or an offset. If absent, a \
                        stored product keeps its time, and a new product gets the present time.";
    [
        required("sku", Schema::visible_to(MAX_TITLE_CHARS)),
        required("title", Schema::title_to(MAX_TITLE_CHARS)),
        optional("description", Schema::text_to(MAX_DESCRIPTION_CHARS).or_null().describe("HTML.")),
        required("regular_price", Schema::price()),
        optional("sale_price", Schema::price().or_null().describe("At most the regular price.")),
        optional("thumbnail", Schema::text_to(MAX_URL_CHARS).or_null().describe(THUMBNAIL)),
        optional("gallery", list(Schema::title_to(MAX_URL_CHARS), MAX_GALLERY_URLS).describe(GALLERY)),
        optional(
            "categories",
            list(Schema::id(), MAX_PRODUCT_CATEGORIES).each_once().describe("The ids of the categories."),
        ),
        optional(
            "stock",
            stock.describe("Pieces. Null for unlimited. If absent, the stock does not change."),
        ),
        optional("popular", Schema::boolean().or_null().describe("Default: false.")),
        optional("published_at", Schema::any_date_time().or_null().describe(published_at)),
        optional("active", Schema::boolean().or_null().describe("Default: true.")),
    ]
}

pub(super) const THUMBNAIL: &str = "An absolute `http` or `https` URL, or an empty string.";
pub(super) const GALLERY: &str = "Absolute `http` or `https` URLs.";

/// Accepts `id`, `reserved` and `version`. The `id` must equal the id of the path, unless the path was refused. The others do
/// not matter: a client names the state that it knows with `If-Match`.
pub(super) fn accept_read_only(fields: &mut BodyFields<'_>, path_id: Option<&ProductId>) {
    fields.not_null("id", |value| is_of_path(value, path_id));
    for name in ["reserved", "version"] {
        fields.not_null(name, integer_in(0..=i64::MAX));
    }
}

fn is_of_path(value: Value<'_>, path_id: Option<&ProductId>) -> Result<(), FieldErrors> {
    let own_id = id(ProductId::new)(value)?;
    match path_id {
        Some(path_id) if *path_id != own_id => {
            Err(value.refused(Rule::new(FieldCode::IdMismatch, "must be the id of the path")))
        }
        Some(_) | None => Ok(()),
    }
}

/// Their schema. They are not `readOnly` in the OpenAPI document, because tools remove or refuse such members in requests.
pub(super) fn read_only_fields() -> [Field; 3] {
    [
        optional("id", Schema::id().describe("Must equal the id in the path.")),
        optional("reserved", Schema::count().describe("Ignored.")),
        optional("version", Schema::count().describe("Ignored.")),
    ]
}

#[cfg(test)]
mod tests;

//! A product from a back office, alone or in a line of an import.

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::product::is_sale_above;
use pointbook_domain::web_url::is_web_url;
use pointbook_domain::{CategoryId, Price, ProductId};
use pointbook_http::body::{
    BodyFields, Reader, Value, boolean, date_time, id, integer_in, list, new_id, price, sku, text, title,
};
use pointbook_http::describe::Schema;
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
    let own_id = fields.optional("id", new_id(ProductId::new).about("Default: the `sku`."));
    let has_id = fields.has("id");
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
    let sku = fields.required("sku", sku());
    let id = sku.as_deref().and_then(|sku| id(fields, sku));
    let title = fields.required("title", title(MAX_TITLE_CHARS));
    let description = fields.optional("description", description());
    let (regular_price, sale_price) = read_prices(fields);
    let thumbnail = fields.optional("thumbnail", thumbnail());
    let gallery = fields.optional("gallery", gallery());
    let categories = fields.optional("categories", categories().about("The ids of the categories."));
    let stock = "Pieces. Null for unlimited. If absent, the stock does not change.";
    let stock = match fields.nullable("stock", integer_in(0..=u32::MAX).about(stock)) {
        FieldChange::Keep => StockDraft::Keep,
        FieldChange::Set(pieces) => StockDraft::Set(pieces),
    };
    let popular = fields.optional("popular", boolean().about("Default: false."));
    let published_at = "From this time on, customers see the product. The time has `Z` or an offset. If absent, a stored product keeps its \
                        time, and a new product gets the present time.";
    let published_at = fields.optional("published_at", date_time().about(published_at));
    let active = fields.optional("active", boolean().about("Default: true."));
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

pub(super) fn description() -> impl Reader<Item = String> {
    let rule = || Rule::new(FieldCode::TooComplex, complexity_rule());
    text(MAX_DESCRIPTION_CHARS).only(|html| !is_too_complex(html), rule).about("HTML.")
}

fn read_prices(fields: &mut BodyFields<'_>) -> (Option<Price>, Option<Price>) {
    let regular = fields.required("regular_price", price());
    let sale = fields.optional("sale_price", price().about("At most the regular price."));
    if is_sale_above(regular, sale) {
        fields.refuse("sale_price", sale_above_regular());
    }
    (regular, sale)
}

/// Also for a patch whose price breaks the rule together with a stored price.
pub fn sale_above_regular() -> Rule {
    Rule::new(FieldCode::SalePriceAboveRegular, "must not be above the regular price")
}

pub(super) fn thumbnail() -> impl Reader<Item = String> {
    let url = text(MAX_URL_CHARS).only(|url| url.is_empty() || is_web_url(url), no_url);
    url.about("An absolute `http` or `https` URL, or an empty string.")
}

pub(super) fn gallery() -> impl Reader<Item = Vec<String>> {
    let url = title(MAX_URL_CHARS).only(|url| is_web_url(url), no_url);
    list(MAX_GALLERY_URLS, url).about("Absolute `http` or `https` URLs.")
}

fn no_url() -> Rule {
    Rule::new(FieldCode::NotAUrl, "must be a valid URL")
}

pub(super) fn categories() -> impl Reader<Item = Vec<CategoryId>> {
    let check = |value: Value<'_>, categories: Vec<CategoryId>| match first_repeated(&categories) {
        None => Ok(categories),
        Some(place) => Err(FieldErrors::one(&format!("{}.{place}", value.key), Rule::DISTINCT)),
    };
    let ids = || Schema::list(Schema::id()).at_most(MAX_PRODUCT_CATEGORIES).each_once();
    list(MAX_PRODUCT_CATEGORIES, id(CategoryId::new)).then(check).with_schema(ids)
}

/// Accepts `id`, `reserved` and `version`. The `id` must equal the id of the path, unless the path was refused. The others do
/// not matter: a client names the state that it knows with `If-Match`. They are not `readOnly` in the OpenAPI document, because tools
/// remove or refuse such members in requests.
pub(super) fn accept_read_only(fields: &mut BodyFields<'_>, path_id: Option<&ProductId>) {
    let of_path = |value: Value<'_>, own_id: ProductId| match path_id {
        Some(path_id) if *path_id != own_id => {
            Err(value.refused(Rule::new(FieldCode::IdMismatch, "must be the id of the path")))
        }
        Some(_) | None => Ok(()),
    };
    fields.not_null("id", id(ProductId::new).then(of_path).about("Must equal the id in the path."));
    for name in ["reserved", "version"] {
        let any = integer_in(0..=i64::MAX).with_schema(Schema::count);
        fields.not_null(name, any.about("Ignored."));
    }
}

#[cfg(test)]
mod tests;

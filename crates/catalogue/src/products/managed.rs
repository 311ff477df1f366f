//! A product as the back office reads and writes it: its view, and the readers of its fields, for a whole product, for a line of an
//! import, and for what changes.

use std::hash::Hash;

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::product::{MAX_BRAND_CHARS, is_sale_above};
use pointbook_domain::web_url::is_web_url;
use pointbook_domain::{CategoryId, FieldChange, Price, Product, ProductId, ProductPatch};
use pointbook_http::body::{
    BodyFields, Reader, Value, boolean, date_time, id, integer_in, line, list, new_id, object, price, text,
    title, visible,
};
use pointbook_http::describe::{Sample, Schema};
use pointbook_http::view;
use pointbook_http::views::values::DateTimeView;
use pointbook_store::limits::{
    MAX_DESCRIPTION_CHARS, MAX_GALLERY_URLS, MAX_PRODUCT_CATEGORIES, MAX_TITLE_CHARS, MAX_URL_CHARS,
};
use pointbook_store::ports::{CatalogueVersion, ProductEdit, StoredProduct};
use serde_json::{Map, Value as Json};

use crate::html::{complexity_rule, is_too_complex};
use crate::products::draft::{ProductDraft, ProductPatchDraft, first_repeated};

view! {
    /// The documented fields, with the description as the operator sent it, and the fields that only the operator sees.
    #[derive(Debug)]
    pub struct ManagedProductView<'p> as "ManagedProduct" {
        id: &'p str => Schema::id(),
        title: &'p str,
        sku: &'p str,
        /// Customers do not see it. Null for none.
        brand: Option<&'p str> => Schema::text().or_null(),
        /// HTML as you sent it. Customers get it without unsafe elements.
        description: &'p str,
        regular_price: i64 => Schema::price(),
        sale_price: Option<i64> => Schema::price().or_null(),
        thumbnail: &'p str,
        gallery: &'p [String],
        categories: Vec<&'p str> => Schema::list(Schema::id()),
        /// Pieces that customers can order. Null for unlimited.
        stock: Option<u32> => Schema::integer(0..=i64::from(u32::MAX)).or_null(),
        /// Pieces in placed orders.
        reserved: u64,
        popular: bool,
        published_at: DateTimeView,
        /// Whether customers see the product after `published_at`.
        active: bool,
        /// The version of the catalogue at the last change of the product.
        version: u64,
    }
}

/// A product in the examples of the OpenAPI document.
macro_rules! sample {
    () => {
        r#"{
            "id": "cafe-mug",
            "title": "Café mug, speckled stoneware",
            "sku": "ACM-HK-1001",
            "brand": "Töpferei Lindner",
            "description": "<p>A heavy mug with a thumb rest.</p>",
            "regular_price": 650,
            "sale_price": 490,
            "thumbnail": "https://images.acme.example/cafe-mug/thumbnail.webp",
            "gallery": [],
            "categories": ["mugs"],
            "stock": 64,
            "reserved": 1,
            "popular": true,
            "published_at": "2026-05-04T08:00:00.000000Z",
            "active": true,
            "version": 12
        }"#
    };
}
pub(crate) use sample;

impl Sample for ManagedProductView<'_> {
    const SAMPLE: &'static str = sample!();
}

impl<'p> From<&'p StoredProduct> for ManagedProductView<'p> {
    fn from(stored: &'p StoredProduct) -> Self {
        let StoredProduct { product, reserved, version: CatalogueVersion(version) } = stored;
        Self { reserved: *reserved, version: *version, ..Self::of(product) }
    }
}

impl<'p> ManagedProductView<'p> {
    /// The product without what the server counts.
    fn of(product: &'p Product) -> Self {
        let Product {
            id,
            sku,
            title,
            brand,
            description: _,
            description_source,
            regular_price,
            sale_price,
            thumbnail,
            gallery,
            categories,
            stock,
            popular,
            published_at,
            active,
        } = product;
        Self {
            id: id.as_str(),
            title,
            sku,
            brand: brand.as_deref(),
            description: description_source,
            regular_price: regular_price.get(),
            sale_price: sale_price.map(Price::get),
            thumbnail,
            gallery,
            categories: categories.iter().map(CategoryId::as_str).collect(),
            stock: *stock,
            reserved: 0,
            popular: *popular,
            published_at: DateTimeView(*published_at),
            active: *active,
            version: 0,
        }
    }
}

/// The members of a product, by name, without those that the server counts. The audit log, exports and the form of the console have these.
pub fn members_of(product: &Product) -> Map<String, Json> {
    // Strings, numbers and lists always serialise.
    let view = serde_json::to_value(ManagedProductView::of(product)).unwrap_or_default();
    let Json::Object(mut members) = view else { return Map::new() };
    members.retain(|name, _| !COUNTED.contains(&name.as_str()));
    members
}

/// The members that the server counts. A request may have them, and they do not matter.
const COUNTED: [&str; 2] = ["reserved", "version"];

/// Reads a product whose id is outside of the body and may have been refused.
pub fn read_product(mut fields: BodyFields<'_>, id: Option<ProductId>) -> Result<ProductDraft, FieldErrors> {
    let draft = ProductFields { body: &mut fields, is_patch: false, sku_is_id: false }.read();
    accept_read_only(&mut fields, id.as_ref());
    fields.finish(|| ProductDraft::new(id?, draft))
}

/// Reads a product of an import. Its `id` is its sku by default.
pub fn read_product_line(mut fields: BodyFields<'_>) -> Result<ProductDraft, FieldErrors> {
    let own_id = fields.optional("id", new_id(ProductId::new).about("Default: the `sku`."));
    let is_id = !fields.has("id");
    let draft = ProductFields { body: &mut fields, is_patch: false, sku_is_id: is_id }.read();
    let id =
        if is_id { draft.others.sku.as_deref().and_then(|sku| ProductId::new(sku).ok()) } else { own_id };
    fields.finish(|| ProductDraft::new(id?, draft))
}

/// Reads the fields that change: a JSON merge patch (RFC 7396).
pub fn read_product_patch(
    mut fields: BodyFields<'_>,
    id: Option<&ProductId>,
) -> Result<ProductPatchDraft, FieldErrors> {
    let draft = ProductFields { body: &mut fields, is_patch: true, sku_is_id: false }.read();
    accept_read_only(&mut fields, id);
    fields.finish(|| Some(draft))
}

/// The fields of a body, which has a whole product or only what changes of one.
struct ProductFields<'f, 'b> {
    body: &'f mut BodyFields<'b>,
    is_patch: bool,
    sku_is_id: bool,
}

impl ProductFields<'_, '_> {
    /// Reads everything but the id. What is absent from a whole product is that of a blank product.
    fn read(&mut self) -> ProductPatchDraft {
        let sku = self.required("sku", visible(MAX_TITLE_CHARS));
        if let Some(sku) = sku.as_deref().filter(|_| self.sku_is_id)
            && ProductId::new(sku).is_err()
        {
            let rule = format!("must not be greater than {MAX_ID_CHARS} characters where it is the id");
            self.body.refuse("sku", Rule::new(FieldCode::TooLong, rule));
        }
        let name = self.required("title", title(MAX_TITLE_CHARS));
        let brand = line(MAX_BRAND_CHARS).about("Customers do not see it. Null or blank for none.");
        let brand = match self.body.nullable("brand", brand) {
            FieldChange::Set(brand) => FieldChange::Set(brand.filter(|brand| !brand.trim().is_empty())),
            FieldChange::Keep => FieldChange::Keep,
        };
        let description = self.defaulted("description", description());
        let regular_price = self.required("regular_price", price());
        let sale_price = price().about("At most the regular price. Null for no sale.");
        let sale_price = self.body.nullable("sale_price", sale_price);
        if let FieldChange::Set(sale) = sale_price
            && !self.is_patch
            && is_sale_above(regular_price, sale)
        {
            self.body.refuse("sale_price", sale_above_regular());
        }
        let stock = "Pieces. Null for unlimited. If absent, the stock does not change.";
        let published_at = self.about(
            "From this time on, customers see the product. The time has `Z` or an offset. If absent, a stored product keeps its \
             time, and a new product gets the present time.",
            "From this time on, customers see the product. The time has `Z` or an offset.",
        );
        let popular = self.about("Default: false.", "Whether it is a popular product.");
        let active = self.about("Default: true.", "Whether customers see the product after `published_at`.");
        let others = ProductPatch {
            sku,
            title: name,
            brand,
            description: None,
            regular_price,
            sale_price,
            thumbnail: self.defaulted("thumbnail", thumbnail()),
            gallery: self.defaulted("gallery", gallery()),
            categories: self.defaulted("categories", categories().about("The ids of the categories.")),
            stock: self.body.nullable("stock", integer_in(0..=u32::MAX).about(stock)),
            popular: self.defaulted("popular", boolean().about(popular)),
            published_at: self.defaulted("published_at", date_time().about(published_at)),
            active: self.defaulted("active", boolean().about(active)),
        };
        ProductPatchDraft { description, others }
    }

    /// What the document says of a field, of a whole product or of a change.
    fn about(&self, whole: &'static str, change: &'static str) -> &'static str {
        if self.is_patch { change } else { whole }
    }

    /// A field that every product has.
    fn required<R: Reader>(&mut self, name: &'static str, reader: R) -> Option<R::Item> {
        if self.is_patch { self.body.not_null(name, reader) } else { self.body.required(name, reader) }
    }

    /// A field that has a default. Null is the default of a whole product.
    fn defaulted<R: Reader>(&mut self, name: &'static str, reader: R) -> Option<R::Item> {
        if self.is_patch { self.body.not_null(name, reader) } else { self.body.optional(name, reader) }
    }
}

fn description() -> impl Reader<Item = String> {
    let rule = || Rule::new(FieldCode::TooComplex, complexity_rule());
    text(MAX_DESCRIPTION_CHARS).only(|html| !is_too_complex(html), rule).about("HTML.")
}

/// Also for a patch whose price breaks the rule together with a stored price.
pub fn sale_above_regular() -> Rule {
    Rule::new(FieldCode::SalePriceAboveRegular, "must not be above the regular price")
}

fn thumbnail() -> impl Reader<Item = String> {
    let url = text(MAX_URL_CHARS).only(|url| url.is_empty() || is_web_url(url), no_url);
    url.about("An absolute `http` or `https` URL, or an empty string.")
}

fn gallery() -> impl Reader<Item = Vec<String>> {
    let url = title(MAX_URL_CHARS).only(|url| is_web_url(url), no_url);
    list(MAX_GALLERY_URLS, url).about("Absolute `http` or `https` URLs.")
}

fn no_url() -> Rule {
    Rule::new(FieldCode::NotAUrl, "must be a valid URL")
}

fn categories() -> impl Reader<Item = Vec<CategoryId>> {
    let ids = || Schema::list(Schema::id()).at_most(MAX_PRODUCT_CATEGORIES).each_once();
    list(MAX_PRODUCT_CATEGORIES, id(CategoryId::new)).then(each_once).with_schema(ids)
}

fn each_once<T: Eq + Hash>(value: Value<'_>, ids: Vec<T>) -> Result<Vec<T>, FieldErrors> {
    match first_repeated(&ids) {
        None => Ok(ids),
        Some(place) => Err(FieldErrors::one(&format!("{}.{place}", value.key), Rule::DISTINCT)),
    }
}

/// Accepts `id` and what the server counts. The `id` must equal the id of the path, unless the path was refused. The others do
/// not matter: a client names the state that it knows with `If-Match`. They are not `readOnly` in the OpenAPI document, because tools
/// remove or refuse such members in requests.
fn accept_read_only(fields: &mut BodyFields<'_>, path_id: Option<&ProductId>) {
    let of_path = |value: Value<'_>, own_id: ProductId| match path_id {
        Some(path_id) if *path_id != own_id => {
            Err(value.refused(Rule::new(FieldCode::IdMismatch, "must be the id of the path")))
        }
        Some(_) | None => Ok(()),
    };
    fields.not_null("id", id(ProductId::new).then(of_path).about("Must equal the id in the path."));
    for name in COUNTED {
        let any = integer_in(0..=i64::MAX).with_schema(Schema::count);
        fields.not_null(name, any.about("Ignored."));
    }
}

/// The most pieces that a stock can have.
const MAX_STOCK: i64 = u32::MAX as i64;

/// Reads the difference of a stock, which is not 0.
pub fn read_stock_change(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let about = "How many pieces to add. Negative to remove pieces. Not 0.";
    let difference = fields.required("difference", difference().about(about));
    fields.finish(|| difference)
}

fn difference() -> impl Reader<Item = i64> {
    let is_none = || Rule::new(FieldCode::Zero, "must not be 0");
    integer_in(-MAX_STOCK..=MAX_STOCK).only(|difference| *difference != 0, is_none)
}

/// The most products that one request changes in the same way.
pub const MAX_BULK_PRODUCTS: usize = 500;

/// Reads which products change, and the change that all of them get.
pub fn read_bulk_change(mut fields: BodyFields<'_>) -> Result<(Vec<ProductId>, ProductEdit), FieldErrors> {
    let schema = || Schema::list(Schema::id()).at_least(1).at_most(MAX_BULK_PRODUCTS).each_once();
    let ids = list(MAX_BULK_PRODUCTS, id(ProductId::new)).then(each_once);
    let ids = ids.only(|ids| !ids.is_empty(), || Rule::REQUIRED).with_schema(schema);
    let ids = fields.required("product_ids", ids.about("Each id once."));
    let edit = fields.required("change", object(read_change).about("What all these products get."));
    fields.finish(|| Some((ids?, edit?)))
}

/// Reads a change that fits many products.
pub fn read_change(mut fields: BodyFields<'_>) -> Result<ProductEdit, FieldErrors> {
    let about = "How many pieces to add. Negative to remove pieces. Not 0. It stands alone.";
    let difference = fields.not_null("stock_difference", difference().about(about));
    let patch = ProductPatch {
        stock: fields.nullable("stock", integer_in(0..=u32::MAX).about("Pieces. Null for unlimited.")),
        regular_price: fields.not_null("regular_price", price()),
        sale_price: fields
            .nullable("sale_price", price().about("At most the regular price. Null for no sale.")),
        popular: fields.not_null("popular", boolean().about("Whether it is a popular product.")),
        active: fields
            .not_null("active", boolean().about("Whether customers see the product after `published_at`.")),
        ..ProductPatch::default()
    };
    let is_empty = patch == ProductPatch::default();
    if difference.is_some() && !is_empty {
        fields.refuse("stock_difference", Rule::new(FieldCode::Contradiction, "must stand alone"));
    }
    // A mistake in the only field is told alone.
    if difference.is_none() && is_empty && !CHANGES.iter().any(|name| fields.has(name)) {
        fields.refuse("stock", Rule::REQUIRED);
    }
    fields.finish(|| {
        Some(difference.map_or_else(|| ProductEdit::Patch(Box::new(patch)), ProductEdit::AddStock))
    })
}

/// The members of a change that fits many products.
const CHANGES: [&str; 6] = ["stock_difference", "stock", "regular_price", "sale_price", "popular", "active"];

#[cfg(test)]
mod tests;

//! Changed fields of a product: a JSON merge patch (RFC 7396), or a difference of the stock.

use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::{Price, ProductId};
use pointbook_http::body::read::sku;
use pointbook_http::body::{BodyFields, Value, boolean, date_time, integer, integer_in, list, title};
use pointbook_http::describe::{Schema, optional, required};
use pointbook_store::limits::{
    MAX_DESCRIPTION_CHARS, MAX_GALLERY_URLS, MAX_PRODUCT_CATEGORIES, MAX_TITLE_CHARS, MAX_URL_CHARS,
};
use pointbook_store::ports::ProductPatch;

use super::body::{
    GALLERY, THUMBNAIL, accept_read_only, read_categories, read_description, read_only_fields, thumbnail,
    web_url,
};
use crate::products::draft::ProductPatchDraft;

/// Reads the fields that change. Null clears the sale price and makes the stock unlimited. A product needs all other fields, so
/// null is not allowed there.
pub fn read_product_patch(
    mut fields: BodyFields<'_>,
    id: Option<&ProductId>,
) -> Result<ProductPatchDraft, FieldErrors> {
    let sku = fields.not_null("sku", sku);
    let name = fields.not_null("title", title(MAX_TITLE_CHARS));
    let description = fields.not_null("description", read_description);
    let others = ProductPatch {
        sku,
        title: name,
        description: None,
        regular_price: fields.not_null("regular_price", integer(Price::new)),
        sale_price: fields.nullable("sale_price", integer(Price::new)),
        thumbnail: fields.not_null("thumbnail", thumbnail),
        gallery: fields.not_null("gallery", list(MAX_GALLERY_URLS, web_url)),
        categories: fields.not_null("categories", read_categories),
        stock: fields.nullable("stock", integer_in(0..=u32::MAX)),
        popular: fields.not_null("popular", boolean),
        published_at: fields.not_null("published_at", date_time),
        active: fields.not_null("active", boolean),
    };
    accept_read_only(&mut fields, id);
    fields.finish(|| Some(ProductPatchDraft { description, others }))
}

/// The schema of a change: the fields of a product, all optional.
pub fn product_patch_schema() -> Schema {
    let url = || Schema::title_to(MAX_URL_CHARS);
    let stock = Schema::integer(0..=i64::from(u32::MAX)).or_null();
    let fields = [
        optional("sku", Schema::visible_to(MAX_TITLE_CHARS)),
        optional("title", Schema::title_to(MAX_TITLE_CHARS)),
        optional("description", Schema::text_to(MAX_DESCRIPTION_CHARS).describe("HTML.")),
        optional("regular_price", Schema::price()),
        optional(
            "sale_price",
            Schema::price().or_null().describe("At most the regular price. Null for no sale."),
        ),
        optional("thumbnail", Schema::text_to(MAX_URL_CHARS).describe(THUMBNAIL)),
        optional("gallery", Schema::list(url()).at_most(MAX_GALLERY_URLS).describe(GALLERY)),
        optional("categories", Schema::list(Schema::id()).at_most(MAX_PRODUCT_CATEGORIES).each_once()),
        optional("stock", stock.describe("Pieces. Null for unlimited.")),
        optional("popular", Schema::boolean()),
        optional("published_at", Schema::any_date_time().describe("With `Z` or an offset.")),
        optional("active", Schema::boolean()),
    ];
    Schema::closed(fields.into_iter().chain(read_only_fields()))
}

/// The most pieces that a stock can have.
const MAX_STOCK: i64 = u32::MAX as i64;

/// Reads the difference, which is not 0.
pub fn read_stock_change(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let difference = fields.required("difference", difference);
    fields.finish(|| difference)
}

fn difference(value: Value<'_>) -> Result<i64, FieldErrors> {
    match integer_in(-MAX_STOCK..=MAX_STOCK)(value)? {
        0 => Err(value.refused(Rule::new(FieldCode::Zero, "must not be 0"))),
        difference => Ok(difference),
    }
}

/// The schema of what [`read_stock_change`] reads.
pub fn stock_change_schema() -> Schema {
    let difference = Schema::integer(-MAX_STOCK..=MAX_STOCK)
        .describe("How many pieces to add. Negative to remove pieces. Not 0.");
    Schema::closed([required("difference", difference)])
}

#[cfg(test)]
mod tests {
    use pointbook_store::ports::FieldChange;
    use pointbook_testkit::read_text;

    use super::*;

    fn patch(text: &str) -> Result<ProductPatchDraft, String> {
        let id = ProductId::new("p1").unwrap();
        read_text(text, |fields| read_product_patch(fields, Some(&id)))
            .map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn what_is_absent_stays_and_null_clears_what_can_be_cleared() {
        assert_eq!(patch("{}"), Ok(ProductPatchDraft::default()));
        let ProductPatchDraft { description, others } =
            patch(r#"{"title":"Cup","description":"","sale_price":null,"stock":null,"gallery":[]}"#).unwrap();
        assert_eq!((others.title.as_deref(), description.as_deref()), (Some("Cup"), Some("")));
        assert_eq!((others.sale_price, others.stock), (FieldChange::Set(None), FieldChange::Set(None)));
        assert_eq!((others.gallery, others.sku), (Some(vec![]), None));
    }

    #[test]
    fn null_is_no_value_of_any_other_field() {
        let nulls = r#"{"sku":null,"title":null,"description":null,"regular_price":null,"thumbnail":null,"gallery":null,
            "categories":null,"popular":null,"published_at":null,"active":null,"id":null}"#;
        insta::assert_snapshot!(patch(nulls).unwrap_err().replace("],", "],\n"), @r#"
        {"sku":["The sku must be a string."],
        "title":["The title must be a string."],
        "description":["The description must be a string."],
        "regular_price":["The regular price must be an integer."],
        "thumbnail":["The thumbnail must be a string."],
        "gallery":["The gallery must be an array."],
        "categories":["The categories must be an array."],
        "popular":["The popular field must be true or false."],
        "published_at":["The published at must be a date-time with seconds and with Z or an offset, such as 2026-05-05T07:30:00Z."],
        "active":["The active field must be true or false."],
        "id":["The id must be a string."]}
        "#);
    }

    #[test]
    fn a_difference_is_a_whole_number_other_than_0() {
        let read = |text: &str| {
            read_text(&format!(r#"{{"difference":{text}}}"#), read_stock_change)
                .map_err(|errors| errors.messages().next().unwrap().1.to_owned())
        };
        assert_eq!((read("5"), read("-4294967295")), (Ok(5), Ok(-4_294_967_295)));
        for (bad, rule) in [
            ("0", "must not be 0"),
            ("-0", "must not be 0"),
            ("null", "field is required"),
            ("1.5", "must be an integer"),
            ("4294967296", "must not be greater than 4294967295"),
            ("-4294967296", "must be at least -4294967295"),
        ] {
            assert_eq!(read(bad), Err(format!("The difference {rule}.")), "{bad}");
        }
    }
}

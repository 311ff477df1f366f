//! Changed fields of a product: a JSON merge patch (RFC 7396), or a difference of the stock.

use pointbook_domain::ProductId;
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_http::body::{BodyFields, Reader, boolean, date_time, integer_in, price, sku, title};
use pointbook_store::limits::MAX_TITLE_CHARS;
use pointbook_store::ports::ProductPatch;

use super::body::{accept_read_only, categories, description, gallery, thumbnail};
use crate::products::draft::ProductPatchDraft;

/// Reads the fields that change. Null clears the sale price and makes the stock unlimited. A product needs all other fields, so
/// null is not allowed there.
pub fn read_product_patch(
    mut fields: BodyFields<'_>,
    id: Option<&ProductId>,
) -> Result<ProductPatchDraft, FieldErrors> {
    let sku = fields.not_null("sku", sku());
    let name = fields.not_null("title", title(MAX_TITLE_CHARS));
    let description = fields.not_null("description", description());
    let sale_price = price().about("At most the regular price. Null for no sale.");
    let stock = integer_in(0..=u32::MAX).about("Pieces. Null for unlimited.");
    let others = ProductPatch {
        sku,
        title: name,
        description: None,
        regular_price: fields.not_null("regular_price", price()),
        sale_price: fields.nullable("sale_price", sale_price),
        thumbnail: fields.not_null("thumbnail", thumbnail()),
        gallery: fields.not_null("gallery", gallery()),
        categories: fields.not_null("categories", categories()),
        stock: fields.nullable("stock", stock),
        popular: fields.not_null("popular", boolean()),
        published_at: fields.not_null("published_at", date_time().about("With `Z` or an offset.")),
        active: fields.not_null("active", boolean()),
    };
    accept_read_only(&mut fields, id);
    fields.finish(|| Some(ProductPatchDraft { description, others }))
}

/// The most pieces that a stock can have.
const MAX_STOCK: i64 = u32::MAX as i64;

/// Reads the difference, which is not 0.
pub fn read_stock_change(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let difference = integer_in(-MAX_STOCK..=MAX_STOCK)
        .only(|difference| *difference != 0, || Rule::new(FieldCode::Zero, "must not be 0"))
        .about("How many pieces to add. Negative to remove pieces. Not 0.");
    let difference = fields.required("difference", difference);
    fields.finish(|| difference)
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

//! Members that a product is read with and that no request changes, so that a product can be sent as it was read.

use pointbook_describe::{Field, Schema, optional};
use pointbook_domain::ProductId;

use super::value::Value;
use super::{BodyFields, id, integer_in};
use crate::error::FieldErrors;

/// Accepts `id`, `reserved` and `version`. The `id` must be that of the path, unless the path was refused already. The
/// others are counts that do not matter: `If-Match` is how a client says which state it knows.
pub(super) fn accept_read_only(fields: &mut BodyFields<'_>, path_id: Option<&ProductId>) {
    fields.not_null("id", |value| is_of_path(value, path_id));
    for name in ["reserved", "version"] {
        fields.not_null(name, integer_in(0..=i64::MAX));
    }
}

fn is_of_path(value: Value<'_>, path_id: Option<&ProductId>) -> Result<(), FieldErrors> {
    let own_id = id(ProductId::new)(value)?;
    match path_id {
        Some(path_id) if *path_id != own_id => Err(value.refused("must be the id of the path")),
        Some(_) | None => Ok(()),
    }
}

/// What they look like. They are not `readOnly` in the description: tools take such members out of a request, or refuse them.
pub(super) fn read_only_fields() -> [Field; 3] {
    [
        optional("id", Schema::id().describe("Accepted where it is the id of the path.")),
        optional("reserved", Schema::count().describe("Ignored.")),
        optional("version", Schema::count().describe("Ignored.")),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::read_text;

    fn read(text: &str) -> Result<(), String> {
        let id = ProductId::new("p1").unwrap();
        let read = read_text(text, |mut fields| {
            accept_read_only(&mut fields, Some(&id));
            fields.finish(|| Some(()))
        });
        read.map_err(|errors| serde_json::to_string(&errors).unwrap())
    }

    #[test]
    fn members_of_a_product_that_was_read_are_accepted() {
        assert_eq!(read("{}"), Ok(()));
        assert_eq!(read(r#"{"id":"p1","reserved":3,"version":12}"#), Ok(()));
        assert!(read(r#"{"reserved":null}"#).is_err() && read(r#"{"version":"any"}"#).is_err());
    }

    #[test]
    fn an_id_is_that_of_the_path() {
        for (bad, rule) in [
            (r#""p2""#, "The id must be the id of the path."),
            (r#""""#, "The id field is required."),
            ("7", "The id must be a string."),
            ("null", "The id must be a string."),
        ] {
            assert_eq!(read(&format!(r#"{{"id":{bad}}}"#)), Err(format!(r#"{{"id":["{rule}"]}}"#)));
        }
        let twice = r#"{"version":1,"version":1}"#;
        assert_eq!(read(twice), Err(r#"{"version":["The version field stands twice."]}"#.to_owned()));
    }
}

//! By how much a stock changes.

use pointbook_describe::{Schema, required};

use super::value::Value;
use super::{BodyFields, integer_in};
use crate::error::FieldErrors;

/// The most pieces that a stock can have.
const MAX_STOCK: i64 = u32::MAX as i64;

/// Reads the difference, which is not 0.
pub(crate) fn read_stock_change(mut fields: BodyFields<'_>) -> Result<i64, FieldErrors> {
    let difference = fields.required("difference", difference);
    fields.finish(|| difference)
}

fn difference(value: Value<'_>) -> Result<i64, FieldErrors> {
    match integer_in(-MAX_STOCK..=MAX_STOCK)(value)? {
        0 => Err(value.refused("must not be 0")),
        difference => Ok(difference),
    }
}

/// What the change of a stock looks like.
pub(crate) fn stock_change_schema() -> Schema {
    let difference = Schema::integer(-MAX_STOCK..=MAX_STOCK)
        .describe("How many pieces are added, or taken out when negative. Not 0.");
    Schema::closed([required("difference", difference)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::read_text;

    #[test]
    fn a_difference_is_a_whole_number_other_than_0() {
        let read = |text: &str| {
            read_text(&format!(r#"{{"difference":{text}}}"#), read_stock_change)
                .map_err(|errors| errors.entries()[0].1[0].clone())
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

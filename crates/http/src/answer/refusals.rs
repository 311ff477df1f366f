//! Refusals that are kept as a code, so that refused requests need little space.

use std::sync::LazyLock;

use pointbook_domain::OrderRefusal;
use pointbook_domain::points::MAX_POINTS;

use super::Answer;
use crate::error::{ApiError, Conflict, FieldCode, FieldErrors, Rule};

/// The code of a refusal is its index here. Codes are stored: add new ones only at the end.
static REFUSALS: LazyLock<[Answer; 11]> = LazyLock::new(|| {
    let order = |refusal| ApiError::Invalid(order_refused(refusal));
    [
        order(OrderRefusal::UnknownProduct),
        order(OrderRefusal::SoldOut),
        order(OrderRefusal::NotEnoughStock),
        order(OrderRefusal::OutOfRange),
        order(OrderRefusal::TooFewPoints),
        ApiError::NotFound,
        ApiError::ProductNotFound,
        Conflict::AlreadyRecorded.into(),
        Conflict::OrderCancelled.into(),
        Conflict::OrderFulfilled.into(),
        ApiError::PreconditionFailed,
    ]
    .map(Answer::from)
});

pub(super) fn code_of(answer: &Answer) -> Option<u8> {
    if !answer.is_refusal() {
        return None;
    }
    REFUSALS.iter().position(|known| known == answer).and_then(|code| u8::try_from(code).ok())
}

pub(super) fn with_code(code: u8) -> Option<Answer> {
    REFUSALS.get(usize::from(code)).cloned()
}

/// The field of an order that explains the refusal.
pub fn order_refused(refusal: OrderRefusal) -> FieldErrors {
    let (field, rule) = match refusal {
        OrderRefusal::UnknownProduct => ("product_id", Rule::choice(FieldCode::UnknownProduct)),
        OrderRefusal::SoldOut => {
            ("product_id", Rule::sentence(FieldCode::SoldOut, "The selected product is sold out."))
        }
        OrderRefusal::NotEnoughStock => {
            ("quantity", Rule::new(FieldCode::InsufficientStock, "is more than what is in stock"))
        }
        OrderRefusal::OutOfRange => {
            let rule = format!("makes the price exceed {MAX_POINTS} points");
            ("quantity", Rule::new(FieldCode::OutOfRange, rule))
        }
        OrderRefusal::TooFewPoints => {
            let message = "The points are not enough for this order.";
            ("product_id", Rule::sentence(FieldCode::InsufficientPoints, message))
        }
    };
    FieldErrors::one(field, rule)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_refusal_of_an_order_and_every_error_of_a_step_is_kept_in_3_bytes_or_fewer() {
        for refusal in REFUSALS.iter() {
            let stored = refusal.encode();
            assert!(stored.0.len() <= 3, "{refusal:?}");
            assert_eq!(Answer::decode(&stored).unwrap(), *refusal);
        }
    }

    #[test]
    fn codes_stay_as_they_are_stored() {
        let told = |code: u8| String::from_utf8(with_code(code).unwrap().body().to_vec()).unwrap();
        assert!(told(0).contains("The selected product id is invalid."));
        assert!(told(1).contains("sold out"));
        assert!(told(2).contains("in stock"));
        assert!(told(3).contains("exceed"));
        assert!(told(4).contains("not enough"));
        assert_eq!(
            [5, 6, 7, 8, 9, 10].map(|code| with_code(code).unwrap().status().as_u16()),
            [404, 404, 409, 409, 409, 412]
        );
        assert!(
            told(7).contains("recorded") && told(8).contains("cancelled") && told(9).contains("fulfilled")
        );
        assert_eq!(with_code(11), None);
    }
}

//! The responses to steps of orders.

use http::StatusCode;
use pointbook_app::ports::OrderStepOutcome;
use pointbook_domain::ClosedStatus;

use crate::ApiError;
use crate::answer::Answer;
use crate::error::{Conflict, FieldErrors, Rule};
use pointbook_wire::order::OrderView;
use pointbook_wire::success::Success;

/// The response to either step.
pub(super) fn render(outcome: &OrderStepOutcome) -> Answer {
    match outcome {
        OrderStepOutcome::Done(written) => {
            let order = OrderView::for_back_office(&written.order);
            Answer::json(StatusCode::OK, &Success::with_points(order, written.user_points))
        }
        OrderStepOutcome::Unknown => ApiError::NotFound.into(),
        OrderStepOutcome::AlreadyClosed(ClosedStatus::Cancelled) => conflict(Conflict::AlreadyCancelled),
        OrderStepOutcome::AlreadyClosed(ClosedStatus::Fulfilled) => conflict(Conflict::AlreadyFulfilled),
        OrderStepOutcome::RefundRecorded => conflict(Conflict::RecordedOtherwise),
        OrderStepOutcome::OutOfRange => {
            ApiError::Invalid(FieldErrors::one("points", Rule::BALANCE_IN_RANGE)).into()
        }
    }
}

fn conflict(conflict: Conflict) -> Answer {
    ApiError::Conflict(conflict).into()
}

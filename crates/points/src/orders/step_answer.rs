//! The responses to steps of orders, for the back office and for customers.

use http::StatusCode;
use pointbook_domain::{ClosedStatus, Order};
use pointbook_http::error::{Conflict, FieldErrors, Rule};
use pointbook_http::views::success::Success;
use pointbook_http::{Answer, ApiError};
use pointbook_store::ports::OrderStepOutcome;
use serde::Serialize;

use crate::orders::view::{ManagedOrderView, OrderView};

/// The response to a step of the back office.
pub(crate) fn for_back_office(outcome: &OrderStepOutcome) -> Answer {
    render(outcome, ManagedOrderView::from)
}

/// The response to a step of the order's user.
pub(crate) fn for_customer(outcome: &OrderStepOutcome) -> Answer {
    render(outcome, OrderView::from)
}

fn render<'o, V: Serialize>(outcome: &'o OrderStepOutcome, view: fn(&'o Order) -> V) -> Answer {
    match outcome {
        OrderStepOutcome::Done(written) => {
            Answer::json(StatusCode::OK, &Success::with_points(view(&written.order), written.user_points))
        }
        OrderStepOutcome::Unknown => ApiError::NotFound.into(),
        OrderStepOutcome::AlreadyClosed(ClosedStatus::Cancelled) => conflict(Conflict::OrderCancelled),
        OrderStepOutcome::AlreadyClosed(ClosedStatus::Fulfilled) => conflict(Conflict::OrderFulfilled),
        OrderStepOutcome::NotByCustomers => conflict(Conflict::CancellingIsOff),
        OrderStepOutcome::RefundRecorded => conflict(Conflict::AlreadyRecorded),
        OrderStepOutcome::OutOfRange => {
            ApiError::Invalid(FieldErrors::one("points", Rule::BALANCE_IN_RANGE)).into()
        }
    }
}

fn conflict(conflict: Conflict) -> Answer {
    ApiError::Conflict(conflict).into()
}

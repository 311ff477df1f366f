//! The kinds of a 409.

use pointbook_errors::ErrorCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// The activity was recorded before, with other content, under the same type and source id.
    RecordedOtherwise,
    AlreadyCancelled,
    AlreadyFulfilled,
    /// The transaction to reverse belongs to an order.
    OfOrder,
    /// The `Idempotency-Key` was used for another request.
    KeyTaken,
    /// The tenant has as many API keys as allowed.
    TooManyKeys,
    /// Only a staging tenant can have a virtual clock.
    NotStaging,
    /// The tenant has as many webhooks as allowed.
    TooManyWebhooks,
    /// The last delivery did not fail at this position.
    NotBlocked,
}

impl Conflict {
    pub fn code(self) -> ErrorCode {
        match self {
            Self::RecordedOtherwise => ErrorCode::AlreadyRecorded,
            Self::AlreadyCancelled => ErrorCode::OrderCancelled,
            Self::AlreadyFulfilled => ErrorCode::OrderFulfilled,
            Self::OfOrder => ErrorCode::TransactionOfOrder,
            Self::KeyTaken => ErrorCode::IdempotencyKeyReused,
            Self::TooManyKeys => ErrorCode::TooManyKeys,
            Self::NotStaging => ErrorCode::NotAStagingTenant,
            Self::TooManyWebhooks => ErrorCode::TooManyWebhooks,
            Self::NotBlocked => ErrorCode::NotBlocked,
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::RecordedOtherwise => "The request was recorded before with other content.",
            Self::AlreadyCancelled => "The order is already cancelled.",
            Self::AlreadyFulfilled => "The order is already fulfilled.",
            Self::OfOrder => "The transaction belongs to an order: cancel the order instead.",
            Self::KeyTaken => "The Idempotency-Key was used for another request.",
            Self::TooManyKeys => {
                "The tenant has as many API keys as it may have: revoke one that is no longer used."
            }
            Self::NotStaging => "Only a staging tenant can have a virtual clock.",
            Self::TooManyWebhooks => {
                "The tenant has as many webhooks as it may have: remove one that is no longer used."
            }
            Self::NotBlocked => "The last delivery did not fail at this position.",
        }
    }
}

//! The kinds of a 409.

use pointbook_domain::errors::ErrorCode;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Conflict {
    /// The activity was recorded before, with other content, under the same type and source id.
    RecordedOtherwise,
    AlreadyCancelled,
    AlreadyFulfilled,
    /// The tenant does not let customers cancel orders.
    CancellingIsOff,
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
    /// The tenant has as many pictures, or bytes of pictures, as allowed.
    TooManyPictures,
    /// A product shows the picture.
    PictureInUse,
    /// The tenant has no pages for members.
    NoShop,
    /// The last delivery did not fail at this position.
    NotBlocked,
    /// The campaign is in a state that does not allow the change.
    WrongCampaignState,
    /// Another version of the campaign takes over later.
    LaterVersion,
    /// The tenant has as many campaigns or versions as allowed.
    TooManyCampaigns,
    /// Another back-test of the tenant waits or runs.
    BackTestRunning,
    /// Another back-fill of the tenant waits or runs.
    BackFillRunning,
    /// The version has no back-test with a result.
    NotBackTested,
    /// The back-test found more awards than a back-fill gives.
    TooManyAwards,
}

const TOO_MANY_PICTURES: &str = "The tenant has as many pictures, or bytes of pictures, as it may have: remove one that is no longer used.";
const WRONG_CAMPAIGN_STATE: &str =
    "The state of the campaign, or an end or archive that is planned and final, does not allow this change.";

impl Conflict {
    pub fn code(self) -> ErrorCode {
        match self {
            Self::RecordedOtherwise => ErrorCode::AlreadyRecorded,
            Self::AlreadyCancelled => ErrorCode::OrderCancelled,
            Self::AlreadyFulfilled => ErrorCode::OrderFulfilled,
            Self::CancellingIsOff => ErrorCode::CancellingIsOff,
            Self::OfOrder => ErrorCode::TransactionOfOrder,
            Self::KeyTaken => ErrorCode::IdempotencyKeyReused,
            Self::TooManyKeys => ErrorCode::TooManyKeys,
            Self::NotStaging => ErrorCode::NotAStagingTenant,
            Self::TooManyWebhooks => ErrorCode::TooManyWebhooks,
            Self::TooManyPictures => ErrorCode::TooManyPictures,
            Self::PictureInUse => ErrorCode::PictureInUse,
            Self::NoShop => ErrorCode::NoShop,
            Self::NotBlocked => ErrorCode::NotBlocked,
            Self::WrongCampaignState => ErrorCode::WrongCampaignState,
            Self::LaterVersion => ErrorCode::LaterVersion,
            Self::TooManyCampaigns => ErrorCode::TooManyCampaigns,
            Self::BackTestRunning => ErrorCode::BackTestRunning,
            Self::BackFillRunning => ErrorCode::BackFillRunning,
            Self::NotBackTested => ErrorCode::NotBackTested,
            Self::TooManyAwards => ErrorCode::TooManyAwards,
        }
    }

    pub fn message(self) -> &'static str {
        match self {
            Self::RecordedOtherwise => "The request was recorded before with other content.",
            Self::AlreadyCancelled => "The order is already cancelled.",
            Self::AlreadyFulfilled => "The order is already fulfilled.",
            Self::CancellingIsOff => {
                "Customers cannot cancel orders: the setting members_cancel_orders is off."
            }
            Self::OfOrder => "The transaction belongs to an order: cancel the order instead.",
            Self::KeyTaken => "The Idempotency-Key was used for another request.",
            Self::TooManyKeys => {
                "The tenant has as many API keys as it may have: revoke one that is no longer used."
            }
            Self::NotStaging => "Only a staging tenant can have a virtual clock.",
            Self::TooManyWebhooks => {
                "The tenant has as many webhooks as it may have: remove one that is no longer used."
            }
            Self::TooManyPictures => TOO_MANY_PICTURES,
            Self::PictureInUse => "A product shows the picture: take it from the product first.",
            Self::NoShop => "The tenant has no shop: the setting shop is off.",
            Self::NotBlocked => "The last delivery did not fail at this position.",
            Self::WrongCampaignState => WRONG_CAMPAIGN_STATE,
            Self::LaterVersion => "Another version of the campaign takes over later than this one would.",
            Self::TooManyCampaigns => {
                "The tenant has as many campaigns, versions or running campaigns as it may have."
            }
            Self::BackTestRunning => {
                "A back-test of the tenant waits or runs: wait until it has ended, or cancel it."
            }
            Self::BackFillRunning => {
                "A back-fill of the tenant waits or runs: wait until it has ended, or cancel it."
            }
            Self::NotBackTested => {
                "The back-test of this version has no result: start it, and wait until it is done."
            }
            Self::TooManyAwards => {
                "The back-test found more awards than a back-fill gives: test and fill a shorter time."
            }
        }
    }
}

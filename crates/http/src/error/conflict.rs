//! The kinds of a 409.

use pointbook_domain::errors::ErrorCode;

macro_rules! conflicts {
    ($($code:ident $message:literal,)*) => {
        /// Why the stored data does not allow a request. A kind has the name of its code, which says more about it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Conflict { $($code,)* }

        impl Conflict {
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            pub fn code(self) -> ErrorCode {
                match self { $(Self::$code => ErrorCode::$code,)* }
            }

            pub fn message(self) -> &'static str {
                match self { $(Self::$code => $message,)* }
            }
        }
    };
}

conflicts! {
    AlreadyRecorded "The request was recorded before with other content.",
    OrderCancelled "The order is already cancelled.",
    OrderFulfilled "The order is already fulfilled.",
    CancellingIsOff "Customers cannot cancel orders: the setting members_cancel_orders is off.",
    TransactionOfOrder "The transaction belongs to an order: cancel the order instead.",
    AlreadyReleased "The activity was released: reverse its transaction, which has the same id.",
    IdempotencyKeyReused "The Idempotency-Key was used for another request.",
    TooManyKeys "The tenant has as many API keys as it may have: revoke one that is no longer used.",
    NotAStagingTenant "Only a staging tenant can have a virtual clock.",
    TooManyWebhooks "The tenant has as many webhooks as it may have: remove one that is no longer used.",
    TooManyPictures
        "The tenant has as many pictures, or bytes of pictures, as it may have: remove one that is no longer used.",
    PictureInUse "A product shows the picture: take it from the product first.",
    NoShop "The tenant has no shop: the setting shop is off.",
    NotBlocked "The last delivery did not fail at this position.",
    WrongCampaignState
        "The state of the campaign, or an end or archive that is planned and final, does not allow this change.",
    LaterVersion "Another version of the campaign takes over later than this one would.",
    TooManyCampaigns "The tenant has as many campaigns, versions or running campaigns as it may have.",
    BackTestRunning "A back-test of the tenant waits or runs: wait until it has ended, or cancel it.",
    BackFillRunning "A back-fill of the tenant waits or runs: wait until it has ended, or cancel it.",
    NotBackTested "The back-test of this version has no result: start it, and wait until it is done.",
    TooManyAwards "The back-test found more awards than a back-fill gives: test and fill a shorter time.",
}

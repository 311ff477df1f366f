//! The error codes. A code is never renamed or reused. Later versions may add codes. What is said of a code here is its section in
//! `docs/errors.md`.

use std::fmt;

use serde::{Serialize, Serializer};

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($(#[doc = $about:literal])+ $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($(#[doc = $about])+ $variant,)* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as responses contain it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }

            /// When a response has the code, and what to do then, as Markdown of `docs/errors.md`.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => concat!($($about, "\n"),+),)* }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}

codes! {
    /// Why a request failed: the header `Error-Code` of every error, and the member `code` of errors of operations that pointbook adds.
    ErrorCode {
        /// 400. The body ended early, or its chunks are malformed. Send the request again.
        BrokenBody = "broken_body",
        /// 400. The `Host` header is missing, malformed or repeated.
        InvalidHost = "invalid_host",
        /// 400. The body is not JSON. `line` and `column` say where, `detail` says why. Both count from 1; a column
        /// is a byte.
        MalformedJson = "malformed_json",
        /// 401. The request has no token, or no active token of this tenant matches. The token may have expired or
        /// may be revoked. Sign the user in again.
        Unauthenticated = "unauthenticated",
        /// 403. The endpoint needs an API key, and the token belongs to a customer. Call it from your back office. A
        /// key also gets this code when it revokes the key that added it.
        Forbidden = "forbidden",
        /// 403. The API key lacks the scope that the member `scope` names. Use a key that has it. When you add a key,
        /// the scope is one that your own key lacks: a key cannot grant it.
        MissingScope = "missing_scope",
        /// 403. The API key has networks, and the client's address is in none of them. Send the request from there,
        /// or add a key with other networks.
        AddressNotAllowed = "address_not_allowed",
        /// 404. No tenant has this host and path prefix. Check the base URL, which ends in `/api`.
        UnknownBaseUrl = "unknown_base_url",
        /// 404. The base URL is right, but the interface has no such path. Check the spelling.
        UnknownRoute = "unknown_route",
        /// 404. The URL is right, but the object that it names does not exist for this tenant or for this customer.
        NotFound = "not_found",
        /// 404. The store shows no product with this id.
        ProductNotFound = "product_not_found",
        /// 405. The URL exists, but not for this method. The `Allow` header lists its methods.
        MethodNotAllowed = "method_not_allowed",
        /// 408. The body did not arrive in time. Send the request again.
        RequestTimeout = "request_timeout",
        /// 409. The activity was recorded before under the same `type` and `source_id`, but with other content. Or a
        /// reversal or refund already uses the source id. The ledger did not change. Use another `source_id` if it is
        /// another activity.
        AlreadyRecorded = "already_recorded",
        /// 409. The order is already cancelled, so it cannot be cancelled again or fulfilled.
        OrderCancelled = "order_cancelled",
        /// 409. The order is already fulfilled, so it cannot be cancelled.
        OrderFulfilled = "order_fulfilled",
        /// 409. The tenant does not let customers cancel orders. Ask its back office, or switch the setting
        /// `members_cancel_orders` on. [Tenants](operating/tenants.md).
        CancellingIsOff = "cancelling_is_off",
        /// 409. The transaction belongs to an order, so it cannot be reversed. Cancel the order.
        TransactionOfOrder = "transaction_of_order",
        /// 409. The held activity was released: its transaction has the same id. Reverse the transaction.
        AlreadyReleased = "already_released",
        /// 409. The `Idempotency-Key` was used for another request: another method, URL or body. Use a new key for
        /// each new request, and the same key only for retries.
        IdempotencyKeyReused = "idempotency_key_reused",
        /// 409. The tenant has 50 active API keys. Revoke one that is no longer used.
        TooManyKeys = "too_many_keys",
        /// 409. Only a staging tenant can have a virtual clock. Set the clock of its staging environment instead.
        NotAStagingTenant = "not_a_staging_tenant",
        /// 409. The tenant has 20 webhooks. Remove one that is no longer used.
        TooManyWebhooks = "too_many_webhooks",
        /// 409. The tenant has 5,000 pictures, or would have more than 1 GiB of them. Remove pictures that no product
        /// shows.
        TooManyPictures = "too_many_pictures",
        /// 409. A product that is not retired shows the picture as `thumbnail` or in its `gallery`. Take the picture
        /// from the product first.
        PictureInUse = "picture_in_use",
        /// 409. The tenant has no shop, so no link leads to it. Switch the setting `shop` on.
        /// [Tenants](operating/tenants.md).
        NoShop = "no_shop",
        /// 409. The last delivery of the webhook did not fail at this position, so there is nothing to skip. Read
        /// `delivery.failed_position` of the webhook. [Webhooks](operating/webhooks.md#look-test-repair).
        NotBlocked = "not_blocked",
        /// 410. The events after this cursor were removed because of their age, or the database was restored from a
        /// backup. `earliest` is the cursor before the oldest event that is kept. Take an export of what you need,
        /// then go on at `earliest`. [Events](operating/events.md).
        CursorGone = "cursor_gone",
        /// 409. The campaign is in a state that does not allow this change: for example, an ended campaign gets no
        /// new version, and only a draft can be scheduled. A planned `end` or `archive` is final too: look for it in
        /// the `versions` of the campaign. Read the campaign for its state. [Campaigns](campaigns/reference.md).
        WrongCampaignState = "wrong_campaign_state",
        /// 409. Another version of the campaign takes over later than this one would. Send a `takes_over_at` that is
        /// not earlier.
        LaterVersion = "later_version",
        /// 409. The tenant has as many campaigns, versions, running campaigns or bytes of definitions as it may have.
        /// End or archive campaigns that are no longer used. [Campaigns](campaigns/reference.md).
        TooManyCampaigns = "too_many_campaigns",
        /// 409. A [back-test](campaigns/reference.md) of the tenant waits or runs, and there is only one at a time.
        /// Wait until it has ended, or cancel it.
        BackTestRunning = "back_test_running",
        /// 409. A [back-fill](campaigns/reference.md#back-fills) of the tenant waits or runs, and there is only one
        /// at a time. Wait until it has ended, or cancel it.
        BackFillRunning = "back_fill_running",
        /// 409. A [back-fill](campaigns/reference.md#back-fills) gives what a back-test found. This version has no
        /// back-test, or its back-test waits, runs or was cancelled. Start it, and wait until it is `done`.
        NotBackTested = "not_back_tested",
        /// 409. The back-test found more than a million awards, which is more than a back-fill gives. Test and fill a
        /// shorter time, then the next one. Each back-test begins with unused limits per user.
        TooManyAwards = "too_many_awards",
        /// 412. The object changed since you read it: its `ETag` is not the one of `If-Match`, or `If-None-Match: *`
        /// met an existing object. The server changed nothing. Read the object again and repeat your change.
        PreconditionFailed = "precondition_failed",
        /// 413. The body is larger than the endpoint accepts. Split an import into several requests.
        PayloadTooLarge = "payload_too_large",
        /// 414. The path and the query are longer than the server accepts: 8 KiB unless the operator changed it.
        UriTooLong = "uri_too_long",
        /// 415. The `Content-Type` is not the one that the endpoint reads, or the body has a `Content-Encoding`. The
        /// message names the media type.
        UnsupportedMediaType = "unsupported_media_type",
        /// 422. Parameters or fields break rules. `errors` has the messages by field. Except on the documented reads,
        /// `codes` has the [codes of fields](#codes-of-fields).
        Invalid = "invalid",
        /// 429. The user has sent too many requests. Wait for the number of seconds in `Retry-After`.
        RateLimited = "rate_limited",
        /// 500. The server failed. The operator finds the cause in the log by the `X-Request-Id` of the response.
        /// Retry a write with the same `Idempotency-Key`.
        ServerError = "server_error",
        /// 503. The server is overloaded, or the database cannot be reached. Wait for the number of seconds in
        /// `Retry-After`, then retry with the same `Idempotency-Key`. It is unknown whether a write without a key was
        /// stored.
        Unavailable = "unavailable",
    }
}

codes! {
    /// What is wrong with one field of a request: an item of the member `codes` of a 422.
    FieldCode {
        /// The field is missing, null or empty.
        Required = "required",
        /// The object has a member that the endpoint does not know. Check the spelling.
        UnknownField = "unknown_field",
        /// The list has no such filter. Check the spelling, which is case-sensitive.
        UnknownFilter = "unknown_filter",
        /// The JSON object has the same member twice. Send it once.
        DuplicateField = "duplicate_field",
        /// The value must be a JSON string. In a query string, the parameter must not be a list or have brackets.
        NotAString = "not_a_string",
        /// The value must be an integer without a fraction or an exponent.
        NotAnInteger = "not_an_integer",
        /// The value must be `true` or `false`. In a query string, `1` and `0` are allowed too.
        NotABoolean = "not_a_boolean",
        /// The value must be a JSON array. In a query string, the parameter needs brackets, as in `page[size]`.
        NotAnArray = "not_an_array",
        /// The value must be a JSON object.
        NotAnObject = "not_an_object",
        /// The value must be a date-time with seconds and with `Z` or an offset, or, where the endpoint says so, a
        /// date like `1990-05-17`.
        NotADate = "not_a_date",
        /// The value must be an absolute `http` or `https` URL.
        NotAUrl = "not_a_url",
        /// The value must be a time of day such as `16:30`.
        NotATimeOfDay = "not_a_time_of_day",
        /// The id in the URL must be UTF-8, percent-encoded.
        NotUtf8 = "not_utf8",
        /// The string contains the character U+0000, which databases cannot store.
        NulCharacter = "nul_character",
        /// The id of a new user, product or category, a sku, or the `source_id` of an activity has a control
        /// character, such as a tab or a line end. Nobody sees it, so the id would look like another one. Identifiers
        /// of older versions keep theirs.
        ControlCharacter = "control_character",
        /// A label must not have control characters.
        NotALabel = "not_a_label",
        /// A network is an IP address, or an address and a prefix length, such as `203.0.113.0/24`.
        NotANetwork = "not_a_network",
        /// The server sends no webhooks to this URL. The message says what is wrong: its form, or that its host must
        /// have global addresses. [Webhooks](operating/webhooks.md#which-urls-are-refused).
        NotAReceiver = "not_a_receiver",
        /// The bytes do not begin as a PNG, JPEG, WebP or AVIF file. The `Content-Type` of the request does not
        /// matter. SVG is not accepted.
        NotAPicture = "not_a_picture",
        /// The bytes begin as a picture, but its structure is wrong, its end is missing, or other bytes follow it.
        /// Save the picture again.
        DamagedPicture = "damaged_picture",
        /// An id, a name or a locale has a wrong form. The message says which form it must have.
        WrongForm = "wrong_form",
        /// The text must not be empty or only of spaces.
        Blank = "blank",
        /// The value is none of those that the field allows.
        InvalidChoice = "invalid_choice",
        /// The number is less than the minimum in the message.
        TooSmall = "too_small",
        /// The number is greater than the maximum in the message.
        TooLarge = "too_large",
        /// The string or the line is longer than the maximum in the message.
        TooLong = "too_long",
        /// The list or the object must have more items.
        TooFew = "too_few",
        /// The list, the import or the query string has more items than the message allows.
        TooMany = "too_many",
        /// Two fields exclude each other, such as two conditions of a campaign that could never match together.
        Contradiction = "contradiction",
        /// The number, or a sum or price that follows from it, is outside of the range in the message.
        OutOfRange = "out_of_range",
        /// The number must not be 0.
        Zero = "zero",
        /// A bonus is negative. Bonuses are zero or more.
        Negative = "negative",
        /// The date is later than now. Date-times may be up to five minutes ahead, because clocks differ.
        InTheFuture = "in_the_future",
        /// The time is before the present time of the tenant. A virtual clock never goes back, and the message then
        /// names the present time. A version of a campaign never takes over in the past.
        BeforeNow = "before_now",
        /// The value occurs twice in a list, or the id occurs twice in one request.
        DuplicateValue = "duplicate_value",
        /// The HTML of a description is nested too deeply or has too many tags. The message says the limit.
        TooComplex = "too_complex",
        /// The `id` in the body is not the id in the URL. Leave it out or send the same id.
        IdMismatch = "id_mismatch",
        /// The line of an import is not JSON. The message says at which column.
        MalformedJson = "malformed_json",
        /// The header `Idempotency-Key` must occur once, with 1 to 255 visible ASCII characters.
        InvalidIdempotencyKey = "invalid_idempotency_key",
        /// The server already keeps the maximum number of keys of this user. Repeat the request later or without a
        /// key.
        TooManyIdempotencyKeys = "too_many_idempotency_keys",
        /// The store has no product with this id that can be ordered.
        UnknownProduct = "unknown_product",
        /// The product has no piece left.
        SoldOut = "sold_out",
        /// The stock has fewer pieces than the request takes.
        InsufficientStock = "insufficient_stock",
        /// The user has fewer points than the request takes. A reversal may take what is left with `partial`.
        InsufficientPoints = "insufficient_points",
        /// The change would move the balance beyond ±(2^53 − 1) points.
        BalanceOutOfRange = "balance_out_of_range",
        /// `source_id` of an import line. The activity was recorded before with other content.
        AlreadyRecorded = "already_recorded",
        /// The user is disabled and gets no tokens.
        UserDisabled = "user_disabled",
        /// The sale price is higher than the regular price.
        SalePriceAboveRegular = "sale_price_above_regular",
        /// The stock of the product is unlimited, so it cannot be changed by a difference.
        UnlimitedStock = "unlimited_stock",
        /// `parent_id` names no category of the request.
        UnknownCategory = "unknown_category",
        /// The category is its own ancestor by way of `parent_id`.
        CategoryCycle = "category_cycle",
        /// The tree of categories has too many levels. The message says how many it may have.
        CategoryTooDeep = "category_too_deep",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn assert_distinct_snake_case<'c>(codes: impl Iterator<Item = &'c str>) {
        let mut seen = HashSet::new();
        for code in codes {
            assert!(code.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_')), "{code}");
            assert!(seen.insert(code), "{code} stands for two things");
        }
        assert!(!seen.is_empty());
    }

    #[test]
    fn codes_are_distinct_and_in_snake_case() {
        assert_distinct_snake_case(ErrorCode::ALL.iter().map(|code| code.as_str()));
        assert_distinct_snake_case(FieldCode::ALL.iter().map(|code| code.as_str()));
    }
}

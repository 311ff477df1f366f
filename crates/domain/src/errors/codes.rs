//! The error codes. A code is never renamed or reused. Later versions may add codes.

use std::fmt;

use serde::{Serialize, Serializer};

macro_rules! codes {
    ($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name { $($variant,)* }

        impl $name {
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The code as responses contain it.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
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
        BrokenBody = "broken_body",
        InvalidHost = "invalid_host",
        MalformedJson = "malformed_json",
        Unauthenticated = "unauthenticated",
        Forbidden = "forbidden",
        MissingScope = "missing_scope",
        AddressNotAllowed = "address_not_allowed",
        UnknownBaseUrl = "unknown_base_url",
        UnknownRoute = "unknown_route",
        NotFound = "not_found",
        ProductNotFound = "product_not_found",
        MethodNotAllowed = "method_not_allowed",
        RequestTimeout = "request_timeout",
        AlreadyRecorded = "already_recorded",
        OrderCancelled = "order_cancelled",
        OrderFulfilled = "order_fulfilled",
        CancellingIsOff = "cancelling_is_off",
        TransactionOfOrder = "transaction_of_order",
        IdempotencyKeyReused = "idempotency_key_reused",
        TooManyKeys = "too_many_keys",
        NotAStagingTenant = "not_a_staging_tenant",
        TooManyWebhooks = "too_many_webhooks",
        TooManyPictures = "too_many_pictures",
        PictureInUse = "picture_in_use",
        NoShop = "no_shop",
        NotBlocked = "not_blocked",
        CursorGone = "cursor_gone",
        WrongCampaignState = "wrong_campaign_state",
        LaterVersion = "later_version",
        TooManyCampaigns = "too_many_campaigns",
        BackTestRunning = "back_test_running",
        BackFillRunning = "back_fill_running",
        NotBackTested = "not_back_tested",
        TooManyAwards = "too_many_awards",
        PreconditionFailed = "precondition_failed",
        PayloadTooLarge = "payload_too_large",
        UriTooLong = "uri_too_long",
        UnsupportedMediaType = "unsupported_media_type",
        Invalid = "invalid",
        RateLimited = "rate_limited",
        ServerError = "server_error",
        Unavailable = "unavailable",
    }
}

codes! {
    /// What is wrong with one field of a request: an item of the member `codes` of a 422.
    FieldCode {
        Required = "required",
        UnknownField = "unknown_field",
        UnknownFilter = "unknown_filter",
        DuplicateField = "duplicate_field",
        NotAString = "not_a_string",
        NotAnInteger = "not_an_integer",
        NotABoolean = "not_a_boolean",
        NotAnArray = "not_an_array",
        NotAnObject = "not_an_object",
        NotADate = "not_a_date",
        NotAUrl = "not_a_url",
        NotATimeOfDay = "not_a_time_of_day",
        NotUtf8 = "not_utf8",
        NulCharacter = "nul_character",
        ControlCharacter = "control_character",
        NotALabel = "not_a_label",
        NotANetwork = "not_a_network",
        NotAReceiver = "not_a_receiver",
        NotAPicture = "not_a_picture",
        DamagedPicture = "damaged_picture",
        WrongForm = "wrong_form",
        Blank = "blank",
        InvalidChoice = "invalid_choice",
        TooSmall = "too_small",
        TooLarge = "too_large",
        TooLong = "too_long",
        TooFew = "too_few",
        TooMany = "too_many",
        Contradiction = "contradiction",
        OutOfRange = "out_of_range",
        Zero = "zero",
        Negative = "negative",
        InTheFuture = "in_the_future",
        BeforeNow = "before_now",
        DuplicateValue = "duplicate_value",
        TooComplex = "too_complex",
        IdMismatch = "id_mismatch",
        MalformedJson = "malformed_json",
        InvalidIdempotencyKey = "invalid_idempotency_key",
        TooManyIdempotencyKeys = "too_many_idempotency_keys",
        UnknownProduct = "unknown_product",
        SoldOut = "sold_out",
        InsufficientStock = "insufficient_stock",
        InsufficientPoints = "insufficient_points",
        BalanceOutOfRange = "balance_out_of_range",
        AlreadyRecorded = "already_recorded",
        UserDisabled = "user_disabled",
        SalePriceAboveRegular = "sale_price_above_regular",
        UnlimitedStock = "unlimited_stock",
        UnknownCategory = "unknown_category",
        CategoryCycle = "category_cycle",
        CategoryTooDeep = "category_too_deep",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fmt::Write as _;

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

    /// The sections below a heading, in order; each must have a text.
    fn sections(page: &str, heading: &str) -> String {
        let (_, part) = page.split_once(&format!("\n## {heading}\n")).unwrap();
        let part = part.split("\n## ").next().unwrap();
        let mut names = String::new();
        for section in part.split("\n### ").skip(1) {
            let (name, text) = section.split_once('\n').unwrap();
            assert!(text.trim().len() > 20, "{name} lacks a text");
            writeln!(names, "{name}").unwrap();
        }
        names
    }

    fn sorted<'c>(codes: impl Iterator<Item = &'c str>) -> String {
        let mut codes: Vec<_> = codes.collect();
        codes.sort_unstable();
        codes.iter().flat_map(|code| ["`", code, "`\n"]).collect()
    }

    #[test]
    fn every_code_has_a_section() {
        let page = include_str!("../../../../docs/errors.md");
        assert_eq!(
            sections(page, "Codes of requests"),
            sorted(ErrorCode::ALL.iter().map(|code| code.as_str()))
        );
        assert_eq!(
            sections(page, "Codes of fields"),
            sorted(FieldCode::ALL.iter().map(|code| code.as_str()))
        );
    }
}

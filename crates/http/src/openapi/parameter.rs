//! The parameters that several operations share.

use pointbook_domain::page::MAX_PAGE_NUMBER;

use crate::describe::{Members, Parameter, Schema, parameter};

/// The components.
pub(super) fn shared_parameters() -> Members {
    let header = |name, schema, description: &str| parameter("header", name, schema, description);
    let query = |name, schema, description: &str| parameter("query", name, schema, description);
    let number = Schema::integer(1..=i64::from(MAX_PAGE_NUMBER)).by_default(1_i64);
    let size = Schema::page_size().by_default(15_i64);
    [
        ("PageNumber", query("page[number]", number, PAGE_NUMBER)),
        ("PageSize", query("page[size]", size, PAGE_SIZE)),
        ("IfNoneMatch", header("If-None-Match", Schema::text(), IF_NONE_MATCH)),
        ("IfMissing", header("If-None-Match", Schema::text(), IF_MISSING)),
        ("IfMatch", header("If-Match", Schema::text(), IF_MATCH)),
        ("IdempotencyKey", header("Idempotency-Key", Schema::matching("^[!-~]{1,255}$"), IDEMPOTENCY_KEY)),
    ]
    .into_iter()
    .chain(OF_PATHS.map(|parameter| (parameter.component, parameter.described())))
    .collect()
}

/// A parameter of paths.
struct OfPath {
    name: &'static str,
    component: &'static str,
    what: &'static str,
    example: &'static str,
}

macro_rules! of_paths {
    ($($component:ident $name:literal: $what:literal, $example:literal;)*) => {
        [$(OfPath { name: $name, component: stringify!($component), what: $what, example: $example }),*]
    };
}

const OF_PATHS: [OfPath; 8] = of_paths! {
    ProductId "productId": "The id of a product.", "cafe-mug";
    OrderId "orderId": "The id of an order.", "01a1ff0b10ff7172b0306b6798633ea0";
    TransactionId "transactionId": "The id of a transaction.", "01a1ff0a91c77e0380d6a0c5f0a7b3de";
    KeyId "keyId": "The id of an API key.", "a0a1a2a3a4a5a6a7a8a9";
    CampaignId "campaignId": "The id of a campaign.", "double-points-week";
    WebhookId "webhookId": "The id of a webhook.", "wh_a0a1a2a3a4a5a6a7a8a9";
    PictureId "pictureId": "The id of a picture: the SHA-256 of its bytes.",
        "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
    UserId "userId": "The id of a user, as the tenant's own systems know it, percent-encoded. A new one has no control characters.", "ben";
};

impl OfPath {
    fn described(&self) -> Members {
        let Self { name, component, what, example } = self;
        // Operations that create a user refuse control characters. Where no user has one, others find nothing.
        let described = if *component == "UserId" {
            parameter("path", name, Schema::new_id(), what)
        } else {
            let description = format!("{what} Any character may stand in it, percent-encoded.");
            parameter("path", name, Schema::id(), &description)
        };
        described.with("required", true).with("example", *example)
    }
}

fn named(name: &str) -> Option<OfPath> {
    OF_PATHS.into_iter().find(|parameter| parameter.name == name)
}

/// The component for a parameter of a path.
pub fn of_path(name: &str) -> Option<Parameter> {
    named(name).map(|parameter| Parameter::Shared(parameter.component))
}

/// A path with the examples of its parameters.
pub(super) fn with_examples(path: &str) -> String {
    let example =
        |part: &str| named(part.strip_prefix('{')?.strip_suffix('}')?).map(|parameter| parameter.example);
    path.split('/').map(|part| example(part).unwrap_or(part).to_owned()).collect::<Vec<_>>().join("/")
}

const PAGE_NUMBER: &str = "The number of the page, from 1. A page beyond the last one is empty and has the true \
                           `total`.";
const PAGE_SIZE: &str = "Items per page. A number above the tenant's maximum (default 100) counts as the maximum; \
                         `meta.per_page` has the number in use.";
const IF_NONE_MATCH: &str = "The `ETag` of a response that the client has. If nothing changed, the response is 304 \
                             without a body.";
const IF_MISSING: &str = "`*` creates only: if the product exists, the response is 412 and nothing changes. The server \
                          ignores other values.";
const IF_MATCH: &str = "The `ETag` of the product as you read it, or `*` for any existing product. If the stored \
                        product has another `ETag`, for example because of an order, the response is 412 and nothing \
                        changes. A weak tag (`W/`) matches nothing.";
const IDEMPOTENCY_KEY: &str = "A name for this request, such as a UUID. When you repeat the request with the same key \
                               and body, the server does not execute it again. It returns the first response with \
                               `Idempotency-Replayed: true`. The server keeps a key for 7 days after its last use.";

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
        ("ProductId", path_parameter("productId", "The id of a product.", "cafe-mug")),
        ("OrderId", path_parameter("orderId", "The id of an order.", "01a1ff0b10ff7172b0306b6798633ea0")),
        (
            "TransactionId",
            path_parameter("transactionId", "The id of a transaction.", "01a1ff0a91c77e0380d6a0c5f0a7b3de"),
        ),
        ("KeyId", path_parameter("keyId", "The id of an API key.", "a0a1a2a3a4a5a6a7a8a9")),
        ("CampaignId", path_parameter("campaignId", "The id of a campaign.", "double-points-week")),
        ("WebhookId", path_parameter("webhookId", "The id of a webhook.", "wh_a0a1a2a3a4a5a6a7a8a9")),
        (
            "PictureId",
            path_parameter(
                "pictureId",
                "The id of a picture: the SHA-256 of its bytes.",
                "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            ),
        ),
        ("UserId", user_id_parameter()),
    ]
    .into_iter()
    .collect()
}

/// The component for a parameter of a path.
pub fn of_path(name: &str) -> Option<Parameter> {
    match name {
        "productId" => Some(Parameter::Shared("ProductId")),
        "orderId" => Some(Parameter::Shared("OrderId")),
        "transactionId" => Some(Parameter::Shared("TransactionId")),
        "keyId" => Some(Parameter::Shared("KeyId")),
        "campaignId" => Some(Parameter::Shared("CampaignId")),
        "webhookId" => Some(Parameter::Shared("WebhookId")),
        "pictureId" => Some(Parameter::Shared("PictureId")),
        "userId" => Some(Parameter::Shared("UserId")),
        _ => None,
    }
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

/// Operations that create a user refuse control characters. Where no user has one, others find nothing.
fn user_id_parameter() -> Members {
    let description = "The id of a user, as the tenant's own systems know it, percent-encoded. A new one has no control characters.";
    let bare = parameter("path", "userId", Schema::new_id(), description);
    bare.with("required", true).with("example", "ben")
}

fn path_parameter(name: &str, what: &str, example: &str) -> Members {
    let description = format!("{what} Any character may stand in it, percent-encoded.");
    parameter("path", name, Schema::id(), &description).with("required", true).with("example", example)
}

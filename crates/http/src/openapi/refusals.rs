//! The answers that are no success. Their statuses, bodies and headers are those of the table of errors, and which
//! of them an operation has follows from its row: nobody writes them down for an endpoint.

use http::{HeaderMap, Method};
use pointbook_app::json::Json;

use super::header::{RATE_LIMIT, REPLAYED, headers_named};
use super::json::{Members, example};
use super::operation::{BodyDoc, Missing, Operation};
use super::schema::{Schema, required};
use crate::ApiError;
use crate::error::{Conflict, FieldErrors, RateLimit};
use crate::routes::{Caller, RouteSpec};

/// Every error that an operation can answer with, as it may be.
pub(super) fn shared_refusals() -> Members {
    let invalid = FieldErrors::one("page.size", "must be an integer");
    let rate = RateLimit { limit: 60, remaining: 0, retry_after_seconds: 17, reset_at: 1_777_921_260 };
    let all = [
        ApiError::BadRequest,
        ApiError::Unauthenticated,
        ApiError::Forbidden,
        ApiError::NotFound,
        ApiError::ProductNotFound,
        ApiError::Conflict(Conflict::KeyTaken),
        ApiError::PayloadTooLarge,
        ApiError::UriTooLong,
        ApiError::UnsupportedMediaType,
        ApiError::Invalid(invalid),
        ApiError::TooManyRequests(rate),
        ApiError::HeadersTooLarge,
        ApiError::Internal,
        ApiError::Unavailable,
    ];
    all.iter().filter_map(|error| Some((component(error)?, written(error)))).collect()
}

/// The errors that an operation can answer with, by status.
pub(super) fn refusals_of(route: &RouteSpec, operation: &Operation) -> Vec<(u16, Members)> {
    let mut errors = vec![
        ApiError::BadRequest,
        ApiError::Unauthenticated,
        ApiError::PayloadTooLarge,
        ApiError::UriTooLong,
        ApiError::Invalid(FieldErrors::default()),
        ApiError::HeadersTooLarge,
        ApiError::Internal,
        ApiError::Unavailable,
    ];
    match route.caller {
        Caller::SuperUser => errors.push(ApiError::Forbidden),
        // The back office is not counted.
        Caller::Customer | Caller::Anyone => errors.push(ApiError::TooManyRequests(NO_RATE)),
    }
    match operation.missing {
        Missing::ByPath if route.path.contains('{') => errors.push(ApiError::NotFound),
        Missing::Product => errors.push(ApiError::ProductNotFound),
        Missing::Always => errors.push(ApiError::NotFound),
        Missing::ByPath | Missing::Never => {}
    }
    if route.method == Method::POST {
        errors.push(ApiError::Conflict(Conflict::KeyTaken));
    }
    if !matches!(operation.body, BodyDoc::None) {
        errors.push(ApiError::UnsupportedMediaType);
    }
    errors.iter().filter_map(reference).collect()
}

/// A rate, of which only the kind of its error counts.
const NO_RATE: RateLimit = RateLimit { limit: 0, remaining: 0, retry_after_seconds: 0, reset_at: 0 };

fn reference(error: &ApiError) -> Option<(u16, Members)> {
    let reference = format!("#/components/responses/{}", component(error)?);
    let reference = Members::default().with("$ref", reference);
    Some((error.status().as_u16(), reference))
}

/// The name of its component; none for what is no operation's answer.
fn component(error: &ApiError) -> Option<&'static str> {
    Some(match error {
        ApiError::BadRequest => "BadRequest",
        ApiError::Unauthenticated => "Unauthenticated",
        ApiError::Forbidden => "Forbidden",
        ApiError::NotFound => "NotFound",
        ApiError::ProductNotFound => "ProductNotFound",
        ApiError::Conflict(_) => "Conflict",
        ApiError::PayloadTooLarge => "PayloadTooLarge",
        ApiError::UriTooLong => "UriTooLong",
        ApiError::UnsupportedMediaType => "UnsupportedMediaType",
        ApiError::Invalid(_) => "Invalid",
        ApiError::TooManyRequests(_) => "TooManyRequests",
        ApiError::HeadersTooLarge => "HeadersTooLarge",
        ApiError::Internal => "ServerError",
        ApiError::Unavailable => "Unavailable",
        // An operation has its method, and what the store said becomes one of the two above.
        ApiError::MethodNotAllowed { .. } | ApiError::Store(_) => return None,
    })
}

/// When it is the answer.
fn description(error: &ApiError) -> &'static str {
    match error {
        ApiError::BadRequest => "What came was no HTTP, or its body no JSON.",
        ApiError::Unauthenticated => {
            "The token is missing, or none that is good here and now; nobody learns which."
        }
        ApiError::Forbidden => "A customer's token, where the back office's is asked for.",
        ApiError::NotFound => "There is no such thing.",
        ApiError::ProductNotFound => "There is no such product, also for an id that cannot be one.",
        ApiError::Conflict(_) => {
            "What is there rules it out, or the `Idempotency-Key` came with another request."
        }
        ApiError::PayloadTooLarge => "The body is longer than allowed.",
        ApiError::UriTooLong => {
            "Path and query are longer than allowed: 8 KiB, unless the operator sets more."
        }
        ApiError::UnsupportedMediaType => "The body is of another kind than the operation takes.",
        ApiError::Invalid(_) => "Parameters or fields are refused, all of them at once.",
        ApiError::TooManyRequests(_) => "The tenant's limit of requests per minute is used up.",
        ApiError::HeadersTooLarge => "The request's headers are too long, or too many.",
        ApiError::Internal => "Our fault. Try again soon.",
        ApiError::Unavailable => "Overloaded, out of time, or the database is away. Try again soon.",
        ApiError::MethodNotAllowed { .. } | ApiError::Store(_) => "",
    }
}

/// What may come with it beside its own headers: what a customer is told who was counted before it was decided, and
/// that an answer is given again which was kept.
fn more_headers(error: &ApiError) -> &'static [&'static [&'static str]] {
    match error {
        ApiError::NotFound | ApiError::Conflict(_) | ApiError::Invalid(_) => &[RATE_LIMIT, REPLAYED],
        ApiError::BadRequest
        | ApiError::ProductNotFound
        | ApiError::PayloadTooLarge
        | ApiError::UnsupportedMediaType
        | ApiError::Internal
        | ApiError::Unavailable
        | ApiError::Store(_) => &[RATE_LIMIT],
        ApiError::Unauthenticated
        | ApiError::Forbidden
        | ApiError::MethodNotAllowed { .. }
        | ApiError::UriTooLong
        | ApiError::TooManyRequests(_)
        | ApiError::HeadersTooLarge => &[],
    }
}

fn written(error: &ApiError) -> Members {
    let mut headers = HeaderMap::new();
    error.write_headers(&mut headers);
    let own = headers.keys().map(http::HeaderName::as_str);
    let more = more_headers(error).iter().copied().flatten().copied();
    let names = own.chain(more).chain(["X-Request-Id", "Cache-Control"]);
    Members::default()
        .with("description", description(error))
        .with("headers", headers_named(names))
        .with("content", Members::default().with("application/json", content(error)))
}

fn content(error: &ApiError) -> Members {
    let schema = |name| Members::default().with("schema", Schema::named(name));
    match error {
        ApiError::Conflict(_) => schema("ErrorAnswer").with("examples", conflicts()),
        ApiError::Invalid(_) => schema("ValidationErrorAnswer").with("example", body_of(error)),
        ApiError::ProductNotFound => schema("ProductNotFound").with("example", body_of(error)),
        _ => schema("ErrorAnswer").with("example", body_of(error)),
    }
}

/// Every conflict there is.
fn conflicts() -> Members {
    let all = [
        ("keyTaken", Conflict::KeyTaken),
        ("recordedOtherwise", Conflict::RecordedOtherwise),
        ("alreadyCancelled", Conflict::AlreadyCancelled),
        ("alreadyFulfilled", Conflict::AlreadyFulfilled),
    ];
    let example = |conflict| Members::default().with("value", body_of(&ApiError::Conflict(conflict)));
    all.into_iter().map(|(name, conflict)| (name, example(conflict))).collect()
}

fn body_of(error: &ApiError) -> Json {
    example(&String::from_utf8_lossy(&error.body()))
}

/// Every error but those below.
pub(super) fn error_schema() -> Schema {
    Schema::object([required("message", Schema::text().describe("What happened, in words."))])
}

/// The body of a 422.
pub(super) fn validation_error_schema() -> Schema {
    let messages = Schema::list(Schema::text()).at_least(1);
    let errors = Schema::map(Schema::text(), messages)
        .describe("What is wrong, by field: `filter.minPrice`, `bonus_breakdown.0.points`.");
    Schema::object([required("message", Schema::text()), required("errors", errors)])
}

/// The body of the 404 of a product.
pub(super) fn product_not_found_schema() -> Schema {
    Schema::object([required("success", Schema::always(false)), required("message", Schema::text())])
}

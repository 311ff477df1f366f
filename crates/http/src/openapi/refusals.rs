//! The error responses in the OpenAPI document. Statuses, bodies and headers come from the table of errors. The row of an
//! operation decides which errors it has, so no endpoint lists them.

use http::{HeaderMap, Method, StatusCode};
use pointbook_domain::json::{Json, JsonProblem};
use pointbook_domain::{Feed, Scope};

use super::header::{OF_ALL, REPLAYED, headers_named};
use super::operation::example;
use crate::describe::{BodyDoc, Members, Missing, Operation, Schema, optional, required};
use crate::error::{
    ApiError, Conflict, ErrorCode, ErrorShape, Expected, FieldCode, FieldErrors, RateLimit, Rule,
};
use crate::rate_limit::count::Counted;
use crate::route_spec::{Caller, RouteSpec};
use crate::views::import::field_codes_schema;

/// Every error response of an operation, with an example.
pub(super) fn shared_refusals() -> Members {
    let of_both = || {
        let invalid = FieldErrors::one("page.size", Rule::INTEGER);
        let rate = RateLimit { limit: 60, remaining: 0, retry_after_seconds: 17, reset_at: 1_777_921_260 };
        [
            ApiError::BadRequest,
            ApiError::Unauthenticated,
            ApiError::PayloadTooLarge,
            ApiError::UriTooLong,
            ApiError::Invalid(invalid),
            ApiError::TooManyRequests(rate),
            ApiError::Internal,
            ApiError::Unavailable,
        ]
    };
    let of_ours = [
        ApiError::Forbidden,
        ApiError::NotFound,
        ApiError::RequestTimeout,
        ApiError::Conflict(Conflict::IdempotencyKeyReused),
        ApiError::CursorGone(GONE),
        ApiError::PreconditionFailed,
        ApiError::UnsupportedMediaType(Expected::Json),
    ];
    let documented = of_both().into_iter().chain([ApiError::ProductNotFound]);
    let documented = documented.map(|error| (error, ErrorShape::Documented));
    let ours = of_both().into_iter().chain(of_ours).map(|error| (error, ErrorShape::WithCode));
    let all = documented.chain(ours);
    all.filter_map(|(error, shape)| Some((component(&error, shape)?, written(&error, shape)))).collect()
}

/// The error responses of an operation, by status.
pub(super) fn refusals_of(route: &RouteSpec, operation: &Operation) -> Vec<(u16, Members)> {
    let mut errors = vec![
        ApiError::BadRequest,
        ApiError::Unauthenticated,
        ApiError::PayloadTooLarge,
        ApiError::UriTooLong,
        ApiError::Invalid(FieldErrors::default()),
        ApiError::Internal,
        ApiError::Unavailable,
    ];
    if route.caller != Caller::Customer {
        errors.push(ApiError::Forbidden);
    }
    if route.counted() != Counted::Never {
        errors.push(ApiError::TooManyRequests(NO_RATE));
    }
    match operation.missing {
        Missing::ByPath if route.path.contains('{') => errors.push(ApiError::NotFound),
        Missing::OwnBody => errors.push(ApiError::ProductNotFound),
        Missing::Always => errors.push(ApiError::NotFound),
        Missing::ByPath | Missing::Never => {}
    }
    if route.method == Method::POST || operation.may_conflict {
        errors.push(ApiError::Conflict(Conflict::IdempotencyKeyReused));
    }
    if operation.has_cursor {
        errors.push(ApiError::CursorGone(GONE));
    }
    if operation.is_conditional {
        errors.push(ApiError::PreconditionFailed);
    }
    if !matches!(operation.body, BodyDoc::None) {
        errors.extend([ApiError::RequestTimeout, ApiError::UnsupportedMediaType(Expected::Json)]);
    }
    let shape = if operation.is_documented { ErrorShape::Documented } else { ErrorShape::WithCode };
    let reference = |error| Some((ApiError::status(error).as_u16(), reference_to(&component(error, shape)?)));
    let of_hyper = (StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.as_u16(), reference_to("HeadersTooLarge"));
    errors.iter().filter_map(reference).chain([of_hyper]).collect()
}

/// The response of hyper to a head beyond its limits. No operation sees the request.
pub(super) fn headers_too_large() -> Members {
    Members::default().with(
        "description",
        "The request line and the headers are too long, or the headers are too many. The response has no body.",
    )
}

/// A feed whose first twelve events were removed.
const GONE: Feed = Feed { generation: 1, last_position: 40, removed_position: 12 };

/// A placeholder: only the kind of the error counts.
const NO_RATE: RateLimit = RateLimit { limit: 0, remaining: 0, retry_after_seconds: 0, reset_at: 0 };

fn reference_to(component: &str) -> Members {
    Members::default().with("$ref", format!("#/components/responses/{component}"))
}

/// The name of its component. `None` for an error that no operation returns.
fn component(error: &ApiError, shape: ErrorShape) -> Option<String> {
    let name = kind(error)?;
    Some(match shape {
        ErrorShape::Documented => format!("Documented{name}"),
        ErrorShape::WithCode => name.to_owned(),
    })
}

fn kind(error: &ApiError) -> Option<&'static str> {
    Some(match error {
        ApiError::BadRequest | ApiError::InvalidHost | ApiError::MalformedJson(_) => "BadRequest",
        ApiError::Unauthenticated => "Unauthenticated",
        ApiError::Forbidden | ApiError::MissingScope(_) | ApiError::ForeignAddress => "Forbidden",
        ApiError::NotFound => "NotFound",
        ApiError::ProductNotFound => "ProductNotFound",
        ApiError::RequestTimeout => "RequestTimeout",
        ApiError::Conflict(_) => "Conflict",
        ApiError::CursorGone(_) => "CursorGone",
        ApiError::PreconditionFailed => "PreconditionFailed",
        ApiError::PayloadTooLarge => "PayloadTooLarge",
        ApiError::UriTooLong => "UriTooLong",
        ApiError::UnsupportedMediaType(_) => "UnsupportedMediaType",
        ApiError::Invalid(_) => "Invalid",
        ApiError::TooManyRequests(_) => "TooManyRequests",
        ApiError::Internal => "ServerError",
        ApiError::Unavailable => "Unavailable",
        // A matched route has its path and its method, and an error of the store becomes one of the two above.
        ApiError::UnknownBaseUrl
        | ApiError::UnknownRoute
        | ApiError::MethodNotAllowed { .. }
        | ApiError::Store(_) => return None,
    })
}

const UNKNOWN_TOKEN: &str =
    "The token is missing, unknown, expired or revoked. The response does not say which.";

/// A documented read ignores its body.
const BAD_READ: &str =
    "The `Host` header is missing or invalid. A request that is not HTTP gets a 400 without a body.";

const CURSOR_GONE: &str = "The events after the cursor were removed because of their age, or the database was restored \
                           from a backup. Take an export, then begin at `earliest`.";

/// When the error is the response.
fn description(error: &ApiError, shape: ErrorShape) -> &'static str {
    match error {
        ApiError::BadRequest if shape == ErrorShape::Documented => BAD_READ,
        ApiError::BadRequest | ApiError::InvalidHost | ApiError::MalformedJson(_) => {
            "The `Host` header is missing or invalid, the body is not JSON (`line`, `column` and `detail` say where \
             and why), or the body ended early. A request that is not HTTP gets a 400 without a body."
        }
        ApiError::Unauthenticated => UNKNOWN_TOKEN,
        ApiError::Forbidden | ApiError::MissingScope(_) | ApiError::ForeignAddress => {
            "The token is a customer's, or the key lacks the scope that `scope` names, or the key is used from an address \
             outside its networks."
        }
        ApiError::NotFound => "The object does not exist.",
        ApiError::ProductNotFound => "The product does not exist.",
        ApiError::RequestTimeout => "The body did not arrive in time. Send the request again.",
        ApiError::Conflict(_) => {
            "The present state does not allow the request, or the `Idempotency-Key` was used for another request."
        }
        ApiError::CursorGone(_) => CURSOR_GONE,
        ApiError::PreconditionFailed => {
            "The stored object does not match `If-Match` or `If-None-Match`. Nothing changed. Read the object again."
        }
        ApiError::PayloadTooLarge => "The body is too long.",
        ApiError::UriTooLong => {
            "Path and query are too long. The limit is 8 KiB, unless the operator set another one."
        }
        ApiError::UnsupportedMediaType(_) => {
            "The body has a `Content-Type` that the operation does not accept, or a `Content-Encoding`."
        }
        ApiError::Invalid(_) => "Parameters or fields break rules. The body names all of them.",
        ApiError::TooManyRequests(_) => "The customer has used up the requests of this minute.",
        ApiError::Internal => "The server failed. Try again soon.",
        ApiError::Unavailable => {
            "The server is overloaded, ran out of time, or has no database. Try again soon."
        }
        ApiError::UnknownBaseUrl
        | ApiError::UnknownRoute
        | ApiError::MethodNotAllowed { .. }
        | ApiError::Store(_) => "",
    }
}

/// Further headers, for a repeated response. A documented read is never one.
fn more_headers(error: &ApiError, shape: ErrorShape) -> &'static [&'static str] {
    match error {
        _ if shape == ErrorShape::Documented => &[],
        ApiError::NotFound | ApiError::Conflict(_) | ApiError::PreconditionFailed | ApiError::Invalid(_) => {
            REPLAYED
        }
        ApiError::BadRequest
        | ApiError::InvalidHost
        | ApiError::MalformedJson(_)
        | ApiError::ProductNotFound
        | ApiError::RequestTimeout
        | ApiError::PayloadTooLarge
        | ApiError::UnsupportedMediaType(_)
        | ApiError::Internal
        | ApiError::Unavailable
        | ApiError::Store(_)
        | ApiError::Unauthenticated
        | ApiError::Forbidden
        | ApiError::MissingScope(_)
        | ApiError::ForeignAddress
        | ApiError::UnknownBaseUrl
        | ApiError::UnknownRoute
        | ApiError::MethodNotAllowed { .. }
        | ApiError::UriTooLong
        | ApiError::CursorGone(_)
        | ApiError::TooManyRequests(_) => &[],
    }
}

fn written(error: &ApiError, shape: ErrorShape) -> Members {
    let mut headers = HeaderMap::new();
    error.write_headers(&mut headers);
    let own = headers.keys().map(http::HeaderName::as_str);
    let more = more_headers(error, shape).iter().copied();
    let names = own.chain(more).chain(OF_ALL);
    Members::default()
        .with("description", description(error, shape))
        .with("headers", headers_named(names))
        .with("content", Members::default().with("application/json", content(error, shape)))
}

fn content(error: &ApiError, shape: ErrorShape) -> Members {
    let schema = |name| Members::default().with("schema", Schema::named(name));
    if shape == ErrorShape::Documented {
        let name = match error {
            ApiError::Invalid(_) => "DocumentedValidationError",
            ApiError::ProductNotFound => "ProductNotFound",
            _ => "DocumentedError",
        };
        return schema(name).with("example", body_of(error, shape));
    }
    match error {
        ApiError::Conflict(_) => schema("ErrorAnswer").with("examples", conflicts()),
        ApiError::BadRequest => schema("ErrorAnswer").with("examples", bad_requests()),
        ApiError::Forbidden => schema("ErrorAnswer").with("examples", forbidden()),
        ApiError::Invalid(_) => schema("ValidationErrorAnswer").with("example", body_of(error, shape)),
        _ => schema("ErrorAnswer").with("example", body_of(error, shape)),
    }
}

/// The kinds of a 400.
fn bad_requests() -> Members {
    let detail = "A comma stands before a closing bracket.";
    let malformed = ApiError::MalformedJson(JsonProblem { line: 1, column: 16, detail });
    let all = [
        ("malformedJson", malformed),
        ("invalidHost", ApiError::InvalidHost),
        ("brokenBody", ApiError::BadRequest),
    ];
    named_examples(&all)
}

/// The kinds of a 403.
fn forbidden() -> Members {
    let all = [
        ("customer", ApiError::Forbidden),
        ("missingScope", ApiError::MissingScope(Scope::OrdersWrite)),
        ("foreignAddress", ApiError::ForeignAddress),
    ];
    named_examples(&all)
}

/// The kinds of a 409, by their codes.
fn conflicts() -> Members {
    let all: Vec<_> =
        Conflict::ALL.iter().map(|&kind| (kind.code().as_str(), ApiError::Conflict(kind))).collect();
    named_examples(&all)
}

/// Examples of operations that pointbook adds.
fn named_examples(errors: &[(&str, ApiError)]) -> Members {
    let example = |error| Members::default().with("value", body_of(error, ErrorShape::WithCode));
    errors.iter().map(|(name, error)| (*name, example(error))).collect()
}

fn body_of(error: &ApiError, shape: ErrorShape) -> Json {
    example(&String::from_utf8_lossy(&error.body(shape)))
}

/// The body of an error of a documented read, except those below.
pub(super) fn documented_error_schema() -> Schema {
    Schema::object([required("message", message())])
}

/// The body of a 422 of a documented read.
pub(super) fn documented_validation_error_schema() -> Schema {
    Schema::object([required("message", Schema::text()), required("errors", messages_by_field())])
}

fn message() -> Schema {
    Schema::text().describe("A message for people.")
}

fn messages_by_field() -> Schema {
    let messages = Schema::list(Schema::text()).at_least(1);
    Schema::map(Schema::text(), messages)
        .describe("The messages by field, such as `filter.minPrice` or `bonus_breakdown.0.points`.")
}

/// The body of an error of an operation that pointbook adds, except a 422.
pub(super) fn error_schema() -> Schema {
    Schema::object([
        required("message", message()),
        required("code", Schema::named("ErrorCode")),
        optional("scope", Schema::named("Scope")),
        optional("earliest", Schema::text().describe("The cursor before the oldest event that is kept.")),
        optional("line", Schema::count().describe("The line where the body stops being JSON, from 1.")),
        optional("column", Schema::count().describe("The byte in the line, from 1.")),
        optional(
            "detail",
            Schema::text().describe("The problem. With `line` and `column`: the problem at that position."),
        ),
    ])
}

/// The body of a 422 of an operation that pointbook adds.
pub(super) fn validation_error_schema() -> Schema {
    Schema::object([
        required("message", Schema::text()),
        required("code", Schema::one_of([ErrorCode::Invalid.as_str()])),
        required("errors", messages_by_field()),
        required("codes", field_codes_schema()),
    ])
}

pub(super) fn error_code_schema() -> Schema {
    Schema::one_of(ErrorCode::ALL.iter().map(|code| code.as_str()))
        .describe("Why the request failed, for programs. A code never changes its meaning; later versions may add codes.")
}

pub(super) fn field_code_schema() -> Schema {
    Schema::one_of(FieldCode::ALL.iter().map(|code| code.as_str())).describe(
        "What is wrong with a field, for programs. A code never changes its meaning; later versions may add codes.",
    )
}

/// The body of the 404 of a product.
pub(super) fn product_not_found_schema() -> Schema {
    Schema::object([required("success", Schema::always(false)), required("message", Schema::text())])
}

//! An operation in the OpenAPI document: its row in the table together with its own documentation.

use http::{Method, StatusCode};
use pointbook_domain::json::Json;
use pointbook_domain::{PageNumber, PageRequest, PageSize};

use super::DEMO_BASE_URL;
use super::header::{OF_ALL, REPLAYED, headers_named};
use super::parameter::{of_path, with_examples};
use super::refusals::refusals_of;
use crate::describe::{BodyDoc, Example, IntoJson, Members, Operation, Parameter, Schema, SuccessDoc};
use crate::query_string::{NO_QUERY, PageLinks};
use crate::route_spec::{Caller, RouteSpec};
use crate::views::envelope::envelope;

/// The media type of a merge patch (RFC 7396).
const MERGE_PATCH: &str = "application/merge-patch+json";
/// The media type of lines.
const NDJSON: &str = "application/x-ndjson";

/// A sentence for operations that are not part of the documented interface.
const EXTENSION: &str = "pointbook adds this operation to the interface.";

/// The operation's entry below its path.
pub(super) fn written(route: &RouteSpec, operation: &Operation) -> Members {
    let Operation { id, tag, summary, description, is_documented, .. } = operation;
    let description =
        if *is_documented { description.clone() } else { format!("{description}\n\n{EXTENSION}") };
    let mut entry = Members::default()
        .with("tags", [*tag])
        .with("summary", *summary)
        .with("description", description)
        .with("operationId", *id);
    let parameters = parameters(route, operation);
    if !parameters.is_empty() {
        entry.set("parameters", parameters);
    }
    if let Some(body) = request_body(&operation.body) {
        entry.set("requestBody", body);
    }
    entry.set("responses", responses(route, operation));
    entry.set("security", security(route.caller));
    if !is_documented {
        entry.set("x-pointbook-extension", true);
    }
    entry
}

/// Parameters of the path first, then the operation's own, then those of its method.
fn parameters(route: &RouteSpec, operation: &Operation) -> Vec<Parameter> {
    let of_path =
        route.path.split('/').filter_map(|segment| of_path(segment.strip_prefix('{')?.strip_suffix('}')?));
    let of_method = match route.method {
        Method::GET => Some(Parameter::Shared("IfNoneMatch")),
        Method::POST => Some(Parameter::Shared("IdempotencyKey")),
        _ => None,
    };
    let conditions: &[&str] = match (operation.is_conditional, &route.method) {
        (true, &Method::PUT) => &["IfMatch", "IfMissing"],
        (true, _) => &["IfMatch"],
        (false, _) => &[],
    };
    let conditions = conditions.iter().map(|name| Parameter::Shared(name));
    of_path.chain(operation.parameters.iter().cloned()).chain(of_method).chain(conditions).collect()
}

fn request_body(body: &BodyDoc) -> Option<Members> {
    let content = |kind: &str, schema: Schema, example: Json| {
        let content = Members::default().with("schema", schema).with("example", example);
        Members::default().with(kind, content)
    };
    Some(match *body {
        BodyDoc::None => return None,
        BodyDoc::Empty => Members::default()
            .with("description", "No body, or an empty JSON object.")
            .with("content", content("application/json", Schema::closed([]), example("{}"))),
        BodyDoc::Json(name, text) => Members::default()
            .with("required", true)
            .with("content", content("application/json", Schema::named(name), example(text))),
        BodyDoc::OptionalJson(name, text) => Members::default()
            .with("description", "No body is like an empty JSON object.")
            .with("content", content("application/json", Schema::named(name), example(text))),
        BodyDoc::MergePatch(name, text) => {
            // Generators use the first media type.
            let mut kinds = content("application/json", Schema::named(name), example(text));
            let patch = Members::default().with("schema", Schema::named(name)).with("example", example(text));
            kinds.set(MERGE_PATCH, patch);
            Members::default().with("required", true).with("content", kinds)
        }
        BodyDoc::Binary(kinds) => Members::default()
            .with("description", "The bytes of the file, without a form around them.")
            .with("required", true)
            .with("content", kinds.iter().map(|kind| (*kind, bytes_of_a_file())).collect::<Members>()),
        BodyDoc::Lines(name, text) => Members::default()
            .with("description", "One JSON object per line. The server skips blank lines.")
            .with("content", content(NDJSON, Schema::lines(Schema::named(name)), text.into_json())),
    })
}

fn bytes_of_a_file() -> Members {
    Members::default().with("schema", Schema::bytes())
}

fn responses(route: &RouteSpec, operation: &Operation) -> Members {
    let successes = operation.successes.iter();
    let mut all: Vec<(u16, Members)> =
        successes.map(|success| (success.status.as_u16(), success_of(route, operation, success))).collect();
    if route.method == Method::GET {
        let reference = Members::default().with("$ref", "#/components/responses/NotModified");
        all.push((StatusCode::NOT_MODIFIED.as_u16(), reference));
    }
    all.extend(refusals_of(route, operation));
    all.sort_by_key(|(status, _)| *status);
    all.into_iter().map(|(status, response)| (status.to_string(), response)).collect()
}

fn success_of(route: &RouteSpec, operation: &Operation, success: &SuccessDoc) -> Members {
    let SuccessDoc { status: _, description, schema, example: shown, headers } = success;
    let shown = match shown {
        Example::Body(text) => example(text),
        Example::PageOf(item) => example(&page_with(item, route)),
    };
    let by_method: &[&str] = match route.method {
        Method::GET => &["ETag", "Content-Encoding", "Vary"],
        Method::POST => REPLAYED,
        _ => &[],
    };
    let of_file: &[&str] = if operation.csv.is_some() { &["Content-Disposition"] } else { &[] };
    let names = [&OF_ALL[..], by_method, of_file, headers];
    let content = Members::default().with("schema", Schema::named(schema)).with("example", shown);
    let mut kinds = Members::default().with("application/json", content);
    if let Some(lines) = &operation.csv {
        let content = Members::default().with("schema", Schema::text()).with("example", lines.as_str());
        kinds.set("text/csv", content);
    }
    Members::default()
        .with("description", *description)
        .with("headers", headers_named(names.into_iter().flatten().copied()))
        .with("content", kinds)
}

/// The only page of a list with one item, as the demo would have it.
fn page_with(item: &str, route: &RouteSpec) -> String {
    let links = PageLinks::new(DEMO_BASE_URL, &with_examples(route.path), &NO_QUERY);
    let window = PageRequest { number: PageNumber::FIRST, size: PageSize::DEFAULT }.window(1);
    let body =
        envelope(item.len(), &window, &links, |body| body.extend_from_slice(format!("[{item}]").as_bytes()));
    String::from_utf8_lossy(&body).into_owned()
}

/// The response without a body, for a client that has it.
pub(super) fn not_modified() -> Members {
    let names = [&OF_ALL[..], &["ETag", "Content-Language", "Vary"]].into_iter().flatten();
    Members::default()
        .with(
            "description",
            "Nothing changed since the response that `If-None-Match` names. The response has no body.",
        )
        .with("headers", headers_named(names.copied()))
}

fn security(caller: Caller) -> Vec<Members> {
    let schemes: &[&str] = match caller {
        Caller::Customer => &["customer"],
        Caller::Key(_) | Caller::KeyOfBoth(_) => &["superUser"],
        Caller::Anyone => &["customer", "superUser"],
    };
    let scopes: Vec<_> = caller.scopes().iter().map(|scope| scope.as_str()).collect();
    schemes.iter().map(|scheme| Members::default().with(scheme, scopes.clone())).collect()
}

/// An example as a JSON value. Null for invalid JSON, which a test would find.
pub(super) fn example(text: &str) -> Json {
    Json::parse(text.as_bytes()).unwrap_or(Json::Null)
}

//! The components of the OpenAPI document.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::header::shared_headers;
use super::operation::not_modified;
use super::parameter::shared_parameters;
use super::refusals::{
    documented_error_schema, documented_validation_error_schema, error_code_schema, error_schema,
    field_code_schema, headers_too_large, product_not_found_schema, shared_refusals, validation_error_schema,
};
use crate::describe::{Members, NamedSchema, Operation, Schema};
use crate::route_spec::RouteSpec;
use crate::views::values::scope_schema;

const ERRORS: [NamedSchema; 8] = [
    (Cow::Borrowed("DocumentedError"), documented_error_schema),
    (Cow::Borrowed("DocumentedValidationError"), documented_validation_error_schema),
    (Cow::Borrowed("ErrorAnswer"), error_schema),
    (Cow::Borrowed("ValidationErrorAnswer"), validation_error_schema),
    (Cow::Borrowed("ProductNotFound"), product_not_found_schema),
    (Cow::Borrowed("ErrorCode"), error_code_schema),
    (Cow::Borrowed("FieldCode"), field_code_schema),
    (Cow::Borrowed("Scope"), scope_schema),
];

/// All of them. The schemas are in the order of their names.
pub(super) fn components(operations: &[(&RouteSpec, Operation)]) -> Members {
    let of_operations = operations.iter().flat_map(|(_, operation)| &operation.schemas);
    let schemas: BTreeMap<&str, fn() -> Schema> =
        of_operations.chain(&ERRORS).map(|(name, schema)| (&**name, *schema)).collect();
    Members::default()
        .with("schemas", schemas.into_iter().map(|(name, schema)| (name, schema())).collect::<Members>())
        .with("parameters", shared_parameters())
        .with("headers", shared_headers())
        .with("responses", responses())
        .with("securitySchemes", security_schemes())
}

fn responses() -> Members {
    shared_refusals().with("HeadersTooLarge", headers_too_large()).with("NotModified", not_modified())
}

fn security_schemes() -> Members {
    let bearer = |description: &str| {
        Members::default().with("type", "http").with("scheme", "bearer").with("description", description)
    };
    Members::default()
        .with(
            "customer",
            bearer("A customer's token, which speaks for one user of one tenant in one environment."),
        )
        .with(
            "superUser",
            bearer("A key of the tenant's back office that has the scope. Keep it on servers."),
        )
}

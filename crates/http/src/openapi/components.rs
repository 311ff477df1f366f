//! The components of the OpenAPI document.

use super::header::shared_headers;
use super::operation::not_modified;
use super::parameter::shared_parameters;
use super::refusals::{
    documented_error_schema, documented_validation_error_schema, error_code_schema, error_schema,
    field_code_schema, headers_too_large, product_not_found_schema, shared_refusals, validation_error_schema,
};
use crate::describe::{Members, NamedSchema, Operation};
use crate::route_spec::RouteSpec;
use crate::views::values::scope_schema;

const ERRORS: [NamedSchema; 8] = [
    ("DocumentedError", documented_error_schema),
    ("DocumentedValidationError", documented_validation_error_schema),
    ("ErrorAnswer", error_schema),
    ("ValidationErrorAnswer", validation_error_schema),
    ("ProductNotFound", product_not_found_schema),
    ("ErrorCode", error_code_schema),
    ("FieldCode", field_code_schema),
    ("Scope", scope_schema),
];

/// All of them.
pub(super) fn components(operations: &[(&RouteSpec, Operation)], answers: &[NamedSchema]) -> Members {
    let of_operations = operations.iter().flat_map(|(_, operation)| &operation.schemas);
    let schemas = answers.iter().chain(of_operations).chain(&ERRORS);
    Members::default()
        .with("schemas", schemas.map(|(name, schema)| (*name, schema())).collect::<Members>())
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

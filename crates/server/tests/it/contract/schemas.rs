//! The schemas of the OpenAPI document. They are JSON Schema 2020-12, and each is compiled once, when it is first used.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex};

use jsonschema::{Draft, Registry, Validator};
use serde_json::{Map, Value};

/// The OpenAPI document of the server, with strict schemas.
pub(super) static DOCUMENT: LazyLock<Value> = LazyLock::new(|| {
    let mut document =
        serde_json::from_slice(&pointbook_http::openapi::document(&pointbook_server::slices::LISTED))
            .unwrap();
    make_strict(&mut document);
    document
});

/// What references lead to.
static REGISTRY: LazyLock<Registry<'static>> = LazyLock::new(|| {
    let registry = Registry::new().draft(Draft::Draft202012).add(NAME, &*DOCUMENT).unwrap();
    registry.prepare().unwrap()
});

/// The compiled schemas by their JSON. Those with references are short.
static VALIDATORS: LazyLock<Mutex<HashMap<String, Arc<Validator>>>> = LazyLock::new(Mutex::default);

/// The URI of the document in references.
const NAME: &str = "urn:openapi";

/// The types of JSON Schema.
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", "null"];

/// The keywords in the document. JSON Schema ignores a misspelled keyword.
const KEYWORDS: &str = "type enum pattern format minLength maxLength minimum maximum \
    items minItems maxItems uniqueItems properties required additionalProperties propertyNames \
    description default readOnly contentMediaType contentSchema";

/// Lets an object have only the members of its schema: clients ignore new members, but the developer who adds one must
/// document it. Names the document in each reference, so that a schema can be compiled without the others.
fn make_strict(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(reference)) = members.get_mut("$ref") {
                reference.insert_str(0, NAME);
            }
            let types = types(members);
            if types.iter().any(|one| TYPES.contains(&&**one)) {
                let unknown =
                    members.keys().find(|keyword| !KEYWORDS.split(' ').any(|known| known == *keyword));
                assert_eq!(unknown, None, "an unknown keyword");
            }
            if types.iter().any(|one| one == "object") {
                members.entry("additionalProperties").or_insert(Value::Bool(false));
            }
            members.values_mut().for_each(make_strict);
        }
        Value::Array(items) => items.iter_mut().for_each(make_strict),
        _ => {}
    }
}

/// The types of a schema: one or a list.
fn types(schema: &Map<String, Value>) -> Vec<String> {
    let types = schema.get("type").into_iter();
    let types = types.flat_map(|types| types.as_array().map_or(std::slice::from_ref(types), Vec::as_slice));
    types.filter_map(Value::as_str).map(str::to_owned).collect()
}

/// The target of a reference. Returns the value itself when it is not a reference.
pub(super) fn resolved(value: &'static Value) -> &'static Value {
    let Some(reference) = value["$ref"].as_str() else { return value };
    let pointer = reference.strip_prefix(NAME).and_then(|reference| reference.strip_prefix('#')).unwrap();
    DOCUMENT.pointer(pointer).unwrap()
}

/// The problems of a value, with the path of each.
pub(super) fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let validator = validator(schema);
    validator
        .iter_errors(value)
        .map(|error| format!("{} at {:?}", error, error.instance_path().as_str()))
        .collect()
}

fn validator(schema: &Value) -> Arc<Validator> {
    let mut validators = VALIDATORS.lock().unwrap();
    let compile = || {
        assert!(schema.is_object(), "no schema: {schema}");
        let options = jsonschema::options().with_draft(Draft::Draft202012).with_registry(&REGISTRY);
        Arc::new(options.should_validate_formats(true).build(schema).unwrap())
    };
    validators.entry(schema.to_string()).or_insert_with(compile).clone()
}

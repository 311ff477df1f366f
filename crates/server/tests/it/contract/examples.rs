//! The examples of the OpenAPI document, and wrong values for each of its schemas.

use serde_json::{Value, json};

use super::schemas::{problems, resolved};
use super::{LINES, OPERATIONS, Operation, typed};

/// The contents of all operations: of requests and of responses.
fn contents() -> impl Iterator<Item = (&'static str, &'static Value)> {
    let bodies = OPERATIONS.iter().flat_map(|operation| {
        let responses = operation.described["responses"].as_object().unwrap().values().map(resolved);
        responses.chain([&operation.described["requestBody"]])
    });
    let contents = bodies.filter_map(|body| body["content"].as_object()).flatten();
    contents.map(|(kind, content)| (&**kind, content))
}

/// The examples of a content or a parameter: one without a name, or several with names.
fn examples(described: &'static Value) -> impl Iterator<Item = &'static Value> {
    let named = described["examples"].as_object().into_iter().flat_map(|named| named.values());
    described.get("example").into_iter().chain(named.map(|example| &example["value"]))
}

#[test]
fn every_example_is_as_its_schema_says() {
    let mut lines = 0;
    for (kind, content) in contents() {
        let schema = &content["schema"];
        assert!(!kind.ends_with("json") || examples(content).count() > 0, "no example: {content}");
        for example in examples(content) {
            assert_eq!(problems(schema, example), [""; 0], "{example}");
            for line in example.as_str().filter(|_| kind == LINES).into_iter().flat_map(str::lines) {
                let line = serde_json::from_str(line).unwrap();
                assert_eq!(problems(&schema["contentSchema"], &line), [""; 0], "{line}");
                lines += 1;
            }
        }
    }
    assert!(lines > 0);
    for parameter in OPERATIONS.iter().flat_map(Operation::parameters) {
        for example in examples(parameter) {
            assert_eq!(problems(&parameter["schema"], example), [""; 0], "{parameter}");
        }
    }
}

/// A schema that allows everything would find nothing.
#[test]
fn every_body_and_every_parameter_of_a_query_has_values_that_are_refused() {
    for (kind, content) in contents().filter(|(kind, _)| kind.ends_with("json")) {
        assert!(!problems(&content["schema"], &json!([])).is_empty(), "{kind}: {content}");
    }
    let all =
        OPERATIONS.iter().flat_map(Operation::parameters).filter(|parameter| parameter["in"] == "query");
    for parameter in all {
        let schema = &parameter["schema"];
        let longest = schema["maxLength"].as_u64().unwrap_or(0);
        let wrong = "x".repeat(usize::try_from(longest).unwrap() + 1);
        assert!(!problems(schema, &typed(schema, &wrong)).is_empty(), "{parameter}");
    }
}

//! What schemathesis must know of each operation beside its schemas, by the OpenAPI document.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use serde_json::{Map, Value};

/// Operations that take every body that their schema allows. Bodies of the others have rules that no schema can say: whoever breaks
/// them gets a 422, which names the field.
const TAKES_ALL: [&str; 7] = [
    "createSignInLink",
    "reverseTransaction",
    "stepCampaign",
    "startBackFill",
    "putClock",
    "importActivities",
    "addPicture",
];

/// The part of the settings that follows from the document.
pub(super) fn of(document: &Value) -> Result<String> {
    let paths = document["paths"].as_object().context("the document has no paths")?;
    let mut settings = String::new();
    for (path, item) in paths {
        for operation in item.as_object().context("a path is no object")?.values() {
            let id = operation["operationId"].as_str().context("an operation has no id")?;
            let lines = expectations(id, operation, has_sibling(path, paths));
            if !lines.is_empty() {
                write!(settings, "\n[[operations]]\ninclude-operation-id = \"{id}\"\n{lines}")?;
            }
        }
    }
    Ok(settings)
}

fn expectations(id: &str, operation: &Value, has_sibling: bool) -> String {
    let body = operation["requestBody"]["content"].as_object();
    let is_required = operation["requestBody"]["required"] == true;
    // Bad lines are told in a 200, beside what became of the good ones. Made-up bytes are replaced by those of a picture.
    let is_json = body.is_none_or(|kinds| kinds.contains_key("application/json"));
    let has = |status: &str| operation["responses"].get(status).is_some();
    let has_rules = (is_required || !is_json) && !TAKES_ALL.contains(&id);
    let further = [("410", has("410")), ("412", has("412")), ("422", has_rules || has("410"))];
    let further: Vec<_> =
        further.iter().filter(|(_, expected)| *expected).map(|(status, _)| *status).collect();
    let statuses = format!(
        "checks.positive_data_acceptance.expected-statuses = [\"2xx\", \"3xx\", 401, 403, 404, 409, 429, {}]\n",
        further.join(", ")
    );
    let lines = [
        (!further.is_empty(), &*statuses),
        (!is_json, "checks.negative_data_rejection.enabled = false\n"),
        (has_sibling, "checks.allow_header_conformance.enabled = false\n"),
    ];
    lines.iter().filter(|(is_needed, _)| *is_needed).map(|(_, line)| *line).collect()
}

/// Whether the path is also one of another item with a parameter, as `/import` is. `Allow` has the methods of both, and the tool looks at
/// one of them.
fn has_sibling(path: &str, paths: &Map<String, Value>) -> bool {
    let is_like = |other: &&String| {
        let parts = || path.split('/').zip(other.split('/'));
        *other != path
            && path.split('/').count() == other.split('/').count()
            && parts().all(|(own, other)| own == other || (other.starts_with('{') && !own.starts_with('{')))
    };
    paths.keys().any(|other| is_like(&other))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn statuses_follow_from_responses_and_bodies() {
        let body = json!({"required": true, "content": {"application/json": {}}});
        let lines = json!({"content": {"application/x-ndjson": {}}});
        let settings = of(&json!({"paths": {
            "/a/import": {"post": {"operationId": "import", "responses": {}, "requestBody": lines}},
            "/a/{id}": {
                "delete": {"operationId": "after", "responses": {"410": {}}},
                "get": {"operationId": "read", "responses": {"200": {}, "422": {}}},
                "patch": {"operationId": "putClock", "responses": {}, "requestBody": body},
                "put": {"operationId": "put", "responses": {"412": {}}, "requestBody": body},
            },
        }}));
        let of = |id: &str, further: &str| {
            let statuses = format!("[\"2xx\", \"3xx\", 401, 403, 404, 409, 429, {further}]");
            format!(
                "\n[[operations]]\ninclude-operation-id = \"{id}\"\n\
                 checks.positive_data_acceptance.expected-statuses = {statuses}\n"
            )
        };
        let import = "checks.negative_data_rejection.enabled = false\nchecks.allow_header_conformance.enabled = false\n";
        let expected = [&of("import", "422"), import, &of("after", "410, 422"), &of("put", "412, 422")];
        assert_eq!(settings.unwrap(), expected.concat());
    }
}

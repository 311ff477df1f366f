//! The page about the interface lists exactly the fields and parameters of the OpenAPI document.

use std::collections::BTreeSet;

use serde_json::Value;

const PAGE: &str = include_str!("../../../../docs/interface.md");
const OPENAPI: &str = include_str!("../../../../openapi.json");

/// A heading of the page and the schema that its table describes.
const SCHEMAS: &[(&str, &str)] = &[
    ("### Product", "Product"),
    ("### Category", "Category"),
    ("### The history response", "PointHistory"),
    ("### Activity group", "ActivityGroup"),
    ("### Transaction", "Transaction"),
    ("### Bonus", "BonusDetail"),
];

#[test]
fn field_tables_match_the_schemas() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    for (heading, schema) in SCHEMAS {
        let properties = document["components"]["schemas"][schema]["properties"].as_object();
        let there: BTreeSet<&str> = properties.unwrap().keys().map(String::as_str).collect();
        assert_eq!(names_below(heading), there, "{heading}");
    }
}

#[test]
fn page_and_parameter_tables_match_the_list_endpoint() {
    let document: Value = serde_json::from_str(OPENAPI).unwrap();
    let schemas = &document["components"]["schemas"];
    let keys = |schema: &str| schemas[schema]["properties"].as_object().unwrap().keys().cloned();
    let members = keys("PageLinks").map(|key| format!("links.{key}"));
    let members: BTreeSet<String> =
        members.chain(keys("PageMeta").map(|key| format!("meta.{key}"))).chain(["data".to_owned()]).collect();
    assert_eq!(names_below("## Pages"), members.iter().map(String::as_str).collect());

    let operation = &document["paths"]["/v1/store/products"]["get"]["parameters"];
    let named = operation.as_array().unwrap().iter().map(|parameter| resolved(&document, parameter));
    let queries: BTreeSet<&str> = named
        .filter(|parameter| parameter["in"] == "query")
        .map(|parameter| parameter["name"].as_str().unwrap())
        .collect();
    assert_eq!(names_below("## Products"), queries);
}

/// Resolves a reference.
fn resolved<'v>(document: &'v Value, value: &'v Value) -> &'v Value {
    let path = value["$ref"].as_str().and_then(|reference| reference.strip_prefix('#'));
    path.map_or(value, |path| document.pointer(path).unwrap())
}

/// The names in the first column of the first table below a heading.
fn names_below(heading: &str) -> BTreeSet<&'static str> {
    let lines = PAGE.lines().skip_while(|line| line != &heading).skip(1);
    let lines = lines.skip_while(|line| !line.starts_with('|') && !line.starts_with('#'));
    lines.take_while(|line| line.starts_with('|')).filter_map(|row| row.split('`').nth(1)).collect()
}

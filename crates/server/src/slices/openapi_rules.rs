//! Rules for the whole document. The black-box suite tests that exchanges and examples agree with it.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::slices::LISTED;
use pointbook_http::documentation::Tag;
use pointbook_http::openapi::parameter::of_path;
use pointbook_http::openapi::{document, operations};
use serde_json::Value;

fn description() -> Value {
    serde_json::from_slice(&document(&LISTED)).unwrap()
}

/// Calls this for every object of the document.
fn visit(value: &Value, see: &mut impl FnMut(&serde_json::Map<String, Value>)) {
    match value {
        Value::Object(members) => {
            see(members);
            members.values().for_each(|member| visit(member, see));
        }
        Value::Array(items) => items.iter().for_each(|item| visit(item, see)),
        _ => {}
    }
}

#[test]
fn it_has_every_operation_of_the_tables_and_no_other() {
    let description = description();
    let described: BTreeSet<(String, String)> = description["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(|method| (method.to_uppercase(), path.clone()))
        })
        .collect();
    let routed: BTreeSet<_> =
        LISTED.routes().map(|route| (route.method.to_string(), route.path.to_owned())).collect();
    assert_eq!(described, routed);
}

#[test]
fn the_documented_operations_come_first_and_all_others_are_marked() {
    let operations = operations(&LISTED);
    let ids: Vec<_> = operations.iter().map(|(_, operation)| operation.id).collect();
    assert_eq!(ids[..4], ["listProducts", "getProduct", "listCategories", "getPointHistory"]);
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{ids:?}");
    let mut marked = 0;
    visit(&description()["paths"], &mut |members| {
        marked += usize::from(members.get("x-pointbook-extension") == Some(&true.into()));
    });
    assert_eq!(marked, ids.len() - 4);
}

#[test]
fn every_reference_leads_somewhere_and_every_component_is_referred_to() {
    let description = description();
    let mut referred = BTreeSet::new();
    visit(&description, &mut |members| {
        referred.extend(members.get("$ref").map(|reference| reference.as_str().unwrap().to_owned()));
    });
    let kinds = ["schemas", "parameters", "headers", "responses"];
    let components = kinds.iter().flat_map(|kind| {
        let names = description["components"][kind].as_object().unwrap().keys();
        names.map(move |name| format!("#/components/{kind}/{name}"))
    });
    assert_eq!(referred, components.collect());
}

#[test]
fn a_name_stands_for_one_schema() {
    let operations = operations(&LISTED);
    let mut known = HashMap::new();
    for (name, schema) in operations.iter().flat_map(|(_, operation)| &operation.schemas) {
        let schema = schema();
        assert_eq!(known.entry(name).or_insert_with(|| schema.clone()), &schema, "{name}");
    }
    assert!(known.len() > 50, "{}", known.len());
}

/// Generators treat a member with a default as always present, and would require it in requests too.
#[test]
fn no_member_of_a_request_body_has_a_default() {
    let description = description();
    let resolved = |schema: &Value| match schema["$ref"].as_str() {
        Some(reference) => description.pointer(reference.trim_start_matches('#')).unwrap().clone(),
        None => schema.clone(),
    };
    let mut bodies = 0;
    visit(&description["paths"], &mut |members| {
        let contents = members.get("requestBody").and_then(|body| body["content"].as_object());
        for content in contents.into_iter().flat_map(serde_json::Map::values) {
            let schema = resolved(&content["schema"]);
            let line = resolved(&schema["contentSchema"]);
            visit(&serde_json::json!([schema, line]), &mut |schema| {
                assert!(!schema.contains_key("default"), "{schema:?}");
            });
            bodies += 1;
        }
    });
    assert!(bodies > 10, "{bodies}");
}

#[test]
fn an_operation_says_what_it_does_and_has_a_success() {
    for (route, operation) in operations(&LISTED) {
        assert!(operation.description.ends_with('.'), "{}", operation.id);
        assert!(!operation.summary.ends_with('.'), "{}", operation.id);
        assert!(!operation.successes.is_empty(), "{}", operation.id);
        assert_eq!(operation.tag == <&str>::from(Tag::Management), route.caller.is_key());
    }
}

#[test]
fn it_ends_with_a_line_and_knows_only_addresses_of_examples() {
    let document = document(&LISTED);
    let text = std::str::from_utf8(&document).unwrap();
    assert!(text.ends_with("}\n"));
    let addresses: HashSet<_> =
        text.split("\"http").skip(1).map(|rest| &rest[..rest.find('"').unwrap()]).collect();
    let is_ours = |address: &&str| {
        let ours = [
            "://localhost:8080/acme/api",
            "://localhost:8080/shop/acme/",
            "s://images.acme.example/",
            "s://shop.example.com/hooks",
        ];
        ours.iter().any(|start| address.starts_with(start))
    };
    let others: Vec<&str> = addresses.into_iter().filter(|address| !is_ours(address)).collect();
    assert_eq!(others, [""], "the type of a security scheme");
}

#[test]
fn each_parameter_of_a_path_is_described() {
    let names =
        |path: &'static str| path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let unknown: Vec<_> =
        LISTED.routes().flat_map(|route| names(route.path)).filter(|name| of_path(name).is_none()).collect();
    assert_eq!(unknown, [""; 0]);
}

//! Rules for the whole document. The black-box suite tests that responses agree with it.

use std::collections::{BTreeSet, HashSet};

use pointbook_describe::BodyDoc;
use pointbook_endpoint_kit::Caller;
use pointbook_endpoint_kit::guard::keeps_query;
use pointbook_testkit::JsonSchemas;
use serde_json::Value;

use super::*;

fn description() -> Value {
    serde_json::from_slice(&document()).unwrap()
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
        routes().map(|route| (route.method.to_string(), route.path.to_owned())).collect();
    assert_eq!(described, routed);
}

#[test]
fn every_operation_with_parameters_in_the_query_gets_them() {
    let description = description();
    for route in routes() {
        let method = route.method.as_str().to_lowercase();
        let parameters = description["paths"][route.path][&method]["parameters"].to_string();
        let takes_query = parameters.contains(r#""in":"query""#);
        assert!(keeps_query(route) || !takes_query, "{}", route.name);
    }
    let imports = description["paths"]["/v1/manage/categories/import"]["post"]["parameters"].to_string();
    assert!(imports.contains(r#""in":"query""#), "{imports}");
}

#[test]
fn the_documented_operations_come_first_and_all_others_are_marked() {
    let operations = operations();
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
fn a_schema_has_one_name_and_a_name_one_schema() {
    let operations = operations();
    let own = operations.iter().flat_map(|(_, operation)| &operation.schemas);
    let names: Vec<_> = own.chain(&pointbook_wire::ANSWERS).map(|(name, _)| *name).collect();
    assert_eq!(names.iter().collect::<HashSet<_>>().len(), names.len(), "{names:?}");
}

/// Generators treat a member with a default as always present, and would require it in requests too.
#[test]
fn no_member_of_a_request_body_has_a_default() {
    let schemas = JsonSchemas::new(description());
    let mut bodies = 0;
    visit(&schemas.document()["paths"], &mut |members| {
        let contents = members.get("requestBody").and_then(|body| body["content"].as_object());
        for content in contents.iter().flat_map(|contents| contents.values()) {
            let schema = schemas.resolved(&content["schema"]);
            let line = schemas.resolved(&schema["contentSchema"]);
            visit(&serde_json::json!([schema, line]), &mut |schema| {
                assert!(!schema.contains_key("default"), "{schema:?}");
            });
            bodies += 1;
        }
    });
    assert!(bodies > 10, "{bodies}");
}

/// The examples of a content, one or several.
fn examples(content: &Value) -> Vec<&Value> {
    let named = content["examples"].as_object().into_iter().flat_map(|named| named.values());
    content.get("example").into_iter().chain(named.map(|example| &example["value"])).collect()
}

#[test]
fn every_example_is_as_its_schema_says() {
    let schemas = JsonSchemas::new(description());
    let mut count = 0;
    visit(schemas.document(), &mut |members| {
        let content = members.get("application/json").into_iter();
        for content in content.filter(|content| content.get("schema").is_some()) {
            let examples = examples(content);
            assert!(!examples.is_empty(), "{content}");
            for example in examples {
                let problems = schemas.problems(&content["schema"], example);
                assert!(problems.is_empty(), "{example}: {problems:?}");
                count += 1;
            }
        }
    });
    assert!(count > routes().count(), "{count}");
}

#[test]
fn every_line_of_an_example_is_as_its_schema_says() {
    let schemas = JsonSchemas::new(description());
    for (_, operation) in operations() {
        let BodyDoc::Lines(name, lines) = operation.body else { continue };
        let schema = serde_json::json!({ "$ref": format!("#/components/schemas/{name}") });
        for line in lines.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            assert_eq!(schemas.problems(&schema, &line), Vec::<String>::new(), "{line}");
        }
    }
}

#[test]
fn an_operation_says_what_it_does_and_has_a_success() {
    for (route, operation) in operations() {
        assert!(operation.description.ends_with('.'), "{}", operation.id);
        assert!(!operation.summary.ends_with('.'), "{}", operation.id);
        assert!(!operation.successes.is_empty(), "{}", operation.id);
        assert_eq!(operation.tag == <&str>::from(Tag::Management), matches!(route.caller, Caller::Key(_)));
    }
}

#[test]
fn it_ends_with_a_line_and_knows_only_addresses_of_examples() {
    let document = document();
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
    let unknown: Vec<_> = crate::routes::routes()
        .flat_map(|route| names(route.path))
        .filter(|name| super::parameter::of_path(name).is_none())
        .collect();
    assert_eq!(unknown, [""; 0]);
}

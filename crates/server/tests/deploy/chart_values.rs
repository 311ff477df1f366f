//! The values of the chart: in `values.yaml`, in its schema, and in its templates.

use std::collections::BTreeSet;

use serde_json::Value;

use super::chart::templates;
use super::deployed;

/// Values that Helm adds to every chart.
const OF_HELM: [&str; 1] = ["global"];

#[test]
fn every_value_that_is_used_has_a_default() {
    let (values, mut count) = (values(), 0);
    for (name, text) in templates() {
        for used in used_values(&text) {
            assert!(values.contains(&used), "{name}: .Values.{used}");
            count += 1;
        }
    }
    assert!(count >= 40, "{count} are too few");
}

#[test]
fn every_value_is_used() {
    let templates = templates();
    let used: BTreeSet<String> = templates.iter().flat_map(|(_, text)| used_values(text)).collect();
    for value in values() {
        let is_used = |used: &String| {
            let (long, short) = if used.len() > value.len() { (used, &value) } else { (&value, used) };
            long.strip_prefix(short.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        assert!(used.iter().any(is_used), "{value}");
    }
}

#[test]
fn the_schema_names_every_value_and_no_other() {
    let schema: Value = serde_json::from_str(&deployed("helm/pointbook/values.schema.json")).unwrap();
    let mut named = BTreeSet::new();
    properties(&schema, "", &mut named);
    // The schema does not describe values in a format of Kubernetes.
    let values = values().into_iter().filter(|value| !value.starts_with("resources."));
    assert_eq!(named, values.collect());
}

fn properties(schema: &Value, path: &str, named: &mut BTreeSet<String>) {
    let Some(own) = schema.get("properties").and_then(Value::as_object) else { return };
    assert_eq!(schema["additionalProperties"], Value::Bool(false), "{path}");
    for (name, schema) in own.iter().filter(|(name, _)| !OF_HELM.contains(&name.as_str())) {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        properties(schema, &path, named);
        named.insert(path);
    }
}

/// The paths of all values, such as `image.tag`.
fn values() -> BTreeSet<String> {
    let (mut paths, mut open) = (BTreeSet::new(), Vec::<String>::new());
    let text = deployed("helm/pointbook/values.yaml");
    for line in text.lines().filter(|line| !line.trim_start().starts_with('#') && !line.is_empty()) {
        let (key, _) = line.split_once(':').unwrap();
        open.truncate((key.len() - key.trim_start().len()) / 2);
        open.push(key.trim_start().to_owned());
        paths.insert(open.join("."));
    }
    assert!(paths.len() >= 30, "{paths:?}");
    paths
}

/// The path after each `.Values.` of a template.
fn used_values(template: &str) -> impl Iterator<Item = String> {
    let rests = template.split(".Values.").skip(1);
    rests.map(|rest| {
        let end = rest.find(|found: char| !(found.is_ascii_alphanumeric() || found == '.'));
        rest[..end.unwrap_or(rest.len())].to_owned()
    })
}

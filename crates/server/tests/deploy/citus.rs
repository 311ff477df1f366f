//! The script that splits a database by tenant names every table.

use std::collections::BTreeSet;

use pointbook_app::tables::TABLES;

use super::{ROOT, deployed};

#[test]
fn every_table_with_a_tenant_is_split_beside_the_users() {
    let script = deployed("citus.sql");
    let statements: Vec<&str> = script.lines().filter(|line| line.starts_with("SELECT ")).collect();
    let split = TABLES.iter().map(|table| match table.name {
        "tenants" => "SELECT create_reference_table('tenants');".to_owned(),
        "users" => "SELECT create_distributed_table('users', 'tenant_id');".to_owned(),
        name => format!("SELECT create_distributed_table('{name}', 'tenant_id', colocate_with => 'users');"),
    });
    assert_eq!(statements, split.collect::<Vec<_>>());
    assert!(script.contains("schema_migrations"));
    let declared: BTreeSet<&str> = TABLES.iter().map(|table| table.name).collect();
    assert_eq!(tables().iter().map(String::as_str).collect::<BTreeSet<_>>(), declared);
}

#[test]
fn a_table_is_split_after_those_that_it_points_to() {
    let script = deployed("citus.sql");
    let place = |table: &str| script.find(&format!("table('{table}'")).unwrap();
    for (table, target) in foreign_keys() {
        assert!(table == target || place(&target) < place(&table), "{table} before {target}");
    }
}

/// All migrations, one after the other.
fn migrations() -> String {
    let folder = format!("{ROOT}/crates/store-postgres/migrations");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().map(|file| std::fs::read_to_string(file).unwrap()).collect()
}

/// Every table that a migration creates, in their order.
fn tables() -> Vec<String> {
    let migrations = migrations();
    let created = migrations.lines().filter_map(|line| line.strip_prefix("CREATE TABLE "));
    created.map(|rest| rest.trim_end_matches(" (").to_owned()).collect()
}

/// A table, and one that it points to.
fn foreign_keys() -> Vec<(String, String)> {
    let (mut table, mut keys) = (String::new(), Vec::new());
    for line in migrations().lines() {
        if let Some(rest) = line.strip_prefix("CREATE TABLE ") {
            rest.trim_end_matches(" (").clone_into(&mut table);
        } else if let Some((_, target)) = line.split_once(" REFERENCES ") {
            keys.push((table.clone(), target.split(' ').next().unwrap().to_owned()));
        }
    }
    assert!(keys.len() >= 12, "{keys:?}");
    keys
}

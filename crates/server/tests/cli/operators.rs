//! `pointbook operator`.

use pointbook_domain::Scope;
use serde_json::{Value, json};

use crate::program::Folder;

fn list(folder: &Folder) -> Value {
    let listed = folder.run("operator list --tenant acme --json").expect_code(0);
    serde_json::from_str(&listed.stdout).unwrap()
}

/// Email address and role of each operator.
fn roles(folder: &Folder) -> Vec<(String, String)> {
    let text = |operator: &Value, name: &str| operator[name].as_str().unwrap().to_owned();
    let all = list(folder);
    all.as_array().unwrap().iter().map(|one| (text(one, "email"), text(one, "role"))).collect()
}

fn add(folder: &Folder, email: &str, role: &str) {
    let line = format!("operator add --tenant acme {email} --name Someone --role {role}");
    folder.run(&line).expect_code(0);
}

#[test]
fn an_operator_is_added_listed_changed_and_removed() {
    let folder = Folder::with_tenant();
    let line = "operator add --tenant acme Ada@Example.com --name Ada --role owner";
    let added = folder.run(line).expect_code(0);
    let operators = list(&folder);
    let id = operators[0]["id"].as_str().unwrap();
    assert_eq!(added.stdout, format!("operator ada@example.com added as owner, with the id {id}\n"));
    assert_eq!(operators[0]["email"], "ada@example.com");
    assert_eq!(operators[0]["created_by"], "command-line");
    assert_eq!(operators[0]["scopes"].as_array().unwrap().len(), Scope::ALL.len());
    add(&folder, "ben@example.com", "fulfilment");
    assert_eq!(list(&folder)[1]["scopes"], json!(["orders:read", "orders:write"]));
    let changed = folder.run("operator role --tenant acme BEN@example.com auditor").expect_code(0);
    assert_eq!(changed.stdout, "operator ben@example.com is auditor\n");
    let table = folder.run("operator list --tenant acme").expect_code(0).stdout;
    assert!(table.contains("ben@example.com  auditor  ") && table.ends_with("  Someone\n"), "{table}");
    let removed = folder.run("operator remove --tenant acme ben@example.com").expect_code(0);
    assert_eq!(removed.stdout, "operator ben@example.com removed\n");
    assert_eq!(roles(&folder), [("ada@example.com".to_owned(), "owner".to_owned())]);
}

#[test]
fn an_unknown_operator_is_not_found() {
    let folder = Folder::with_tenant();
    add(&folder, "ada@example.com", "owner");
    for line in
        ["operator role --tenant acme eve@example.com owner", "operator remove --tenant acme eve@example.com"]
    {
        let refused = folder.run(line).expect_code(1);
        assert_eq!(refused.stderr, "eve@example.com: the tenant has no such operator\n");
    }
}

#[test]
fn a_tenant_with_operators_has_an_owner() {
    let folder = Folder::with_tenant();
    let add_ben = "operator add --tenant acme ben@example.com --name Ben --role support";
    folder.run(add_ben).expect_refusal(&["ben@example.com: the first operator of a tenant must be an owner"]);
    add(&folder, "ada@example.com", "owner");
    folder.run(add_ben).expect_code(0);
    let before = roles(&folder);
    for line in [
        "operator role --tenant acme ada@example.com manager",
        "operator remove --tenant acme ada@example.com",
    ] {
        folder.run(line).expect_refusal(&["this is the last owner: make another operator an owner first"]);
        assert_eq!(roles(&folder), before);
    }
    folder.run(add_ben).expect_refusal(&["the tenant has another operator with this email address"]);
    folder.run("operator remove --tenant acme ben@example.com").expect_code(0);
    folder.run("operator remove --tenant acme ada@example.com").expect_code(0);
    assert_eq!(roles(&folder), []);
}

#[test]
fn invalid_arguments_name_the_rule() {
    let folder = Folder::with_tenant();
    for (line, rule) in [
        ("operator add --tenant acme ada --name Ada --role owner", "an email address has one @"),
        (
            "operator add --tenant acme a@b.example --name Ada --role admin",
            "a role is one of owner, manager, ",
        ),
    ] {
        let refused = folder.run(line).expect_code(2);
        assert!(refused.stderr.contains(rule), "{refused:?}");
    }
    assert_eq!(roles(&folder), []);
}

#[test]
fn the_audit_log_has_every_change_of_an_operator() {
    let folder = Folder::with_tenant();
    add(&folder, "ada@example.com", "owner");
    add(&folder, "ben@example.com", "support");
    folder.run("operator role --tenant acme ben@example.com manager").expect_code(0);
    folder.run("operator role --tenant acme ben@example.com manager").expect_code(0);
    let id = list(&folder)[1]["id"].as_str().unwrap().to_owned();
    folder.run("operator remove --tenant acme ben@example.com").expect_code(0);
    let exported = folder.run("audit-log export --tenant acme").expect_code(0).stdout;
    let entries = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let of_ben: Vec<_> = entries
        .filter(|entry| entry["object"] == format!("operator:{id}"))
        .map(|entry| json!([entry["actor"], entry["operation"], entry["before"], entry["after"]]))
        .collect();
    let ben = |role: &str| json!({ "email": "ben@example.com", "name": "Someone", "role": role });
    let actor = "command-line";
    assert_eq!(
        of_ben,
        [
            json!([actor, "operator.add", null, ben("support")]),
            json!([actor, "operator.change", { "role": "support" }, { "role": "manager" }]),
            json!([actor, "operator.remove", ben("manager"), null]),
        ]
    );
}

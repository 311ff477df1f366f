//! `pointbook audit-log`.

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::program::Folder;

fn export(folder: &Folder, options: &str) -> Vec<Value> {
    let line = format!("audit-log export --tenant acme {options}");
    let exported = folder.run(line.trim()).expect_code(0);
    assert_eq!(exported.stderr, "");
    exported.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn operations(entries: &[Value]) -> Vec<&str> {
    entries.iter().map(|entry| entry["operation"].as_str().unwrap()).collect()
}

#[test]
fn the_export_has_every_change_of_the_command_line() {
    let folder = Folder::with_tenant();
    folder.write("products.csv", "sku,title,regular_price\nmug,Mug,100\n");
    folder.write("users.csv", "user_id,birth_date\nu-1,1990-05-04\n");
    folder.run("import products products.csv --tenant acme").expect_code(0);
    folder.run("import users users.csv --tenant acme").expect_code(0);
    folder.run("import users users.csv --tenant acme").expect_code(0);
    folder.run("token issue --tenant acme --user u-1").expect_code(0);
    folder.run("tenant set acme hide_sold_out=true").expect_code(0);
    let entries = export(&folder, "");
    let expected = ["tenant.add", "product.create", "user.create", "token.issue", "tenant.change"];
    assert_eq!(operations(&entries), expected);
    assert!(entries.iter().all(|entry| entry["actor"] == "command-line"), "{entries:?}");
    assert_eq!(entries[2]["after"], json!({"birth_date": "set"}));
    assert_eq!(entries[4]["after"], json!({"hide_sold_out": "true"}));
    assert_eq!(operations(&export(&folder, "--after 3")), expected[3..]);
    assert_eq!(operations(&export(&folder, "--object user:u-1")), ["user.create"]);
    assert!(export(&folder, "--actor job:x").is_empty());
}

#[test]
fn a_changed_entry_is_a_difference_of_the_audit() {
    let folder = Folder::with_tenant();
    let database = Connection::open(folder.path("pointbook.db")).unwrap();
    database.execute("UPDATE audit_entries SET actor = 'stranger'", []).unwrap();
    let audit = folder.run("audit").expect_code(1);
    let difference = "acme/production: audit log: entry 1 is not what was written\n";
    assert!(audit.stdout.starts_with(difference), "{audit:?}");
    let json: Value = serde_json::from_str(&folder.run("audit --json").expect_code(1).stdout).unwrap();
    assert_eq!(json["tenants"][0]["differences"][0], "audit log: entry 1 is not what was written");
    assert_eq!(json["tenants"][0]["audit_log_entries"], 1);
}

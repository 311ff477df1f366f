//! `pointbook key`.

use serde_json::{Value, json};

use crate::program::Folder;

fn list(folder: &Folder) -> Value {
    serde_json::from_str(&folder.run("key list --tenant acme --json").expect_code(0).stdout).unwrap()
}

#[test]
fn a_key_is_added_listed_and_revoked() {
    let folder = Folder::with_tenant();
    let line =
        "key add --tenant acme --label Till --scopes orders:write,orders:read --networks 192.0.2.0/24,::1";
    let added = folder.run(line).expect_code(0);
    assert!(added.stdout.starts_with("pb_") && added.stdout.lines().count() == 1, "{added:?}");
    let keys = list(&folder);
    let id = keys[0]["id"].as_str().unwrap();
    assert!(added.stderr.contains(&format!("token {id} expires at ")), "{added:?}");
    assert_eq!(keys[0]["scopes"], json!(["orders:read", "orders:write"]));
    assert_eq!(keys[0]["networks"], json!(["192.0.2.0/24", "::1/128"]));
    assert_eq!((&keys[0]["created_by"], &keys[0]["last_used_at"]), (&json!("command-line"), &Value::Null));
    let table = folder.run("key list --tenant acme").expect_code(0).stdout;
    assert!(table.contains("orders:read orders:write  192.0.2.0/24 ::1/128  Till"), "{table}");
    let revoked = folder.run(&format!("key revoke --tenant acme {id}")).expect_code(0);
    assert_eq!(revoked.stdout, format!("key {id} revoked\n"));
    let again = folder.run(&format!("key revoke --tenant acme {id}")).expect_code(1);
    assert_eq!(again.stderr, format!("acme/production has no active key {id}\n"));
    assert_eq!(list(&folder)[0]["state"], "revoked");
}

#[test]
fn a_key_may_have_all_scopes_and_never_expire() {
    let folder = Folder::with_tenant();
    folder.run("key add --tenant acme --label All --scopes all --expires-in never").expect_code(0);
    let table = folder.run("key list --tenant acme").expect_code(0).stdout;
    assert!(table.contains("  never    never      all     any       All"), "{table}");
    folder.run("key add --tenant acme --label A\u{202e}l\u{200b}l --scopes all").expect_code(0);
    let table = folder.run("key list --tenant acme").expect_code(0).stdout;
    assert!(table.contains("  A l l"), "a label gives a terminal no orders: {table}");
    let refused = folder.run("key add --tenant acme --label A --scopes orders").expect_code(2);
    assert!(
        refused.stderr.contains("there is no scope \"orders\"; the scopes are products:read, "),
        "{refused:?}"
    );
    let refused =
        folder.run("key add --tenant acme --label A --scopes all --networks 10.0.0.0/33").expect_code(2);
    assert!(refused.stderr.contains("a network is an address and a prefix length"), "{refused:?}");
}

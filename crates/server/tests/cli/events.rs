//! `pointbook events`.

use serde_json::Value;

use crate::program::Folder;

fn tail(folder: &Folder, options: &str) -> Vec<Value> {
    let line = format!("events tail --once --tenant acme {options}");
    let printed = folder.run(line.trim()).expect_code(0);
    printed.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_tail_prints_what_changed() {
    let folder = Folder::with_tenant();
    folder.write("users.csv", "user_id\nu-1\nu-2\n");
    folder.run("import users users.csv --tenant acme").expect_code(0);
    folder.write("products.csv", "sku,title,regular_price\nmug,Mug,100\n");
    folder.run("import products products.csv --tenant acme").expect_code(0);
    let events = tail(&folder, "");
    let types: Vec<_> = events.iter().map(|event| event["type"].as_str().unwrap()).collect();
    assert_eq!(types, ["user.created", "user.created", "product.changed"]);
    assert_eq!(tail(&folder, "--after 1-2"), events[2..]);
    assert_eq!(tail(&folder, "--user u-2"), events[1..2]);
    assert_eq!(tail(&folder, "--types product.changed,order.placed"), events[2..]);
    assert!(tail(&folder, "--after 1-3").is_empty());
}

#[test]
fn a_bad_cursor_or_type_is_named() {
    let folder = Folder::with_tenant();
    let refused = folder.run("events tail --once --tenant acme --after 7").expect_code(2);
    assert!(refused.stderr.contains("a cursor is two numbers, such as 1-41"), "{refused:?}");
    let refused = folder.run("events tail --once --tenant acme --types order").expect_code(2);
    assert!(
        refused.stderr.contains("there is no type \"order\"; the types are transaction.recorded, "),
        "{refused:?}"
    );
    let gone = folder.run("events tail --once --tenant acme --after 2-0").expect_code(2);
    assert!(gone.stderr.contains("begin with --after 1-0"), "{gone:?}");
}

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

/// The cursor that a command told readers to begin after.
fn begin(printed: &str) -> &str {
    printed.trim().rsplit(' ').next().unwrap()
}

#[test]
fn after_a_restart_old_cursors_are_refused_and_positions_go_on() {
    let folder = Folder::with_tenant();
    folder.write("users.csv", "user_id\nu-1\nu-2\n");
    folder.run("import users users.csv --tenant acme").expect_code(0);
    assert_eq!(tail(&folder, "").len(), 2);
    let restarted = folder.run("events restart --tenant acme").expect_code(0);
    assert!(restarted.stdout.starts_with("acme/production: readers begin after "), "{restarted:?}");
    let begin = begin(&restarted.stdout);
    let gone = folder.run("events tail --once --tenant acme --after 1-2").expect_code(2);
    assert!(gone.stderr.contains(&format!("begin with --after {begin}")), "{gone:?}");
    folder.write("more.csv", "user_id\nu-3\n");
    folder.run("import users more.csv --tenant acme").expect_code(0);
    let positions: Vec<_> =
        tail(&folder, &format!("--after {begin}")).iter().map(|event| event["position"].clone()).collect();
    assert_eq!(positions, [1, 2, 3]);
    let log = folder.run("audit-log export --tenant acme").expect_code(0).stdout;
    assert!(log.contains("feed.restart"), "{log}");
    let all = folder.run("events restart --all").expect_code(0);
    assert_ne!(all.stdout, restarted.stdout, "each restart has its own generation");
    folder.run("events restart").expect_code(2);
}

/// The database went on after the backup, so a reader knows positions that the restored database gives again.
#[test]
fn a_restored_backup_refuses_the_cursors_of_before() {
    let folder = Folder::with_tenant();
    folder.write("users.csv", "user_id\nu-1\nu-2\n");
    folder.run("import users users.csv --tenant acme").expect_code(0);
    folder.run("backup copy.db").expect_code(0);
    assert_eq!(tail(&folder, "").len(), 2);
    folder.run("restore copy.db --database sqlite:restored.db").expect_code(0);
    let gone = folder.run("--database sqlite:restored.db events tail --once --tenant acme --after 1-1");
    assert!(gone.expect_code(2).stderr.contains("the events after this cursor are gone"));
    assert_eq!(tail(&folder, "--after 1-1").len(), 1, "the first database goes on as before");
}

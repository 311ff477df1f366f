use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use crate::program::Folder;

/// A folder with a file that contains the database URL.
fn folder() -> Folder {
    let folder = Folder::with_tenant();
    fs::rename(folder.path("pointbook.db"), folder.path("points.db")).unwrap();
    folder.write("url", "sqlite:points.db\n");
    fs::set_permissions(folder.path("url"), Permissions::from_mode(0o600)).unwrap();
    folder
}

#[test]
fn the_database_is_named_by_a_file() {
    let folder = folder();
    folder.write("a.toml", "[database]\nurl_file = \"url\"\n");
    for (name, value) in [
        ("POINTBOOK_DATABASE_FILE", "url"),
        ("POINTBOOK_DATABASE_URL_FILE", "url"),
        ("POINTBOOK_DATABASE_URL", "sqlite:points.db"),
        ("POINTBOOK_CONFIG", "a.toml"),
    ] {
        let listed = folder.run_with_variable("tenant list", name, value).expect_code(0);
        assert!(listed.stdout.contains("acme/production"), "{name}: {listed:?}");
        assert_eq!(listed.stderr, "", "{name}");
    }
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    drop(server);
    assert!(!folder.path("pointbook.db").exists());
}

#[test]
fn a_file_that_everybody_can_read_is_warned_of() {
    let folder = folder();
    fs::set_permissions(folder.path("url"), Permissions::from_mode(0o644)).unwrap();
    let listed = folder.run_with_variable("tenant list", "POINTBOOK_DATABASE_FILE", "url").expect_code(0);
    let warning = format!(
        "warning: every user of this machine can read {0}, which contains a secret: run chmod 600 {0}\n",
        folder.path("url").display()
    );
    assert_eq!(listed.stderr, warning);
}

#[test]
fn a_configuration_that_holds_a_password_is_warned_of_when_everybody_can_read_it() {
    let folder = Folder::new();
    let started = |url: &str, mode: u32| {
        folder.write("a.toml", &format!("[database]\nurl = \"{url}\"\n"));
        fs::set_permissions(folder.path("a.toml"), Permissions::from_mode(mode)).unwrap();
        folder.run("serve --listen 127.0.0.1:0 --config a.toml").expect_code(3).stderr
    };
    let warning = format!("every user of this machine can read {}", folder.path("a.toml").display());
    let with_password = "postgres://me:hush@127.0.0.1:1/points?sslmode=disable";
    let warned = started(with_password, 0o644);
    assert_eq!(warned.matches(&warning).count(), 1, "{warned}");
    assert!(!warned.contains("hush"), "{warned}");
    assert!(!started(with_password, 0o600).contains("every user"));
    assert!(!started("postgres://me@127.0.0.1:1/points?sslmode=disable", 0o644).contains("every user"));
    let option = started("postgres://127.0.0.1:1/points?sslmode=disable&password=hush", 0o644);
    assert!(option.contains(&warning), "{option}");
    // Commands that get the file from the environment print the warning, too.
    let listed = folder.run_with_variable("tenant list", "POINTBOOK_CONFIG", "a.toml").expect_code(3);
    assert!(listed.stderr.starts_with(&format!("warning: {warning}")), "{listed:?}");
}

#[test]
fn a_database_that_is_named_twice_or_by_no_file_is_refused() {
    let folder = folder();
    folder
        .run_with_variable("audit", "POINTBOOK_DATABASE_FILE", "none")
        .expect_refusal(&["cannot read none: No such"]);
    folder.write("hush", "postgres:hush");
    let refused = folder.run_with_variable("audit", "POINTBOOK_DATABASE_FILE", "hush").expect_code(2);
    assert!(
        refused.stderr.contains("the URL in hush is invalid") && !refused.stderr.contains("postgres:hush"),
        "{refused:?}"
    );
    folder.write("both.toml", "[database]\nurl = \"sqlite:points.db\"\nurl_file = \"url\"\n");
    folder
        .run_with_variable("audit", "POINTBOOK_CONFIG", "both.toml")
        .expect_refusal(&["both.toml: database.url and database.url_file are both set"]);
}

#[test]
fn a_server_on_another_machine_without_sslmode_is_warned_of() {
    let folder = Folder::new();
    let away = |host: &str| {
        let line = format!("tenant list --database postgres://me@{host}:1/points?connect_timeout=1");
        folder.run(&line).expect_code(3).stderr
    };
    assert!(away("192.0.2.1,127.0.0.1").starts_with("warning: passwords and data may go to postgres://me@"));
    assert!(!away("127.0.0.1").contains("warning"));
}

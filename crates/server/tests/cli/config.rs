use crate::program::Folder;

#[test]
fn default_file_equals_the_defaults() {
    let folder = Folder::new();
    let default = folder.run("config show --default").expect_code(0).stdout;
    assert!(default.contains("# ") && default.contains("address = \"127.0.0.1:8080\""), "{default}");
    folder.write("pointbook.toml", &default);
    let set = folder.run("config show").expect_code(0).stdout;
    assert_eq!(folder.run("config show --config pointbook.toml").expect_code(0).stdout, set);
    let database = folder.path("pointbook.db");
    let begin =
        format!("# database: sqlite:{}\n[listen]\naddress = \"127.0.0.1:8080\"\n", database.display());
    assert!(set.starts_with(&begin), "{set}");
    assert!(set.contains("\n[database]\nurl = \"sqlite:pointbook.db\"\nurl_file = \"\"\n"), "{set}");
    let other = folder.run("config show --database postgres://me:hush@db/a").expect_code(0).stdout;
    assert!(other.contains("\nurl = \"postgres://me@db/a\"\n") && !other.contains("hush"), "{other}");
}

#[test]
fn the_environment_wins_over_the_file() {
    let folder = Folder::new();
    folder.write("a.toml", "[log]\nlevel = \"warn\"\naccess = false\n");
    let line = "config show --config a.toml";
    let shown = folder.run_with_variable(line, "POINTBOOK_LOG_LEVEL", "debug").expect_code(0).stdout;
    assert!(shown.contains("level = \"debug\"\n") && shown.contains("access = false\n"), "{shown}");
}

#[test]
fn every_problem_is_named_with_its_place() {
    let folder = Folder::new();
    folder.write(
        "a.toml",
        "[listen]\naddress = \"here\"\n[limits]\nmax_uri_byte = 1\nrequest_timeout_ms = 0\n",
    );
    folder.run_with_variable("serve --config a.toml", "POINTBOOK_LOG_FORMAT", "xml").expect_refusal(&[
        "a.toml: unknown key limits.max_uri_byte",
        "a.toml: limits.request_timeout_ms must be an integer from 1",
        "a.toml: listen.address must be an IP address",
        "variable POINTBOOK_LOG_FORMAT must be auto, text or json",
    ]);
    folder
        .run("config show --config none.toml")
        .expect_refusal(&["cannot read the configuration file none.toml"]);
}

#[test]
fn a_password_is_never_repeated() {
    let folder = Folder::new();
    let variable = ("POINTBOOK_DATABASE", "postgres://me:hush@db/points");
    let shown = folder.run_with_variable("config show", variable.0, variable.1).expect_code(0);
    assert!(shown.stdout.starts_with("# database: postgres://me@db/points\n"), "{shown:?}");
    for url in ["postgres://me:hush@db/points?pass=hush", "mysql://me:hush@db"] {
        let shown = folder.run_with_variable("config show", "POINTBOOK_DATABASE", url).expect_code(0);
        assert!(shown.stdout.starts_with("# database: none: --database (or POINTBOOK_DATABASE) "));
        let refused = folder.run_with_variable("tenant list", "POINTBOOK_DATABASE", url).expect_code(2);
        for text in [shown.stdout, shown.stderr, refused.stderr] {
            assert!(!text.contains("hush"), "{text}");
        }
    }
}

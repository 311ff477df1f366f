use clap::CommandFactory;
use pointbook_server::cli::Cli;

use crate::program::{Folder, Unread};

#[test]
fn help_tells_commands_and_exit_codes() {
    let help = Folder::new().run("--help").expect_code(0).stdout;
    for word in [
        "demo",
        "serve",
        "tenant",
        "token",
        "import",
        "export",
        "audit",
        "check",
        "pull",
        "migrate",
        "config",
        "healthcheck",
    ] {
        assert!(help.contains(&format!("\n  {word} ")), "{word}: {help}");
    }
    assert!(help.contains("Exit codes: 0 "), "{help}");
}

#[test]
fn unknown_commands_are_refused() {
    let folder = Folder::new();
    for line in ["surgeon", "serve --no-such-option"] {
        folder.run(line).expect_code(2);
    }
}

#[test]
fn only_commands_that_use_a_database_offer_its_option() {
    let folder = Folder::new();
    for (line, offers) in [
        ("openapi", false),
        ("completions", false),
        ("man", false),
        ("healthcheck", false),
        ("check", false),
        ("copy", false),
        ("audit", true),
        ("demo", true),
        ("config show", true),
    ] {
        let help = folder.run(&format!("{line} --help")).expect_code(0).stdout;
        assert_eq!(help.contains("--database"), offers, "{line}: {help}");
    }
}

#[test]
fn help_fits_a_terminal_of_100_columns() {
    let help = Folder::new().run("--help").expect_code(0).stdout;
    let (_, notes) = help.split_once("Results go to").unwrap();
    assert!(notes.lines().all(|line| line.len() <= 100), "{notes}");
}

#[test]
fn openapi_json_is_up_to_date() {
    let printed = Folder::new().run("openapi").expect_code(0).stdout;
    // A full diff would fill the terminal.
    assert!(printed == include_str!("../../../../openapi.json"), "run `cargo xtask openapi`");
}

#[test]
fn completions_are_a_script() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.run(&format!("completions {shell}")).expect_code(0).stdout;
        assert!(script.contains("pointbook") && script.contains("healthcheck"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Folder::new();
    let printed = folder.run("man").expect_code(0).stdout;
    std::fs::create_dir(folder.path("man")).unwrap();
    assert_eq!(folder.run("man --dir man").expect_code(0).stdout, "");
    let page = |name: &str| std::fs::read_to_string(folder.path("man").join(name)).unwrap();
    assert_eq!(page("pointbook.1"), printed);
    let mut cli = Cli::command();
    cli.build();
    let commands: Vec<_> = cli.get_subcommands().filter(|command| command.get_name() != "help").collect();
    assert!(commands.len() >= 16, "{}", commands.len());
    for command in commands {
        let name = command.get_name();
        let escaped = name.replace('-', "\\-");
        assert!(printed.contains(&format!("pointbook\\-{escaped}(1)")), "{name}: {printed}");
        let about = command.get_about().unwrap().to_string();
        let page = page(&format!("pointbook-{name}.1")).replace('\\', "");
        assert!(page.contains(&about), "{name}: {page}");
    }
    assert!(page("pointbook-tenant-add.1").contains("base\\-url"));
}

#[test]
fn manual_pages_need_a_directory_that_exists() {
    let ended = Folder::new().run("man --dir none").expect_code(2);
    assert!(ended.stderr.contains("cannot write manual pages into none: "), "{ended:?}");
}

#[test]
fn migrate_creates_a_database_and_can_be_repeated() {
    let folder = Folder::new();
    for _ in 0..2 {
        let migrated = folder.run("--database sqlite:a.db migrate").expect_code(0);
        assert_eq!(migrated.stdout, "");
    }
    assert!(folder.path("a.db").exists());
}

#[test]
fn file_that_is_not_a_database_is_unchanged() {
    let folder = Folder::new();
    folder.write("notes.txt", &"not a database\n".repeat(100));
    let ended = folder.run("--database sqlite:notes.txt tenant list").expect_code(2);
    assert_eq!(ended.stdout, "");
    let path = folder.path("notes.txt");
    assert_eq!(ended.stderr, format!("pointbook: {} is not a SQLite database\n", path.display()));
    assert!(std::fs::read_to_string(folder.path("notes.txt")).unwrap().starts_with("not a database\n"));
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let ended = Folder::new().run("--database sqlite:none/a.db migrate").expect_code(2);
    assert!(ended.stderr.contains("none/a.db"), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
}

#[test]
fn a_database_of_another_kind_is_refused() {
    let folder = Folder::new();
    folder
        .run("--database mysql://db/points tenant list")
        .expect_refusal(&["must be sqlite:PATH or postgres://"]);
    folder.run("--database points.db tenant list").expect_refusal(&["must be sqlite:PATH"]);
}

#[test]
fn commands_without_a_database_do_not_ask_for_a_good_one() {
    let folder = Folder::new();
    let ended = |line, code| {
        folder.run_with_variable(line, "POINTBOOK_DATABASE", "mysql://db/points").expect_code(code)
    };
    ended("completions bash", 0);
    ended("config show --default", 0);
    assert!(ended("healthcheck http://127.0.0.1:1", 1).stderr.contains("does not respond"));
    for line in ["migrate", "serve", "audit", "demo", "tenant list"] {
        assert!(ended(line, 2).stderr.contains("must be sqlite:PATH or postgres://"), "{line}");
    }
}

#[test]
fn closed_pipe_is_not_an_error() {
    let folder = Folder::with_tenant();
    folder.write("users.csv", "user_id\nann\n");
    let import = "import users users.csv --tenant acme";
    assert_eq!(folder.run_unread(import, Unread::Stderr).0, 0);
    assert_eq!(folder.run_unread("audit", Unread::Stderr).0, 0);
    assert_eq!(folder.run_unread("tenant show stranger", Unread::Stderr), (2, String::new()));
    for line in [
        "export users --tenant acme",
        "tenant list",
        "tenant show acme",
        "token issue --tenant acme --user ann",
        "config show",
        "completions bash",
        "man",
        "openapi",
        "audit --tenant acme --totals",
        import,
    ] {
        let (code, stderr) = folder.run_unread(line, Unread::Stdout);
        assert_eq!(code, 0, "{line}: {stderr}");
        assert!(!stderr.contains("pointbook:") && !stderr.contains("panicked"), "{line}: {stderr}");
    }
}

/// The JSON object that a command prints.
fn object(folder: &Folder, line: &str, code: i32) -> serde_json::Value {
    let ended = folder.run(line).expect_code(code);
    serde_json::from_str(&ended.stdout).unwrap_or_else(|error| panic!("{line}: {error}: {ended:?}"))
}

#[test]
fn results_are_printed_as_json_for_programs() {
    let folder = Folder::with_tenant();
    let show = object(&folder, "tenant show acme --json", 0);
    assert_eq!(
        (&show["tenant"], &show["settings"]["page_size_max"]),
        (&"acme/production".into(), &"100".into())
    );
    let id = folder.run("tenant show acme id").expect_code(0).stdout;
    assert_eq!(show["id"], id.trim_end());
    let token = object(&folder, "token issue --tenant acme --user ann --json", 0);
    assert!(token["token"].as_str().unwrap().len() > 20 && token["expires_at"].is_null(), "{token}");
    let listed = object(&folder, "token list --tenant acme --json", 0);
    assert_eq!(listed[0]["id"], token["id"]);

    folder.write("users.csv", "user_id\nann\nben\n\"\"\n");
    let import = object(&folder, "import users users.csv --tenant acme --json", 1);
    let numbers = ["read", "created", "unchanged", "rejected"].map(|name| import[name].as_u64().unwrap());
    assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>(), "{import}");
    assert_eq!((numbers[3], &import["rejects"]), (1, &"users.csv.rejects.csv".into()), "{import}");
    let audit = object(&folder, "audit --json", 0);
    assert_eq!(audit["ok"], true);
    let tenant = &audit["tenants"][0];
    assert_eq!((&tenant["users"], &tenant["differences"]), (&2.into(), &serde_json::json!([])), "{audit}");
    let unknown = folder.run("tenant show acme foo").expect_code(2);
    assert!(
        unknown.stderr.contains(r#"acme has no field or setting "foo": it has tenant, id, base_url"#),
        "{unknown:?}"
    );
}

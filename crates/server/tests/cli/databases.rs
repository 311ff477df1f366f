//! Which commands create a database, and which error the others print without one.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use clap::{Arg, Command, CommandFactory};
use pointbook_server::cli::Cli;
use rusqlite::Connection;

use crate::program::Folder;

/// Commands that create a SQLite file.
const CREATING: [&str; 5] = ["demo", "serve", "migrate", "restore", "tenant add"];

/// Commands that use no database, or have other options for it. `doctor` reports a missing database as a finding.
const WITHOUT: [&str; 9] = [
    "check",
    "completions",
    "config show",
    "copy",
    "doctor",
    "healthcheck",
    "keyring init",
    "man",
    "openapi",
];

/// Every command with its subcommand, and the arguments that it requires.
fn command_lines() -> Vec<(String, Vec<String>)> {
    let mut cli = Cli::command();
    cli.build();
    let lines = lines_below(&cli, "");
    assert!(lines.len() >= 17, "{lines:?}");
    lines
}

fn lines_below(command: &Command, name: &str) -> Vec<(String, Vec<String>)> {
    let below = command.get_subcommands().filter(|below| below.get_name() != "help");
    let lines = below.flat_map(|below| {
        let name = format!("{name} {}", below.get_name()).trim_start().to_owned();
        if below.has_subcommands() { lines_below(below, &name) } else { vec![(name, arguments(below))] }
    });
    lines.collect()
}

/// A value for each required argument, and for the first argument of each required group.
fn arguments(command: &Command) -> Vec<String> {
    let groups: Vec<_> = command.get_groups().filter(|group| group.is_required_set()).collect();
    let is_needed = |argument: &&Arg| {
        let id = argument.get_id();
        let of_group = groups.iter().find(|group| group.get_args().any(|member| member == id));
        of_group.map_or(argument.is_required_set() || argument.is_positional(), |group| {
            group.get_args().next() == Some(id)
        })
    };
    let needed = command.get_arguments().filter(is_needed);
    needed
        .flat_map(|argument| {
            let option =
                argument.get_long().filter(|_| !argument.is_positional()).map(|long| format!("--{long}"));
            let value = argument.get_action().takes_values().then(|| value(argument));
            option.into_iter().chain(value)
        })
        .collect()
}

fn value(argument: &Arg) -> String {
    if let Some(first) = argument.get_possible_values().first() {
        return first.get_name().to_owned();
    }
    match argument.get_id().as_str() {
        "base_url" => "http://localhost:1/api",
        "environment" => "production",
        "settings" => "cors=off",
        "scopes" => "all",
        "email" => "ada@example.com",
        "role" => "owner",
        "time" | "from" => "2027-01-31T09:00:00Z",
        "until" => "2027-02-01T09:00:00Z",
        "version" => "1",
        "duration" => "30d",
        "id" => "a0a1a2a3a4a5a6a7a8a9",
        "file" | "token_file" => "given.txt",
        _ => "x",
    }
    .to_owned()
}

fn words<'a>(name: &'a str, arguments: &'a [String], database: &'a str) -> Vec<&'a str> {
    let words = name.split(' ').chain(arguments.iter().map(String::as_str));
    words.chain(["--database", database]).collect()
}

fn files(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_command_that_needs_a_database_refuses_a_missing_or_empty_one() {
    let folder = Folder::new();
    folder.write("given.txt", "ann pb_x\n");
    fs::set_permissions(folder.path("given.txt"), fs::Permissions::from_mode(0o600)).unwrap();
    folder.write("empty.db", "");
    Connection::open(folder.path("tables.db")).unwrap().execute_batch("PRAGMA user_version = 1").unwrap();
    let other = Connection::open(folder.path("other.db")).unwrap();
    other.execute_batch("CREATE TABLE t (a)").unwrap();
    drop(other);
    let before = files(folder.path("").as_path());
    let names = |name: &String| !CREATING.contains(&name.as_str()) && !WITHOUT.contains(&name.as_str());
    for (name, arguments) in command_lines().into_iter().filter(|(name, _)| names(name)) {
        for file in ["missing.db", "empty.db", "tables.db", "other.db"] {
            let ended = folder.run_words(&words(&name, &arguments, &format!("sqlite:{file}"))).expect_code(2);
            let path = folder.path(file);
            assert!(ended.stderr.contains(path.to_str().unwrap()), "{name} {file}: {ended:?}");
            assert_eq!(ended.stderr.lines().count(), 1, "{name} {file}: {ended:?}");
            assert_eq!(ended.stdout, "", "{name} {file}");
        }
    }
    assert_eq!(files(folder.path("").as_path()), before);
    assert_eq!(fs::read(folder.path("empty.db")).unwrap(), b"");
}

#[test]
fn a_command_that_creates_a_database_says_which() {
    let folder = Folder::new();
    let said = |name: &str| format!("created new database {}", folder.path(name).display());
    for line in ["migrate", "tenant add acme --environment production --base-url http://a.example/api"] {
        let (name, line) = (format!("{}.db", &line[..3]), line);
        let ended = folder.run(&format!("{line} --database sqlite:{name}")).expect_code(0);
        assert!(ended.stderr.contains(&said(&name)), "{ended:?}");
        assert_eq!(folder.path(&name).metadata().unwrap().permissions().mode() & 0o777, 0o600, "{name}");
    }
    let again = folder.run("migrate --database sqlite:mig.db").expect_code(0);
    assert!(!again.stderr.contains("created"), "{again:?}");
    let server = folder.serve("serve --listen 127.0.0.1:0 --database sqlite:served.db");
    assert!(server.started.contains(&said("served.db")), "{}", server.started);
    for end in ["", "-wal", "-shm"] {
        let file = folder.path(&format!("served.db{end}"));
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{end}");
    }
}

#[test]
fn audit_without_tenants_fails() {
    let folder = Folder::new();
    folder.run("migrate").expect_code(0);
    let database =
        format!("sqlite:{} has no tenants: nothing to audit", folder.path("pointbook.db").display());
    folder.run("audit").expect_refusal(&[&database]);
}

/// Commands that only read, on a database with the tenant `acme`.
const READING: [&str; 9] = [
    "audit",
    "export users --tenant acme",
    "tenant list",
    "tenant show acme",
    "token list --tenant acme",
    "key list --tenant acme",
    "operator list --tenant acme",
    "operator sessions --tenant acme",
    "campaign list --tenant acme",
];

#[test]
fn what_only_reads_leaves_the_file_and_its_folder_alone() {
    let folder = Folder::with_tenant();
    let (kept, file) = (folder.path("kept"), folder.path("kept/points.db"));
    fs::create_dir(&kept).unwrap();
    fs::rename(folder.path("pointbook.db"), &file).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o500)).unwrap();
    let state = || {
        let times = [&kept, &file].map(|path| path.metadata().unwrap().modified().unwrap());
        (times, files(&kept), fs::read(&file).unwrap())
    };
    let before = state();
    for line in READING {
        folder.run(&format!("{line} --database sqlite:kept/points.db")).expect_code(0);
        assert_eq!(state(), before, "{line}");
    }
    folder.run("copy --from sqlite:kept/points.db --to sqlite:other.db").expect_code(0);
    assert_eq!(state(), before);
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o700)).unwrap();
}

#[test]
fn what_only_reads_sees_what_a_running_server_wrote() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    folder.run("token issue --tenant acme --user ann").expect_code(0);
    let exported = folder.run("export users --tenant acme").expect_code(0).stdout;
    assert!(exported.contains("ann"), "{exported}");
    folder.run("audit").expect_code(0);
    let (status, said) = server.stop("TERM");
    assert!(status.success(), "{said}");
}

/// Nothing migrates it: there was no release before the first schema.
#[test]
fn a_database_from_before_the_first_schema_is_refused_by_every_command() {
    let folder = Folder::with_tenant();
    let file = Connection::open(folder.path("pointbook.db")).unwrap();
    file.execute("UPDATE schema_migrations SET name = '0001_create_tenants'", []).unwrap();
    drop(file);
    let message = format!(
        "{} was made by a development version that is older than the first schema of pointbook, and nothing migrates it: use a new file",
        folder.path("pointbook.db").display()
    );
    for line in READING.into_iter().chain(["migrate", "serve", "tenant set acme --name Acme"]) {
        let refused = folder.run(line).expect_code(3);
        assert!(refused.stderr.contains(&message), "{line}: {refused:?}");
    }
}

//! The commands `import` and `export` as operators use them.

use std::fs;
use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use pointbook_server::import::PRODUCT_COLUMNS;
use tempfile::TempDir;

use crate::harness::gzip;

struct Folder(TempDir);

/// The exit code, standard output and standard error.
type Ended = (i32, String, String);

impl Folder {
    /// A folder with a database that has the tenant `acme`.
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        let base_url = "http://acme.example/api";
        let added =
            folder.run(&["tenant", "add", "acme", "--environment", "production", "--base-url", base_url]);
        assert_eq!(added.0, 0, "{added:?}");
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn run(&self, words: &[&str]) -> Ended {
        self.run_with_input(words, b"")
    }

    fn run_with_input(&self, words: &[&str], input: &[u8]) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
        command.args(words).current_dir(self.0.path()).env_clear();
        let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = piped.spawn().unwrap();
        child.stdin.take().unwrap().write_all(input).unwrap();
        let output = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
    }

    fn import(&self, kind: &str, file: &str, content: &[u8]) -> Ended {
        fs::write(self.path(file), content).unwrap();
        self.run(&["import", kind, file, "--tenant", "acme"])
    }
}

#[test]
fn good_file_ends_with_0() {
    let folder = Folder::new();
    let (code, stdout, stderr) = folder.import("users", "users.csv.gz", &gzip(b"user_id\nann\nbob\n"));
    assert_eq!(
        (code, stdout.as_str()),
        (0, "users: 2 read, 2 created, 0 replaced, 0 unchanged, 0 rejected\n")
    );
    assert_eq!(stderr, "");
}

#[test]
fn rejected_rows_end_with_1_and_go_to_a_file_beside() {
    let folder = Folder::new();
    let (code, stdout, stderr) = folder.import("users", "users.csv", b"user_id,locale\nann,en\nbob,EN\n");
    assert_eq!(
        (code, stdout.as_str()),
        (1, "users: 2 read, 1 created, 0 replaced, 0 unchanged, 1 rejected\n")
    );
    let told = "1 of 2 rows were rejected, see users.csv.rejects.csv; the first is on line 3: locale: ";
    assert!(stderr.contains(told), "{stderr}");
    assert!(fs::read_to_string(folder.path("users.csv.rejects.csv")).unwrap().ends_with(",bob,EN\n"));
    let elsewhere = folder.run(&["import", "users", "users.csv", "--tenant", "acme", "--rejects", "bad.csv"]);
    assert_eq!(elsewhere.0, 1);
    assert!(folder.path("bad.csv").exists());
}

/// A file with a mug for this price, and with all columns but these.
fn mug(price: u32, lacks: &[&str]) -> String {
    let columns: Vec<_> = PRODUCT_COLUMNS.into_iter().filter(|name| !lacks.contains(name)).collect();
    let cell = |name: &&str| match *name {
        "sku" | "title" => "mug".to_owned(),
        "regular_price" => price.to_string(),
        _ => String::new(),
    };
    format!("{}\n{}\n", columns.join(","), columns.iter().map(cell).collect::<Vec<_>>().join(","))
}

#[test]
fn missing_columns_that_clear_what_is_stored_are_named() {
    let folder = Folder::new();
    let stderr = |kind: &str, file: &str, content: &str| folder.import(kind, file, content.as_bytes()).2;
    assert_eq!(stderr("users", "u.csv", "user_id,locale\nann,en\n"), "", "there is nothing to clear");
    assert_eq!(
        stderr("users", "u.csv", "user_id\nann\n"),
        "the file has no column birth_date: this clears it for every user in it\n\
         the file has no column locale: this clears it for every user in it\n"
    );
    assert_eq!(stderr("products", "p.csv", &mug(1, &["description", "active"])), "");
    let cleared = "the file has no columns description, popular: this clears them for every product in it\n";
    let active = "the file has no column active: this makes every product in it active\n";
    let lacks = ["description", "popular", "active"];
    assert_eq!(stderr("products", "p.csv", &mug(3, &lacks)), format!("{cleared}{active}"));
    assert_eq!(stderr("products", "p.csv", &mug(4, &lacks[..2])), cleared);
    let sale_price = "the file has no column sale_price: this clears it for every product in it\n";
    assert_eq!(stderr("products", "p.csv", &mug(5, &["sale_price"])), sale_price);
    assert_eq!(stderr("products", "p.jsonl", "{\"sku\":\"mug\",\"title\":\"M\",\"regular_price\":5}\n"), "");
}

#[test]
fn standard_input_is_read_like_a_file() {
    let folder = Folder::new();
    let words = ["import", "users", "-", "--tenant", "acme"];
    let (code, stdout, _) = folder.run_with_input(&words, b"{\"user_id\":\"ann\"}\n{}\n");
    assert_eq!(
        (code, stdout.as_str()),
        (1, "users: 2 read, 1 created, 0 replaced, 0 unchanged, 1 rejected\n")
    );
    assert!(folder.path("acme.production.users.rejects.csv").exists());
    let (code, stdout, _) = folder.run_with_input(&words, &gzip(b"user_id\nann\n"));
    assert_eq!(
        (code, stdout.as_str()),
        (0, "users: 1 read, 0 created, 0 replaced, 1 unchanged, 0 rejected\n")
    );
    assert!(!folder.path("acme.production.users.rejects.csv").exists());
}

#[test]
fn a_file_that_holds_no_rejects_is_never_overwritten() {
    let folder = Folder::new();
    let input = "user_id,locale\nann,EN\n";
    fs::write(folder.path("users.csv"), input).unwrap();
    fs::hard_link(folder.path("users.csv"), folder.path("same.csv")).unwrap();
    fs::write(folder.path("notes.csv"), "line,reason,rows\n").unwrap();
    for (rejects, reason) in [
        ("users.csv", "rejected rows cannot be written to users.csv, which is the input"),
        ("./same.csv", "rejected rows cannot be written to ./same.csv, which is the input"),
        ("notes.csv", "rejected rows cannot be written to notes.csv, which exists and is not a reject file"),
    ] {
        let (code, stdout, stderr) =
            folder.run(&["import", "users", "users.csv", "--tenant", "acme", "--rejects", rejects]);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains(reason), "{stderr}");
    }
    assert_eq!(fs::read_to_string(folder.path("users.csv")).unwrap(), input);
    assert_eq!(fs::read_to_string(folder.path("notes.csv")).unwrap(), "line,reason,rows\n");
}

#[test]
fn unsuitable_input_ends_with_2() {
    let folder = Folder::new();
    let (code, stdout, stderr) = folder.import("users", "users.csv", b"user_id,color\nann,red\n");
    assert_eq!((code, stdout.as_str()), (2, ""));
    assert!(stderr.contains("users.csv: the header line: unknown column \"color\""), "{stderr}");
    let (code, _, stderr) = folder.run(&["import", "users", "absent.csv", "--tenant", "acme"]);
    assert_eq!(code, 2);
    assert!(stderr.contains("cannot open absent.csv"), "{stderr}");
    assert_eq!(folder.run(&["import", "users", "users.csv", "--tenant", "stranger"]).0, 2);
    assert_eq!(folder.run(&["import", "users", "users.csv", "--tenant", "acme", "--replace"]).0, 2);
}

#[test]
fn a_truncated_file_ends_with_2_and_names_the_line() {
    let folder = Folder::new();
    let rows = (0..3_000).map(|number| format!("user-{number}\n")).collect::<Vec<_>>().concat();
    let whole = gzip(format!("user_id\n{rows}").as_bytes());
    let (code, stdout, stderr) = folder.import("users", "users.csv.gz", &whole[..whole.len() / 2]);
    assert_eq!(code, 2, "{stdout}{stderr}");
    assert!(stdout.starts_with("users: "), "{stdout}");
    assert!(stderr.contains("the input broke off after the row on line "), "{stderr}");
    let (code, _, stderr) = folder.import("users", "users.csv.gz", &whole[..5]);
    assert_eq!(code, 2, "{stderr}");
}

#[test]
fn output_file_that_cannot_be_created_ends_with_2() {
    let folder = Folder::new();
    fs::create_dir(folder.path("out")).unwrap();
    for output in ["none/users.csv", "out"] {
        let (code, _, stderr) = folder.run(&["export", "users", "--tenant", "acme", "--output", output]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains(&format!("cannot write {output}: ")), "{stderr}");
    }
    for output in ["users.xlsx", "users.xlsx.gz"] {
        let (code, _, stderr) = folder.run(&["export", "users", "--tenant", "acme", "--output", output]);
        assert_eq!(code, 2, "{stderr}");
        assert!(stderr.contains("cannot write a .xlsx file: name it .csv"), "{stderr}");
        assert!(!folder.path(output).exists());
    }
    fs::write(folder.path("users.csv"), "user_id,locale\nann,EN\n").unwrap();
    let words = ["import", "users", "users.csv", "--tenant", "acme", "--rejects", "none/rejects.csv"];
    let (code, _, stderr) = folder.run(&words);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("cannot write none/rejects.csv"), "{stderr}");
}

#[test]
fn an_interrupted_import_ends_with_130_and_keeps_what_it_stored() {
    ["INT", "TERM"].into_iter().for_each(assert_interrupted_by);
}

fn assert_interrupted_by(signal: &str) {
    let folder = Folder::new();
    let mut command = Command::new(env!("CARGO_BIN_EXE_pointbook"));
    command.args(["import", "users", "-", "--tenant", "acme"]).current_dir(folder.0.path()).env_clear();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let rows = (0..5_000).map(|number| format!("user-{number}\n")).collect::<Vec<_>>().concat();
    input.write_all(format!("user_id\n{rows}").as_bytes()).unwrap();
    let database = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    let stored = || -> i64 {
        database.query_row("SELECT COUNT(*) FROM users", [], |row| row.get(0)).unwrap_or_default()
    };
    while stored() < 5_000 {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::yield_now();
    }
    let process = child.id().to_string();
    assert!(Command::new("kill").args(["-s", signal, &process]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    drop(input);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(
        stderr.contains("interrupted after the row on line 5001: rows that were read before are kept"),
        "{stderr}"
    );
    assert!(folder.run(&["--help"]).1.contains("\n130 "));
}

#[test]
fn an_interrupt_ends_an_import_of_categories_as_usual() {
    let folder = Folder::new();
    // A shell makes background commands ignore SIGINT. The test restores the default.
    let mut command = Command::new("env");
    command.args(["--default-signal=INT", env!("CARGO_BIN_EXE_pointbook")]);
    command.args(["import", "categories", "-", "--tenant", "acme"]).current_dir(folder.0.path()).env_clear();
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    // More than a pipe can buffer: once it is written, the import is reading.
    input.write_all(format!("[{}", " ".repeat(256 << 10)).as_bytes()).unwrap();
    let process = child.id().to_string();
    assert!(Command::new("kill").args(["-s", "INT", &process]).status().unwrap().success());
    drop(input);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.signal(), Some(2), "{output:?}");
}

#[test]
fn a_bad_tree_ends_with_1() {
    let folder = Folder::new();
    let (code, stdout, stderr) = folder.import("categories", "tree.json", b"[{\"id\":\"a\"}]");
    assert_eq!((code, stdout.as_str()), (1, ""));
    assert!(stderr.contains("tree.json: [0].label: is required"), "{stderr}");
}

#[test]
fn an_empty_tree_is_refused_and_removes_nothing() {
    let folder = Folder::new();
    folder.import("categories", "tree.json", br#"[{"id":"a","label":"A"},{"id":"b","label":"B"}]"#);
    for empty in [&b"[]"[..], b" [ ] \n"] {
        let (code, stdout, stderr) = folder.import("categories", "empty.json", empty);
        assert_eq!((code, stdout.as_str()), (2, ""), "{stderr}");
        assert!(stderr.contains("empty.json: ") && stderr.contains("nothing was imported"), "{stderr}");
    }
    let (_, _, stderr) = folder.import("categories", "empty.json", b"[]");
    assert!(stderr.contains("PUT /v1/manage/categories with {\"categories\": []}"), "{stderr}");
    let kept = folder.run(&["export", "categories", "--tenant", "acme"]).1;
    assert!(kept.contains("\"a\"") && kept.contains("\"b\""), "{kept}");
}

#[test]
fn products_that_are_left_out_of_a_bad_file_are_not_retired() {
    let folder = Folder::new();
    folder.import("products", "all.jsonl", b"{\"sku\":\"a\",\"title\":\"A\",\"regular_price\":1}\n");
    fs::write(folder.path("some.jsonl"), "{}\n").unwrap();
    let (code, _, stderr) =
        folder.run(&["import", "products", "some.jsonl", "--replace", "--tenant", "acme"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("no product was retired, because rows were rejected"), "{stderr}");
}

#[test]
fn an_export_goes_to_standard_output_or_to_a_file() {
    let folder = Folder::new();
    folder.import("users", "users.csv", b"user_id\nann\n");
    let (code, stdout, stderr) = folder.run(&["export", "users", "--tenant", "acme"]);
    assert_eq!((code, stdout.as_str()), (0, "user_id,birth_date,locale\nann,,\n"));
    assert_eq!(stderr, "users: 1 written\n");
    let (code, stdout, _) =
        folder.run(&["export", "users", "--tenant", "acme", "--output", "users.jsonl.gz"]);
    assert_eq!((code, stdout.as_str()), (0, ""));
    let again = folder.run(&["import", "users", "users.jsonl.gz", "--tenant", "acme"]);
    assert!(again.1.contains(" 1 unchanged"), "{again:?}");
    assert_eq!(folder.run(&["export", "categories", "--tenant", "acme", "--format", "csv"]).0, 2);
}

#[test]
fn a_dry_run_says_which_users_would_be_new() {
    let folder = Folder::new();
    folder.import("users", "users.csv", b"user_id\nann\n");
    let rows = ["ann", "amn"].map(|user| format!("{user},code,s,5,Scan,2025-01-01T00:00:00Z\n")).concat();
    let file = format!("user_id,type,source_id,points,title,created_at\n{rows}");
    fs::write(folder.path("scans.csv"), file).unwrap();
    let words = ["import", "activities", "scans.csv", "--tenant", "acme", "--dry-run"];
    let (code, stdout, stderr) = folder.run(&words);
    assert_eq!((code, stdout.as_str()), (0, "activities: 2 read, 2 recorded, 0 skipped, 0 rejected\n"));
    assert_eq!(stderr, "new user: 1: \"amn\"\n");
    let (_, json, _) = folder.run(&[&words[..], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["new_users"], &json["first_new_users"][0]), (&1.into(), &"amn".into()));
    let (_, json, _) = folder.run(&[&words[..5], &["--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert!(json["new_users"].is_null(), "an import does not count them");
}

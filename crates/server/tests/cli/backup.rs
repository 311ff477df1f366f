//! `pointbook backup`, `pointbook restore`, and backups on a schedule.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::{Duration, Instant};

use crate::program::Folder;

fn activities(count: usize) -> String {
    let mut rows = "user_id,type,source_id,points,title,created_at\n".to_owned();
    for number in 0..count {
        writeln!(rows, "user-{},code,s-{number},5,Scan,2026-01-01T00:00:00Z", number % 50).unwrap();
    }
    rows
}

fn totals(folder: &Folder, file: &str) -> String {
    folder.run(&format!("audit --totals --database sqlite:{file}")).expect_code(0).stdout
}

/// The restore drill: a server serves and an import writes while backups are made. Each backup is restored and audited.
#[test]
fn backups_that_are_made_while_a_server_writes_restore_to_right_balances() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    folder.write("a.csv", &activities(30_000));
    let mut copied = Vec::new();
    std::thread::scope(|scope| {
        let import = scope.spawn(|| folder.run("import activities a.csv --tenant acme"));
        while !import.is_finished() && copied.len() < 50 {
            let file = format!("while-{}.db", copied.len());
            let ended = folder.run(&format!("backup {file}")).expect_code(0);
            assert!(ended.stdout.ends_with(" 0 differences\n"), "{ended:?}");
            copied.push(file);
        }
        import.join().unwrap().expect_code(0);
    });
    assert!(!copied.is_empty());
    folder.run("backup whole.db").expect_code(0);
    assert_eq!(fs::metadata(folder.path("whole.db")).unwrap().permissions().mode() & 0o777, 0o600);
    drop(server);

    for file in copied.iter().map(String::as_str).chain(["whole.db"]) {
        let restored = format!("restored-{file}");
        folder.run(&format!("restore {file} --database sqlite:{restored}")).expect_code(0);
        assert_eq!(totals(&folder, &restored), totals(&folder, file));
    }
    let balances = totals(&folder, "restored-whole.db");
    assert_eq!(balances, totals(&folder, "pointbook.db"));
    assert!(balances.contains("acme/production,user-7,600,1,3000\n"), "{balances}");
    // A server can serve the restored file.
    drop(folder.serve("serve --listen 127.0.0.1:0 --database sqlite:restored-whole.db"));
}

#[test]
fn nothing_is_replaced_and_no_part_is_left() {
    let folder = Folder::with_tenant();
    folder.write("taken.db", "mine");
    folder.run("backup taken.db").expect_refusal(&["taken.db exists already and is never overwritten"]);
    assert_eq!(fs::read_to_string(folder.path("taken.db")).unwrap(), "mine");
    folder.run("backup good.db").expect_code(0);
    folder.run("restore good.db").expect_refusal(&["pointbook.db exists already and is never overwritten"]);
    folder
        .run("restore taken.db --database sqlite:new.db")
        .expect_refusal(&["taken.db is not a SQLite database"]);
    folder.run("restore none.db --database sqlite:new.db").expect_refusal(&["none.db"]);
    let whole = fs::read(folder.path("good.db")).unwrap();
    fs::write(folder.path("cut.db"), &whole[..whole.len() / 2]).unwrap();
    assert_ne!(folder.run("restore cut.db --database sqlite:new.db").code, 0);
    folder.write("new.db-wal", "of an older database");
    folder
        .run("restore good.db --database sqlite:new.db")
        .expect_refusal(&["new.db-wal belongs to an older database"]);
    assert!(!folder.path("new.db").exists());
    let names =
        fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(names.into_iter().all(|name| !name.contains(".part")));
    let server = "postgres://me@127.0.0.1:1/points";
    folder.run(&format!("backup a.db --database {server}")).expect_refusal(&["make a backup with pg_dump"]);
    folder.run(&format!("restore good.db --database {server}")).expect_refusal(&["restore with pg_restore"]);
}

/// The trigger fails the new generation of the feed, which comes after the copy of the data. A database with the generation before
/// would give new events to readers under the positions that they know.
#[test]
fn a_restore_that_fails_before_the_new_generation_leaves_no_database() {
    let folder = Folder::with_tenant();
    folder.run("backup copy.db").expect_code(0);
    let sql = "CREATE TRIGGER planted BEFORE INSERT ON feeds BEGIN SELECT RAISE(ABORT, 'planted'); END";
    rusqlite::Connection::open(folder.path("copy.db")).unwrap().execute_batch(sql).unwrap();
    let failed = folder.run("restore copy.db --database sqlite:new.db");
    assert!(failed.code != 0 && failed.stderr.contains("planted"), "{failed:?}");
    let names = fs::read_dir(folder.path("")).unwrap();
    let names: Vec<_> = names.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert!(names.iter().all(|name| !name.starts_with("new.db")), "{names:?}");
}

#[test]
fn a_server_makes_backups_and_keeps_the_newest() {
    let folder = Folder::with_tenant();
    fs::create_dir(folder.path("kept")).unwrap();
    for name in ["pointbook-20200101T000000Z.db", "pointbook-20200102T000000Z.db", "notes.txt"] {
        folder.write(&format!("kept/{name}"), "old");
        let long_ago = std::time::SystemTime::UNIX_EPOCH;
        fs::File::options()
            .write(true)
            .open(folder.path(&format!("kept/{name}")))
            .unwrap()
            .set_modified(long_ago)
            .unwrap();
    }
    folder.write("a.toml", "[backup]\nfolder = \"kept\"\nevery_minutes = 60\nkeep = 2\n");
    let mut server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    server.wait_for("backed up");
    let names = || {
        let entries = fs::read_dir(folder.path("kept")).unwrap();
        let mut names: Vec<_> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let deadline = Instant::now() + Duration::from_secs(20);
    while names().len() != 3 {
        assert!(Instant::now() < deadline, "{:?}", names());
        std::thread::yield_now();
    }
    let names = names();
    assert_eq!((names[0].as_str(), names[1].as_str()), ("notes.txt", "pointbook-20200102T000000Z.db"));
    folder.run(&format!("audit --database sqlite:kept/{}", names[2])).expect_code(0);
}

#[test]
fn a_backup_that_fails_is_logged_and_the_server_goes_on() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[backup]\nfolder = \"no-such-folder\"\n");
    let mut server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let line = server.wait_for("backup failed");
    assert!(line.contains("no-such-folder"), "{line}");
    folder.run(&format!("healthcheck {}", server.url)).expect_code(0);
}

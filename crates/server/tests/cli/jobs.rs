use rusqlite::Connection;
use serde_json::Value;

use crate::program::Folder;

fn file(folder: &Folder) -> Connection {
    Connection::open(folder.path("pointbook.db")).unwrap()
}

fn list(folder: &Folder) -> Value {
    serde_json::from_str(&folder.run("jobs list --tenant acme --json").expect_code(0).stdout).unwrap()
}

/// An idempotency key that was used in 1970.
fn add_old_key(file: &Connection) {
    let insert =
        "INSERT INTO request_keys (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
         SELECT id, 'customer:ann', 'k', zeroblob(32), x'01', 0, 0 FROM tenants";
    assert_eq!(file.execute(insert, []).unwrap(), 1);
}

fn count_keys(file: &Connection) -> i64 {
    file.query_row("SELECT count(*) FROM request_keys", [], |row| row.get(0)).unwrap()
}

#[test]
fn a_job_runs_at_once_and_is_listed() {
    let folder = Folder::with_tenant();
    assert_eq!(list(&folder), Value::Array(Vec::new()), "no server has seen the tenant");
    let file = file(&folder);
    add_old_key(&file);
    let ran = folder.run("jobs run clean-request-keys --tenant acme").expect_code(0);
    assert_eq!(ran.stdout, "clean-request-keys of acme/production: done, in runs: 1\n");
    assert_eq!(count_keys(&file), 0);
    let jobs = list(&folder);
    let job = &jobs[0];
    assert_eq!((&job["tenant"], &job["job"]), (&"acme/production".into(), &"clean-request-keys".into()));
    assert_eq!((&job["attempts"], &job["key"]), (&0.into(), &"".into()));
    assert!(job["last_success_at"].is_string() && job["next_run_at"].is_string(), "{job}");
    for member in ["lease_owner", "lease_ends_at", "last_error"] {
        assert!(job[member].is_null(), "{job}");
    }
    let table = folder.run("jobs list").expect_code(0).stdout;
    let (head, row) = table.split_once('\n').unwrap();
    let titles: Vec<&str> = head.split("  ").map(str::trim).filter(|title| !title.is_empty()).collect();
    assert_eq!(titles, ["TENANT", "JOB", "NEXT RUN", "LAST SUCCESS", "ATTEMPTS", "RUN BY", "LAST ERROR"]);
    assert!(row.starts_with("acme/production  clean-request-keys  2"), "{row}");
}

#[test]
fn a_job_that_another_process_runs_is_left_alone() {
    let folder = Folder::with_tenant();
    folder.run("jobs run clean-tokens --tenant acme").expect_code(0);
    let lease = "UPDATE jobs SET lease_owner = 'other', lease_ends_at = 32503680000000000, next_run_at = 0";
    assert_eq!(file(&folder).execute(lease, []).unwrap(), 1);
    let taken = folder.run("jobs run clean-tokens --tenant acme").expect_code(1);
    let expected =
        "pointbook: process other is running this job; its lease ends at 3000-01-01T00:00:00.000000Z\n";
    assert_eq!(taken.stderr, expected);
    let table = folder.run("jobs list").expect_code(0).stdout;
    assert!(table.contains("other until 3000-01-01T00:00:00.000000Z"), "{table}");
    assert_eq!(list(&folder)[0]["lease_owner"], "other");
}

#[test]
fn a_job_that_runs_now_has_the_configured_lease() {
    let folder = Folder::with_tenant();
    folder.run("jobs run clean-tokens --tenant acme").expect_code(0);
    let file = file(&folder);
    file.execute_batch(
        "CREATE TABLE seen (seconds INTEGER);
         CREATE TRIGGER see AFTER UPDATE ON jobs WHEN NEW.lease_ends_at IS NOT NULL
         BEGIN INSERT INTO seen SELECT NEW.lease_ends_at / 1000000 - unixepoch(); END;",
    )
    .unwrap();
    let run = "jobs run clean-tokens --tenant acme";
    folder.run_with_variable(run, "POINTBOOK_JOBS_LEASE_SECONDS", "3600").expect_code(0);
    let longest: i64 = file.query_row("SELECT max(seconds) FROM seen", [], |row| row.get(0)).unwrap();
    assert!((3_000..=3_600).contains(&longest), "{longest}");
}

#[test]
fn a_job_that_fails_says_why() {
    let folder = Folder::with_tenant();
    let file = file(&folder);
    add_old_key(&file);
    let fault = "CREATE TRIGGER fault BEFORE DELETE ON request_keys
                 BEGIN SELECT RAISE(ABORT, 'a secret of the database'); END";
    file.execute(fault, []).unwrap();
    let failed = folder.run("jobs run clean-request-keys --tenant acme").expect_code(3);
    assert!(failed.stderr.starts_with("pointbook: the job failed: "), "{failed:?}");
    let jobs = list(&folder);
    assert_eq!(jobs[0]["last_error"], "the database failed; the log says why");
    assert_eq!((&jobs[0]["attempts"], &jobs[0]["last_success_at"]), (&1.into(), &Value::Null));
    file.execute("DROP TRIGGER fault", []).unwrap();
    folder.run("jobs run clean-request-keys --tenant acme").expect_code(0);
    let jobs = list(&folder);
    assert_eq!((&jobs[0]["attempts"], &jobs[0]["last_error"]), (&0.into(), &Value::Null));
}

#[test]
fn an_unknown_job_or_tenant_is_refused() {
    let folder = Folder::with_tenant();
    let refused = folder.run("jobs run sweep --tenant acme").expect_code(2);
    assert!(refused.stderr.contains("clean-request-keys, clean-tokens"), "{refused:?}");
    folder.run("jobs run clean-tokens --tenant other").expect_code(2);
    folder.run("jobs list --tenant other").expect_code(2);
}

/// The first server is killed during a job. Its lease remains.
#[test]
fn the_job_of_a_killed_server_is_taken_over_when_its_lease_ends() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[jobs]\nlease_seconds = 3\npoll_interval_ms = 50\n");
    let file = file(&folder);
    add_old_key(&file);
    let slow = "CREATE TRIGGER slow BEFORE DELETE ON request_keys BEGIN
                    SELECT count(*) FROM (WITH RECURSIVE numbers (number) AS (
                        SELECT 1 UNION ALL SELECT number + 1 FROM numbers LIMIT 1000000000
                    ) SELECT number FROM numbers);
                END";
    file.execute(slow, []).unwrap();
    let first = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let owner = "SELECT lease_owner, attempts FROM jobs WHERE name = 'clean-request-keys' AND lease_owner IS NOT NULL";
    let read = |file: &Connection| {
        file.query_row(owner, [], |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?))).ok()
    };
    let (killed, attempt) = loop {
        if let Some(lease) = read(&file) {
            break lease;
        }
    };
    let (status, _) = first.stop("KILL");
    assert!(!status.success());
    assert_eq!((attempt, read(&file)), (1, Some((killed, 1))), "the lease outlives its owner");
    file.execute("DROP TRIGGER slow", []).unwrap();
    let mut second = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    second.wait_for("\"message\":\"old request keys removed\",\"target\":\"pointbook_server::background\"");
    assert_eq!(count_keys(&file), 0);
    let (status, said) = second.stop("TERM");
    assert!(status.success(), "{said}");
}

#[test]
fn runs_and_counts_are_metrics() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n[jobs]\npoll_interval_ms = 50\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let wanted = "pointbook_job_runs_total{job=\"clean-tokens\",outcome=\"succeeded\"} 1";
    let metrics = loop {
        let metrics = crate::program::get(server.metrics_url.as_deref().unwrap(), "");
        if metrics.contains(wanted) {
            break metrics;
        }
    };
    for line in ["pointbook_jobs_late 0", "pointbook_jobs_failing 0"] {
        assert!(metrics.contains(line), "{metrics}");
    }
}

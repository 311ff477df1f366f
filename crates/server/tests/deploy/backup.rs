//! `pg_restore` restores a backup of `pg_dump`. The restored ledger passes the audit, and the service role has the same
//! rights as before.

use pointbook_testkit::postgres::{Cluster, PostgresDatabase, empty_database};

use super::instance::run as run_command;
use super::tools::{expect_success, run};

/// The role of the instances. In a test database, every connection gets this role.
const ROLE: &str = "pointbook_test_deployed";

/// A database with a service role and a ledger, and its backup by `pg_dump`.
struct DumpedDatabase {
    database: PostgresDatabase,
    folder: tempfile::TempDir,
}

impl DumpedDatabase {
    /// `None` without a server or its programs.
    async fn new() -> Option<Self> {
        let database = empty_database().await?;
        run("pg_dump", &["--version"])?;
        let dumped = Self { database, folder: tempfile::tempdir().unwrap() };
        let url = &dumped.database.url;
        run_command(url, "migrate");
        // All databases of a server share roles, so another test may have created it.
        let _ = sql(url, &format!("CREATE ROLE {ROLE}"));
        run_command(url, &format!("migrate --service-role {ROLE}"));
        run_command(url, "tenant add acme --environment production --base-url http://acme.example/api");
        let activities = dumped.folder.path().join("activities.csv");
        std::fs::write(&activities, ACTIVITIES).unwrap();
        run_command(url, &format!("import activities {} --tenant acme", activities.display()));
        expect_success(run("pg_dump", &["--format=custom", "--file", &dumped.file(), url]));
        Some(dumped)
    }

    fn file(&self) -> String {
        self.folder.path().join("points.dump").to_str().unwrap().to_owned()
    }

    /// Restores the backup into an empty database, in one transaction. Returns the error output.
    fn restore(&self, url: &str, options: &[&str]) -> Result<(), String> {
        let file = self.file();
        let arguments = [&["--single-transaction", "--dbname", url], options, &[file.as_str()]].concat();
        let ended = run("pg_restore", &arguments).unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        if ended.status.success() { Ok(()) } else { Err(said) }
    }

    /// Fails unless a restored database has the same ledger, and the role can read what it may.
    fn assert_restored_to(&self, url: &str) {
        let totals = |url: &str| run_command(url, "audit --totals --tenant acme");
        assert!(totals(url).contains("\nann,2,2,45"), "{}", totals(url));
        assert_eq!(totals(url), totals(&self.database.url));
        hand_over(url);
        assert_eq!(sql(url, "SELECT count(*) FROM transactions").unwrap(), "0");
        let refused = sql(url, "DELETE FROM transactions").unwrap_err();
        assert!(refused.contains("permission denied"), "{refused}");
        assert_eq!(totals(url), totals(&self.database.url));
    }
}

#[tokio::test]
async fn a_dump_restores_the_whole_ledger_and_what_the_service_may_do() {
    let (Some(dumped), Some(restored)) = (DumpedDatabase::new().await, empty_database().await) else {
        return;
    };
    dumped.restore(&restored.url, &[]).unwrap();
    dumped.assert_restored_to(&restored.url);
}

#[tokio::test]
async fn where_the_role_is_missing_a_dump_is_restored_without_its_rights() {
    let Some(dumped) = DumpedDatabase::new().await else { return };
    let Some(elsewhere) = Cluster::alone() else { return };
    let refused = dumped.restore(&elsewhere.url(), &[]).unwrap_err();
    assert!(refused.contains(&format!("role \"{ROLE}\" does not exist")), "{refused}");
    dumped.restore(&elsewhere.url(), &["--no-privileges"]).unwrap();
    sql(&elsewhere.url(), &format!("CREATE ROLE {ROLE}")).unwrap();
    run_command(&elsewhere.url(), &format!("migrate --service-role {ROLE}"));
    dumped.assert_restored_to(&elsewhere.url());
}

#[tokio::test]
async fn the_services_role_takes_no_dump() {
    let Some(dumped) = DumpedDatabase::new().await else { return };
    hand_over(&dumped.database.url);
    // The table with a sequence is refused first. Without it, the rows of the other tables are.
    let without_the_feed = ["--exclude-table=feed_blocks", dumped.database.url.as_str()];
    for (arguments, refusal) in [
        (&without_the_feed[1..], "permission denied for sequence"),
        (&without_the_feed[..], "row-level security"),
    ] {
        let ended = run("pg_dump", arguments).unwrap();
        let said = String::from_utf8(ended.stderr).unwrap();
        assert!(!ended.status.success() && said.contains(refusal), "{said}");
    }
}

/// From now on, all connections to the database use this role.
fn hand_over(url: &str) {
    let name = sql(url, "SELECT current_database()").unwrap();
    sql(url, &format!("ALTER DATABASE {name} SET role = {ROLE}")).unwrap();
}

/// The result of a statement, or its error.
fn sql(url: &str, statement: &str) -> Result<String, String> {
    let ended =
        run("psql", &["--no-psqlrc", "--tuples-only", "--no-align", "--command", statement, url]).unwrap();
    let said = |bytes| String::from_utf8(bytes).unwrap().trim().to_owned();
    if ended.status.success() { Ok(said(ended.stdout)) } else { Err(said(ended.stderr)) }
}

const ACTIVITIES: &str = "\
user_id,type,source_id,points,title,created_at
ann,code,c-1,50,QR code scan,2026-05-04T08:00:00Z
ann,order,o-1,-5,Gift store order,2026-05-05T19:30:00Z
bob,quiz,q-1,10,Quiz answered,2026-05-05T19:30:00Z
";

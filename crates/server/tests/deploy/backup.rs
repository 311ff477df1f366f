//! What `pg_dump` took out of a database, `pg_restore` puts into another one, and the ledger is proved there.

use pointbook_testkit::postgres::empty_database;

use super::instance::run as run_command;
use super::tools::{expect_success, run};

#[tokio::test]
async fn a_dump_restores_the_whole_ledger() {
    let (Some(taken), Some(restored)) = (empty_database().await, empty_database().await) else { return };
    run_command(&taken.url, "migrate");
    run_command(&taken.url, "tenant add acme --environment production --base-url http://acme.example/api");
    let folder = tempfile::tempdir().unwrap();
    let (activities, dump) = (folder.path().join("activities.csv"), folder.path().join("points.dump"));
    std::fs::write(&activities, ACTIVITIES).unwrap();
    run_command(&taken.url, &format!("import activities {} --tenant acme", activities.display()));
    let dump = dump.to_str().unwrap();
    let Some(dumped) = run("pg_dump", &["--format=custom", "--file", dump, &taken.url]) else { return };
    expect_success(Some(dumped));
    expect_success(run("pg_restore", &["--exit-on-error", "--dbname", &restored.url, dump]));
    let totals = |url: &str| run_command(url, "audit --totals --tenant acme");
    assert!(totals(&taken.url).contains("\nann,2,2,45"), "{}", totals(&taken.url));
    assert_eq!(totals(&restored.url), totals(&taken.url));
}

const ACTIVITIES: &str = "\
user_id,type,source_id,points,title,created_at
ann,code,c-1,50,QR code scan,2026-05-04T08:00:00Z
ann,order,o-1,-5,Gift store order,2026-05-05T19:30:00Z
bob,quiz,q-1,10,Quiz answered,2026-05-05T19:30:00Z
";

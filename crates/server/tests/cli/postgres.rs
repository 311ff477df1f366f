//! The program with PostgreSQL.

use pointbook_testkit::postgres::{PostgresDatabase, empty_database};

use crate::idle::assert_comes_to_rest;
use crate::program::{Ended, Folder, get};

/// A folder, and a PostgreSQL database for the commands in it.
pub(crate) struct PostgresFixture {
    pub(crate) folder: Folder,
    database: PostgresDatabase,
}

impl PostgresFixture {
    /// `None` without a server.
    pub(crate) async fn new() -> Option<Self> {
        Some(Self { database: empty_database().await?, folder: Folder::new() })
    }

    pub(crate) fn run(&self, line: &str) -> Ended {
        self.folder.run(&format!("--database {} {line}", self.database.url))
    }
}

#[tokio::test]
async fn only_migrate_makes_the_schema() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    for line in ["serve --listen 127.0.0.1:0", "tenant list", "audit"] {
        let ended = fixture.run(line).expect_code(3);
        assert!(ended.stderr.contains("run `pointbook migrate`"), "{ended:?}");
        assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
    }
    for _ in 0..2 {
        let ended = fixture.run("migrate").expect_code(0);
        assert!(ended.stderr.contains("has the schema of this version"), "{ended:?}");
    }
    fixture.run("tenant list").expect_code(0);
}

#[tokio::test]
async fn a_server_serves_what_commands_wrote() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    fixture.run("migrate").expect_code(0);
    fixture.run("tenant add acme --environment production --base-url http://acme.example/api").expect_code(0);
    let token = fixture.run("token issue --tenant acme --user ann").expect_code(0).stdout;
    let server =
        fixture.folder.serve(&format!("--database {} serve --listen 127.0.0.1:0", fixture.database.url));
    assert!(get(&format!("{}/readyz", server.url), "").starts_with("HTTP/1.1 200"));
    let headers = format!("Authorization: Bearer {}\r\n", token.trim());
    let history = get(&format!("{}/api/v1/user/point-history", server.url), &headers);
    assert!(history.starts_with("HTTP/1.1 200"), "{history}");
    let (status, _) = server.stop("TERM");
    assert!(status.success());
    fixture.run("audit").expect_code(0);
}

#[test]
fn a_server_that_is_away_is_named_without_its_password() {
    let line = "--database postgres://me:hush@127.0.0.1:1/points tenant list";
    let ended = Folder::new().run(line).expect_code(3);
    assert!(ended.stderr.contains("postgres://me@127.0.0.1:1/points: "), "{ended:?}");
    assert!(!ended.stderr.contains("hush"), "{ended:?}");
    assert_eq!(ended.stderr.lines().count(), 1, "{ended:?}");
}

#[tokio::test]
async fn a_database_that_is_not_there_is_refused() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    let (server, options) = fixture.database.url.rsplit_once('/').unwrap();
    let options = options.split_once('?').map_or(String::new(), |(_, options)| format!("?{options}"));
    for line in ["migrate", "tenant list", "serve --listen 127.0.0.1:0"] {
        let ended = fixture
            .folder
            .run(&format!("--database {server}/none_of_this_name{options} {line}"))
            .expect_code(2);
        assert!(ended.stderr.contains("the database does not exist: "), "{ended:?}");
        assert!(ended.stderr.contains("create it with `createdb`"), "{ended:?}");
    }
}

#[tokio::test]
async fn a_role_without_the_right_is_told_whose_url_to_use() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    fixture.run("migrate").expect_code(0);
    fixture.run("tenant add acme --environment production --base-url http://acme.example/api").expect_code(0);
    let role = "pointbook_test_service";
    // All databases of a server share roles, so another run may have created it.
    let _ = sql(&fixture.database.url, &format!("CREATE ROLE {role}")).await;
    fixture.run(&format!("migrate --service-role {role}")).expect_code(0);
    let name = sql(&fixture.database.url, "SELECT current_database()").await.unwrap();
    sql(&fixture.database.url, &format!("ALTER DATABASE {name} SET role = {role}")).await.unwrap();
    for line in [
        "tenant add shop --environment production --base-url http://shop.example/api",
        "tenant set acme page_size_max=50",
    ] {
        let refused = fixture.run(line).expect_code(2);
        assert!(refused.stderr.contains("use the URL of the owner of the tables"), "{refused:?}");
    }
    // The notes of the Helm chart tell operators to run these commands in an instance.
    let token = fixture.run("token issue --tenant acme --super-user").expect_code(0).stdout;
    assert!(fixture.run("token list --tenant acme").expect_code(0).stdout.contains("super-user"));
    fixture.run(&format!("token revoke --tenant acme {}", token.trim())).expect_code(0);
    let unknown = fixture.run("tenant set shop page_size_max=5").expect_code(2);
    assert!(unknown.stderr.contains("no tenant shop/production"), "{unknown:?}");
}

/// The first value of a result, if any.
async fn sql(url: &str, statement: &str) -> Result<String, tokio_postgres::Error> {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await?;
    tokio::spawn(connection);
    let messages = client.simple_query(statement).await?;
    let row = messages.iter().find_map(|message| match message {
        tokio_postgres::SimpleQueryMessage::Row(row) => row.get(0),
        _ => None,
    });
    Ok(row.unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_role_that_is_not_there_is_not_made() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    let ended = fixture.run("migrate --service-role nobody_of_this_name").expect_code(2);
    assert!(ended.stderr.contains("CREATE ROLE"), "{ended:?}");
}

#[tokio::test]
async fn a_database_without_the_extension_is_not_split() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    let ended = fixture.run("migrate --citus").expect_code(2);
    assert!(ended.stderr.contains("CREATE EXTENSION citus"), "{ended:?}");
    fixture.run("tenant list").expect_code(0);
}

#[test]
fn a_file_is_not_split() {
    let ended = Folder::new().run("migrate --citus").expect_code(2);
    assert!(ended.stderr.contains("--citus needs PostgreSQL"), "{ended:?}");
}

#[test]
fn a_file_has_no_roles() {
    let ended = Folder::new().run("migrate --service-role points").expect_code(2);
    assert!(ended.stderr.contains("--service-role needs PostgreSQL"), "{ended:?}");
}

#[tokio::test]
async fn tenants_without_requests_cost_no_statement() {
    let Some(fixture) = PostgresFixture::new().await else { return };
    fixture.run("migrate").expect_code(0);
    for slug in ["a", "b"] {
        let url = format!("http://{slug}.example/api");
        fixture.run(&format!("tenant add {slug} --environment production --base-url {url}")).expect_code(0);
    }
    fixture.folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n");
    let line = format!("--database {} serve --listen 127.0.0.1:0 --config a.toml", fixture.database.url);
    assert_comes_to_rest(&fixture.folder.serve(&line));
}

//! `pointbook operator link`, `sessions` and `end-sessions`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;

use pointbook_access::sessions::{LINK_SECONDS, SESSION_SECONDS, SignInLink};
use pointbook_domain::{OperatorId, OperatorSession, Timestamp};
use pointbook_server::sources::SystemClock;
use pointbook_store::Clock as _;
use pointbook_store::ports::{Database, TenantData};
use pointbook_store::schema::OPERATOR_SESSIONS;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_store::tenant_secret::TenantSecret;
use pointbook_testkit::build;
use pointbook_testkit::filled::rows;
use serde_json::{Value, json};

use crate::idle::counts;
use crate::program::{Folder, get_of_host};

/// A folder whose tenant `acme` has the owner `ada@example.com` and the analyst `ben@example.com`.
fn folder() -> Folder {
    let folder = Folder::with_tenant();
    for (name, role) in [("ada", "owner"), ("ben", "analyst")] {
        let line = format!("operator add --tenant acme {name}@example.com --name {name} --role {role}");
        folder.run(&line).expect_code(0);
    }
    folder
}

async fn data(folder: &Folder) -> Arc<dyn TenantData> {
    let options = SqliteOptions::new(build::noon());
    let store: Arc<dyn Database> =
        Arc::new(SqliteStore::open(&folder.path("pointbook.db"), &options).unwrap());
    store.tenant(&store.tenants().await.unwrap()[0].id)
}

fn id(folder: &Folder, email: &str) -> OperatorId {
    let listed = folder.run("operator list --tenant acme --json").expect_code(0).stdout;
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let found = listed.as_array().unwrap().iter().find(|operator| operator["email"] == email).unwrap();
    OperatorId::new(found["id"].as_str().unwrap()).unwrap()
}

/// Sessions of this operator that began at these seconds before now. The number of each determines its id.
async fn begin(folder: &Folder, email: &str, sessions: &[(u8, u32)]) -> Vec<OperatorSession> {
    let (operator_id, now) = (id(folder, email), SystemClock.now());
    let of_ago = |&(number, ago): &(u8, u32)| {
        let micros = now.as_micros() - i64::from(ago) * 1_000_000;
        let created_at = Timestamp::from_micros(micros).unwrap();
        let expires_at = created_at.plus_seconds(SESSION_SECONDS);
        let operator_id = operator_id.clone();
        OperatorSession { operator_id, created_at, ..build::operator_session(number, "ada", expires_at) }
    };
    let sessions: Vec<_> = sessions.iter().map(of_ago).collect();
    data(folder).await.write_rows(&OPERATOR_SESSIONS, &rows(&sessions)).await.unwrap();
    sessions
}

#[tokio::test]
async fn a_link_is_that_of_the_operator_for_ten_minutes() {
    let folder = folder();
    let before = SystemClock.now();
    let printed = folder.run("operator link --tenant acme Ada@Example.com").expect_code(0);
    let text = printed.stdout.strip_prefix("http://acme.example/console/acme/sign-in?link=").unwrap();
    let text = text.strip_suffix('\n').unwrap();
    let secret = data(&folder).await.secret("tenant", &[0; 32], before).await.unwrap();
    let link = SignInLink::<OperatorId>::read(text, &TenantSecret::new(secret), before).unwrap();
    assert_eq!(link.subject, id(&folder, "ada@example.com"));
    assert!(before.plus_seconds(LINK_SECONDS) <= link.expires_at);
    assert!(link.expires_at <= SystemClock.now().plus_seconds(LINK_SECONDS));
    let until = format!("ada@example.com can sign in with it once, until {}\n", link.expires_at);
    assert_eq!(printed.stderr, until);
    let other = folder.run("operator link --tenant acme ada@example.com").expect_code(0);
    assert_ne!(other.stdout, printed.stdout);
}

/// The first link of a tenant may store the secret that all links are signed with.
#[test]
fn a_link_only_reads_once_the_tenant_has_a_secret() {
    let folder = folder();
    let line = "operator link --tenant acme ada@example.com --database sqlite:kept/points.db";
    let (kept, file) = (folder.path("kept"), folder.path("kept/points.db"));
    fs::create_dir(&kept).unwrap();
    fs::rename(folder.path("pointbook.db"), &file).unwrap();
    folder.run(line).expect_code(0);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o400)).unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o500)).unwrap();
    let state = || (file.metadata().unwrap().modified().unwrap(), fs::read(&file).unwrap());
    let before = state();
    folder.run(line).expect_code(0);
    assert_eq!(state(), before);
    assert_eq!(fs::read_dir(&kept).unwrap().count(), 1);
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o700)).unwrap();
}

#[tokio::test]
async fn sessions_are_listed_with_their_operators() {
    let folder = folder();
    let of_ada = begin(&folder, "ada@example.com", &[(1, 60), (2, SESSION_SECONDS)]).await;
    let of_ben = begin(&folder, "ben@example.com", &[(3, 30)]).await;
    let listed = folder.run("operator sessions --tenant acme --json").expect_code(0).stdout;
    let expected = |email: &str, session: &OperatorSession| {
        json!({
            "id": session.id.to_string(),
            "operator_id": session.operator_id.as_str(),
            "email": email,
            "created_at": session.created_at.to_string(),
            "expires_at": session.expires_at.to_string(),
            "address": "203.0.113.9",
            "last_used_at": null,
            "ends_at": session.created_at.plus_seconds(2 * 3_600 + 7 * 60).to_string(),
        })
    };
    // The newest comes first, and the one that expired is not listed.
    assert_eq!(
        serde_json::from_str::<Value>(&listed).unwrap(),
        json!([expected("ben@example.com", &of_ben[0]), expected("ada@example.com", &of_ada[0])])
    );
    let table = folder.run("operator sessions --tenant acme").expect_code(0).stdout;
    let lines: Vec<&str> = table.lines().collect();
    assert!(lines[0].starts_with("EMAIL            ID "), "{table}");
    let row = format!("ben@example.com  {}  {}  ", of_ben[0].id, of_ben[0].created_at);
    assert!(lines[1].starts_with(&row) && lines[1].ends_with("  203.0.113.9"), "{table}");
    assert_eq!(lines.len(), 3, "{table}");
}

#[tokio::test]
async fn all_sessions_of_one_operator_end() {
    let folder = folder();
    begin(&folder, "ada@example.com", &[(1, 60), (2, 30)]).await;
    let of_ben = begin(&folder, "ben@example.com", &[(3, 30)]).await;
    let line = "operator end-sessions --tenant acme Ada@example.com";
    assert_eq!(folder.run(line).expect_code(0).stdout, "sessions of ada@example.com ended: 2\n");
    assert_eq!(folder.run(line).expect_code(0).stdout, "sessions of ada@example.com ended: 0\n");
    let left = || {
        let listed = folder.run("operator sessions --tenant acme --json").expect_code(0).stdout;
        let listed: Value = serde_json::from_str(&listed).unwrap();
        let ids = listed.as_array().unwrap().iter().map(|session| session["id"].as_str().unwrap().to_owned());
        ids.collect::<Vec<_>>()
    };
    assert_eq!(left(), [of_ben[0].id.to_string()]);
    let exported = folder.run("audit-log export --tenant acme").expect_code(0).stdout;
    let entries = exported.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let ended: Vec<_> = entries.filter(|entry| entry["operation"] == "session.end").collect();
    assert_eq!(ended.len(), 2);
    assert!(ended.iter().all(|entry| entry["actor"] == "command-line"), "{ended:?}");
    folder.run("operator remove --tenant acme ben@example.com").expect_code(0);
    assert_eq!(left(), Vec::<String>::new());
}

#[test]
fn an_unknown_operator_has_no_links_and_no_sessions() {
    let folder = folder();
    for command in ["link", "end-sessions"] {
        let refused = folder.run(&format!("operator {command} --tenant acme eve@example.com")).expect_code(1);
        assert_eq!(refused.stderr, "eve@example.com: the tenant has no such operator\n");
        assert_eq!(refused.stdout, "");
    }
}

/// Everyone may send cookies. So only one that the service wrote is looked up.
#[test]
fn a_made_up_cookie_causes_no_read() {
    let folder = folder();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let token = format!("pb_{}", "A".repeat(43));
    for (path, status) in [("/console", 200), ("/console/acme", 401), ("/console/acme/sign-in", 401)] {
        for value in [token.clone(), format!("{token}.{}", "A".repeat(43))] {
            let cookie = format!("Cookie: console-acme-production={value}\r\n");
            let url = format!("{}{path}", server.url);
            let answer = get_of_host("acme.example", &url, &cookie);
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
        }
    }
    let counts = counts(server.metrics_url.as_deref().unwrap());
    assert!(counts.contains_key("has_operators"), "{counts:?}");
    assert!(!counts.contains_key("find_operator_session"), "{counts:?}");
}

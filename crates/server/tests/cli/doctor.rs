//! `pointbook doctor`.

use std::fs::{self, Permissions};
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;

use serde_json::Value;

use crate::program::{Ended, Folder};

/// The check and state of each finding, and the value of `ok`.
fn findings(ended: &Ended) -> (Vec<(String, String)>, bool) {
    let report: Value = serde_json::from_str(&ended.stdout).unwrap();
    let text = |finding: &Value, member: &str| finding[member].as_str().unwrap().to_owned();
    let findings = report["findings"].as_array().unwrap();
    for finding in findings {
        let needs_advice = finding["state"] != "ok";
        assert_eq!(needs_advice, !text(finding, "advice").is_empty(), "{finding}");
    }
    let found = findings.iter().map(|finding| (text(finding, "check"), text(finding, "state")));
    (found.collect(), report["ok"].as_bool().unwrap())
}

fn has(ended: &Ended, check: &str, state: &str) -> bool {
    findings(ended).0.contains(&(check.to_owned(), state.to_owned()))
}

#[test]
fn a_running_installation_is_fine() {
    let folder = Folder::new();
    // A free port: the base URL of the tenant must name it before the server listens.
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    folder
        .run(&format!("tenant add acme --environment production --base-url http://{address}/acme/api"))
        .expect_code(0);
    let listen = ("POINTBOOK_LISTEN_ADDRESS", address.to_string());

    let stopped = folder.run_with_variable("doctor --json", listen.0, &listen.1).expect_code(1);
    assert!(has(&stopped, "base URL", "problem") && has(&stopped, "listen", "ok"), "{stopped:?}");

    let server = folder.serve(&format!("serve --listen {address}"));
    let running = folder.run_with_variable("doctor --json", listen.0, &listen.1).expect_code(0);
    let (found, is_fine) = findings(&running);
    assert!(is_fine);
    for check in
        ["configuration", "database", "tenants", "clock", "disk", "file rights", "listen", "base URL"]
    {
        assert!(
            found.iter().any(|(known, state)| known == check && state != "problem"),
            "{check}: {found:?}"
        );
    }
    let text = folder.run_with_variable("doctor", listen.0, &listen.1).expect_code(0).stdout;
    assert!(text.contains("ok       listen         a server responds at "), "{text}");
    drop(server);
}

#[test]
fn wrong_base_url_is_a_problem() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    // The server has acme below `/other`, and no tenant below `/nowhere`.
    folder.run(&format!("tenant set acme --base-url {}/other/api", server.url)).expect_code(0);
    let other = Folder::with_tenant();
    other.run(&format!("tenant set acme --base-url {}/nowhere/api", server.url)).expect_code(0);
    let ended = other.run("doctor --json").expect_code(1);
    assert!(has(&ended, "base URL", "problem"), "{ended:?}");
    assert!(ended.stdout.contains("reaches a server that has no tenant with this base URL"), "{ended:?}");
}

#[test]
fn it_creates_no_database() {
    let folder = Folder::new();
    let ended = folder.run("doctor").expect_code(1);
    assert!(ended.stdout.contains("problem  database       the database sqlite:"), "{ended:?}");
    assert!(!folder.path("pointbook.db").exists());
    let empty = Folder::new();
    empty.run("migrate").expect_code(0);
    let ended = empty.run("doctor --json");
    assert!(has(&ended, "tenants", "warning"), "{ended:?}");
}

#[test]
fn a_refused_configuration_is_one_finding_for_each_key() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[limits]\nno_such_key = 1\n[log]\nlevel = \"loud\"\n");
    let ended = folder.run("--database sqlite:pointbook.db doctor --json --config a.toml").expect_code(1);
    let (found, _) = findings(&ended);
    assert_eq!(found.iter().filter(|(check, _)| check == "configuration").count(), 2, "{found:?}");
    // The other checks still run.
    assert!(has(&ended, "database", "ok"), "{ended:?}");
}

#[test]
fn the_advice_of_a_warning_is_whole_for_any_path() {
    let folder = Folder::new();
    let name = "secret: of the database";
    folder.write(name, "sqlite:points.db");
    fs::set_permissions(folder.path(name), Permissions::from_mode(0o644)).unwrap();
    let ended = folder.run_with_variable("doctor --json", "POINTBOOK_DATABASE_FILE", name);
    let json: Value = serde_json::from_str(&ended.stdout).unwrap();
    let path = folder.path(name).display().to_string();
    let found = json["findings"].as_array().unwrap();
    let advice = format!("run chmod 600 {path}");
    let warning =
        found.iter().find(|finding| finding["advice"] == *advice).unwrap_or_else(|| panic!("{json}"));
    let message = format!("every user of this machine can read {path}, which contains a secret");
    assert_eq!(warning["message"], *message);
}

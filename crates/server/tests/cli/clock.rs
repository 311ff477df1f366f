//! `pointbook tenant clock`.

use serde_json::Value;

use crate::program::{Folder, get_of_host};

/// A folder with the tenants `acme` and `acme/staging`.
fn folder() -> Folder {
    let folder = Folder::with_tenant();
    let staging = "tenant add acme --environment staging --base-url http://staging.example/api";
    folder.run(staging).expect_code(0);
    folder
}

#[test]
fn a_clock_is_set_advanced_and_reset() {
    let folder = folder();
    let set = folder.run("tenant clock set acme/staging 2090-01-31T09:00:00+01:00").expect_code(0);
    assert!(set.stdout.starts_with("the time of acme/staging is 2090-01-31T08:00:00.0"), "{set:?}");
    let advanced = folder.run("tenant clock advance acme/staging 2d").expect_code(0);
    assert!(advanced.stdout.starts_with("the time of acme/staging is 2090-02-02T08:0"), "{advanced:?}");
    assert!(folder.run("tenant show acme/staging clock").stdout.starts_with("2090-02-02T08:0"));
    let shown: Value = serde_json::from_str(&folder.run("tenant show acme/staging --json").stdout).unwrap();
    assert!(shown["clock"].as_str().unwrap().starts_with("2090-02-02T08:0"), "{shown}");
    let reset = folder.run("tenant clock reset acme/staging").expect_code(0);
    assert_eq!(reset.stdout, "acme/staging has the real time again\n");
    assert_eq!(folder.run("tenant show acme/staging clock").stdout, "real\n");
}

#[test]
fn a_clock_goes_back_only_while_nothing_has_happened() {
    let folder = folder();
    folder.run("tenant clock set acme/staging 2090-01-31T09:00:00Z").expect_code(0);
    let back = folder.run("tenant clock set acme/staging 2090-01-31T08:00:00Z");
    back.expect_refusal(&["never goes back, and the time of acme/staging is already 2090-01-31T09:00:"]);
    let issued = folder.run("token issue --tenant acme/staging --user ann --expires-in 1h").expect_code(0);
    assert!(issued.stderr.contains("expires at 2090-01-31T10:00:"), "{issued:?}");
    assert!(folder.run("token list --tenant acme/staging").stdout.contains("active"));
    folder
        .run("tenant clock reset acme/staging")
        .expect_refusal(&["acme/staging has rows that are dated after the real time"]);
    folder.run("tenant clock advance acme/staging 1h").expect_code(0);
    assert!(folder.run("token list --tenant acme/staging").stdout.contains("expired"));
}

#[test]
fn a_production_tenant_and_invalid_times_are_refused() {
    let folder = folder();
    for line in ["set acme 2090-01-31T09:00:00Z", "advance acme 1d", "reset acme"] {
        let refused = folder.run(&format!("tenant clock {line}"));
        refused.expect_refusal(&["acme/production is a production tenant: only a staging tenant"]);
    }
    folder.run("tenant clock set acme/staging 2990-01-01T00:00:00Z").expect_refusal(&["100 years"]);
    for (line, value, example) in [
        ("set acme/staging tomorrow", "tomorrow", "2027-01-31T09:00:00Z"),
        ("advance acme/staging 3y", "3y", "30d"),
    ] {
        let refused = folder.run(&format!("tenant clock {line}")).expect_code(2);
        assert!(refused.stderr.contains(value) && refused.stderr.contains(example), "{refused:?}");
    }
    assert_eq!(folder.run("tenant show acme/staging clock").stdout, "real\n");
}

#[test]
fn a_running_server_follows_the_command_line() {
    let folder = folder();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    let url = format!("{}/api/v1/user", server.url);
    let get = || get_of_host("staging.example", &url, "").to_ascii_lowercase();
    assert!(!get().contains("x-pointbook-clock"));
    folder.run("tenant clock set acme/staging 2090-01-31T09:00:00Z").expect_code(0);
    while !get().contains("x-pointbook-clock: 2090-01-31t09:") {}
}

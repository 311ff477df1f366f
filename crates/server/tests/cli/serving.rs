use std::net::TcpListener;

use crate::program::{Folder, get};

#[test]
fn a_server_is_ready_until_it_is_told_to_stop() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    let url = server.url.clone();
    let ready = folder.run(&format!("healthcheck {url}")).expect_code(0);
    assert_eq!(ready.stdout, format!("{url} is ready\n"));
    folder
        .run_with_variable("healthcheck", "POINTBOOK_LISTEN_ADDRESS", &url["http://".len()..])
        .expect_code(0);
    let (status, said) = server.stop("TERM");
    assert!(status.success(), "{status}: {said}");
    assert!(said.contains("stopping"), "{said}");
    let gone = folder.run(&format!("healthcheck {url}")).expect_code(1);
    assert!(gone.stderr.contains("does not respond"), "{gone:?}");
}

#[test]
fn a_server_that_stops_is_not_ready_and_a_second_signal_ends_it() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[limits]\nunready_before_close_ms = 3600000\n");
    let mut server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    server.signal("TERM");
    server.wait_for("shutting down");
    let unready = folder.run(&format!("healthcheck {}", server.url)).expect_code(1);
    assert!(unready.stderr.contains("is not ready: /readyz returns 503"), "{unready:?}");
    let (status, said) = server.stop("INT");
    assert_eq!(status.code(), Some(3), "{said}");
}

#[test]
fn a_hangup_takes_the_level_over_and_ends_nothing() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[log]\nlevel = \"info\"\n");
    let mut server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    folder.write("a.toml", "[log]\nlevel = \"loud\"\n");
    server.signal("HUP");
    server.wait_for("a.toml: log.level must be");
    folder.write("a.toml", "[log]\nlevel = \"warn\"\n");
    server.signal("HUP");
    let line = server.wait_for("SIGHUP: log.level is now warn");
    assert!(line.contains("\"level\":\"info\""), "{line}");
    // The level was without `info` before, so the server logs the change afterwards.
    folder.write("a.toml", "[log]\nlevel = \"info\"\n");
    server.signal("HUP");
    server.wait_for("SIGHUP: log.level is now info");
    folder.write("a.toml", "[log]\nlevel = \"warn\"\n");
    server.signal("HUP");
    server.wait_for("SIGHUP: log.level is now warn");
    let ready = get(&format!("{}/readyz", server.url), "");
    assert!(ready.starts_with("HTTP/1.1 200 "), "{ready}");
    let (status, said) = server.stop("TERM");
    assert!(status.success() && !said.contains("stopping"), "{said}");
}

#[test]
fn a_port_alone_is_one_of_this_machine() {
    let folder = Folder::with_tenant();
    for listen in ["0", "localhost:0"] {
        let server = folder.serve(&format!("serve --listen {listen}"));
        assert!(server.url.starts_with("http://127.0.0.1:"), "{}", server.url);
    }
    for line in ["serve --listen :8080", "demo --listen here"] {
        let refused = folder.run(line).expect_code(2);
        assert!(
            refused.stderr.contains("must be an IP address and a port, such as 127.0.0.1:8080"),
            "{refused:?}"
        );
    }
}

#[test]
fn catalogues_are_loaded_before_the_first_request() {
    let folder = Folder::with_tenant();
    let mut server = folder.serve("serve --listen 127.0.0.1:0");
    server.wait_for("\"message\":\"catalogue loaded\",\"target\":\"pointbook_catalogue::cache::load\",\"tenant\":\"acme/production\"");
}

#[test]
fn the_log_is_json_where_nobody_watches() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    get(&format!("{}/api/v1/store/products", server.url), "");
    let (_, said) = server.stop("INT");
    for line in said.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
    assert!(said.contains("\"status\":401"), "{said}");
}

#[test]
fn metrics_have_a_separate_listener() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let public = get(&format!("{}/metrics", server.url), "");
    assert!(public.starts_with("HTTP/1.1 404 "), "{public}");
    let metrics = get(server.metrics_url.as_deref().unwrap(), "");
    assert!(metrics.contains("pointbook_store_seconds"), "{metrics}");
}

#[test]
fn address_in_use_is_reported() {
    let folder = Folder::with_tenant();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let ended = folder.run(&format!("serve --listen {address}")).expect_code(3);
    let empty = Folder::new();
    empty.run(&format!("serve --listen {address}")).expect_code(3);
    assert!(!empty.path("pointbook.db").exists());
    assert!(
        ended.stderr.contains(&format!("cannot listen on {address}: another program uses it")),
        "{ended:?}"
    );
}

#[test]
fn invalid_address_is_refused() {
    let folder = Folder::new();
    folder.run("healthcheck https://127.0.0.1:1").expect_refusal(&["must be http://HOST:PORT"]);
    folder.run("serve --listen here").expect_code(2);
}

#[test]
fn keys_of_old_requests_are_forgotten_while_serving() {
    let folder = Folder::with_tenant();
    let file = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    let insert =
        "INSERT INTO request_keys (tenant_id, principal, key, fingerprint, answer, created_at, last_used_at)
                  SELECT id, 'customer:ann', 'k', zeroblob(32), x'01', 0, 0 FROM tenants";
    assert_eq!(file.execute(insert, []).unwrap(), 1);
    let mut server = folder.serve("serve --listen 127.0.0.1:0");
    server.wait_for("\"message\":\"old request keys removed\",\"target\":\"pointbook_server::background\",\"tenant\":\"acme/production\",\"removed\":1");
    let left: i64 = file.query_row("SELECT count(*) FROM request_keys", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 0);
}

#[test]
fn tokens_that_ended_long_ago_are_removed_while_serving() {
    let folder = Folder::with_tenant();
    folder.run("token issue --tenant acme --super-user").expect_code(0);
    let file = rusqlite::Connection::open(folder.path("pointbook.db")).unwrap();
    let days_ago = |days: i64| {
        pointbook_store::sources::Clock::now(&pointbook_server::sources::SystemClock).as_micros()
            - days * 86_400_000_000
    };
    let insert = "INSERT INTO tokens (tenant_id, hash, kind, created_at, networks, expires_at, revoked_at)
                  SELECT id, ?1, 'super_user', 0, '', ?2, ?3 FROM tenants";
    for (hash, expires_at, revoked_at) in [
        ([1_u8; 32], Some(days_ago(31)), None),
        ([2; 32], None, Some(days_ago(31))),
        ([3; 32], Some(days_ago(29)), None),
        ([4; 32], None, Some(days_ago(29))),
    ] {
        assert_eq!(file.execute(insert, (hash, expires_at, revoked_at)).unwrap(), 1);
    }
    let mut server = folder.serve("serve --listen 127.0.0.1:0");
    server.wait_for("\"message\":\"old tokens removed\",\"target\":\"pointbook_server::background\",\"tenant\":\"acme/production\",\"removed\":2");
    let left: i64 = file.query_row("SELECT count(*) FROM tokens", [], |row| row.get(0)).unwrap();
    assert_eq!(left, 3);
}

#[test]
fn the_pages_have_no_token_and_can_be_switched_off() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    let settings = get(&format!("{}/docs/settings.json", server.url), "");
    assert!(settings.ends_with("\r\n\r\n{\"tokens\":{}}"), "{settings}");
    folder.write("a.toml", "[listen]\ndocs = false\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let gone = get(&format!("{}/docs", server.url), "");
    assert!(gone.starts_with("HTTP/1.1 404 "), "{gone}");
    let description = get(&format!("{}/openapi.json", server.url), "");
    assert!(description.starts_with("HTTP/1.1 200 "), "{description}");
}

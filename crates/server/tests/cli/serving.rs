use std::net::TcpListener;

use crate::program::Folder;

#[test]
fn a_server_is_ready_until_it_is_told_to_stop() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    let url = server.url.clone();
    folder.run(&format!("healthcheck {url}")).expect_code(0);
    folder
        .run_with_variable("healthcheck", "POINTBOOK_LISTEN_ADDRESS", &url["http://".len()..])
        .expect_code(0);
    let (status, said) = server.stop("TERM");
    assert!(status.success(), "{status}: {said}");
    assert!(said.contains("stopping"), "{said}");
    let gone = folder.run(&format!("healthcheck {url}")).expect_code(1);
    assert!(gone.stderr.contains("does not answer"), "{gone:?}");
}

#[test]
fn the_log_is_json_where_nobody_watches() {
    let folder = Folder::with_tenant();
    let server = folder.serve("serve --listen 127.0.0.1:0");
    server.get("/api/v1/store/products", "");
    let (_, said) = server.stop("INT");
    for line in said.lines() {
        assert!(serde_json::from_str::<serde_json::Value>(line).is_ok(), "{line}");
    }
    assert!(said.contains("\"status\":401"), "{said}");
}

#[test]
fn metrics_have_a_listener_of_their_own() {
    let folder = Folder::with_tenant();
    folder.write("a.toml", "[listen]\nmetrics = \"127.0.0.1:0\"\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    assert!(server.get("/metrics", "").starts_with("HTTP/1.1 404 "));
    let metrics = server.metrics();
    assert!(metrics.contains("pointbook_store_seconds"), "{metrics}");
}

#[test]
fn a_taken_address_is_told() {
    let folder = Folder::with_tenant();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap();
    let ended = folder.run(&format!("serve --listen {address}")).expect_code(3);
    assert!(ended.stderr.contains(&format!("cannot listen on {address}: another program does")), "{ended:?}");
}

#[test]
fn an_address_that_is_none_is_refused() {
    let folder = Folder::new();
    folder.run("healthcheck https://127.0.0.1:1").expect_refusal(&["give http://HOST:PORT"]);
    folder.run("serve --listen here").expect_code(2);
}

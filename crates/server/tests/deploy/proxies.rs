//! The TLS proxies with the configurations of `deploy/`.

use super::tools::{expect_success, run_where_installed};
use super::{ROOT, deployed};

/// Both files send requests to this address.
const INSTANCE: &str = "127.0.0.1:8080";

#[test]
fn nginx_takes_its_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (certificate, key) = (path("fullchain.pem"), path("key.pem"));
    let request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=points.example"];
    let certified =
        run_where_installed("openssl", &[&request[..], &["-keyout", &key, "-out", &certificate]].concat());
    let Some(certified) = certified else { return };
    expect_success(Some(certified));
    let site = deployed("nginx/pointbook.conf")
        .replace("/etc/ssl/points.example/fullchain.pem", &certificate)
        .replace("/etc/ssl/points.example/key.pem", &key);
    let (errors, pid) = (path("errors"), path("pid"));
    let whole = format!("error_log {errors};\npid {pid};\nevents {{}}\nhttp {{\n{site}\n}}\n");
    std::fs::write(path("nginx.conf"), whole).unwrap();
    expect_success(run_where_installed("nginx", &["-t", "-c", &path("nginx.conf"), "-e", &errors]));
}

#[test]
fn caddy_takes_its_configuration() {
    let file = format!("{ROOT}/deploy/caddy/Caddyfile");
    expect_success(run_where_installed("caddy", &["validate", "--adapter", "caddyfile", "--config", &file]));
}

#[test]
fn a_proxy_keeps_the_host_and_lets_no_client_name_its_own_address() {
    let (nginx, caddy) = (deployed("nginx/pointbook.conf"), deployed("caddy/Caddyfile"));
    for line in [
        "proxy_set_header Host $http_host;",
        "proxy_set_header X-Forwarded-For $remote_addr;",
        "proxy_set_header Forwarded \"\";",
        // With a path after the name, nginx would decode the path of the request.
        "proxy_pass http://pointbook;",
    ] {
        assert!(nginx.contains(line), "{line}");
    }
    assert!(nginx.contains(&format!("server {INSTANCE};")));
    assert!(
        caddy.contains(&format!("reverse_proxy {INSTANCE} {{")) && caddy.contains("header_up -Forwarded")
    );
    // Caddy keeps the Host header by default.
    assert!(!caddy.contains("header_up Host"));
    for file in [nginx, caddy] {
        assert!(file.contains("POINTBOOK_LISTEN_TRUSTED_PROXIES=127.0.0.1\n"));
    }
}

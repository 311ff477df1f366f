//! The addresses and origins from which the demo can be used.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;

use crate::Demo;

#[test]
fn printed_urls_work_on_every_listen_address() {
    for listen in ["127.0.0.2:0", "0.0.0.0:0"] {
        let folder = tempfile::tempdir().unwrap();
        let demo = Demo::start_with(folder.path(), &["--listen", listen]);
        assert!(demo.products("") > 0, "{listen}");
    }
}

#[test]
fn links_use_the_given_base_url() {
    let folder = tempfile::tempdir().unwrap();
    // The test needs the port before the demo prints it, so it takes one that was free a moment ago.
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let options = ["--listen", &free, "--base-url", "http://10.0.2.2:8080"];
    let mut demo = Demo::start_with(folder.path(), &options);
    assert_eq!(demo.authority, "10.0.2.2:8080");
    demo.authority = free;
    let list = demo.production("/v1/store/products", "demo-ben");
    assert_eq!(list["meta"]["path"], "http://10.0.2.2:8080/acme/api/v1/store/products");
    drop(demo);
    let again = Demo::start(folder.path());
    assert_eq!(again.authority, "10.0.2.2:8080", "the base URL is kept");
}

#[test]
fn pages_of_other_sites_get_no_token_and_read_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let ask = |path: &str, headers: &str| {
        let mut stream = TcpStream::connect(&demo.authority).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n").unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    for (host, tells) in
        [("localhost:1", true), ("127.0.0.1", true), ("[::1]:8080", true), ("evil.example", false)]
    {
        let settings = ask("/docs/settings.json", &format!("Host: {host}\r\n"));
        assert_eq!(settings.contains("demo-admin"), tells, "{host}: {settings}");
    }
    for (origin, reads) in [("http://localhost:3000", true), ("http://evil.example", false)] {
        let headers =
            format!("Host: {}\r\nOrigin: {origin}\r\nAuthorization: Bearer demo-ben\r\n", demo.authority);
        let answer = ask("/acme/api/v1/store/products", &headers).to_ascii_lowercase();
        assert_eq!(answer.contains("access-control-allow-origin"), reads, "{origin}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn demo_survives_sighup() {
    let folder = tempfile::tempdir().unwrap();
    let demo = Demo::start(folder.path());
    let process = demo.child.id().to_string();
    assert!(Command::new("kill").args(["-s", "HUP", &process]).status().unwrap().success());
    assert!(demo.products("") > 0);
}

//! The issuer of the configuration: the button, and what the log says of a sign-in that fails.

use std::io::{Read, Write};
use std::net::TcpListener;

use serde_json::Value;

use crate::program::{Folder, get_of_host, send_to_host};

/// What an issuer may say, and no log and no page may repeat.
const MARKER: &str = "MARKER of the issuer";

/// A server that answers every request with a page. Returns its URL.
fn no_issuer() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4_096]);
            let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n";
            let _ = write!(stream, "{head}Content-Length: {}\r\n\r\n{MARKER}", MARKER.len());
        }
    });
    url
}

#[test]
fn a_sign_in_that_fails_is_in_the_log_without_the_text_of_the_issuer() {
    let folder = Folder::with_tenant();
    folder.run("operator add --tenant acme ada@example.com --name Ada --role owner").expect_code(0);
    folder.write("secret", "hush\n");
    let openid = format!(
        "[openid]\nissuer = \"{}\"\nclient_id = \"pointbook\"\nclient_secret_file = \"{}\"\nname = \"Example\"\n",
        no_issuer(),
        folder.path("secret").display()
    );
    folder.write("a.toml", &openid);
    let found = folder.run("doctor --config a.toml").stdout;
    assert!(found.contains("openid") && found.contains("response.type"), "{found}");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let console = format!("{}/console/acme", server.url);
    let page = get_of_host("acme.example", &console, "");
    assert!(page.contains("Sign in with Example"), "{page}");
    let headers = "Sec-Fetch-Site: same-origin\r\n";
    let failed = send_to_host("POST", "acme.example", &format!("{console}/openid"), headers, "");
    assert!(failed.starts_with("HTTP/1.1 502 ") && failed.contains("Reason: response.type"), "{failed}");
    let (_, log) = server.stop("TERM");
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let line = lines.into_iter().find(|line| line["message"] == "operator not signed in by OpenID Connect");
    let line = line.unwrap_or_else(|| panic!("{log}"));
    assert_eq!((&line["class"], &line["level"]), (&"response.type".into(), &"warn".into()));
    assert_eq!(line["tenant"], "acme/production");
    for text in [MARKER, "hush"] {
        assert!(!log.contains(text) && !failed.contains(text) && !found.contains(text), "{text}");
    }
}

#[test]
fn a_server_does_not_start_with_half_an_issuer() {
    let folder = Folder::with_tenant();
    for (config, part) in [
        ("issuer = \"https://login.example.com\"", "openid.client_id is empty"),
        ("client_id = \"pointbook\"", "openid.issuer is empty, but openid.client_id"),
        ("issuer = \"http://login.example.com\"", "openid.issuer must be an https URL"),
        (
            "issuer = \"https://login.example.com\"\nclient_id = \"a\"\nclient_secret_file = \"gone\"",
            "openid.client_secret_file: cannot read gone",
        ),
    ] {
        folder.write("a.toml", &format!("[openid]\n{config}\n"));
        folder.run("serve --listen 127.0.0.1:0 --config a.toml").expect_refusal(&[part]);
        let found = folder.run("doctor --config a.toml").expect_code(1).stdout;
        assert!(found.contains(part), "{found}");
    }
}

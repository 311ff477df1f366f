//! `listen.console`: the console at an address for itself.

use std::net::TcpListener;

use crate::program::{Folder, get};

/// A folder with a tenant and an operator.
fn folder() -> Folder {
    let folder = Folder::with_tenant();
    folder.run("operator add --tenant acme ada@example.com --name Ada --role owner").expect_code(0);
    folder
}

#[test]
fn the_console_is_at_its_own_address_until_the_server_stops() {
    let folder = folder();
    folder.write("a.toml", "[listen]\nconsole = \"127.0.0.1:0\"\n[limits]\nmax_connections = 1\nheader_read_timeout_ms = 3600000\n");
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let front = server.console_url.clone().unwrap();
    let console = front.strip_suffix("/console").unwrap();
    // Connections to one address keep no one away from the other.
    let idle = std::net::TcpStream::connect(&server.url["http://".len()..]).unwrap();
    for (url, status) in [
        (&*front, 200),
        (&format!("{console}/console/acme"), 401),
        (&format!("{console}/readyz"), 200),
        (&format!("{console}/openapi.json"), 404),
    ] {
        let answer = get(url, "");
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{url}: {answer}");
    }
    drop(idle);
    let elsewhere = get(&format!("{}/console/acme", server.url), "");
    assert!(elsewhere.starts_with("HTTP/1.1 404 "), "{elsewhere}");
    let console = console["http://".len()..].to_owned();
    let (status, said) = server.stop("TERM");
    assert!(status.success(), "{said}");
    assert!(
        said.contains("\"path\":\"/console/acme\"") && said.contains("\"route\":\"console.overview\""),
        "{said}"
    );
    TcpListener::bind(console).unwrap();
}

#[test]
fn links_name_the_address_of_the_console() {
    let folder = folder();
    let link = |config: &str| {
        folder.write("a.toml", config);
        folder.run_with_variable("operator link --tenant acme ada@example.com", "POINTBOOK_CONFIG", "a.toml")
    };
    for (config, origin) in [
        ("", "http://acme.example"),
        ("[listen]\nconsole = \"127.0.0.1:8081\"\n", "http://127.0.0.1:8081"),
        (
            "[listen]\nconsole = \"127.0.0.1:0\"\nconsole_url = \"https://ops.example/\"\n",
            "https://ops.example",
        ),
    ] {
        let printed = link(config).expect_code(0).stdout;
        assert!(printed.starts_with(&format!("{origin}/console/acme/sign-in?link=")), "{printed}");
    }
    for console in ["127.0.0.1:0", "0.0.0.0:8081"] {
        let refused = link(&format!("[listen]\nconsole = \"{console}\"\n")).expect_code(2);
        assert!(refused.stderr.contains("set listen.console_url"), "{refused:?}");
    }
}

#[test]
fn addresses_that_are_equal_are_refused() {
    let folder = folder();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    folder.write("a.toml", &format!("[listen]\nconsole = \"127.0.0.1:{port}\"\n"));
    let expected = format!(
        "listen.console is 127.0.0.1:{port}, and listen.address is 0.0.0.0:{port}: set another port for listen.console"
    );
    let refused = folder.run(&format!("serve --listen 0.0.0.0:{port} --config a.toml")).expect_code(2);
    assert!(refused.stderr.contains(&expected), "{refused:?}");
    folder.write(
        "a.toml",
        &format!("[listen]\naddress = \"0.0.0.0:{port}\"\nconsole = \"127.0.0.1:{port}\"\n"),
    );
    assert!(folder.run("config show --config a.toml").expect_code(2).stderr.contains(&expected));
    let found = folder.run("doctor --config a.toml").expect_code(1).stdout;
    assert!(found.contains(&expected), "{found}");
    // The option replaces the address of the file.
    drop(folder.serve("serve --listen 127.0.0.1:0 --config a.toml"));
    folder.write("a.toml", "[listen]\nconsole_url = \"https://ops.example\"\n");
    let refused = folder.run("serve --listen 127.0.0.1:0 --config a.toml").expect_code(2);
    assert!(refused.stderr.contains("listen.console is off"), "{refused:?}");
}

#[test]
fn doctor_examines_the_address_of_the_console() {
    let folder = folder();
    let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let free = folder.run_with_variable("doctor", "POINTBOOK_LISTEN_CONSOLE", "127.0.0.1:0").stdout;
    assert!(free.contains("ok       console        127.0.0.1:0 is free"), "{free}");
    folder.write("a.toml", &format!("[listen]\nconsole = \"{address}\"\n"));
    let server = folder.serve("serve --listen 127.0.0.1:0 --config a.toml");
    let running = folder.run("doctor --config a.toml").stdout;
    assert!(
        running.contains(&format!("ok       console        a server responds at {address}")),
        "{running}"
    );
    drop(server);
}

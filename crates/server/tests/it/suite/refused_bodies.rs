//! Requests that are refused before the server reads their body. The connection stays usable, or the server announces its end.

use http::StatusCode;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::harness::{TestServer, base_path};

/// A keep-alive connection.
struct Connection<'s> {
    stream: TcpStream,
    server: &'s TestServer,
}

/// A response: its status, whether it announces the end of the connection, its body.
type RefusedResponse = (u16, bool, String);

impl<'s> Connection<'s> {
    async fn open(server: &'s TestServer) -> Self {
        Self { stream: TcpStream::connect(server.address()).await.unwrap(), server }
    }

    async fn send(&mut self, method: &str, path: &str, token: &str, headers: &str) {
        let head = format!(
            "{method} {}{path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n{headers}\r\n",
            base_path()
        );
        self.stream.write_all(head.as_bytes()).await.unwrap();
    }

    async fn read_response(&mut self) -> RefusedResponse {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            head.push(self.stream.read_u8().await.unwrap());
        }
        let head = String::from_utf8(head).unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        let mut body = vec![0; length.map_or(0, |length| length.parse().unwrap())];
        self.stream.read_exact(&mut body).await.unwrap();
        (status, head.contains("\r\nconnection: close\r\n"), String::from_utf8(body).unwrap())
    }

    /// Checks that the server serves the next request on the connection.
    async fn assert_usable(&mut self, why: &str) {
        let token = self.server.token();
        self.send("GET", "/v1/user", token, "").await;
        assert_eq!(self.read_response().await.0, 200, "{why}");
    }

    /// Checks that the server closes the connection.
    async fn assert_closed(mut self) {
        let mut rest = Vec::new();
        // A reset counts as closed, too.
        let _ = self.stream.read_to_end(&mut rest).await;
        assert_eq!(rest, b"");
    }
}

/// Refused requests: method, path, token, more headers, status.
fn refused<'t>(server: &'t TestServer, back_office: &'t str) -> Vec<[&'t str; 5]> {
    let customer = server.token();
    vec![
        ["POST", "/v1/store/orders", "stranger", "", "401"],
        ["POST", "/v1/manage/orders/x/cancel", customer, "", "403"],
        ["POST", "/v1/nothing", customer, "", "404"],
        ["PUT", "/v1/store/products", customer, "", "405"],
        ["POST", "/v1/store/orders", customer, "Content-Type: text/plain\r\n", "415"],
        ["POST", "/v1/store/orders?a[b][c][d][e][f][g][h][i][j]=1", customer, "", "422"],
        ["DELETE", "/v1/manage/products/nothing", back_office, "", "404"],
        ["GET", "/v1/store/products", customer, "", "200"],
    ]
}

#[tokio::test]
async fn a_connection_is_usable_after_a_refused_body_of_up_to_64_kibibytes() {
    let (server, back_office) = TestServer::with_back_office().await;
    let mut connection = Connection::open(&server).await;
    for [method, path, token, headers, status] in refused(&server, &back_office) {
        for length in [1_000, 30_000, 65_536] {
            let why = format!("{method} {path} {length}");
            connection.send(method, path, token, &format!("{headers}Content-Length: {length}\r\n")).await;
            connection.stream.write_all(&vec![b'x'; length]).await.unwrap();
            let (told, closes, _) = connection.read_response().await;
            assert_eq!((told.to_string(), closes), (status.to_owned(), false), "{why}");
            connection.assert_usable(&why).await;
        }
    }
}

#[tokio::test]
async fn connection_close_is_announced_after_a_refused_body() {
    let (server, back_office) = TestServer::with_back_office().await;
    for [method, path, token, headers, status] in refused(&server, &back_office) {
        for length in [
            "Content-Length: 65537\r\n",
            "Transfer-Encoding: chunked\r\n",
            "Content-Length: 1000\r\nExpect: 100-continue\r\n",
        ] {
            let mut connection = Connection::open(&server).await;
            connection.send(method, path, token, &format!("{headers}{length}")).await;
            let (told, closes, _) = connection.read_response().await;
            assert_eq!((told.to_string(), closes), (status.to_owned(), true), "{method} {path} {length}");
            connection.assert_closed().await;
        }
    }
}

#[tokio::test]
async fn a_declared_body_beyond_the_limit_is_413_and_announced() {
    let server = TestServer::start().await;
    let mut connection = Connection::open(&server).await;
    connection.send("POST", "/v1/store/orders", server.token(), "Content-Length: 1048577\r\n").await;
    let (told, closes, body) = connection.read_response().await;
    assert_eq!((told, closes), (StatusCode::PAYLOAD_TOO_LARGE.as_u16(), true));
    assert_eq!(body, r#"{"message":"Payload too large.","code":"payload_too_large"}"#);
    connection.assert_closed().await;
}

//! Imports have long bodies, so only a few are in memory at once.

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::harness::{TestServer, base_path};

const IMPORT: &str = "/v1/manage/activities/import";
/// How many imports there is room for.
const PLACES: usize = 8;

/// An import whose body does not come.
async fn begin_import(server: &TestServer, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    let head = format!(
        "POST {}{IMPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Length: 16777216\r\n\r\n",
        base_path()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

#[tokio::test]
async fn a_ninth_import_is_told_to_come_again() {
    let (server, token) = TestServer::with_back_office().await;
    let status = async || server.post(IMPORT, &token).send().await.status.as_u16();
    let mut running = Vec::new();
    for _ in 0..PLACES {
        assert_eq!(status().await, 200);
        running.push(begin_import(&server, &token).await);
    }
    let refused = loop {
        let answer = server.post(IMPORT, &token).send().await;
        if answer.status != 200 {
            break answer;
        }
    };
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    // Other requests have places of their own.
    assert_eq!(server.get("/v1/user").await.status, 200);
    drop(running);
    while status().await != 200 {}
}

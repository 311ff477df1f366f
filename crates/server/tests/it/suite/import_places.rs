//! Imports have long bodies, so only a few are in memory at once, and of one tenant only half of them.

use http::Method;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Answer, Call};
use crate::harness::{STAGING_PATH, TestServer, base_path};

const IMPORT: &str = "/v1/manage/activities/import";
/// How many imports of one tenant there is room for.
const TENANT_PLACES: usize = 4;

/// The back office of a tenant.
struct Office<'s> {
    server: &'s TestServer,
    base: &'s str,
    token: String,
}

impl Office<'_> {
    /// An import whose body does not come.
    async fn begin_import(&self) -> TcpStream {
        let mut stream = TcpStream::connect(self.server.address()).await.unwrap();
        let head = format!(
            "POST {}{IMPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Length: 16777216\r\n\r\n",
            self.base, self.token
        );
        stream.write_all(head.as_bytes()).await.unwrap();
        stream
    }

    /// An import of nothing.
    async fn import(&self) -> Answer {
        let path = format!("{}{IMPORT}", self.base);
        Call::new(self.server.address(), Method::POST, path).bearer(&self.token).send().await
    }

    /// The answer once the places are known to be taken.
    async fn refused(&self) -> Answer {
        loop {
            let answer = self.import().await;
            if answer.status != 200 {
                return answer;
            }
        }
    }

    /// Takes all places that the tenant may have.
    async fn fill(&self) -> Vec<TcpStream> {
        let mut running = Vec::new();
        for _ in 0..TENANT_PLACES {
            assert_eq!(self.import().await.status, 200);
            running.push(self.begin_import().await);
        }
        running
    }
}

#[tokio::test]
async fn a_fifth_import_of_a_tenant_is_told_to_come_again_and_others_are_taken() {
    let (server, token) = TestServer::with_back_office().await;
    let staging_token = server.issue_super_user_in_staging().await;
    let production = Office { server: &server, base: base_path(), token };
    let staging = Office { server: &server, base: STAGING_PATH, token: staging_token };
    let running = production.fill().await;
    let refused = production.refused().await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    // Other tenants have places of their own, and so have other requests.
    let of_staging = staging.fill().await;
    assert_eq!(staging.refused().await.status, 503);
    assert_eq!(server.get("/v1/user").await.status, 200);
    drop(running);
    while production.import().await.status != 200 {}
    assert_eq!(staging.import().await.status, 503);
    drop(of_staging);
    while staging.import().await.status != 200 {}
}

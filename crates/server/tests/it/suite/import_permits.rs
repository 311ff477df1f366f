//! Imports have long bodies, so only a few may run at once, and one tenant may have only half of the permits.

use http::Method;
use pointbook_testkit::{FaultyDatabase, WriteFault};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::client::{Answer, Call};
use crate::harness::{STAGING_PATH, TestServer, base_path};

const IMPORT: &str = "/v1/manage/activities/import";
/// The write of an import.
const LINE: &str = r#"{"user_id":"u1","type":"code","source_id":"k-1","points":5,"title":"Scan","created_at":"2026-02-01T10:00:00Z"}"#;
/// How many imports of one tenant may run at once.
const TENANT_PERMITS: usize = 4;

/// The back office of a tenant.
struct BackOffice<'s> {
    server: &'s TestServer,
    base: &'s str,
    token: String,
}

impl BackOffice<'_> {
    /// An import whose write is executed, and whose response never comes.
    async fn begin_import(&self) -> TcpStream {
        let mut stream = TcpStream::connect(self.server.address()).await.unwrap();
        let request = format!(
            "POST {}{IMPORT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {}\r\nContent-Length: {}\r\n\r\n{LINE}",
            self.base,
            self.token,
            LINE.len()
        );
        stream.write_all(request.as_bytes()).await.unwrap();
        stream
    }

    /// An import without lines.
    async fn import(&self) -> Answer {
        let path = format!("{}{IMPORT}", self.base);
        Call::new(self.server.address(), Method::POST, path).bearer(&self.token).send().await
    }

    /// Takes all permits that the tenant may have.
    async fn fill(&self, faulty: &FaultyDatabase) -> Vec<TcpStream> {
        let mut running = Vec::new();
        for _ in 0..TENANT_PERMITS {
            assert_eq!(self.import().await.status, 200);
            faulty.fail_next_write(Some(WriteFault::AnswerHangs));
            running.push(self.begin_import().await);
            while faulty.awaits_write() {
                tokio::task::yield_now().await;
            }
        }
        running
    }
}

#[tokio::test]
async fn fifth_import_of_a_tenant_gets_503_and_other_requests_work() {
    let (server, token, faulty) = TestServer::with_faults().await;
    let staging_token = server.issue_super_user_in_staging().await;
    let production = BackOffice { server: &server, base: base_path(), token };
    let staging = BackOffice { server: &server, base: STAGING_PATH, token: staging_token };
    for _ in 0..=TENANT_PERMITS {
        assert_eq!(production.import().await.status, 200, "an import that ended gives its permit back");
    }
    let running = production.fill(&faulty).await;
    let refused = production.import().await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, Some("1")));
    // Other tenants, and other requests, have other permits.
    let of_staging = staging.fill(&faulty).await;
    assert_eq!(staging.import().await.status, 503);
    assert_eq!(server.get("/v1/user").await.status, 200);
    drop((running, of_staging));
}

#[tokio::test]
async fn an_import_whose_request_was_given_up_holds_its_permit_until_its_write_ended() {
    let (server, token, faulty) = TestServer::with_faults().await;
    let production = BackOffice { server: &server, base: base_path(), token };
    let running = production.fill(&faulty).await;
    drop(running);
    // Long enough for the server to notice that the clients have gone.
    for _ in 0..20 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
        assert_eq!(production.import().await.status, 503, "the writes are still executed");
    }
}

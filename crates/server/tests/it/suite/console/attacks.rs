//! What attackers try, and what must not follow.

use std::time::Duration;

use http::Method;
use pointbook_access::operators::manage::{RemoveOperator, list_operators};
use pointbook_domain::{Email, Role};
use pointbook_http::kernel::HttpLimits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::operator::{Browser, CONSOLE, operator};
use crate::harness::TestServer;

/// Adds a member with a form of which only the first bytes are sent.
async fn begin(server: &TestServer, browser: &Browser<'_>, first: &str, length: usize) -> TcpStream {
    let head = format!(
        "POST {CONSOLE}/members HTTP/1.1\r\nHost: shop.example\r\nCookie: {}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{first}",
        browser.cookie,
    );
    let mut stream = TcpStream::connect(server.address()).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    stream
}

/// Four requests of an operator are at work, sixteen wait, and further ones are refused. Others do not notice.
#[tokio::test]
async fn one_operator_takes_no_place_of_others() {
    let server = TestServer::start_with(HttpLimits::default(), |database| database).await;
    let [greedy, other] =
        [Browser::of(&server, Role::Manager).await, Browser::of(&server, Role::Owner).await];
    let body = format!("form={}&id=late&birth_date=&locale=", greedy.form_token().await);
    let (first, rest) = body.split_at(10);
    let mut slow = Vec::new();
    for _ in 0..4 {
        slow.push(begin(&server, &greedy, first, body.len()).await);
    }
    // Until the server waits for the rest of each.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let mut answers: JoinSet<_> = (0..40).map(|_| greedy.call(Method::GET, "/members").send()).collect();
    for _ in 0..24 {
        let refused = answers.join_next().await.unwrap().unwrap();
        assert_eq!(refused.status, 503, "{}", refused.text());
    }
    other.page("/search?q=u").await;
    for stream in &mut slow {
        stream.write_all(rest.as_bytes()).await.unwrap();
    }
    while let Some(answer) = answers.join_next().await {
        assert_eq!(answer.unwrap().status, 200);
    }
}

/// An operator begins a request, and is removed before its body has arrived.
#[tokio::test]
async fn a_removed_operator_cannot_finish_a_request() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let manager = Browser::of(&server, Role::Manager).await;
    let token = manager.form_token().await;
    let body = format!("form={token}&id=intruder&birth_date=&locale=");
    let (first, rest) = body.split_at(10);
    let mut stream = begin(&server, &manager, first, body.len()).await;
    // Until the server waits for the rest.
    tokio::time::sleep(Duration::from_millis(300)).await;
    let data = server.production().data.clone();
    data.write(RemoveOperator(Email::parse("manager@example.com").unwrap())).await.unwrap().unwrap();
    stream.write_all(rest.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert_eq!(owner.get("/members/intruder").await.status, 404);
}

/// Browsers take a part of a path that is `..` for a step up, even when it is percent-encoded.
#[tokio::test]
async fn an_id_of_dots_leads_to_its_own_page() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for id in [".", "..", "~", "a/b"] {
        let page = owner.page("/members").await;
        let added = owner.submit(&page, "/members", &[("id", id)]).await;
        assert_eq!(added.status, 303, "{id}: {}", added.text());
        let to = added.header("location").unwrap().strip_prefix(CONSOLE).unwrap().to_owned();
        let (path, _) = to.split_once('?').unwrap();
        assert!(!path.split('/').any(|part| matches!(part, "." | ".." | "%2E" | "%2E%2E")), "{path}");
        let member = owner.page(path).await;
        assert!(member.contains(&format!("<h1>{id} <")), "{id}: {member}");
        let disabled = owner.submit(&member, &format!("{path}/disable"), &[]).await;
        assert_eq!(disabled.status, 303, "{id}: {}", disabled.text());
    }
}

#[tokio::test]
async fn a_tenant_without_operators_has_no_console() {
    let server = TestServer::with_sample().await;
    let ask =
        async || server.call_at(&format!("{CONSOLE}/sign-in")).header("host", "shop.example").send().await;
    assert_eq!(ask().await.status, 404);
    operator(&server, Role::Owner).await;
    assert_eq!(ask().await.status, 401);
    assert_eq!(list_operators(&*server.production().data).await.unwrap().len(), 1);
}

/// PostgreSQL keeps no U+0000.
#[tokio::test]
async fn a_null_character_is_found_nowhere() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for (path, status) in [
        ("/products?search=%00", 200),
        ("/members?search=%00", 200),
        ("/orders?user=%00", 200),
        ("/audit-log?actor=%00&object=%00", 200),
        ("/search?q=a%00b", 200),
        ("/members/%00", 404),
        ("/products/%00", 404),
        ("/orders/%00", 404),
        ("/webhooks/%00", 404),
        ("/campaigns/%00", 404),
        ("/reports/%00", 404),
        ("/operators/%00", 404),
    ] {
        let answer = owner.get(path).await;
        assert_eq!(answer.status, status, "{path}: {}", answer.text());
    }
}

//! The input of one customer never decides the responses to others (docs/adr/0018).

use flate2::read::GzDecoder;
use std::io::Read;
use xxhash_rust::xxh3::xxh3_64;

use crate::client::Answer;
use crate::harness::{BASE_URL, TestServer};

/// The value of the attacker's parameter, between padding. A search with four lists found it in some seconds. With it, the
/// page has the same XXH3 as the victim's page.
const FORGED: &str = "tL_MAAAAAAAAAAAAJqOLAAAAAAAAAAAAMOOHAAAAAAAAAAAAXVYBAAAAAAAAAAAA";

const LIST: &str = "/v1/store/products";

/// A page without products. The parameter appears only in its links.
fn page(x: &str) -> String {
    format!("{LIST}?filter[title]=zzzzqq&x={x}")
}

fn victims_page() -> String {
    page(&"v".repeat(400))
}

fn attackers_page() -> String {
    page(&format!("{}{FORGED}{}", "P".repeat(325), "A".repeat(100)))
}

/// The input of the former page tag: the numbers of its window, the hashes of its items, and its links.
fn hashed_once(page: &str) -> Vec<u8> {
    let window: [u64; 6] = [1, 15, 0, 1, 0, 0];
    let query = page.split_once('?').unwrap().1.replace('[', "%5B").replace(']', "%5D");
    let links = format!("{BASE_URL}{LIST}?{query}&page%5Bnumber%5D=");
    window.iter().flat_map(|number| number.to_le_bytes()).chain(links.into_bytes()).collect()
}

async fn get(server: &TestServer, token: &str, path: &str) -> Answer {
    server.call(path).bearer(token).header("accept-encoding", "gzip").send().await
}

fn unpacked(answer: &Answer) -> Vec<u8> {
    let mut bytes = Vec::new();
    match answer.header("content-encoding") {
        Some("gzip") => drop(GzDecoder::new(&*answer.body).read_to_end(&mut bytes).unwrap()),
        _ => bytes.extend_from_slice(&answer.body),
    }
    bytes
}

#[test]
fn forged_page_had_the_same_former_tag() {
    let (victim, attacker) = (hashed_once(&victims_page()), hashed_once(&attackers_page()));
    assert_ne!(victim, attacker);
    assert_eq!(xxh3_64(&victim), xxh3_64(&attacker));
}

#[tokio::test]
async fn forged_page_is_not_served_to_others() {
    let server = TestServer::with_sample().await;
    let attacker = server.issue("u2").await;
    let plain = server.get(&victims_page()).await;
    // The server saw, built and cached this page.
    for _ in 0..3 {
        let forged = get(&server, &attacker, &attackers_page()).await;
        assert!(String::from_utf8(unpacked(&forged)).unwrap().contains(FORGED));
    }
    for _ in 0..3 {
        let answer = get(&server, server.token(), &victims_page()).await;
        assert_eq!(unpacked(&answer), plain.body);
    }
    let forged = server.call(&attackers_page()).bearer(&attacker).send().await;
    assert_ne!(forged.header("etag"), plain.header("etag"));
    let tag = forged.header("etag").unwrap().to_owned();
    let revalidated = server.call(&victims_page()).bearer(server.token()).header("if-none-match", tag);
    assert_eq!(revalidated.send().await.status, 200);
}

/// Clients must be able to revalidate behind a load balancer.
#[tokio::test]
async fn all_instances_give_the_same_tag() {
    let server = TestServer::with_sample().await;
    let second = server.second_instance().await;
    for path in [LIST, "/v1/store/products/mug", "/v1/store/categories", "/v1/user/point-history", "/v1/user"]
    {
        let (one, other) = (server.get(path).await, second.get(path).await);
        assert_eq!(one.header("etag"), other.header("etag"), "{path}");
        assert_eq!(one.header("etag").unwrap().len(), 34, "{path}");
    }
}

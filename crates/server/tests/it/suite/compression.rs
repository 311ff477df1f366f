//! `Accept-Encoding` of reads.

use std::io::Read;

use flate2::read::GzDecoder;
use http::Method;

use crate::client::{Answer, Call};
use crate::harness::{Act, TestServer, base_path};

const LIST: &str = "/v1/store/products";
const HISTORY: &str = "/v1/user/point-history";

/// A server with enough products and transactions for responses that are worth compressing.
async fn server() -> TestServer {
    let server = TestServer::with_sample().await;
    for number in 0..10 {
        server.add_product(&format!("another-product-{number}")).await;
    }
    let acts: Vec<Act> = (0..20).map(|n| Act::new("quiz", 2, &format!("2026-01-03T11:00:{n:02}Z"))).collect();
    server.record(&acts).await;
    server
}

fn asking(server: &TestServer, method: Method, path: &str, accepted: &str) -> Call {
    Call::new(server.address(), method, format!("{}{path}", base_path()))
        .bearer(server.token())
        .header("accept-encoding", accepted)
}

#[tokio::test]
async fn styles_and_scripts_are_compressed() {
    let server = TestServer::with_sample().await;
    let call = |path| Call::new(server.address(), Method::GET, path).header("host", "shop.example");
    for path in ["/tokens.css", "/pointbook.css", "/pointbook.js"] {
        let plain = call(path.to_owned()).send().await;
        let packed = call(path.to_owned()).header("accept-encoding", "gzip").send().await;
        assert_eq!((plain.status.as_u16(), packed.status.as_u16()), (200, 200), "{path}");
        assert!(packed.body.len() * 2 < plain.body.len(), "{path}: {}", packed.body.len());
        assert_eq!(unpacked(&packed), plain.body, "{path}");
    }
}

async fn get(server: &TestServer, path: &str, accepted: &str) -> Answer {
    asking(server, Method::GET, path, accepted).send().await
}

fn unpacked(answer: &Answer) -> Vec<u8> {
    match answer.header("content-encoding") {
        Some("gzip") => {
            let mut bytes = Vec::new();
            GzDecoder::new(&*answer.body).read_to_end(&mut bytes).unwrap();
            bytes
        }
        Some("zstd") => zstd::bulk::decompress(&answer.body, 1 << 20).unwrap(),
        other => {
            assert_eq!(other, None);
            answer.body.to_vec()
        }
    }
}

#[tokio::test]
async fn second_read_is_compressed_and_has_the_same_content() {
    let server = server().await;
    let plain = server.get(LIST).await;
    assert_eq!(plain.header("content-encoding"), None);
    for coding in ["gzip", "zstd"] {
        let first = get(&server, LIST, coding).await;
        assert_eq!(unpacked(&first), plain.body);
        // The first response is compressed, the second one comes from the cache.
        for _ in 0..2 {
            let again = get(&server, LIST, coding).await;
            assert_eq!(again.header("content-encoding"), Some(coding));
            assert_eq!(unpacked(&again), plain.body);
            assert!(again.body.len() * 2 < plain.body.len());
            assert_eq!(again.header("content-length"), Some(&*again.body.len().to_string()));
            assert_eq!(again.header("content-type"), plain.header("content-type"));
        }
    }
}

#[tokio::test]
async fn a_history_is_compressed_each_time() {
    let server = server().await;
    let plain = server.get(HISTORY).await;
    for coding in ["gzip", "zstd"] {
        let answer = get(&server, HISTORY, coding).await;
        assert_eq!(answer.header("content-encoding"), Some(coding));
        assert_eq!(unpacked(&answer), plain.body);
        let head = asking(&server, Method::HEAD, HISTORY, coding).send().await;
        for name in ["content-length", "content-encoding", "etag", "content-type"] {
            assert_eq!(head.header(name), answer.header(name), "{name}");
        }
        assert_eq!(head.body.len(), 0);
    }
}

#[tokio::test]
async fn a_change_is_seen_through_compression() {
    let server = server().await;
    for _ in 0..3 {
        get(&server, LIST, "gzip").await;
    }
    server.add_product("brand-new").await;
    for _ in 0..3 {
        let answer = get(&server, LIST, "gzip").await;
        assert!(String::from_utf8(unpacked(&answer)).unwrap().contains("brand-new"));
    }
}

#[tokio::test]
async fn a_compressed_answer_has_a_weak_tag_that_is_known_again() {
    let server = server().await;
    let strong = server.get(HISTORY).await.header("etag").unwrap().to_owned();
    let compressed = get(&server, HISTORY, "gzip").await;
    assert_eq!(compressed.header("etag"), Some(&*format!("W/{strong}")));
    for etag in [format!("W/{strong}"), strong] {
        let call = asking(&server, Method::GET, HISTORY, "gzip").header("if-none-match", etag.clone());
        let again = call.send().await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0));
        assert_eq!(again.header("etag"), Some(&*etag), "the tag that the client has");
        let plain = server.call(HISTORY).bearer(server.token()).header("if-none-match", etag.clone());
        assert_eq!(plain.send().await.header("etag"), Some(&*etag), "with any encoding");
    }
}

#[tokio::test]
async fn short_answers_errors_and_writes_are_sent_as_they_are() {
    let server = server().await;
    for path in ["/v1/user", "/v1/store/products?page[size]=0", "/v1/nothing"] {
        assert_eq!(get(&server, path, "gzip").await.header("content-encoding"), None, "{path}");
    }
}

//! The language of the point history.

use crate::harness::{Act, TestServer};

async fn group(server: &TestServer, language: Option<&str>) -> [String; 3] {
    let mut call = server.call("/v1/user/point-history").bearer(server.token());
    if let Some(language) = language {
        call = call.header("accept-language", language);
    }
    let answer = call.send().await;
    assert!(answer.header("vary").is_some_and(|vary| vary.to_lowercase().contains("accept-language")));
    let language = answer.header("content-language").unwrap().to_owned();
    let day = answer.json()["data"].as_object().unwrap().values().next().unwrap().clone();
    [
        language,
        day[0]["groupTitle"].as_str().unwrap().to_owned(),
        day[0]["groupSubtitle"].as_str().unwrap().to_owned(),
    ]
}

fn scans(count: u32) -> Vec<Act> {
    (0..count)
        .map(|n| Act::new("code", 1, &format!("2026-01-01T10:00:{n:02}Z")).titles("Scan", "Coffee"))
        .collect()
}

#[tokio::test]
async fn the_language_is_what_the_client_accepts_among_those_the_tenant_has() {
    let server = TestServer::start().await;
    server.record(&scans(3)).await;
    for (asked, language) in [
        (None, "en"),
        (Some("de"), "de"),
        (Some("tr-TR,en;q=0.5"), "tr"),
        (Some("ja;q=0.3, de;q=0.9"), "de"),
        (Some("fr"), "en"),
        (Some("*;;;q=x"), "en"),
    ] {
        let [found, title, subtitle] = group(&server, asked).await;
        assert_eq!(found, language, "{asked:?}");
        assert!(!title.is_empty() && subtitle.contains('3'), "{title} {subtitle}");
    }
}

#[tokio::test]
async fn a_group_of_one_shows_its_item_and_a_larger_one_a_count() {
    let server = TestServer::start().await;
    server.record(&scans(1)).await;
    assert_eq!(group(&server, None).await[2], "Coffee");
    server.record(&scans(2)).await;
    assert_eq!(group(&server, None).await[2], "3 codes scanned");
}

#[tokio::test]
async fn a_tenant_can_restrict_its_languages_and_bring_its_own_texts() {
    let server = TestServer::start().await;
    server.record(&scans(1)).await;
    server.set("locales", "en,ja").await;
    assert_eq!(group(&server, Some("de")).await[0], "en");
    assert_eq!(group(&server, Some("ja")).await[0], "ja");
    server.set("texts.en", "code-title = Stamps").await;
    assert_eq!(group(&server, None).await[1], "Stamps");
}

#[tokio::test]
async fn a_type_that_the_tenant_declares_has_the_generic_texts() {
    let server = TestServer::start().await;
    server.set("activity_types", "checkin").await;
    let checkin = |at: &str| Act::new("checkin", 3, at).titles("Checked in", "Main street");
    server.record(&[checkin("2026-01-01T10:00:00Z")]).await;
    assert_eq!(group(&server, None).await, ["en", "Activity", "Main street"]);
    server.record(&[checkin("2026-01-01T11:00:00Z")]).await;
    assert_eq!(group(&server, None).await, ["en", "Activity", "2 activities"]);
    let day = server.get("/v1/user/point-history").await.json()["data"]["2026-01-01"].clone();
    assert_eq!((&day[0]["type"], &day[0]["data"][1]["type"]), (&"checkin".into(), &"checkin".into()));
}

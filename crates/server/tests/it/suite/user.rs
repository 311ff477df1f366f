//! `GET /v1/user`.

use pointbook_domain::Locale;

use crate::harness::TestServer;

#[tokio::test]
async fn user_without_data_is_shown_byte_for_byte() {
    let server = TestServer::start().await;
    server.award(120).await;
    let answer = server.get("/v1/user").await;
    let expected = r#"{"success":true,"data":{"id":"u1","user_points":120,"birth_date":null,"locale":null,"disabled":false,"created_at":"2026-03-01T12:00:00.000000Z"}}"#;
    assert_eq!((answer.status.as_u16(), answer.text()), (200, expected));
}

#[tokio::test]
async fn known_fields_of_a_user_are_shown() {
    let server = TestServer::start().await;
    server.know_user("u1", "1984-02-29", Locale::new("de").unwrap()).await;
    let shown = server.get("/v1/user").await.json()["data"].clone();
    assert_eq!((&shown["birth_date"], &shown["locale"]), (&"1984-02-29".into(), &"de".into()));
}

#[tokio::test]
async fn each_user_sees_themselves() {
    let server = TestServer::start().await;
    server.award(120).await;
    let other = server.issue("a/b ü").await;
    let shown = server.call("/v1/user").bearer(&other).send().await.json()["data"].clone();
    assert_eq!((&shown["id"], &shown["user_points"]), (&"a/b ü".into(), &0.into()));
}

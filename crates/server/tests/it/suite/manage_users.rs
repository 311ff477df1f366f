//! `/v1/manage/users`: users, their points, and whether they are disabled.

use http::Method;
use serde_json::{Value, json};

use crate::client::Answer;
use crate::harness::{BASE_URL, TestServer};

const PATH: &str = "/v1/manage/users";

/// A server, and a token of the back office.
struct BackOffice(TestServer, String);

impl BackOffice {
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self(server, token)
    }

    /// A server with these users and `u1`.
    async fn of(users: &[&str]) -> Self {
        let office = Self::open().await;
        for user in users {
            assert_eq!(office.put(user, json!({})).await.status, 201, "{user}");
        }
        office
    }

    async fn put(&self, id: &str, body: Value) -> Answer {
        self.0.request(Method::PUT, &format!("{PATH}/{id}"), &self.1).json(&body).send().await
    }

    async fn get(&self, path: &str) -> Answer {
        self.0.request(Method::GET, &format!("{PATH}{path}"), &self.1).send().await
    }

    async fn end_tokens(&self, id: &str) -> Answer {
        self.0.request(Method::DELETE, &format!("{PATH}/{id}/tokens"), &self.1).send().await
    }

    async fn status_of(&self, token: &str) -> u16 {
        self.0.call("/v1/user").bearer(token).send().await.status.as_u16()
    }
}

/// The response to a PUT of this user, who has no points.
fn put_body(id: &str, birth_date: &str, locale: &str, disabled: bool) -> String {
    format!(
        r#"{{"success":true,"data":{{"id":"{id}","user_points":0,"birth_date":{birth_date},"locale":{locale},"disabled":{disabled},"created_at":"2026-03-01T12:00:00.000000Z"}},"user_points":0}}"#
    )
}

#[tokio::test]
async fn a_user_is_created_changed_kept_and_cleared_byte_for_byte() {
    let office = BackOffice::open().await;
    let given = json!({"birth_date": "1984-02-29", "locale": "de", "disabled": false});
    let steps = [
        (given.clone(), 201, put_body("n1", r#""1984-02-29""#, r#""de""#, false)),
        (given, 200, put_body("n1", r#""1984-02-29""#, r#""de""#, false)),
        (json!({"locale": "ja"}), 200, put_body("n1", r#""1984-02-29""#, r#""ja""#, false)),
        (json!({}), 200, put_body("n1", r#""1984-02-29""#, r#""ja""#, false)),
        (json!({"birth_date": null}), 200, put_body("n1", "null", r#""ja""#, false)),
        (json!({"disabled": true}), 200, put_body("n1", "null", r#""ja""#, true)),
        (json!({"locale": null, "disabled": null}), 200, put_body("n1", "null", "null", true)),
        (json!({"disabled": false}), 200, put_body("n1", "null", "null", false)),
    ];
    for (body, status, expected) in steps {
        let answer = office.put("n1", body.clone()).await;
        assert_eq!((answer.status.as_u16(), answer.text()), (status, &*expected), "{body}");
        // The clock advances, and `created_at` must stay the same.
        office.0.advance_seconds(60);
    }
}

#[tokio::test]
async fn get_returns_the_user_of_the_put() {
    let office = BackOffice::open().await;
    office.0.award(120).await;
    assert_eq!(office.put("u1", json!({"locale": "tr"})).await.json()["user_points"], 120);
    let expected = r#"{"success":true,"data":{"id":"u1","user_points":120,"birth_date":null,"locale":"tr","disabled":false,"created_at":"2026-03-01T12:00:00.000000Z"}}"#;
    let shown = office.get("/u1").await;
    assert_eq!((shown.status.as_u16(), shown.text()), (200, expected));
    assert_eq!(office.0.get("/v1/user").await.text(), expected);
    office.0.assert_audit_is_clean().await;
}

#[tokio::test]
async fn unknown_user_is_404() {
    let office = BackOffice::open().await;
    for unknown in ["stranger", "U1", "%FF", "%00", "a".repeat(256).as_str()] {
        for answer in [office.get(&format!("/{unknown}")).await, office.end_tokens(unknown).await] {
            let expected = (404, r#"{"message":"Not found.","code":"not_found"}"#);
            assert_eq!((answer.status.as_u16(), answer.text()), expected, "{unknown}");
        }
    }
}

#[tokio::test]
async fn invalid_user_id_is_refused_like_a_field() {
    let office = BackOffice::open().await;
    let long = "a".repeat(256);
    for (id, rule) in [
        ("%FF", "must be UTF-8, percent-encoded."),
        ("%00", "must not contain U+0000."),
        (&long, "must not be greater than 255 characters."),
    ] {
        let rule = format!("user_id: The user id {rule}");
        assert_eq!(office.put(id, json!({})).await.field_errors(), [&*rule]);
        assert_eq!(
            office.put(id, json!({"disabled": 1})).await.field_errors(),
            [&*rule, "disabled: The disabled field must be true or false."]
        );
    }
}

#[tokio::test]
async fn every_bad_field_is_named_and_changes_nothing() {
    let office = BackOffice::open().await;
    let body = json!({"id": "u2", "disabled": 1, "locale": "not a tag", "birth_date": "2026-03-02"});
    assert_eq!(
        office.put("n1", body).await.field_errors(),
        [
            "birth_date: The birth date must not be in the future.",
            "locale: The selected locale is invalid.",
            "disabled: The disabled field must be true or false.",
            "id: The id field is not known."
        ]
    );
    for bad in ["29.02.1984", "1983-02-29", "1984-2-29", "1984-02-29T00:00:00Z", ""] {
        let answer = office.put("n1", json!({"birth_date": bad, "locale": "de"})).await;
        assert_eq!(
            answer.field_errors(),
            ["birth_date: The birth date must be a date such as 1984-02-29."],
            "{bad}"
        );
    }
    assert_eq!(office.get("/n1").await.status, 404);
}

#[tokio::test]
async fn a_list_is_the_documented_envelope_byte_for_byte() {
    let office = BackOffice::of(&["a", "b", "aa"]).await;
    office.put("aa", json!({"disabled": true})).await;
    let answer = office.get("?filter[search]=A&filter[disabled]=false&page[size]=5").await;
    let url = format!("{BASE_URL}{PATH}");
    let link =
        format!("{url}?filter%5Bsearch%5D=A&filter%5Bdisabled%5D=false&page%5Bsize%5D=5&page%5Bnumber%5D=1");
    let expected = format!(
        r#"{{"data":[{{"id":"a","user_points":0,"birth_date":null,"locale":null,"disabled":false,"created_at":"2026-03-01T12:00:00.000000Z"}}],"links":{{"first":"{link}","last":"{link}","prev":null,"next":null}},"meta":{{"current_page":1,"from":1,"last_page":1,"path":"{url}","per_page":5,"to":1,"total":1}}}}"#
    );
    assert_eq!((answer.status.as_u16(), answer.text()), (200, &*expected));
}

#[tokio::test]
async fn bad_parameters_of_the_list_are_named() {
    let office = BackOffice::open().await;
    let query = "?filter[x]=1&filter[disabled]=no&filter[search][]=a&page[size]=0";
    assert_eq!(
        office.get(query).await.field_errors(),
        [
            "page.size: The page.size must be at least 1.",
            "filter.search: The filter.search must be a string.",
            "filter.disabled: The filter.disabled field must be true or false.",
            "filter.x: The selected filter.x is invalid."
        ]
    );
}

#[tokio::test]
async fn disabled_user_is_refused_at_once_and_enabled_with_the_same_token() {
    let office = BackOffice::open().await;
    let (token, other) = (office.0.token().to_owned(), office.0.issue("u2").await);
    // The server has cached both tokens as valid.
    assert_eq!((office.status_of(&token).await, office.status_of(&other).await), (200, 200));
    office.put("u1", json!({"disabled": true})).await;
    let answer = office.0.call("/v1/user").bearer(&token).send().await;
    assert_eq!(
        (answer.status.as_u16(), answer.text()),
        (401, r#"{"message":"Unauthenticated.","code":"unauthenticated"}"#)
    );
    assert_eq!(office.status_of(&other).await, 200);
    let issue =
        async || office.0.post("/v1/auth/token", &office.1).json(&json!({"user_id": "u1"})).send().await;
    assert_eq!(issue().await.field_errors(), ["user_id: The selected user is disabled."]);
    // Another change does not enable the user.
    office.put("u1", json!({"locale": "de"})).await;
    assert_eq!(office.status_of(&token).await, 401);
    office.put("u1", json!({"disabled": false})).await;
    assert_eq!((office.status_of(&token).await, issue().await.status.as_u16()), (200, 201));
}

#[tokio::test]
async fn revoking_all_tokens_of_a_user_spares_other_users() {
    let office = BackOffice::open().await;
    let (first, second) = (office.0.token().to_owned(), office.0.issue("u1").await);
    let (expired, other) = (office.0.issue_expired("u1").await, office.0.issue("u2").await);
    assert_eq!((office.status_of(&first).await, office.status_of(&second).await), (200, 200));
    let answer = office.end_tokens("u1").await;
    // One token had expired before.
    let expected = r#"{"success":true,"data":{"revoked":2}}"#;
    assert_eq!((answer.status.as_u16(), answer.text()), (200, expected));
    for token in [&first, &second, &expired] {
        assert_eq!(office.status_of(token).await, 401);
    }
    assert_eq!((office.status_of(&other).await, office.get("").await.status.as_u16()), (200, 200));
    let again = office.end_tokens("u1").await;
    assert_eq!(again.text(), r#"{"success":true,"data":{"revoked":0}}"#);
    // The user can get new tokens.
    let new = office.0.issue("u1").await;
    assert_eq!(office.status_of(&new).await, 200);
}

#[tokio::test]
async fn nothing_else_gets_an_identifier_with_a_control_character() {
    let BackOffice(server, token) = BackOffice::open().await;
    let stored = server.stored().await;
    let product = |id: &str, sku: &str| json!({"id": id, "sku": sku, "title": "Cup", "regular_price": 1});
    let tree = json!({"categories": [{"id": "a", "label": "A", "children": [{"id": "b\tc", "label": "B"}]}]});
    let scan = json!({"type": "code", "source_id": "s\u{85}1", "points": 1, "title": "Scan"});
    for (method, path, body, field) in [
        (Method::PUT, "/v1/manage/products/a%09b", product("a\tb", "s"), "product_id"),
        (Method::PUT, "/v1/manage/products/ab", product("ab", "s\n"), "sku"),
        (Method::PATCH, "/v1/manage/products/mug", json!({"sku": "\u{7f}s"}), "sku"),
        (Method::PUT, "/v1/manage/categories", tree, "categories.0.children.0.id"),
        (Method::POST, "/v1/manage/users/u1/activities", scan, "source_id"),
        (Method::POST, "/v1/auth/links", json!({"user_id": "be\u{1b}n"}), "user_id"),
    ] {
        let refused = server.request(method, path, &token).json(&body).send().await;
        assert_eq!(refused.status, 422, "{path}: {}", refused.text());
        assert_eq!(
            refused.json()["codes"][field],
            json!(["control_character"]),
            "{path}: {}",
            refused.text()
        );
    }
    let line = product("a\tb", "s").to_string();
    let answer = server.post("/v1/manage/products/import", &token).ndjson(line).send().await;
    let codes = &answer.json()["data"]["errors"][0]["codes"];
    assert_eq!(codes, &json!({"id": ["control_character"]}), "{}", answer.text());
    assert_eq!(server.stored().await, stored);
}

#[tokio::test]
async fn the_id_of_a_new_user_has_no_control_character() {
    let BackOffice(server, token) = BackOffice::open().await;
    let stored = server.stored().await;
    let scan = json!({"type": "code", "source_id": "s", "points": 1, "title": "Scan"});
    for (method, path, body) in [
        (Method::PUT, "/v1/manage/users/be%09n", json!({})),
        (Method::POST, "/v1/manage/users/be%0An/activities", scan.clone()),
        (Method::POST, "/v1/manage/users/be%C2%85n/activities/dry-run", scan),
        (Method::POST, "/v1/auth/token", json!({"user_id": "be\u{1b}n"})),
    ] {
        let refused = server.request(method, path, &token).json(&body).send().await;
        assert_eq!(refused.status, 422, "{path}: {}", refused.text());
        assert_eq!(refused.json()["codes"], json!({"user_id": ["control_character"]}), "{path}");
    }
    for (path, line) in [
        ("/v1/manage/users/import", json!({"user_id": "be\tn"})),
        (
            "/v1/manage/activities/import",
            json!({"user_id": "be\tn", "type": "code", "source_id": "s", "points": 1, "title": "S", "created_at": "2026-01-01T00:00:00Z"}),
        ),
    ] {
        let answer = server.post(path, &token).ndjson(line.to_string()).send().await;
        let codes = &answer.json()["data"]["errors"][0]["codes"];
        assert_eq!(codes, &json!({"user_id": ["control_character"]}), "{path}: {}", answer.text());
    }
    assert_eq!(server.stored().await, stored);
    assert_eq!(server.request(Method::GET, "/v1/manage/users/be%09n", &token).send().await.status, 404);
}

const NOTES: &str = "/v1/manage/users/u1/notes";

#[tokio::test]
async fn notes_come_newest_first_byte_for_byte_and_a_repeat_adds_none() {
    let office = BackOffice::of(&[]).await;
    let BackOffice(server, token) = &office;
    let text = json!({"text": " Called about\nthe mug\n"});
    let mut answers = Vec::new();
    for _ in 0..2 {
        answers.push(server.post(NOTES, token).header("idempotency-key", "k1").json(&text).send().await);
    }
    let first = r#"{"id":"id-00000004","user_id":"u1","text":"Called about\nthe mug","created_at":"2026-03-01T12:00:00.000000Z","created_by":"key:141c15619df2b0770803"}"#;
    for answer in answers {
        let expected = format!(r#"{{"success":true,"data":{first}}}"#);
        assert_eq!((answer.status.as_u16(), answer.text()), (201, &*expected));
    }
    server.advance_seconds(60);
    server.post(NOTES, token).json(&json!({"text": "Called again"})).send().await;
    let page = office.get("/u1/notes?page[size]=1&page[number]=2").await;
    let link = |number| format!("{BASE_URL}{NOTES}?page%5Bsize%5D=1&page%5Bnumber%5D={number}");
    let (one, two, url) = (link(1), link(2), format!("{BASE_URL}{NOTES}"));
    let expected = format!(
        r#"{{"data":[{first}],"links":{{"first":"{one}","last":"{two}","prev":"{one}","next":null}},"meta":{{"current_page":2,"from":2,"last_page":2,"path":"{url}","per_page":1,"to":2,"total":2}}}}"#
    );
    assert_eq!((page.status.as_u16(), page.text()), (200, &*expected));
    let log = server.request(Method::GET, "/v1/manage/audit-log", token).send().await;
    assert!(
        log.text().contains(r#""operation":"user.note","object":"user:u1""#) && !log.text().contains("mug"),
        "{}",
        log.text()
    );
}

#[tokio::test]
async fn a_user_without_notes_has_an_empty_page_and_an_unknown_one_is_not_found() {
    let office = BackOffice::of(&[]).await;
    let BackOffice(server, token) = &office;
    let none = office.get("/u1/notes").await;
    assert!(none.status == 200 && none.text().starts_with(r#"{"data":[],"#), "{}", none.text());
    assert_eq!(office.get("/nobody/notes").await.status, 404);
    let unknown = NOTES.replace("u1", "nobody");
    assert_eq!(server.post(&unknown, token).json(&json!({"text": "a"})).send().await.status, 404);
    for (text, refused) in [
        (json!({}), "The text field is required."),
        (json!({"text": " \n"}), "The text field is required."),
        (json!({"text": 1}), "The text must be a string."),
        (
            json!({"text": "a\u{7}"}),
            "The text must not contain control characters other than tabs and line ends.",
        ),
        (json!({"text": "a".repeat(2_001)}), "The text must not be greater than 2000 characters."),
    ] {
        let answer = server.post(NOTES, token).json(&text).send().await;
        assert!(answer.status == 422 && answer.text().contains(refused), "{}", answer.text());
    }
    assert_eq!(office.get("/u1/notes").await.text(), none.text());
}

#[tokio::test]
async fn notes_are_exported_by_user_and_time() {
    use pointbook_server::export::{self, Cells, Exported};

    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    for (user, text) in [("u2", "Second, \"quoted\""), ("u1", "First"), ("u1", "Later")] {
        server
            .request(Method::PUT, &format!("/v1/manage/users/{user}"), &token)
            .json(&json!({}))
            .send()
            .await;
        let call = server.post(&format!("/v1/manage/users/{user}/notes"), &token);
        let added = call.json(&json!({"text": text})).send().await;
        assert_eq!(added.status, 201, "{}", added.text());
        server.advance_seconds(1);
    }
    let mut written = Vec::new();
    let data = server.production().data.clone();
    let count = export::run(&*data, Exported::Notes, None, Cells::Exact, &mut written).await.unwrap();
    let text = String::from_utf8(written).unwrap();
    let rows: Vec<_> = text.lines().collect();
    assert_eq!((count, rows[0]), (3, "user_id,created_at,created_by,text"));
    assert!(rows[1].starts_with("u1,2026-03-01T12:00:01") && rows[1].ends_with(",First"), "{text}");
    assert!(rows[2].ends_with(",Later") && rows[3].ends_with(",\"Second, \"\"quoted\"\"\""), "{text}");
}

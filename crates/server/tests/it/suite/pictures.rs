//! Pictures of products: `/v1/manage/pictures`, and the files below `/pictures`.

use http::Method;
use pointbook_testkit::pictures::{avif, jpeg, png, png_of_bytes, webp_of};
use serde_json::{Value, json};

use crate::client::{Answer, Call};
use crate::harness::{BASE_URL, STAGING_PATH, TestServer, base_path};

const PATH: &str = "/v1/manage/pictures";
const MAX_BYTES: usize = 2 * 1024 * 1024;

struct BackOffice(TestServer, String);

impl BackOffice {
    async fn open() -> Self {
        let (server, token) = TestServer::with_back_office().await;
        Self(server, token)
    }

    async fn add(&self, bytes: impl Into<bytes::Bytes>) -> Answer {
        self.0.post(PATH, &self.1).body(bytes).send().await
    }

    /// The data of a picture that is stored.
    async fn added(&self, bytes: Vec<u8>) -> Value {
        let answer = self.add(bytes).await;
        assert!(answer.status.is_success(), "{}", answer.text());
        answer.json()["data"].clone()
    }

    async fn remove(&self, picture: &Value) -> Answer {
        let path = format!("{PATH}/{}", picture["id"].as_str().unwrap());
        self.0.request(Method::DELETE, &path, &self.1).send().await
    }

    async fn patch(&self, product: &Value) {
        let call = self.0.request(Method::PATCH, "/v1/manage/products/mug", &self.1);
        let answer = call.json(product).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }

    /// A request without a token.
    fn file(&self, picture: &Value) -> Call {
        let path = picture["url"].as_str().unwrap().strip_prefix(BASE_URL).unwrap();
        self.file_at(Method::GET, path)
    }

    fn file_at(&self, method: Method, path: &str) -> Call {
        Call::new(self.0.address(), method, format!("{}{path}", base_path()))
    }
}

#[tokio::test]
async fn a_picture_is_stored_once_and_shown_to_everyone() {
    let office = BackOffice::open().await;
    for (bytes, content_type, extension) in [
        (png(640, 480, 1), "image/png", "png"),
        (jpeg(640, 480), "image/jpeg", "jpg"),
        (webp_of(640, 480), "image/webp", "webp"),
        (avif(640, 480), "image/avif", "avif"),
    ] {
        let first = office.add(bytes.clone()).await;
        assert_eq!(first.status, 201, "{}", first.text());
        let data = &first.json()["data"];
        let id = data["id"].as_str().unwrap();
        let expected = json!({
            "id": id, "url": format!("{BASE_URL}/pictures/{id}.{extension}"), "content_type": content_type,
            "width": 640, "height": 480, "bytes": bytes.len(), "created_at": "2026-03-01T12:00:00.000000Z",
        });
        assert_eq!(*data, expected);
        let again = office.add(bytes.clone()).await;
        assert_eq!((again.status.as_u16(), again.text()), (200, first.text()));
        let shown = office.file(data).send().await;
        assert_eq!((shown.status.as_u16(), &shown.body), (200, &bytes.into()));
        assert_eq!(shown.header("content-type"), Some(content_type));
    }
}

#[tokio::test]
async fn a_file_may_be_kept_for_ever_and_can_do_nothing() {
    let office = BackOffice::open().await;
    let picture = office.added(png(3, 2, 1)).await;
    let shown = office.file(&picture).send().await;
    let tag = format!("\"{}\"", picture["id"].as_str().unwrap());
    for (name, value) in [
        ("cache-control", "public, max-age=31536000, immutable"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("etag", &tag),
    ] {
        assert_eq!(shown.header(name), Some(value), "{name}");
    }
    let path = picture["url"].as_str().unwrap().strip_prefix(BASE_URL).unwrap();
    let head = office.file_at(Method::HEAD, path).send().await;
    assert_eq!((head.status.as_u16(), head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), Some(&*shown.body.len().to_string()));
    let known = office.file(&picture).header("if-none-match", tag.clone()).send().await;
    assert_eq!((known.status.as_u16(), known.body.len(), known.header("etag")), (304, 0, Some(&*tag)));
    assert_eq!(known.header("cache-control"), shown.header("cache-control"));
    let encoded = office.file(&picture).header("accept-encoding", "gzip, br").send().await;
    assert_eq!((encoded.header("content-encoding"), &encoded.body), (None, &shown.body));
    for method in [Method::POST, Method::PUT, Method::DELETE] {
        let refused = office.file_at(method, path).send().await;
        assert_eq!((refused.status.as_u16(), refused.header("allow")), (405, Some("GET, HEAD")));
    }
}

#[tokio::test]
async fn only_the_url_of_a_picture_is_found() {
    let office = BackOffice::open().await;
    let picture = office.added(png(3, 2, 1)).await;
    let id = picture["id"].as_str().unwrap();
    for path in [
        format!("{id}.jpg"),
        format!("{id}.svg"),
        format!("{id}.html"),
        format!("{id}.png.png"),
        format!("{id}.PNG"),
        format!("{id}."),
        id.to_owned(),
        format!("{}.png", id.to_uppercase()),
        format!("{}.png", &id[..63]),
        format!("{}.png", "0".repeat(64)),
        format!("{id}.png%00"),
        format!("../pictures/{id}.png"),
        String::new(),
    ] {
        let answer = office.file_at(Method::GET, &format!("/pictures/{path}")).send().await;
        assert_eq!(answer.status, 404, "{path}: {}", answer.text());
        assert_eq!(answer.header("content-type"), Some("application/json"), "{path}");
    }
    let elsewhere = Call::new(office.0.address(), Method::GET, format!("{STAGING_PATH}/pictures/{id}.png"));
    assert_eq!(elsewhere.send().await.status, 404, "another tenant");
}

#[tokio::test]
async fn other_bytes_are_refused_and_nothing_is_stored() {
    let office = BackOffice::open().await;
    let before = office.0.stored().await;
    let format = "picture: The picture must be a PNG, JPEG, WebP or AVIF file.";
    let damaged = "picture: The picture is damaged or incomplete.";
    let whole = png(3, 2, 1);
    let (cut, longer) = (whole[..whole.len() - 1].to_vec(), [&whole[..], b"<script>x()</script>"].concat());
    for (bytes, expected) in [
        (Vec::new(), "picture: The picture is empty."),
        (b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x()\"/>".to_vec(), format),
        (b"<!doctype html><script>x()</script>".to_vec(), format),
        ([b"<!--", &whole[..]].concat(), format),
        (b"GIF89a\x01\0\x01\0\0\0\0;".to_vec(), format),
        (cut, damaged),
        (longer, damaged),
        (
            png(8_193, 1, 0),
            "picture: The picture must have 1 to 8192 pixels on each side, and at most 24 million.",
        ),
    ] {
        // The claim of a client means nothing.
        let call = office.0.post(PATH, &office.1).header("content-type", "image/png").body(bytes);
        assert_eq!(call.send().await.field_errors(), [expected]);
    }
    let large = office.add(png_of_bytes(MAX_BYTES + 1)).await;
    assert_eq!((large.status.as_u16(), &large.json()["code"]), (413, &json!("payload_too_large")));
    assert!(office.0.stored().await == before);
    let largest = office.add(png_of_bytes(MAX_BYTES)).await;
    assert_eq!(largest.status, 201, "{}", largest.text());
    let shown = office.file(&largest.json()["data"]).send().await;
    assert_eq!(shown.body.len(), MAX_BYTES);
}

#[tokio::test]
async fn a_picture_that_a_product_shows_stays() {
    let office = BackOffice::open().await;
    office.0.add_product("mug").await;
    let (one, other) = (office.added(png(3, 2, 1)).await, office.added(png(3, 2, 2)).await);
    office.patch(&json!({"thumbnail": one["url"], "gallery": [other["url"]]})).await;
    for picture in [&one, &other] {
        let refused = office.remove(picture).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (409, &json!("picture_in_use")));
        assert_eq!(office.file(picture).send().await.status, 200);
    }
    office.patch(&json!({"gallery": []})).await;
    assert_eq!(office.remove(&other).await.status, 200);
    assert_eq!(office.remove(&other).await.status, 404);
    assert_eq!(office.file(&other).send().await.status, 404);
    assert_eq!(office.file(&one).send().await.status, 200);
}

#[tokio::test]
async fn pictures_are_listed_in_pages_the_newest_first() {
    let office = BackOffice::open().await;
    let mut all = Vec::new();
    for pixels in 0..3 {
        all.insert(0, office.added(png(3, 2, pixels)).await);
        office.0.advance_seconds(1);
    }
    let list = async |query: &str| {
        office.0.request(Method::GET, &format!("{PATH}{query}"), &office.1).send().await.json()
    };
    let page = list("?page[size]=2").await;
    assert_eq!((&page["data"], &page["meta"]["total"]), (&json!(all[..2]), &json!(3)));
    assert_eq!(list("?page[size]=2&page[number]=2").await["data"], json!(all[2..]));
}

//! Faults of the issuer and of what comes back. Each of them signs no one in, for its reason.

use url::form_urlencoded;

use super::browser::{REMOVED, Setup, Trip, cookies};
use super::issuer::Plant::{Answer, Claims, Discovery, Exchange, Metadata, Nothing, Payload, Token};
use super::issuer::{Plant, Proof, Reply};
use super::members::text;

/// A fault of the issuer, and the class that the page shows. The unit tests of `access::openid` have each fault of a claim.
type OfIssuer = (&'static str, Plant, &'static str);

const CLAIMS: &[OfIssuer] = &[
    ("other iss", Claims(|claims| claims.set("iss", text("http://127.0.0.1:1"))), "id_token.iss"),
    ("other aud", Claims(|claims| claims.set("aud", text("shop"))), "id_token.aud"),
    ("expired", Claims(|claims| claims.set("exp", (claims.now - 60).to_string())), "id_token.exp"),
    ("iat in the future", Claims(|claims| claims.set("iat", (claims.now + 61).to_string())), "id_token.iat"),
    ("other nonce", Claims(|claims| claims.set("nonce", text("n-0S6_WzA2Mj"))), "id_token.nonce"),
    ("no sub", Claims(|claims| claims.remove("sub")), "id_token.sub"),
    ("no email", Claims(|claims| claims.remove("email")), "id_token.email"),
    ("not verified", Claims(|claims| claims.set("email_verified", "false")), "id_token.email_verified"),
    ("two email", Claims(|claims| claims.add("email", text("owner@example.com"))), "id_token"),
    ("email of no operator", Claims(|claims| claims.set("email", text("eve@example.com"))), "operator"),
    ("look-alike", Claims(|claims| claims.set("email", text("оwner@example.com"))), "operator"),
    ("dotless ı", Claims(|claims| claims.set("email", text("owner@examp\u{2113}e.com"))), "operator"),
    ("email with a space", Claims(|claims| claims.set("email", text("owner@example.com "))), "operator"),
    ("email with U+0000", Claims(|claims| claims.set("email", text("owner@example.com\0"))), "operator"),
];

const RESPONSES: &[OfIssuer] = &[
    ("no JSON in the payload", Payload(|_| "iss".to_owned()), "id_token"),
    ("no base64", Token(|token| token.replace(".ey", ".*y")), "id_token"),
    ("no id_token", Answer(|answer| answer.remove("id_token")), "token"),
    ("id_token is null", Answer(|answer| answer.set("id_token", "null")), "token"),
    ("no token_type", Answer(|answer| answer.remove("token_type")), "token"),
    ("odd token_type", Answer(|answer| answer.set("token_type", text("DPoP"))), "token"),
    ("two id_token", Answer(|answer| answer.add("id_token", text("a.b.c"))), "response.json"),
    ("500", Exchange(Reply::Head("500 No\r\nContent-Type: application/json")), "response.status"),
    ("201", Exchange(Reply::Head("201 Created\r\nContent-Type: application/json")), "response.status"),
    ("redirect", Exchange(Reply::Head("307 Go\r\nLocation: /token")), "response.status"),
    ("HTML", Exchange(Reply::Head("200 OK\r\nContent-Type: text/html")), "response.type"),
    ("no JSON", Exchange(Reply::Body("<p>")), "response.json"),
    ("too large", Exchange(Reply::Long(64 * 1024)), "response.size"),
    ("cut", Exchange(Reply::Closed), "unreachable"),
];

/// Faults that show before the person goes to the issuer.
const METADATA: &[OfIssuer] = &[
    ("other issuer", Metadata(|data| data.set("issuer", text("http://127.0.0.1:1"))), "metadata.issuer"),
    ("no issuer", Metadata(|data| data.remove("issuer")), "metadata.issuer"),
    ("two issuers", Metadata(|data| data.add("issuer", text("http://127.0.0.1:1"))), "response.json"),
    (
        "token endpoint without TLS",
        Metadata(|data| data.set("token_endpoint", text("http://login.example.com/token"))),
        "metadata.endpoint",
    ),
    (
        "authorization endpoint is a script",
        Metadata(|data| data.set("authorization_endpoint", text("javascript:alert(1)"))),
        "metadata.endpoint",
    ),
    ("no endpoint", Metadata(|data| data.remove("token_endpoint")), "metadata.endpoint"),
    (
        "only plain PKCE",
        Metadata(|data| data.set("code_challenge_methods_supported", r#"["plain"]"#)),
        "metadata.method",
    ),
    (
        "only keys",
        Metadata(|data| data.set("token_endpoint_auth_methods_supported", r#"["private_key_jwt"]"#)),
        "metadata.method",
    ),
    ("discovery is down", Discovery(Reply::Closed), "unreachable"),
    (
        "discovery redirects",
        Discovery(Reply::Head("302 Go\r\nLocation: http://127.0.0.1:1/")),
        "response.status",
    ),
    ("discovery is HTML", Discovery(Reply::Head("200 OK\r\nContent-Type: text/html")), "response.type"),
    ("discovery is too large", Discovery(Reply::Long(70_000)), "response.size"),
];

/// A change of what the browser brings back, and the class.
type OfCallback = (&'static str, Change, &'static str);

type Change = fn(&mut Trip);

const CALLBACKS: &[OfCallback] = &[
    ("no state", |trip| trip.remove("state"), "state"),
    ("empty state", |trip| trip.set("state", ""), "state"),
    ("other state", |trip| trip.set("state", "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"), "state"),
    ("shorter state", |trip| trip.set("state", &trip.get("state")[1..]), "state"),
    ("two states", |trip| trip.add("state", &trip.get("state")), "callback"),
    ("two codes", |trip| trip.add("code", "other"), "callback"),
    ("no code", |trip| trip.remove("code"), "callback"),
    ("empty code", |trip| trip.set("code", ""), "callback"),
    ("long code", |trip| trip.set("code", &"a".repeat(4_097)), "callback"),
    ("invented code", |trip| trip.set("code", "code 999"), "response.status"),
    ("mixed-up issuer", |trip| trip.set("iss", "http://127.0.0.1:1"), "callback.iss"),
    ("issuer with a slash", |trip| trip.set("iss", &format!("{}/", trip.get("iss"))), "callback.iss"),
    ("missing iss", |trip| trip.remove("iss"), "callback.iss"),
    ("denied", |trip| trip.set("error", "access_denied"), "denied"),
    ("another error", |trip| trip.set("error", "<script>alert(1)</script>"), "refused"),
    ("other secret", |trip| trip.cookie = trip.cookie.replacen(":AAAA", ":BAAA", 1), "state"),
    ("other tenant", |trip| trip.cookie = trip.cookie.replace("=shop:", "=shop.staging:"), "state"),
    ("attempt made younger", |trip| trip.cookie = trip.cookie.replacen(":1", ":2", 1), "state"),
];

/// What the server cannot tell from a request that was never begun here.
const WITHOUT_ATTEMPT: &[(&str, Change)] = &[
    ("another browser", |trip| trip.cookie.clear()),
    ("cookie without its prefix", |trip| trip.cookie = trip.cookie.replace("__Host-", "")),
    ("cookie without secret", |trip| "__Host-console-openid=shop:1".clone_into(&mut trip.cookie)),
    ("cookie of no tenant", |trip| trip.cookie = trip.cookie.replace("=shop:", "=no:")),
    ("cookie of a tenant elsewhere", |trip| trip.cookie = trip.cookie.replace("=shop:", "=other:")),
    ("another host", |trip| trip.host = "other.example"),
];

/// Lets the limit of the minute and the metadata in memory pass.
fn wait(place: &Setup) {
    place.server.advance_seconds(300);
}

#[tokio::test]
async fn a_faulty_token_signs_no_one_in() {
    let place = Setup::new(Proof::Basic).await;
    for (name, plant, class) in CLAIMS.iter().chain(RESPONSES) {
        wait(&place);
        let trip = place.go().await;
        place.issuer.plant(*plant);
        let answer = place.return_from(&trip).await;
        let page = answer.text();
        assert!(page.contains(&format!("Reason: {class}<")), "{name}: {page}");
        assert!(answer.status.as_u16() >= 400, "{name}");
        assert!(page.contains("href=\"/console/shop/sign-in\""), "{name} has no way back: {page}");
        assert_eq!(cookies(&answer), [REMOVED], "{name}");
        assert_eq!(place.sessions().await, 0, "{name}");
        place.issuer.plant(Nothing);
    }
    wait(&place);
    assert_eq!(place.return_from(&place.go().await).await.status, 303);
}

#[tokio::test]
async fn faulty_metadata_sends_no_one_to_the_issuer() {
    let place = Setup::new(Proof::Basic).await;
    for (name, plant, class) in METADATA {
        wait(&place);
        place.issuer.plant(*plant);
        let answer = place.begin().await;
        assert_eq!(answer.status, 502, "{name}");
        assert!(answer.text().contains(&format!("Reason: {class}<")), "{name}: {}", answer.text());
        assert_eq!(cookies(&answer), [""; 0], "{name}");
    }
    wait(&place);
    place.issuer.plant(Nothing);
    assert_eq!(place.begin().await.status, 200);
}

#[tokio::test]
async fn a_forged_callback_signs_no_one_in() {
    let place = Setup::new(Proof::Basic).await;
    for (name, change, class) in CALLBACKS {
        wait(&place);
        let mut trip = place.go().await;
        change(&mut trip);
        let answer = place.return_from(&trip).await;
        let page = answer.text();
        assert!(page.contains(&format!("Reason: {class}<")), "{name}: {page}");
        assert!(!page.contains("alert(1)"), "{name}: the text of the issuer is on the page");
        // Any site can send a browser here, so what is not of the attempt leaves the attempt.
        let is_kept = ["state", "callback"].contains(class);
        assert_eq!(cookies(&answer), if is_kept { vec![] } else { vec![REMOVED] }, "{name}");
        assert_eq!(place.sessions().await, 0, "{name}");
    }
}

#[tokio::test]
async fn a_callback_without_an_attempt_sends_nothing_to_the_issuer() {
    let place = Setup::new(Proof::Basic).await;
    for (name, change) in WITHOUT_ATTEMPT {
        wait(&place);
        let mut trip = place.go().await;
        change(&mut trip);
        let before = place.issuer.requests();
        let answer = place.return_from(&trip).await;
        assert_eq!(answer.status, 400, "{name}: {}", answer.text());
        assert!(answer.text().contains("This sign-in is no longer valid"), "{name}: {}", answer.text());
        assert_eq!((place.issuer.requests(), place.sessions().await), (before, 0), "{name}");
    }
}

#[tokio::test]
async fn a_callback_that_another_site_invents_does_not_end_a_sign_in() {
    let place = Setup::new(Proof::Basic).await;
    let trip = place.go().await;
    for query in ["state=invented&code=1", "state=a&state=b"] {
        let parameters = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        let forged = Trip { parameters, ..trip.clone() };
        let answer = place.return_from(&forged).await;
        assert_eq!((answer.status.as_u16(), cookies(&answer)), (400, vec![]), "{query}");
    }
    assert_eq!(place.return_from(&trip).await.status, 303);
}

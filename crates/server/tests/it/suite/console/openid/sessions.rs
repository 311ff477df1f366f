//! One attempt, one code and one person begin one session at most.

use http::Method;
use pointbook_access::operators::manage::{RemoveOperator, SetOperatorRole};
use pointbook_domain::{Email, Role};

use super::browser::{EMAIL, REMOVED, Setup, cookies, onward};
use super::issuer::{Plant, Proof};
use crate::client::Answer;
use crate::suite::console::operator::{Browser, CONSOLE, operator};

/// What gives or takes rights. Ending sessions is not: it must work at once.
const RIGHTS: [&str; 6] = [
    "/keys/new",
    "/keys/a/revoke",
    "/operators/new",
    "/operators/a/role",
    "/operators/a/link",
    "/operators/a/remove",
];

/// A stolen session is not enough. Where links alone sign in, each change would need a new link.
#[tokio::test]
async fn rights_change_for_fifteen_minutes_after_the_sign_in() {
    let place = Setup::new(Proof::Basic).await;
    let session = |opened: &Answer| cookies(opened)[0].split(';').next().unwrap().to_owned();
    let opened = place.return_from(&place.go().await).await;
    let mut browser = Browser::new(&place.server);
    browser.cookie = session(&opened);
    let form = browser.page("/operators/new").await;
    let typed = [("email", "new@example.com"), ("name", "New"), ("role", "analyst")];
    place.server.advance_seconds(899);
    for path in RIGHTS {
        assert_ne!(browser.post(path, &[]).await.status, 401, "{path}");
    }
    place.server.advance_seconds(1);
    for path in RIGHTS {
        let asked = browser.post(path, &[]).await;
        let page = asked.text();
        assert!(asked.status == 401 && page.contains("<h1>Sign in again</h1>"), "{path}: {page}");
        assert!(
            page.contains("data-draft hidden>This tab keeps") && page.contains("data-operator"),
            "{page}"
        );
    }
    assert_eq!(browser.submit(&form, "/operators/new", &typed).await.status, 401);
    assert!(!browser.page("/operators").await.contains("new@example.com"));

    let begin = |cookie: &str| {
        let call = place.call(Method::POST, &format!("{CONSOLE}/openid"));
        call.header("sec-fetch-site", "same-origin").header("cookie", cookie.to_owned()).send()
    };
    let (again, first) = (begin(&browser.cookie).await, begin("a=b").await);
    assert!(onward(&again).ends_with("&prompt=login") && !onward(&first).contains("prompt"));
    browser.cookie = session(&place.return_from(&place.go().await).await);
    let form = browser.page("/operators/new").await;
    assert_eq!(browser.submit(&form, "/operators/new", &typed).await.status, 303);

    place.first.advance_seconds(3_600);
    let by_link = Browser::of(&place.first, Role::Owner).await;
    place.first.advance_seconds(3_600);
    assert_eq!(by_link.post("/operators/new", &[]).await.status, 403, "the form has no token");
}

#[tokio::test]
async fn a_code_works_once() {
    let place = Setup::new(Proof::Basic).await;
    let trip = place.go().await;
    assert_eq!(place.return_from(&trip).await.status, 303);
    let again = place.return_from(&trip).await;
    assert!(again.text().contains("Reason: response.status<"), "{}", again.text());
    assert_eq!(place.sessions().await, 1);
}

/// Also when the issuer forgets that it must not accept a code twice.
#[tokio::test]
async fn an_attempt_works_once() {
    let place = Setup::new(Proof::Basic).await;
    place.issuer.plant(Plant::AcceptsEveryCode);
    let trip = place.go().await;
    assert_eq!(place.return_from(&trip).await.status, 303);
    let again = place.return_from(&trip).await;
    assert!(again.status == 400 && again.text().contains("Reason: used<"), "{}", again.text());
    assert_eq!(cookies(&again), [REMOVED]);
    assert_eq!(place.sessions().await, 1);
}

/// An attacker who signs in makes a victim's browser use the attacker's code.
#[tokio::test]
async fn a_code_of_another_attempt_is_refused() {
    let place = Setup::new(Proof::Basic).await;
    let (mut trip, other) = (place.go().await, place.go_as("manager@example.com").await);
    trip.set("code", &other.get("code"));
    let refused = place.return_from(&trip).await;
    assert!(refused.text().contains("Reason: response.status<"), "{}", refused.text());
    // The nonce is another one, too, for an issuer that does not check the verifier.
    place.issuer.plant(Plant::AcceptsEveryCode);
    let (mut trip, other) = (place.go().await, place.go().await);
    trip.set("code", &other.get("code"));
    let refused = place.return_from(&trip).await;
    assert!(refused.text().contains("Reason: id_token.nonce<"), "{}", refused.text());
    let mut trip = place.go().await;
    trip.parameters = place.go().await.parameters;
    let refused = place.return_from(&trip).await;
    assert!(refused.text().contains("Reason: state<"), "{}", refused.text());
    assert_eq!(place.sessions().await, 0);
}

#[tokio::test]
async fn an_attempt_expires() {
    let place = Setup::new(Proof::Basic).await;
    for (seconds, status) in [(599, 303), (600, 400)] {
        let trip = place.go_slowly(EMAIL, seconds).await;
        let answer = place.return_from(&trip).await;
        assert_eq!(answer.status.as_u16(), status, "{}", answer.text());
        assert!(status == 303 || answer.text().contains("Reason: expired<"), "{}", answer.text());
    }
}

#[tokio::test]
async fn a_removed_operator_does_not_sign_in() {
    let place = Setup::new(Proof::Basic).await;
    operator(&place.server, Role::Support).await;
    let trip = place.go_as("support@example.com").await;
    let data = place.server.production().data.clone();
    let email = Email::parse("support@example.com").unwrap();
    data.write(RemoveOperator(email)).await.unwrap().unwrap();
    let refused = place.return_from(&trip).await;
    assert_eq!(refused.status, 403);
    assert!(refused.text().contains("Reason: operator<"), "{}", refused.text());
    assert_eq!(place.sessions().await, 0);
}

/// The issuer says who a person is, and the table of operators says what the person may do.
#[tokio::test]
async fn the_role_is_the_one_of_the_operator_and_letters_may_be_large() {
    let place = Setup::new(Proof::Basic).await;
    operator(&place.server, Role::Analyst).await;
    let opened = place.return_from(&place.go_as("Analyst@EXAMPLE.com").await).await;
    assert_eq!(opened.status, 303, "{}", opened.text());
    let session = cookies(&opened)[0].split(';').next().unwrap().to_owned();
    let get =
        |path: &str| place.call(Method::GET, &format!("{CONSOLE}{path}")).header("cookie", session.clone());
    assert_eq!(get("/settings").send().await.status, 403);
    let data = place.server.production().data.clone();
    let email = Email::parse("analyst@example.com").unwrap();
    data.write(SetOperatorRole { email, role: Role::Owner }).await.unwrap().unwrap();
    assert_eq!(get("/settings").send().await.status, 200);
    let log = get("/audit-log?object=").send().await;
    assert!(log.text().contains("session.begin") && log.text().contains(">openid<"), "{}", log.text());
}

#[tokio::test]
async fn a_new_session_ends_the_one_before_in_the_same_browser() {
    let place = Setup::new(Proof::Basic).await;
    let opened = place.return_from(&place.go().await).await;
    let session = cookies(&opened)[0].split(';').next().unwrap().to_owned();
    let mut trip = place.go_as(EMAIL).await;
    trip.cookie = format!("{}; {session}", trip.cookie);
    assert_eq!(place.return_from(&trip).await.status, 303);
    assert_eq!(place.sessions().await, 1);
    let ended = place.call(Method::GET, &format!("{CONSOLE}/sessions")).header("cookie", session);
    assert_eq!(ended.send().await.status, 401);
}

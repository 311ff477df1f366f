//! Signing in to the console, and its sessions.

use pointbook_access::operators::manage::{RemoveOperator, SetOperatorRole, list_operators};
use pointbook_access::sessions::{list_operator_sessions, store_session_uses};
use pointbook_domain::{OperatorSession, Role};
use pointbook_server::jobs::find;
use pointbook_store::Actor;
use pointbook_store::ports::Execution;
use pointbook_store::tenants::set_clock::{ClockOutcome, ClockTarget, set_clock};
use pointbook_testkit::build;

use super::operator::{Browser, link, link_of, operator, operator_of};
use crate::harness::TestServer;

#[tokio::test]
async fn a_link_signs_in_once_and_only_by_its_form() {
    let server = TestServer::with_sample().await;
    let id = operator(&server, Role::Owner).await;
    let link = link(&server, &id).await;
    let mut browser = Browser::new(&server);
    for _ in 0..2 {
        let page = browser.page(&format!("/sign-in?link={link}")).await;
        assert!(page.contains("You sign in as The owner."), "{page}");
    }
    let opened = browser.post("/sign-in", &[("link", &link)]).await;
    assert_eq!((opened.status.as_u16(), opened.header("location")), (303, Some("/console/shop")));
    assert_eq!(opened.header("strict-transport-security"), Some("max-age=31536000"));
    browser.take_cookie(&opened);
    assert!(browser.page("/sessions").await.contains("this one"));
    let again = Browser::new(&server).post("/sign-in", &[("link", &link)]).await;
    assert!(again.status == 400 && again.text().contains("It was used before."), "{}", again.text());
    for bad in ["", "abc", &link[1..]] {
        let refused = Browser::new(&server).post("/sign-in", &[("link", bad)]).await;
        assert!(refused.status == 400 && refused.text().contains("incomplete"), "{}", refused.text());
    }
}

#[tokio::test]
async fn a_used_link_stays_used_when_the_virtual_clock_jumps_and_returns() {
    let server = TestServer::with_sample().await;
    let staging = || server.find("shop/staging");
    let id = operator_of(&server, &staging(), Role::Owner).await;
    let link = link_of(&server, &staging(), &id).await;
    let browser = Browser::new_in_staging(&server);
    assert_eq!(browser.post("/sign-in", &[("link", &link)]).await.status, 303);
    for target in [ClockTarget::Forward { seconds: 8 * 86_400 }, ClockTarget::Real] {
        let now = server.service().now_of(&staging());
        let context = build::context(&staging(), Actor::CommandLine, now);
        let set = set_clock(server.service(), &context, target).await.unwrap();
        assert!(matches!(set, Execution::Executed(ClockOutcome::Set { .. })), "{target:?}");
        let job = find("clean-request-keys").unwrap();
        server.job_runner().run_now(staging(), job).await.unwrap();
    }
    let again = browser.post("/sign-in", &[("link", &link)]).await;
    assert!(again.status == 400 && again.text().contains("It was used before."), "{}", again.text());
}

#[tokio::test]
async fn a_link_and_a_session_expire() {
    let server = TestServer::with_sample().await;
    let id = operator(&server, Role::Owner).await;
    let text = link(&server, &id).await;
    server.advance_seconds(600);
    let late = Browser::new(&server).post("/sign-in", &[("link", &text)]).await;
    assert!(late.status == 400 && late.text().contains("ten minutes"), "{}", late.text());
    let browser = Browser::of(&server, Role::Owner).await;
    for seconds in [[7_199; 6].as_slice(), &[5]].concat() {
        server.advance_seconds(seconds);
        browser.page("/sessions").await;
        store_session_uses(&server.production()).await.unwrap();
    }
    server.advance_seconds(1);
    let ended = browser.get("/sessions").await;
    assert_eq!(ended.status, 401);
    assert!(ended.header("set-cookie").unwrap().contains("Max-Age=0"));
    assert!(ended.text().contains("/ask-for-link\""), "{}", ended.text());
    let lost = browser.post("/settings", &[("name", "Typed")]).await;
    assert!(
        lost.status == 401 && lost.text().contains("data-draft hidden>This tab keeps"),
        "{}",
        lost.text()
    );
}

/// A use is stored when the last stored one is five minutes old, and after the page. So most pages cause no write.
#[tokio::test]
async fn a_session_ends_after_two_hours_without_use() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let support = Browser::of(&server, Role::Support).await;
    for (seconds, stored) in [(299, None), (1, Some(server.now().plus_seconds(300))), (299, None)] {
        server.advance_seconds(seconds);
        owner.page("/orders").await;
        let before = sessions(&server).await;
        store_session_uses(&server.production()).await.unwrap();
        let after = sessions(&server).await;
        assert_eq!(before != after, stored.is_some());
        assert!(stored.is_none_or(|at| after.iter().any(|session| session.last_used_at == Some(at))));
    }
    // A use is stored seven minutes later at most, so the session lasts so much longer.
    server.advance_seconds(7_200 + 420 - 599);
    assert_eq!(support.get("/sessions").await.status, 401);
    assert!(!owner.page("/sessions").await.contains("The support"), "an ended session is not listed");
    server.advance_seconds(299);
    owner.page("/orders").await;
    server.advance_seconds(1);
    let ended = owner.get("/orders").await;
    assert!(ended.status == 401 && ended.text().contains("after 2 hours without use"), "{}", ended.text());
}

async fn sessions(server: &TestServer) -> Vec<OperatorSession> {
    list_operator_sessions(&*server.production().data, server.now()).await.unwrap()
}

#[tokio::test]
async fn sessions_are_listed_and_ended() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let support = Browser::of(&server, Role::Support).await;
    let page = owner.page("/sessions").await;
    assert!(page.contains("The owner") && page.contains("The support"), "{page}");
    let own = support.page("/sessions").await;
    assert!(!own.contains("The owner") && own.contains("The support"), "{own}");
    let of_support = path_of_session(&own);
    let of_owner = path_of_session(&page.replace(&of_support, "/sessions/x/end"));
    let token = support.form_token().await;
    assert_eq!(support.post(&of_owner, &[("form", &token)]).await.status, 404, "of another operator");
    assert_eq!(owner.submit(&page, &of_support, &[]).await.status, 303);
    assert_eq!(support.get("/sessions").await.status, 401);
    let ended = owner.submit(&page, "/sign-out", &[]).await;
    assert_eq!(
        (ended.status.as_u16(), ended.header("location")),
        (303, Some("/console/shop/sign-in?said=signed-out"))
    );
    assert_eq!(owner.get("/sessions").await.status, 401);
    assert!(Browser::new(&server).page("/sign-in?said=signed-out").await.contains("You are signed out"));
}

/// The path of the first session of a page that can be ended.
fn path_of_session(page: &str) -> String {
    let starts = page.match_indices("/sessions/").map(|(at, _)| &page[at..]);
    let mut paths = starts.filter_map(|rest| rest.split_once('"').map(|(path, _)| path.to_owned()));
    paths.find(|path| path.ends_with("/end") && !path.contains("/x/")).unwrap()
}

#[tokio::test]
async fn a_role_counts_from_the_next_request_and_a_removal_ends_the_session() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let analyst = Browser::of(&server, Role::Analyst).await;
    analyst.page("").await;
    let data = server.production().data.clone();
    let operators = list_operators(&*data).await.unwrap();
    let email = operators.into_iter().find(|operator| operator.role == Role::Analyst).unwrap().email;
    data.write(SetOperatorRole { email: email.clone(), role: Role::Manager }).await.unwrap().unwrap();
    assert!(analyst.page("/sessions").await.contains("Manager"));
    data.write(RemoveOperator(email)).await.unwrap().unwrap();
    assert_eq!(analyst.get("/sessions").await.status, 401);
    owner.page("/sessions").await;
}

#[tokio::test]
async fn a_session_is_of_one_tenant_and_no_bearer_token() {
    let server = TestServer::with_sample().await;
    let mut browser = Browser::of(&server, Role::Owner).await;
    let session = browser.cookie.clone();
    let (_, token) = session.split_once('=').unwrap();
    let (token, _) = token.split_once('.').unwrap();
    let as_key = server.call("/v1/manage/orders").bearer(token).send().await;
    assert_eq!(as_key.status, 401, "no request to the interface can use it");
    for cookie in [
        format!("__Host-console-shop-production={}", server.issue_super_user().await),
        format!("__Host-console-shop-production={}", server.token()),
        session.replace("shop-production", "shop-staging"),
        session.replace("__Host-", ""),
        format!("__Host-console-shop-production={token}"),
        format!("{}A", &session[..session.len() - 1]),
    ] {
        browser.cookie.clone_from(&cookie);
        assert_eq!(browser.get("/sessions").await.status, 401, "{cookie}");
    }
}

#[tokio::test]
async fn a_new_session_ends_the_one_before_in_the_same_browser() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let text = link(&server, &operator(&server, Role::Owner).await).await;
    assert_eq!(browser.post("/sign-in", &[("link", &text)]).await.status, 303);
    assert_eq!(browser.get("/sessions").await.status, 401);
}

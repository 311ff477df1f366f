//! Operators: adding, roles, links, sessions, removal.

use pointbook_domain::Role;

use super::keys::between;
use super::operator::{Browser, NOTHING_SAVED};
use crate::harness::TestServer;

const NEW: &str = "/operators/new";

/// Adds an operator, and returns the path of its page.
async fn add(browser: &Browser<'_>, name: &str, role: &str) -> String {
    let form = browser.page(NEW).await;
    let email = format!("{name}@example.com");
    let added = browser.submit(&form, NEW, &[("email", &email), ("name", name), ("role", role)]).await;
    assert_eq!(added.status, 303, "{}", added.text());
    let path = added.header("location").unwrap().split_once('?').unwrap().0;
    path.strip_prefix("/console/shop").unwrap().to_owned()
}

/// The path of the page of the operator with this name.
async fn path_of(browser: &Browser<'_>, name: &str) -> String {
    let list = browser.page("/operators").await;
    let (before, _) = list.split_once(&format!("\">{name}</a>")).unwrap();
    before.rsplit_once("/console/shop").unwrap().1.to_owned()
}

#[tokio::test]
async fn an_operator_is_added_signs_in_and_is_removed() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let path = add(&owner, "Ben", "support").await;
    let page = owner.page(&path).await;
    let made = owner.submit(&page, &format!("{path}/link"), &[]).await;
    assert_eq!(made.status, 200, "{}", made.text());
    let link = between(made.text(), "sign-in?link=", "<");
    let mut ben = Browser::new(&server);
    let opened = ben.post("/sign-in", &[("link", link)]).await;
    assert_eq!(opened.status, 303, "{}", opened.text());
    ben.take_cookie(&opened);
    ben.page("/sessions").await;
    let log = owner.page("/audit-log").await;
    assert!(log.contains("operator.link") && log.contains("operator.add"), "{log}");

    let page = owner.page(&path).await;
    assert_eq!(owner.submit(&page, &format!("{path}/end-sessions"), &[]).await.status, 303);
    assert_eq!(ben.get("/sessions").await.status, 401);
    assert_eq!(owner.submit(&page, &format!("{path}/remove"), &[]).await.status, 303);
    assert!(!owner.page("/operators").await.contains("Ben"));
    assert_eq!(owner.get(&path).await.status, 404);
}

#[tokio::test]
async fn mistakes_of_a_new_operator_are_beside_their_fields() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let form = owner.page(NEW).await;
    let bad = owner.submit(&form, NEW, &[("email", "no address"), ("name", " "), ("role", "manager")]).await;
    assert_eq!(bad.status, 422);
    for part in
        [NOTHING_SAVED, "with one @", "1 to 255 characters", "no address", "value=\"manager\" checked"]
    {
        assert!(bad.text().contains(part), "{part}: {}", bad.text());
    }
    assert_eq!(bad.text().matches("<span class=\"error\" role=\"alert\">").count(), 2, "{}", bad.text());
    let taken = [("email", "OWNER@example.com"), ("name", "Eve"), ("role", "owner")];
    let taken = owner.submit(&form, NEW, &taken).await;
    assert!(taken.status == 422 && taken.text().contains("Another operator has this email address."));
    let both = [("email", "OWNER@example.com"), ("name", " "), ("role", "owner")];
    let both = owner.submit(&form, NEW, &both).await;
    assert!(both.text().contains("Another operator has this") && both.text().contains("1 to 255 characters"));
    let unknown = [("email", "eve@example.com"), ("name", "Eve"), ("role", "king")];
    assert_eq!(owner.submit(&form, NEW, &unknown).await.status, 400);
    add(&owner, "Eve", "auditor").await;
    let again = [("email", "Eve@example.com"), ("name", "Eve"), ("role", "auditor")];
    assert_eq!(owner.submit(&form, NEW, &again).await.status, 422, "a form that is sent twice adds one");
}

#[tokio::test]
async fn the_last_owner_stays_and_owners_confirm_what_they_do_to_themselves() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let other = add(&owner, "Eve", "auditor").await;
    let own = path_of(&owner, "The owner").await;
    let page = owner.page(&own).await;
    let (role, remove) = (format!("{own}/role"), format!("{own}/remove"));
    let unconfirmed = owner.submit(&page, &role, &[("role", "manager")]).await;
    assert!(unconfirmed.status == 422 && unconfirmed.text().contains("Tick the box"));
    let last = owner.submit(&page, &role, &[("role", "manager"), ("confirm", "yes")]).await;
    assert!(last.status == 422 && last.text().contains("This is the last owner."), "{}", last.text());
    assert!(last.text().contains("value=\"manager\" checked"), "what was chosen stays");
    assert_eq!(owner.submit(&page, &remove, &[]).await.status, 422);
    let last = owner.submit(&page, &remove, &[("confirm", "yes")]).await;
    assert!(last.status == 422 && last.text().contains("This is the last owner."));

    let page_of_other = owner.page(&other).await;
    let made = owner.submit(&page_of_other, &format!("{other}/role"), &[("role", "owner")]).await;
    assert_eq!(made.status, 303);
    let left = owner.submit(&page, &role, &[("role", "manager"), ("confirm", "yes")]).await;
    let to = left.header("location").unwrap().to_owned();
    assert_eq!((left.status.as_u16(), &*to), (303, "/console/shop/sessions?said=operator-role-set"));
    assert!(owner.page("/sessions?said=operator-role-set").await.contains("The role is changed."));
    assert_eq!(owner.get("/operators").await.status, 403);
}

#[tokio::test]
async fn an_operator_without_a_session_asks_for_a_link_and_an_owner_makes_it() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let path = add(&owner, "Ben", "support").await;
    let stranger = Browser::new(&server);
    let door = stranger.get("/orders").await;
    assert!(door.status == 401 && !door.text().contains("<pre"), "{}", door.text());
    assert!(!owner.page("/operators").await.contains("asks for a link"));
    for email in ["Ben@example.com", "nobody@example.com", "no address"] {
        let begun = std::time::Instant::now();
        let asked = stranger.submit(door.text(), "/ask-for-link", &[("email", email)]).await;
        let next = "/console/shop/sign-in?said=link-asked";
        assert!(asked.status == 303 && asked.header("location") == Some(next), "{email}: {}", asked.text());
        // The time does not tell which addresses are known.
        assert!(begun.elapsed() >= std::time::Duration::from_millis(200), "{email}");
    }
    assert!(stranger.page("/sign-in?said=link-asked").await.contains("Your request is noted"));
    server.advance_seconds(11);
    let list = owner.page("/operators").await;
    assert_eq!(list.matches("<span class=\"badge warn\">asks for a link</span>").count(), 1, "{list}");
    assert!(list.contains("<span class=\"count due\">1<span class=\"unseen\"> ask for a link"), "{list}");
    assert!(list.find(">Ben</a>") < list.find(">The owner</a>"), "{list}");
    let page = owner.page(&path).await;
    assert!(page.contains("Be sure that it is this person"), "{page}");
    let made = owner.submit(&page, &format!("{path}/link"), &[]).await;
    assert!(made.text().contains("data-copy=\"Copied\""), "{}", made.text());
    server.advance_seconds(11);
    assert!(!owner.page("/operators").await.contains("asks for a link"));
}

#[tokio::test]
async fn one_address_asks_at_most_ten_times_a_minute_and_a_removed_operator_asks_no_more() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let path = add(&owner, "Ben", "support").await;
    let stranger = Browser::new(&server);
    let door = stranger.get("/orders").await;
    let ask =
        async || stranger.submit(door.text(), "/ask-for-link", &[("email", "ben@example.com")]).await.status;
    for _ in 0..10 {
        assert_eq!(ask().await, 303);
    }
    assert_eq!(ask().await, 429);
    let log = owner.page("/audit-log").await;
    let said = "Someone who was not signed in asked for a sign-in link for";
    assert_eq!(log.matches(said).count(), 1, "{log}");
    let page = owner.page(&path).await;
    assert_eq!(owner.submit(&page, &format!("{path}/remove"), &[]).await.status, 303);
    server.advance_seconds(11);
    let list = owner.page("/operators").await;
    assert!(!list.contains("ask for a link"), "{list}");
}

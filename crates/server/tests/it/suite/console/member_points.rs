//! Awards, reversals and explanations on the pages of a member.

use pointbook_domain::Role;
use serde_json::json;

use super::members::{newest_row, row_numbered};
use super::operator::Browser;
use crate::client::Answer;
use crate::harness::TestServer;

const AWARDS: &str = "/members/u1/activities";
const SCAN: [(&str, &str); 4] =
    [("type", "code"), ("points", "50"), ("title", "Sorry"), ("source_id", "case-1")];

async fn owner_of(server: &TestServer) -> Browser<'_> {
    Browser::of(server, Role::Owner).await
}

fn assert_refused(answer: &Answer, sentence: &str) {
    assert_eq!(answer.status, 422, "{}", answer.text());
    assert!(answer.text().contains(sentence), "{sentence}: {}", answer.text());
}

fn with<'v>(field: &'v str, value: &'v str) -> Vec<(&'v str, &'v str)> {
    SCAN.iter().map(|(name, known)| if *name == field { (field, value) } else { (*name, *known) }).collect()
}

#[tokio::test]
async fn an_award_is_recorded_once_however_often_the_form_is_sent() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1").await;
    for _ in 0..3 {
        let awarded = owner.submit(&page, AWARDS, &SCAN).await;
        assert_eq!(
            awarded.header("location"),
            Some("/console/shop/members/u1?said=awarded"),
            "{}",
            awarded.text()
        );
    }
    assert_eq!(server.balance().await, 50);
    let page = owner.page("/members/u1?said=awarded").await;
    for part in ["The points are in the ledger.", "Sorry", "case-1", "+50", "50 points"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_refused(&owner.submit(&page, AWARDS, &SCAN).await, "exactly this already");
    let other = owner.submit(&page, AWARDS, &with("points", "60")).await;
    assert_refused(&other, "sent before, with other values");
    let other = owner.submit(other.text(), AWARDS, &with("points", "60")).await;
    assert_refused(&other, "another activity with this type and source id");
    assert_eq!(server.balance().await, 50);
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_new_form_of_award_has_its_own_source_id() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    for total in [7, 14] {
        let page = owner.page("/members/u1").await;
        for part in [
            "popovertarget=\"award\"",
            "<section class=\"card dialog\" id=\"award\" popover",
            "Award points to u1",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
        let awarded = owner.submit(&page, AWARDS, &[("points", "7"), ("title", "Seven")]).await;
        assert_eq!(awarded.status, 303, "{}", awarded.text());
        assert_eq!(server.balance().await, total);
    }
}

#[tokio::test]
async fn mistakes_in_an_award_stand_beside_their_fields_and_nothing_typed_is_lost() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1").await;
    let stored = server.stored().await;
    let long = "x".repeat(1_001);
    for (field, value, sentence) in [
        ("type", "dance", "Choose one of the list."),
        ("type", "order", "Choose one of the list."),
        ("points", "", "Fill in this field."),
        ("points", "many", "Write a whole number"),
        ("points", "9007199254740992", "9,007,199,254,740,991"),
        ("title", "  ", "Fill in this field."),
        ("title", &long, "At most 1,000 characters."),
        ("title", "a\0", "cannot be stored"),
        ("source_id", "", "Fill in this field."),
        ("source_id", &long, "At most 255 characters."),
    ] {
        let refused = owner.submit(&page, AWARDS, &with(field, value)).await;
        assert_refused(&refused, sentence);
        assert!(
            refused.text().contains("id=\"award\" aria-labelledby"),
            "the form is in sight: {}",
            refused.text()
        );
        let kept = if field == "title" { "value=\"case-1\"" } else { "value=\"Sorry\"" };
        assert!(refused.text().contains(kept), "{field}: {}", refused.text());
    }
    assert_eq!(server.stored().await, stored);
}

#[tokio::test]
async fn a_refused_award_stays_refused_when_it_is_sent_again() {
    let server = TestServer::with_sample().await;
    server.award(30).await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1").await;
    let refused = owner.submit(&page, AWARDS, &with("points", "-31")).await;
    assert_refused(&refused, "The balance is too small to take that many points.");
    let again = owner.submit(&page, AWARDS, &with("points", "-31")).await;
    assert_refused(&again, "This form was sent before and refused.");
    let mended = owner.submit(refused.text(), AWARDS, &with("points", "-30")).await;
    assert_eq!((mended.status.as_u16(), server.balance().await), (303, 0));
    let page = owner.page("/members/u1").await;
    owner.submit(&page, AWARDS, &[("points", "9007199254740991"), ("title", "All")]).await;
    let page = owner.page("/members/u1").await;
    assert_refused(&owner.submit(&page, AWARDS, &[("points", "1"), ("title", "More")]).await, "beyond ±");
}

#[tokio::test]
async fn campaigns_add_bonuses_only_when_the_operator_lets_them() {
    let (server, key) = TestServer::with_back_office().await;
    let double = json!({"id": "double", "title": {"en": "Double"}, "conditions": {"types": ["code"]}, "reward": {"percent": 100}});
    server.start_campaign(&key, double).await;
    let quiz = json!({"id": "quiz", "title": {"en": "Quiz"}, "conditions": {"types": ["quiz"]}, "reward": {"percent": 100}});
    server.start_campaign(&key, quiz).await;
    let owner = owner_of(&server).await;
    let list = owner.page("/members").await;
    owner.submit(&list, "/members", &[("id", "u1")]).await;
    let page = owner.page("/members/u1").await;
    owner.submit(&page, AWARDS, &SCAN).await;
    assert_eq!(server.balance().await, 50);
    let row = owner.page(&newest_row(&owner, "/members/u1").await).await;
    assert!(row.contains("It was not asked: the request decided about bonuses."), "{row}");
    assert!(row.contains("/campaigns/double\">Double</a>"), "the title of the campaign: {row}");
    let page = owner.page("/members/u1").await;
    let asked = [with("source_id", "case-2"), vec![("campaigns", "add")]].concat();
    owner.submit(&page, AWARDS, &asked).await;
    assert_eq!(server.balance().await, 150);
    let row = owner.page(&newest_row(&owner, "/members/u1").await).await;
    for part in [
        "It gave 50 points.",
        "It gave nothing: it is for activities of another type.",
        "Campaigns decided about the bonuses.",
        "double",
        "case-2",
    ] {
        assert!(row.contains(part), "{part}: {row}");
    }
}

#[tokio::test]
async fn a_row_is_reversed_once_with_a_reason() {
    let server = TestServer::with_sample().await;
    server.award(80).await;
    let support = Browser::of(&server, Role::Support).await;
    let row = newest_row(&support, "/members/u1").await;
    let (page, path) = (support.page(&row).await, format!("{row}/reverse"));
    assert_refused(&support.submit(&page, &path, &[("reason", " ")]).await, "Fill in this field.");
    for _ in 0..2 {
        let reversed = support.submit(&page, &path, &[("reason", "Receipt was returned")]).await;
        assert_eq!(
            reversed.header("location"),
            Some("/console/shop/members/u1?said=reversed"),
            "{}",
            reversed.text()
        );
    }
    assert_eq!(server.balance().await, 0);
    assert!(support.page("/members/u1").await.contains("Receipt was returned"));
    let shown = support.page(&row).await;
    assert!(
        shown.contains("Row 2 reversed 80 points of this one, with bonuses.")
            && !shown.contains("name=\"reason\""),
        "{shown}"
    );
    let token = support.form_token().await;
    let once = "0".repeat(64);
    let late = support.post(&path, &[("form", &token), ("once", &once), ("reason", "Again")]).await;
    assert_refused(&late, "This row was reversed before.");
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_reversal_beyond_the_balance_says_what_is_missing_and_may_take_the_rest() {
    let server = TestServer::with_sample().await;
    server.award(600).await;
    server.ordered("mug", 1).await;
    let support = Browser::of(&server, Role::Support).await;
    let order = newest_row(&support, "/members/u1").await;
    let of_order = support.page(&order).await;
    assert!(!of_order.contains("/reverse\""), "an order is cancelled instead: {of_order}");
    let (token, once) = (support.form_token().await, "1".repeat(64));
    let fields = [("form", &*token), ("once", &once), ("reason", "x")];
    let refused = support.post(&format!("{order}/reverse"), &fields).await;
    assert_refused(&refused, "An order moved these points.");
    let row = row_numbered(&support, "/members/u1", "1").await;
    let (shown, path) = (support.page(&row).await, format!("{row}/reverse"));
    let refused = support.submit(&shown, &path, &[("reason", "Returned")]).await;
    assert_refused(&refused, "500 points are missing.");
    assert!(refused.text().contains("value=\"Returned\""), "{}", refused.text());
    let partly = support.submit(refused.text(), &path, &[("partial", "true")]).await;
    assert_eq!((partly.status.as_u16(), server.balance().await), (303, 0), "{}", partly.text());
}

#[tokio::test]
async fn support_reverses_only_up_to_the_limit_of_the_tenant() {
    let server = TestServer::with_sample().await;
    server.set("support_reversal_points", "50").await;
    server.award(51).await;
    let [support, manager] = [Role::Support, Role::Manager].map(|role| Browser::of(&server, role));
    let (support, manager) = (support.await, manager.await);
    let row = newest_row(&support, "/members/u1").await;
    let (page, path) = (support.page(&row).await, format!("{row}/reverse"));
    assert!(page.contains("You may reverse at most 50 points of a row."), "{page}");
    let refused = support.submit(&page, &path, &[("reason", "Returned")]).await;
    assert_refused(&refused, "You may reverse at most 50 points of a row. Ask a manager");
    assert_eq!(server.balance().await, 51);
    // Parts are no way around it.
    for (part, reversed) in [("20", true), ("31", false)] {
        let page = support.page(&row).await;
        let answer = support.submit(&page, &path, &[("reason", "Returned"), ("points", part)]).await;
        assert_eq!(answer.status == 303, reversed, "{part}: {}", answer.text());
    }
    assert_eq!(server.balance().await, 31);
    let page = manager.page(&row).await;
    assert!(
        !page.contains("at most 50") && page.contains("Row 2 reversed 20 points of this one, with bonuses."),
        "{page}"
    );
    for (part, fault) in
        [("32", "only 31 points are not reversed yet"), ("0", "from 1"), ("x", "whole number")]
    {
        let page = manager.page(&row).await;
        let refused = manager.submit(&page, &path, &[("reason", "Returned"), ("points", part)]).await;
        assert_refused(&refused, fault);
    }
    let page = manager.page(&row).await;
    let reversed = manager.submit(&page, &path, &[("reason", "Returned")]).await;
    assert_eq!((reversed.status.as_u16(), server.balance().await), (303, 0), "{}", reversed.text());
    server.award(50).await;
    let row = row_numbered(&support, "/members/u1", "4").await;
    let page = support.page(&row).await;
    let reversed = support.submit(&page, &format!("{row}/reverse"), &[("reason", "Returned")]).await;
    assert_eq!((reversed.status.as_u16(), server.balance().await), (303, 0), "{}", reversed.text());
    // Of 60 points 10 are left, and the operator may take these.
    server.award(60).await;
    let row = row_numbered(&support, "/members/u1", "6").await;
    server.award(-50).await;
    let (page, rest) = (support.page(&row).await, [("reason", "Returned"), ("partial", "true")]);
    let reversed = support.submit(&page, &format!("{row}/reverse"), &rest).await;
    assert_eq!((reversed.status.as_u16(), server.balance().await), (303, 0), "{}", reversed.text());
}

#[tokio::test]
async fn an_unknown_row_is_not_found() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let token = owner.form_token().await;
    assert_eq!(owner.get("/members/u1/transactions/none").await.status, 404);
    let once = "0".repeat(64);
    let form = [("form", &*token), ("once", &once), ("reason", "x")];
    assert_eq!(owner.post("/members/u1/transactions/none/reverse", &form).await.status, 404);
    assert_eq!(owner.post(AWARDS, &[&form[..1], &SCAN].concat()).await.status, 400, "a form without its key");
}

//! The virtual clock of a staging tenant.

use pointbook_domain::Role;

use super::operator::Browser;
use crate::harness::TestServer;

fn said(answer: &crate::client::Answer) -> (u16, bool) {
    (answer.status.as_u16(), answer.header("location").is_some_and(|to| to.ends_with("?said=clock-set")))
}

#[tokio::test]
async fn a_clock_goes_ahead_once_for_each_form_and_never_back() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of_staging(&server, Role::Owner).await;
    let page = browser.page("/clock").await;
    let advance = async |by: &str| browser.submit(&page, "/clock/advance", &[("by", by)]).await;
    assert_eq!(said(&advance("week").await), (303, true));
    let shown = browser.page("/clock").await;
    assert!(shown.contains("8 March 2026, 12:00") && shown.contains("The clock here says"), "{shown}");
    assert_eq!(said(&advance("week").await), (303, true), "sent twice");
    assert!(!browser.page("/clock").await.contains("15 March 2026"));

    let page = browser.page("/clock").await;
    let set = async |at: &str| browser.submit(&page, "/clock", &[("at", at)]).await;
    for (at, text) in [
        ("2026-03-08T11:59", "The time never goes back."),
        ("soon", "Enter a date and a time."),
        ("2999-01-01T00:00", "at most 100 years"),
    ] {
        let key = [
            ("at", at),
            ("once", &*"c".repeat(60).chars().chain(at.chars().rev().take(4)).collect::<String>()),
        ];
        let refused = browser.submit(&page, "/clock", &key).await;
        assert!(refused.status == 422 && refused.text().contains(text), "{at}: {}", refused.text());
    }
    assert_eq!(said(&set("2026-07-01T00:00").await), (303, true));
    assert!(browser.page("/clock").await.contains("1 July 2026, 00:00"));
    let log = browser.page("/audit-log?object=tenant").await;
    assert!(log.matches(">clock.set<").count() == 2 && log.contains("The owner"), "{log}");
}

#[tokio::test]
async fn a_tenant_returns_to_the_real_time_while_nothing_happened() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of_staging(&server, Role::Owner).await;
    let page = browser.page("/clock").await;
    assert!(!page.contains("Return to the real time"));
    assert_eq!(browser.submit(&page, "/clock/advance", &[("by", "day")]).await.status, 303);
    let page = browser.page("/clock").await;
    let reset = browser.submit(&page, "/clock/reset", &[]).await;
    let is_back = said(&reset) == (303, true);
    assert!(is_back || reset.text().contains("cannot return"), "{}", reset.text());
}

#[tokio::test]
async fn a_production_tenant_has_no_virtual_clock() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/clock").await;
    assert!(page.contains("A production tenant has no virtual clock.") && !page.contains("Set the clock"));
    let token = browser.form_token().await;
    let forced = [("form", &*token), ("by", "day"), ("once", &"d".repeat(64))];
    let refused = browser.post("/clock/advance", &forced).await;
    assert!(refused.status == 422, "{}", refused.text());
}

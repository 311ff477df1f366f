//! Links, sessions and forms of other sites.

use http::Method;
use serde_json::json;

use super::browser::{Browser, SHOP, fields, link, with_shop};

#[tokio::test]
async fn a_link_signs_in_once_also_when_it_is_used_twice_at_the_same_time() {
    let server = with_shop().await;
    let link = link(&server, "u1").await;
    let path = link.strip_prefix("https://shop.example/shop/shop").unwrap();
    let browser = Browser::new(&server);
    for _ in 0..2 {
        // A look uses nothing up.
        assert!(browser.page(path).await.contains("You sign in as u1."));
    }
    let (_, text) = path.rsplit_once('=').unwrap();
    let fields = [("link", text)];
    let (one, two) = tokio::join!(browser.post("/sign-in", &fields), browser.post("/sign-in", &fields));
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 400]);
    let third = browser.post("/sign-in", &fields).await;
    assert!(third.status == 400 && third.text().contains("It was used before."), "{}", third.text());
}

#[tokio::test]
async fn an_old_a_changed_and_a_foreign_link_are_refused() {
    let server = with_shop().await;
    let link = link(&server, "u1").await;
    let (_, text) = link.rsplit_once('=').unwrap();
    let browser = Browser::new(&server);
    let changed = format!("_{}", &text[1..]);
    for bad in [&*changed, "", "..", "%00"] {
        let page = browser.post("/sign-in", &[("link", bad)]).await;
        assert_eq!(page.status, 400, "{bad}");
        assert!(page.header("set-cookie").is_none());
    }
    server.advance_seconds(600);
    let page = browser.post("/sign-in", &[("link", text)]).await;
    assert!(page.text().contains("It was good for ten minutes."), "{}", page.text());
}

#[tokio::test]
async fn a_disabled_user_gets_no_link_and_uses_none() {
    let server = with_shop().await;
    let token = server.issue_super_user().await;
    let link = link(&server, "u1").await;
    server.award(5).await;
    let disable = json!({"disabled": true});
    let path = "/v1/manage/users/u1";
    assert_eq!(server.request(Method::PUT, path, &token).json(&disable).send().await.status, 200);
    let (_, text) = link.rsplit_once('=').unwrap();
    let page = Browser::new(&server).post("/sign-in", &[("link", text)]).await;
    assert!(page.status == 400 && page.text().contains("This account is disabled."), "{}", page.text());
    let made = server.post("/v1/auth/links", &token).json(&json!({"user_id": "u1"})).send().await;
    assert_eq!(
        (made.status.as_u16(), made.field_errors()),
        (422, vec!["user_id: The selected user is disabled.".to_owned()])
    );
}

#[tokio::test]
async fn signing_out_ends_the_session() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    let page = browser.page("").await;
    let out = browser.submit(&page, "/sign-out").await;
    assert_eq!(out.header("location"), Some("/shop/shop/sign-in"));
    assert!(
        out.header("set-cookie").unwrap().starts_with("__Host-shop-shop-production=; Path=/; Max-Age=0;")
    );
    let page = browser.get("").await;
    assert!(page.status == 401 && page.text().contains("Open the link"), "{}", page.text());
}

/// What a page of another site can make a browser send.
#[tokio::test]
async fn forms_of_other_sites_and_other_sessions_change_nothing() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let stranger = Browser::of(&server, "stranger").await;
    let question = browser.page("/order?product=mug&quantity=1").await;
    let own = fields(&question, &format!("{SHOP}/orders"));
    let own: Vec<_> = own.iter().map(|(name, value)| (&**name, &**value)).collect();
    let without: Vec<_> = own.iter().copied().filter(|(name, _)| *name != "form").collect();
    let refused = [
        browser.form("/orders", &own).header("sec-fetch-site", "cross-site"),
        browser.form("/orders", &own).header("sec-fetch-site", "same-site"),
        browser.form("/orders", &own).header("sec-fetch-site", "none"),
        browser.form("/orders", &own).header("origin", "https://evil.example"),
        browser.form("/orders", &own).header("origin", "null"),
        browser.form("/orders", &own).header("origin", "://shop.example"),
        browser.form("/orders", &own),
        browser.form("/orders", &without).header("sec-fetch-site", "same-origin"),
        stranger.form("/orders", &own).header("sec-fetch-site", "same-origin"),
    ];
    for call in refused {
        let page = call.send().await;
        assert!(page.status == 403 && page.text().contains("out of date"), "{}", page.text());
    }
    assert_eq!(server.balance().await, 10_000);
    let good = browser.form("/orders", &own).header("sec-fetch-site", "same-origin");
    assert_eq!(good.header("origin", "https://shop.example").send().await.status, 303);
}

#[tokio::test]
async fn a_session_ends_after_twelve_hours_and_when_the_back_office_ends_it() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    server.advance_seconds(12 * 3_600 - 1);
    browser.page("").await;
    server.advance_seconds(1);
    assert_eq!(browser.get("").await.status, 401);
    let browser = Browser::of(&server, "u1").await;
    let token = server.issue_super_user().await;
    let ended = server.request(Method::DELETE, "/v1/manage/users/u1/tokens", &token).send().await;
    assert_eq!(ended.status, 200, "{}", ended.text());
    assert_eq!(browser.get("").await.status, 401);
}

#[tokio::test]
async fn a_session_and_a_link_are_of_one_tenant_and_of_a_member() {
    let server = with_shop().await;
    let mut browser = Browser::of(&server, "u1").await;
    let session = browser.cookie.clone();
    for cookie in [
        format!("__Host-shop-shop-production={}", server.issue_super_user().await),
        format!("__Host-shop-shop-production={}", server.issue_in_staging("u1").await),
        session.replace("shop-production", "other-production"),
        session.replace("__Host-", ""),
    ] {
        browser.cookie.clone_from(&cookie);
        assert_eq!(browser.get("").await.status, 401, "{cookie}");
    }
    browser.cookie = session;
    let elsewhere = browser.call(Method::GET, "").header("x-forwarded-host", "evil.example").send().await;
    assert_eq!(elsewhere.status, 200, "only the host of the request counts");
}

#[tokio::test]
async fn a_new_session_ends_the_one_before() {
    let server = with_shop().await;
    let mut browser = Browser::of(&server, "u1").await;
    let before = browser.cookie.clone();
    let link = link(&server, "u1").await;
    let (_, text) = link.rsplit_once('=').unwrap();
    let opened = browser.post("/sign-in", &[("link", text)]).await;
    assert_eq!(opened.status, 303);
    assert_eq!(browser.get("").await.status, 401);
    browser.take_cookie(&opened);
    assert_ne!(browser.cookie, before);
    browser.page("").await;
}

#[tokio::test]
async fn a_long_form_is_refused() {
    let server = with_shop().await;
    let long = "x".repeat(9_000);
    let page = Browser::new(&server).post("/sign-in", &[("link", &long)]).await;
    assert_eq!(page.status, 413);
    let many = "a=&".repeat(2_000);
    let browser = Browser::new(&server);
    let call = browser.call(Method::POST, "/sign-in").header("sec-fetch-site", "same-origin");
    assert_eq!(call.body(many).send().await.status, 400);
}

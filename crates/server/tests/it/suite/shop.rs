//! The pages of the shop, by plain HTTP: sign in, order, cancel, sign out, and what other sites and strangers get.

use http::Method;
use pointbook_web::{PAGES, languages};
use serde_json::json;

use crate::client::{Answer, Call};
use crate::harness::{Act, TestServer};

const SHOP: &str = "/shop/shop";

/// A browser, as far as the server can tell.
struct Browser<'s> {
    server: &'s TestServer,
    cookie: String,
    language: &'s str,
}

impl<'s> Browser<'s> {
    fn new(server: &'s TestServer) -> Self {
        Self { server, cookie: String::new(), language: "en" }
    }

    /// A browser in which this user is signed in.
    async fn of(server: &'s TestServer, user: &str) -> Self {
        let mut browser = Self::new(server);
        let link = link(server, user).await;
        let (_, text) = link.rsplit_once('/').unwrap();
        let opened = browser.post("/sign-in", &[("link", text)]).await;
        assert_eq!(
            (opened.status.as_u16(), opened.header("location")),
            (303, Some(SHOP)),
            "{}",
            opened.text()
        );
        browser.take_cookie(&opened);
        browser
    }

    fn take_cookie(&mut self, answer: &Answer) {
        let (cookie, attributes) = answer.header("set-cookie").unwrap().split_once(';').unwrap();
        assert_eq!(attributes.trim(), "Path=/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure");
        assert!(cookie.starts_with("__Host-shop-shop-production=pb_"), "{cookie}");
        cookie.clone_into(&mut self.cookie);
    }

    fn call(&self, method: Method, path: &str) -> Call {
        let call = Call::new(self.server.address(), method, format!("{SHOP}{path}"));
        let call = call.header("host", "shop.example").header("accept-language", self.language);
        if self.cookie.is_empty() { call } else { call.header("cookie", self.cookie.clone()) }
    }

    async fn get(&self, path: &str) -> Answer {
        self.call(Method::GET, path).send().await
    }

    async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.text());
        answer.text().to_owned()
    }

    fn form(&self, path: &str, fields: &[(&str, &str)]) -> Call {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let call = self.call(Method::POST, path).body(body);
        call.header("content-type", "application/x-www-form-urlencoded")
    }

    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        self.form(path, fields).send().await
    }

    /// Sends the form of a page that goes to this path, as it was filled in.
    async fn submit(&self, page: &str, path: &str) -> Answer {
        let fields = fields(page, &format!("{SHOP}{path}"));
        let fields: Vec<_> = fields.iter().map(|(name, value)| (&**name, &**value)).collect();
        self.post(path, &fields).await
    }
}

/// The names and values of the inputs of the form with this action.
fn fields(page: &str, action: &str) -> Vec<(String, String)> {
    let (_, form) =
        page.split_once(&format!("action=\"{action}\"")).unwrap_or_else(|| panic!("no {action}: {page}"));
    let (form, _) = form.split_once("</form>").unwrap();
    let attribute = |input: &str, name: &str| {
        let (_, rest) = input.split_once(&format!(" {name}=\"")).unwrap();
        rest.split_once('"').unwrap().0.to_owned()
    };
    form.split("<input").skip(1).map(|input| (attribute(input, "name"), attribute(input, "value"))).collect()
}

async fn with_shop() -> TestServer {
    let server = TestServer::with_sample().await;
    server.set("shop", "true").await;
    server.set("members_cancel_orders", "true").await;
    server
}

async fn link(server: &TestServer, user: &str) -> String {
    let token = server.issue_super_user().await;
    let made = server.post("/v1/auth/links", &token).json(&json!({"user_id": user})).send().await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()["data"]["url"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_member_orders_and_cancels_and_the_history_shows_both() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let list = browser.page("").await;
    assert!(
        list.contains("10,000 points") && list.contains(&format!("href=\"{SHOP}/products/mug\"")),
        "{list}"
    );
    let product = browser.page("/products/mug").await;
    assert_eq!(fields(&product, &format!("{SHOP}/order"))[1], ("quantity".to_owned(), "1".to_owned()));
    let question = browser.page("/order?product=mug&quantity=2").await;
    let placed = browser.submit(&question, "/orders").await;
    let again = browser.submit(&question, "/orders").await;
    assert_eq!(placed.header("location"), again.header("location"), "the form was sent twice");
    let order = placed.header("location").unwrap().strip_prefix(SHOP).unwrap();
    let page = browser.page(order).await;
    assert!(page.contains("Thank you. The order is placed."), "{page}");
    let (path, _) = order.split_once('?').unwrap();
    let cancelled = browser.submit(&page, &format!("{path}/cancel")).await;
    assert_eq!(cancelled.header("location"), Some(&*format!("{SHOP}{path}")));
    let page = browser.page(path).await;
    assert!(page.contains("data-status=\"cancelled\"") && !page.contains("/cancel\""), "{page}");
    let points = browser.page("/points").await;
    assert!(points.contains("1 order, 1 refund") && points.contains("10,000 points"), "{points}");
    assert!(browser.page("/orders").await.contains("Cancelled"));
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn a_refused_order_says_why_and_takes_nothing() {
    let server = with_shop().await;
    server.award(1).await;
    let browser = Browser::of(&server, "u1").await;
    let question = browser.page("/order?product=mug&quantity=1").await;
    let refused = browser.submit(&question, "/orders").await;
    assert_eq!(refused.status, 422);
    assert!(refused.text().contains("Your points are not enough."), "{}", refused.text());
    assert_eq!(server.balance().await, 1);
    // The same form again asks again.
    assert_eq!(browser.submit(&question, "/orders").await.status, 200);
    let product = browser.page("/products/mug").await;
    assert!(product.contains("are missing for this gift") && !product.contains("/order\""), "{product}");
}

#[tokio::test]
async fn without_the_setting_members_cannot_cancel() {
    let server = with_shop().await;
    server.award(10_000).await;
    server.set("members_cancel_orders", "false").await;
    let browser = Browser::of(&server, "u1").await;
    let path = format!("/orders/{}", server.ordered("mug", 1).await);
    let page = browser.page(&path).await;
    assert!(!page.contains("/cancel\""), "{page}");
    let token = fields(&page, &format!("{SHOP}/sign-out"));
    browser.post(&format!("{path}/cancel"), &[("form", &token[0].1)]).await;
    assert!(browser.page(&path).await.contains("data-status=\"placed\""));
}

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
    let (_, text) = path.rsplit_once('/').unwrap();
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
    let (_, text) = link.rsplit_once('/').unwrap();
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
    let (_, text) = link.rsplit_once('/').unwrap();
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
        browser.form("/orders", &own).header("origin", "https://evil.example"),
        browser.form("/orders", &own).header("origin", "null"),
        browser.form("/orders", &without),
        stranger.form("/orders", &own),
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
async fn a_member_sees_no_order_of_another_one() {
    let server = with_shop().await;
    server.award(10_000).await;
    let path = format!("/orders/{}", server.ordered("mug", 1).await);
    let stranger = Browser::of(&server, "stranger").await;
    assert_eq!(stranger.get(&path).await.status, 404);
    let token = fields(&stranger.page("").await, &format!("{SHOP}/sign-out"));
    assert_eq!(stranger.post(&format!("{path}/cancel"), &[("form", &token[0].1)]).await.status, 404);
}

#[tokio::test]
async fn a_tenant_without_a_shop_has_neither_pages_nor_links() {
    let server = TestServer::with_sample().await;
    assert_eq!(Browser::new(&server).get("").await.status, 404);
    let token = server.issue_super_user().await;
    let made = server.post("/v1/auth/links", &token).json(&json!({"user_id": "u1"})).send().await;
    assert_eq!((made.status.as_u16(), &made.json()["code"]), (409, &json!("no_shop")));
}

/// Pages of the table with a value for each parameter.
fn paths() -> Vec<(&'static Method, String)> {
    let concrete = |path: &str| {
        let path = path.strip_prefix("/shop/{tenant}").unwrap();
        let path =
            path.replace("/products/{id}", "/products/mug").replace("{id}", "none").replace("{link}", "none");
        if path == "/order" { format!("{path}?product=mug&quantity=1") } else { path }
    };
    PAGES.iter().map(|page| (&page.method, concrete(page.path))).collect()
}

#[tokio::test]
async fn every_page_has_the_policy_and_none_changes_by_get() {
    let server = with_shop().await;
    for browser in [Browser::new(&server), Browser::of(&server, "u1").await] {
        for (method, path) in paths() {
            let page = browser.call(method.clone(), &path).send().await;
            if page.status == 303 {
                continue;
            }
            let policy = page.header("content-security-policy").unwrap_or_else(|| panic!("{method} {path}"));
            assert!(
                policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"),
                "{policy}"
            );
            assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{policy}");
            let text = page.text();
            for inline in [" style=", "<style", " onclick=", "<script>"] {
                assert!(!text.contains(inline), "{path}: {inline}");
            }
        }
    }
    let browser = Browser::of(&server, "u1").await;
    let stored = server.stored().await;
    for (_, path) in paths() {
        browser.get(&path).await;
    }
    assert_eq!(server.stored().await, stored);
}

/// Texts that break out of HTML when a page forgets to escape them.
const HOSTILE: [&str; 4] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "{{7*7}}</title><svg onload=alert(1)>",
];

#[tokio::test]
async fn no_text_of_members_or_catalogues_becomes_markup() {
    let server = with_shop().await;
    for (number, text) in HOSTILE.into_iter().enumerate() {
        let change = |product: &mut pointbook_domain::Product| {
            text.clone_into(&mut product.title);
            product.thumbnail = format!("https://x.example/{text}");
        };
        server.add_changed_product(&format!("hostile-{number}"), change).await;
        server.record(&[Act::new("code", 50, "2026-02-01T10:00:00Z").titles(text, text)]).await;
    }
    let browser = Browser::of(&server, "u1").await;
    let search = |text: &str| {
        let query =
            url::form_urlencoded::Serializer::new(String::new()).append_pair("filter[title]", text).finish();
        format!("?{query}")
    };
    let mut pages = vec![browser.page("").await, browser.page("/points").await];
    for (number, text) in HOSTILE.into_iter().enumerate() {
        pages.push(browser.page(&format!("/products/hostile-{number}")).await);
        pages.push(browser.page(&search(text)).await);
    }
    for page in pages {
        for sign in ["<script>alert", "<img src=x", "<svg onload"] {
            assert!(!page.contains(sign), "{sign}: {page}");
        }
    }
}

#[tokio::test]
async fn pages_speak_the_language_of_the_browser() {
    let server = with_shop().await;
    let mut browser = Browser::of(&server, "u1").await;
    for (language, gifts) in
        [("en", "Gifts"), ("de", "Prämien"), ("ja", "ギフト"), ("tr", "Hediyeler"), ("fr", "Gifts")]
    {
        browser.language = language;
        let answer = browser.get("").await;
        assert!(answer.text().contains(&format!("<h1>{gifts}</h1>")), "{language}");
        let expected = if language == "fr" { "en" } else { language };
        assert_eq!(answer.header("content-language"), Some(expected));
        assert!(answer.text().contains(&format!("<html lang=\"{expected}\">")));
    }
    assert_eq!(languages().count(), 4);
}

#[tokio::test]
async fn filters_are_those_of_the_interface_and_empty_fields_restrict_nothing() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    let all = browser.page("").await;
    let form = browser.page("?filter%5Btitle%5D=&filter%5Bcategory%5D=&sort=&filter%5BmaxPrice%5D=").await;
    let count = |page: &str| page.matches("class=\"card\"").count();
    assert_eq!(count(&all), count(&form));
    let mugs = browser.page("?filter%5Btitle%5D=mug&sort=price").await;
    assert!((1..count(&all)).contains(&count(&mugs)), "{mugs}");
    assert!(browser.page("?filter%5Btitle%5D=nosuchthing").await.contains("No gift is like that."));
    assert_eq!(browser.get("?filter%5BmaxPrice%5D=many").await.status, 400);
}

#[tokio::test]
async fn pages_count_with_the_requests_of_the_member() {
    let server = with_shop().await;
    server.set("rate_limit_reads_per_minute", "3").await;
    let browser = Browser::of(&server, "u1").await;
    for _ in 0..3 {
        browser.page("").await;
    }
    let page = browser.get("").await;
    assert!(page.status == 429 && page.text().contains("Wait a minute"), "{}", page.text());
}

//! The list of members, the page of a member, and the forms that move no points.

use pointbook_domain::{Locale, Role};
use serde_json::json;

use super::operator::{Browser, CONSOLE};
use crate::harness::{Act, TestServer};

async fn owner_of(server: &TestServer) -> Browser<'_> {
    Browser::of(server, Role::Owner).await
}

#[tokio::test]
async fn the_list_has_the_filters_of_the_operation_and_pages() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    for number in 0..60 {
        server.know_user(&format!("m{number:02}"), "1984-02-29", Locale::new("de").unwrap()).await;
    }
    server.disable_elsewhere("m07").await;
    let count = |page: &str| page.matches("/members/m").count();
    let first = owner.page("/members?search=M").await;
    assert!(count(&first) == 50 && first.contains("?search=M&amp;page=2"), "{first}");
    let second = owner.page("/members?search=M&page=2").await;
    assert!(count(&second) == 10 && !second.contains("members/m00"), "{second}");
    let disabled = owner.page("/members?disabled=true").await;
    assert!(count(&disabled) == 1 && disabled.contains("m07"), "{disabled}");
    assert_eq!(count(&owner.page("/members?search=m0&disabled=false").await), 9);
    let none = owner.page("/members?search=nothing").await;
    assert!(none.contains("Nothing fits."), "{none}");
    owner.page("/members?search=%00&page=-1&disabled=x").await;
}

#[tokio::test]
async fn a_member_is_added_once() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let list = owner.page("/members").await;
    let typed = [("id", "new one"), ("birth_date", "1990-12-31"), ("locale", "de-AT")];
    for _ in 0..2 {
        let added = owner.submit(&list, "/members", &typed).await;
        let at = format!("{CONSOLE}/members/new%20one?said=member-added");
        assert_eq!((added.status.as_u16(), added.header("location")), (303, Some(&*at)));
    }
    let page = owner.page("/members/new%20one?said=member-added").await;
    for part in ["31 December 1990", "de-AT", "The member was added.", "The ledger is empty."] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let cells = ["<td class=\"number\"><span class=\"quiet\">0</span></td>", ">German (AT)</td>"];
    let rows = owner.page("/members?search=new").await;
    assert!(cells.iter().all(|cell| rows.contains(cell)), "{rows}");
    let known = owner.submit(&list, "/members", &[("id", "new one"), ("locale", "ja")]).await;
    assert!(
        known.status == 422 && known.text().contains("There is a member with this id"),
        "{}",
        known.text()
    );
}

#[tokio::test]
async fn mistakes_in_a_new_member_stand_beside_their_fields() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let list = owner.page("/members").await;
    for (field, value, sentence) in [
        ("id", "", "Fill in this field."),
        ("id", &*"a".repeat(256), "At most 255 characters."),
        ("id", "a\0b", "cannot be stored"),
        ("birth_date", "31.12.1990", "Write a day that exists, as 1990-12-31."),
        ("birth_date", "1990-02-29", "Write a day that exists, as 1990-12-31."),
        ("birth_date", "2026-03-02", "must not be in the future"),
        ("locale", "German", "This is no language tag."),
    ] {
        let values = [("id", "other"), ("birth_date", "1990-12-31"), ("locale", "tr")];
        let values: Vec<_> =
            values.into_iter().map(|pair| if pair.0 == field { (field, value) } else { pair }).collect();
        let refused = owner.submit(&list, "/members", &values).await;
        let text = refused.text();
        assert!(refused.status == 422 && text.contains(sentence), "{field} {value}: {text}");
        assert!(
            text.contains("aria-invalid=\"true\"") && text.contains("value=\"tr\"") == (field != "locale"),
            "{text}"
        );
    }
    assert_eq!(owner.get("/members/other").await.status, 404);
}

#[tokio::test]
async fn an_id_shows_what_is_invisible_and_its_page_warns_of_characters_that_look_like_others() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let warning = "This ID has characters that may look like others, or like none.";
    for (id, shown, ascii) in [
        ("ben", "ben", None),
        ("ben\u{200b}", "ben\\u{200b}", Some("ben\\u{200b}")),
        ("\u{202e}neb", "\\u{202e}neb", Some("\\u{202e}neb")),
        ("bеn", "bеn", Some("b\\u{435}n")),
    ] {
        server.know_user(id, "1984-02-29", Locale::new("de").unwrap()).await;
        let encoded: String = url::form_urlencoded::byte_serialize(id.as_bytes()).collect();
        let page = owner.page(&format!("/members/{encoded}")).await;
        assert!(page.contains(&format!("<h1>{shown} <")), "{page}");
        assert_eq!(page.contains(warning), ascii.is_some(), "{page}");
        let ascii = ascii.unwrap_or(shown);
        assert!(page.contains(ascii), "{ascii}: {page}");
        let list = owner.page("/members").await;
        assert!(list.contains(&format!(">{shown}</a>")), "{shown}: {list}");
    }
    let list = owner.page("/members").await;
    assert!(!list.contains('\u{200b}') && !list.contains('\u{202e}'), "{list}");
    let typed = [("id", "be\tn"), ("birth_date", ""), ("locale", "")];
    let refused = owner.submit(&list, "/members", &typed).await;
    let said = "The ID has a control character, which nobody sees.";
    assert!(refused.status == 422 && refused.text().contains(said), "{}", refused.text());
}

#[tokio::test]
async fn birthday_and_language_are_changed_and_cleared() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1").await;
    let changed = owner.submit(&page, "/members/u1", &[("birth_date", "1984-02-29"), ("locale", "ja")]).await;
    assert_eq!(changed.header("location"), Some("/console/shop/members/u1?said=member-changed"));
    let page = owner.page("/members/u1").await;
    assert!(page.contains("29 February 1984") && page.contains("value=\"1984-02-29\""), "{page}");
    let refused = owner.submit(&page, "/members/u1", &[("birth_date", "2030-01-01"), ("locale", "x")]).await;
    assert_eq!(refused.status, 422);
    assert!(
        refused.text().contains("in the future") && refused.text().contains("value=\"x\""),
        "{}",
        refused.text()
    );
    owner.submit(&page, "/members/u1", &[("birth_date", ""), ("locale", "")]).await;
    assert!(!owner.page("/members/u1").await.contains("1984"));
    assert_eq!(owner.get("/members/unknown").await.status, 404);
    let token = owner.form_token().await;
    for path in
        ["/members/unknown", "/members/unknown/disable", "/members/unknown/sign-out", "/members/unknown/link"]
    {
        assert_eq!(owner.post(path, &[("form", &token)]).await.status, 404, "{path}");
    }
    assert_eq!(owner.get("/members/unknown").await.status, 404, "no form creates a member by the way");
}

#[tokio::test]
async fn a_disabled_member_is_shut_out_until_enabled() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1").await;
    let disabled = owner.submit(&page, "/members/u1/disable", &[]).await;
    assert_eq!(disabled.header("location"), Some("/console/shop/members/u1?said=member-disabled"));
    assert_eq!(server.get("/v1/user").await.status, 401);
    let page = owner.page("/members/u1").await;
    assert!(page.contains("Enable again") && !page.contains("/members/u1/disable"), "{page}");
    assert_eq!(owner.submit(&page, "/members/u1/enable", &[]).await.status, 303);
    assert_eq!(server.get("/v1/user").await.status, 200);
}

#[tokio::test]
async fn tokens_are_listed_without_their_text_and_signing_out_revokes_them() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let with_end = server.issue_for("u1", Some(3_600)).await;
    server.issue_expired("u1").await;
    let page = owner.page("/members/u1/sessions").await;
    assert!(page.contains("Signed in with tokens: 2") && page.contains("13:00"), "{page}");
    assert!(!page.contains(&with_end) && !page.contains(server.token()));
    let out = owner.submit(&page, "/members/u1/sign-out", &[]).await;
    assert_eq!(out.header("location"), Some("/console/shop/members/u1?said=member-signed-out"));
    assert_eq!(server.get("/v1/user").await.status, 401);
    assert!(owner.page("/members/u1/sessions").await.contains("signed in nowhere"));
}

#[tokio::test]
async fn a_page_reads_no_more_than_a_thousand_tokens() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    for _ in 0..1_001 {
        server.issue("u2").await;
    }
    let page = owner.page("/members/u2/sessions").await;
    assert!(page.contains("more than 1,000 tokens") && !page.contains("Signed in with tokens"), "{page}");
}

#[tokio::test]
async fn a_link_to_the_shop_is_shown_once_and_only_where_it_can_work() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    assert!(!owner.page("/members/u1").await.contains("/members/u1/link"), "a tenant without shop");
    let token = owner.form_token().await;
    let none = owner.post("/members/u1/link", &[("form", &token)]).await;
    assert!(none.status == 422, "{}", none.text());
    server.set("shop", "true").await;
    let page = owner.page("/members/u1").await;
    let made = owner.submit(&page, "/members/u1/link", &[]).await;
    assert!(owner.page("/audit-log?object=user%3Au1").await.contains("user.link"), "who made it");
    let (_, rest) = made.text().split_once("https://shop.example/shop/shop/sign-in?link=").unwrap();
    let link = rest.split('<').next().unwrap();
    assert_eq!((made.status.as_u16(), made.header("cache-control")), (200, Some("no-store")));
    assert!(!owner.page("/members/u1").await.contains(link));
    let asks = server
        .call_at(&format!("/shop/shop/sign-in?link={link}"))
        .header("host", "shop.example")
        .send()
        .await;
    assert!(asks.status == 200 && asks.text().contains("u1"), "{}", asks.text());
    owner.submit(&page, "/members/u1/disable", &[]).await;
    let refused = owner.submit(&page, "/members/u1/link", &[]).await;
    assert!(
        refused.status == 422 && refused.text().contains("The member is disabled."),
        "{}",
        refused.text()
    );
}

#[tokio::test]
async fn the_ledger_is_paged_by_day_and_downloaded_by_number_as_csv() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let acts: Vec<_> = (0..60)
        .map(|day| {
            Act::new("code", 1, &format!("2026-01-{:02}T10:00:00Z", day % 28 + 1)).titles("=1+1", "@x")
        })
        .collect();
    server.record(&acts).await;
    let first = owner.page("/members/u1").await;
    assert!(first.contains(">56</a>") && first.contains("/members/u1?page=2"), "{first}");
    assert!(!first.contains(">60</a>"), "{first}");
    assert!(owner.page("/members/u1?page=2").await.contains(">60</a>"));
    let beyond = owner.page("/members/u1?page=9").await;
    assert_eq!(beyond.matches("class=\"empty\"").count(), 1, "{beyond}");
    assert!(beyond.contains("This list has no page 9."), "{beyond}");
    let csv = owner.get("/members/u1/ledger.csv").await;
    assert_eq!(csv.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(csv.header("content-disposition"), Some("attachment; filename=\"ledger-1.csv\""));
    assert_eq!(csv.header("x-content-type-options"), Some("nosniff"));
    let lines: Vec<_> = csv.text().lines().collect();
    assert_eq!(lines.len(), 61);
    assert!(
        lines[0].starts_with("\u{feff}seq,recorded_at,created_at,type,source_id,points,"),
        "{}",
        lines[0]
    );
    assert!(
        lines[1].starts_with("60,2026-03-01T12:00:00.000000Z,") && lines[1].contains(",'=1+1,'@x,60,"),
        "{}",
        lines[1]
    );
    assert_eq!(owner.get("/members/unknown/ledger.csv").await.status, 404);
}

#[tokio::test]
async fn what_operators_do_is_in_the_audit_log_with_their_names() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1").await;
    owner.submit(&page, "/members/u1", &[("locale", "ja")]).await;
    owner.submit(&page, "/members/u1/sign-out", &[]).await;
    let award = [("type", "code"), ("points", "5"), ("title", "Thanks"), ("source_id", "thanks-1")];
    owner.submit(&page, "/members/u1/activities", &award).await;
    let key = server.issue_super_user().await;
    let log = server.request(http::Method::GET, "/v1/manage/audit-log", &key).send().await.json();
    let entries = log["data"].as_array().unwrap();
    let by_operator = |operation: &str| {
        let entry = entries.iter().find(|entry| entry["operation"] == operation);
        entry.is_some_and(|entry| entry["actor"].as_str().is_some_and(|actor| actor.starts_with("operator:")))
    };
    assert!(by_operator("user.put") || by_operator("user.change"), "{}", json!(entries));
    assert!(by_operator("user.sign_out"), "{}", json!(entries));
    assert!(by_operator("transaction.record"), "{}", json!(entries));
}

#[tokio::test]
async fn the_page_of_a_row_says_who_did_it_to_readers_of_the_audit_log() {
    let server = TestServer::with_sample().await;
    server.award(600).await;
    let order = server.ordered("mug", 1).await;
    let (owner, support) = (owner_of(&server).await, Browser::of(&server, Role::Support).await);
    let newest = async || newest_row(&owner, "/members/u1").await;
    let of_order = owner.page(&newest().await).await;
    assert!(of_order.contains("The member, with an order."), "{of_order}");
    let page = owner.page("/members/u1").await;
    let award = [("type", "code"), ("points", "5"), ("title", "Thanks"), ("source_id", "thanks-1")];
    owner.submit(&page, "/members/u1/activities", &award).await;
    let awarded = newest().await;
    let page = owner.page(&awarded).await;
    assert!(page.contains("<h2>Who did it</h2>") && page.contains("<strong>The owner</strong>"), "{page}");
    owner.submit(&page, &format!("{awarded}/reverse"), &[("reason", "Too much")]).await;
    let reversal = newest().await;
    assert_ne!(reversal, awarded);
    let original = owner.page(&awarded).await;
    assert!(original.contains(" awarded 5 points to ") && !original.contains(" back from "), "{original}");
    let page = owner.page(&reversal).await;
    assert!(page.contains(" took 5 points back from ") && page.contains("<q>Too much</q>"), "{page}");
    let page = owner.page(&format!("/orders/{order}")).await;
    owner.submit(&page, &format!("/orders/{order}/cancel"), &[("reason", "Out of stock")]).await;
    let page = owner.page(&format!("/orders/{order}")).await;
    assert!(page.contains("<q>Out of stock</q>") && page.contains("cancelled order"), "{page}");
    for path in [&reversal, &format!("/orders/{order}")] {
        let page = support.page(path).await;
        assert!(!page.contains("The owner") && !page.contains("<q>"), "{page}");
        assert!(!page.contains("Who did it"), "{page}");
    }
}

/// The path of the page of the first row in a ledger.
pub(super) async fn newest_row(browser: &Browser<'_>, member: &str) -> String {
    let ledger = browser.page(member).await;
    let (_, number) = ledger.split_once("explain=").unwrap();
    row_numbered(browser, member, number.split('#').next().unwrap()).await
}

/// The path of the page of a row: it is in the explanation of the row.
pub(super) async fn row_numbered(browser: &Browser<'_>, member: &str, number: &str) -> String {
    let page = browser.page(&format!("{member}?explain={number}")).await;
    let (_, detail) = page.split_once("class=\"detail\"").unwrap();
    let (before, after) = detail.split_once("/transactions/").unwrap();
    let member = before.rsplit_once(CONSOLE).unwrap().1;
    format!("{member}/transactions/{}", after.split(['"', '#']).next().unwrap())
}

#[tokio::test]
async fn the_page_of_a_member_names_the_language_and_has_one_primary_button() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    for (id, tag, said) in
        [("a", "ja", "speaks Japanese"), ("b", "pt-BR", "speaks Portuguese (BR)"), ("c", "gsw", "speaks gsw")]
    {
        server.know_user(id, "1984-02-29", Locale::new(tag).unwrap()).await;
        let page = owner.page(&format!("/members/{id}/notes")).await;
        assert!(page.contains(said), "{said}: {page}");
        assert!(page.contains("<button class=\"second\">Add the note</button>"), "{page}");
    }
}

#[tokio::test]
async fn the_curve_of_a_balance_has_the_days_that_are_chosen() {
    let server = TestServer::with_sample().await;
    server
        .record(&[
            Act::new("code", 300, "2026-01-20T10:00:00Z"),
            Act::new("code", 50, "2026-02-20T10:00:00Z"),
        ])
        .await;
    let owner = owner_of(&server).await;
    for (query, moved, days) in
        [("", "+350 in 90 days", 90), ("?days=28", "+50 in 28 days", 28), ("?days=9", "+350 in 90 days", 90)]
    {
        let page = owner.page(&format!("/members/u1{query}")).await;
        let (_, chart) = page.split_once("<svg class=\"chart-plot\"").unwrap();
        assert!(page.contains(moved), "{moved}: {page}");
        // A period of 28 days says nothing of those before.
        let before = if days == 28 { "</dd>" } else { " <span class=\"small quiet\">from 300</span></dd>" };
        assert!(page.contains(&format!("<dt>Earned in 28 days</dt><dd>50{before}")), "{page}");
        assert_eq!(chart.matches("<rect x=").count() - 1, days, "one more is hatched: {chart}");
        assert!(page.contains("<b>Saturday, 28 February 2026</b>"), "the last whole day: {page}");
    }
}

#[tokio::test]
async fn a_note_is_added_once_and_its_lines_are_shown_with_its_author() {
    let server = TestServer::with_sample().await;
    let owner = owner_of(&server).await;
    let page = owner.page("/members/u1/notes").await;
    assert!(page.contains("There is no note about this member."), "{page}");
    for _ in 0..2 {
        let added =
            owner.submit(&page, "/members/u1/notes", &[("text", " <b>Called\r\nabout the mug ")]).await;
        let at = format!("{CONSOLE}/members/u1/notes?said=member-noted");
        assert_eq!((added.status.as_u16(), added.header("location")), (303, Some(&*at)));
    }
    let noted = owner.page("/members/u1/notes?said=member-noted").await;
    assert_eq!(noted.matches("&lt;b&gt;Called<br>about the mug").count(), 1, "{noted}");
    assert!(noted.contains("The note is added.") && noted.contains("The owner · <"), "{noted}");
    let long = "a".repeat(2_001);
    for (typed, fault) in [(" ", "This is required."), (&*long, "This is too long.")] {
        let refused = owner.submit(&noted, "/members/u1/notes", &[("text", typed)]).await;
        assert!(refused.status == 422 && refused.text().contains(fault), "{}", refused.text());
    }
    let token = server.issue_super_user().await;
    for _ in 0..50 {
        server.post("/v1/manage/users/u1/notes", &token).json(&json!({"text": "Later"})).send().await;
    }
    let newest = owner.page("/members/u1/notes").await;
    assert!(newest.contains("/notes?page=2") && !newest.contains("about the mug"), "{newest}");
    let oldest = owner.page("/members/u1/notes?page=2").await;
    assert!(oldest.contains("about the mug") && !oldest.contains("Later"), "{oldest}");
    for (role, writes) in [(Role::Support, true), (Role::Auditor, false)] {
        let browser = Browser::of(&server, role).await;
        let seen = browser.page("/members/u1").await + &browser.page("/members/u1/notes?page=2").await;
        assert!(seen.contains("about the mug"), "{seen}");
        // Who may not see the audit log sees no names of operators.
        assert_eq!(
            (seen.contains("name=\"text\""), seen.contains("The owner · <")),
            (writes, !writes),
            "{seen}"
        );
    }
}

//! The audit log: filters, pages, and what an entry says.

use http::Method;
use pointbook_domain::{Role, Scopes};
use pointbook_store::schema::{Cell, TABLES};
use serde_json::json;

use super::operator::Browser;
use crate::harness::TestServer;

#[tokio::test]
async fn an_entry_says_who_changed_which_fields_from_where() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let call = |price: u32| {
        let path = "/v1/manage/products/mug";
        let body = serde_json::json!({"regular_price": price});
        server.request(Method::PATCH, path, &token).json(&body)
    };
    for price in [800, 900] {
        let answer = call(price).send().await;
        assert_eq!(answer.status, 200, "{}", answer.text());
    }
    let browser = Browser::of(&server, Role::Auditor).await;
    let page = browser.page("/audit-log").await;
    let (newer, older) = (page.find(">900<").unwrap(), page.rfind(">800<").unwrap());
    assert!(newer < older, "the newest entry is first");
    for part in ["product.change", "regular_price", "product:mug", "key:", "127.0.0.1", "operator.add"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    let change = " changed the price of <a href=\"/console/shop/products/mug\">Blue mug</a> from <del>800</del> to <ins>900</ins>";
    assert!(page.contains(change), "{page}");
}

/// What a browser shows of each entry, the newest first: the sentence with the reason.
fn sentences(page: &str) -> Vec<String> {
    let entries = page.split("<th scope=\"row\">").skip(1);
    let entries = entries.filter_map(|entry| Some(entry.split_once("<details")?.0.to_owned()));
    let shown = |html: String| {
        let texts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
        texts.collect::<String>().trim().to_owned()
    };
    entries.map(shown).collect()
}

#[tokio::test]
async fn entries_are_sentences_with_names() {
    let server = TestServer::with_sample().await;
    server.award(10_000).await;
    let token = server.issue_super_user().await;
    let order = server.ordered("mug", 1).await;
    let number = server.get(&format!("/v1/store/orders/{order}")).await.json()["data"]["number"].clone();
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page(&format!("/orders/{order}")).await;
    browser.submit(&page, &format!("/orders/{order}/cancel"), &[("reason", "Broken")]).await;
    let change = json!({"title": "<b>Mug</b>", "popular": false, "description": "x".repeat(80)});
    let changed = server.request(Method::PATCH, "/v1/manage/products/mug", &token).json(&change).send().await;
    assert_eq!(changed.status, 200, "{}", changed.text());
    let page = browser.page("/audit-log").await;
    let number = number.as_str().unwrap();
    let told = sentences(&page);
    let owner = &told[1];
    assert_eq!(*owner, format!("The owner cancelled order {number} Broken"), "{told:?}");
    assert!(page.contains(&format!("<a href=\"/console/shop/orders/{order}\">{number}</a>")), "{page}");
    let change = &told[0];
    assert!(change.contains(" changed &lt;b&gt;Mug&lt;/b&gt;: description, mark “popular” "), "{change}");
    assert!(change.ends_with("title Blue mug → &lt;b&gt;Mug&lt;/b&gt;"), "{change}");
    assert!(!page.contains("<b>Mug"), "{page}");
    assert!(told.contains(&"The owner signed in".to_owned()), "{told:?}");
    assert!(told.iter().any(|told| told.starts_with("The command line added ")), "{told:?}");
    // The days are headings.
    assert!(
        page.contains("<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"2\">1 March 2026</th>"),
        "{page}"
    );
}

/// All fields are in the details of the entry.
#[tokio::test]
async fn a_sentence_names_at_most_five_fields() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let browser = Browser::of(&server, Role::Auditor).await;
    let change = async |change: serde_json::Value| {
        let call = server.request(Method::PATCH, "/v1/manage/products/mug", &token).json(&change);
        assert_eq!(call.send().await.status, 200);
        sentences(&browser.page("/audit-log").await).swap_remove(0)
    };
    let mut fields = json!({"title": "A", "sku": "S", "description": "D", "regular_price": 7, "brand": "B"});
    let told = change(fields.clone()).await;
    assert!(!told.contains('…'), "{told}");
    for (name, value) in fields.as_object_mut().unwrap() {
        *value = if name == "regular_price" { json!(8) } else { json!("other") };
    }
    fields["popular"] = json!(false);
    let told = change(fields).await;
    assert!(told.ends_with(", …") && told.matches(", ").count() == 5, "{told}");
}

#[tokio::test]
async fn entries_that_are_alike_are_one_row_with_a_count() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let change = async |product: &str, price: u32| {
        let path = format!("/v1/manage/products/{product}");
        let call = server.request(Method::PATCH, &path, &token).json(&json!({"regular_price": price}));
        assert_eq!(call.send().await.status, 200);
    };
    for product in ["mug", "plate", "wine"] {
        change(product, 800).await;
    }
    let browser = Browser::of(&server, Role::Auditor).await;
    let page = browser.page("/audit-log?object=product:mug").await;
    assert!(!page.contains("more like this"), "{page}");
    let page = browser.page("/audit-log?after=2").await;
    assert_eq!(page.matches("<code>product.change</code>").count(), 3, "the details have each: {page}");
    let of_prices = sentences(&page).into_iter().filter(|told| told.contains("changed the price of"));
    let of_prices: Vec<_> = of_prices.collect();
    assert!(of_prices.len() == 1 && of_prices[0].ends_with("and 2 more like this"), "{of_prices:?}");
    server.advance_seconds(120);
    change("mug", 900).await;
    let page = browser.page("/audit-log").await;
    let told = sentences(&page);
    assert!(told[0].contains("from 800 to 900") && !told[0].contains("more like this"), "{told:?}");
}

#[tokio::test]
async fn an_unknown_operation_is_told_by_its_name() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let table = TABLES.iter().find(|table| table.name == "audit_entries").unwrap();
    let data = server.production().data.clone();
    let mut row = data.rows_after(table, None, 1).await.unwrap().remove(0);
    for (place, text) in [(4, "stock.count"), (5, "shelf:<i>3</i>")] {
        row[place] = Cell::Text(text.into());
    }
    data.write_rows(table, &[row]).await.unwrap();
    let told = sentences(&browser.page("/audit-log").await);
    let odd = "The command line did stock.count with shelf:&lt;i&gt;3&lt;/i&gt;";
    assert_eq!(told.last().map(String::as_str), Some(odd), "{told:?}");
}

#[tokio::test]
async fn entries_are_filtered_by_actor_object_and_number() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let all = browser.page("/audit-log").await;
    assert!(all.contains("operator.add") && all.contains("session.begin"), "{all}");
    assert!(all.contains("The owner"), "the name of the operator: {all}");
    let of_command = browser.page("/audit-log?actor=command-line").await;
    assert!(of_command.contains("operator.add") && !of_command.contains("session.begin"));
    let none = browser.page("/audit-log?object=product:none").await;
    assert!(none.contains("No entry matches."), "{none}");
    let newest = browser.page("/audit-log?after=1").await;
    let has_entry = |page: &str, seq: u64| page.contains(&format!("<dt>Entry</dt><dd>{seq}</dd>"));
    assert!(!has_entry(&newest, 1) && has_entry(&newest, 2), "{newest}");
    let chips = "/console/shop/audit-log?actor=command-line\"";
    let both = browser.page("/audit-log?actor=command-line&object=product:mug").await;
    assert!(both.contains("Actor: The command line") && both.contains("Object: product:mug"), "{both}");
    assert!(
        both.contains(chips) && both.contains("/console/shop/audit-log?object=product%3Amug\""),
        "{both}"
    );
    for odd in [
        "?after=x",
        "?after=-1",
        "?before=0",
        "?before=99999999999999999999",
        "?actor=%00",
        "?after=9223372036854775807",
    ] {
        browser.page(&format!("/audit-log{odd}")).await;
    }
}

#[tokio::test]
async fn entries_are_chosen_by_what_was_done_and_to_what() {
    let server = TestServer::with_sample().await;
    let token = server.issue_super_user().await;
    let change = json!({"regular_price": 800});
    let call = server.request(Method::PATCH, "/v1/manage/products/mug", &token).json(&change);
    assert_eq!(call.send().await.status, 200);
    let browser = Browser::of(&server, Role::Owner).await;
    let all = ["operator.add", "session.begin", "product.change"];
    for (query, found, chip) in [
        ("kind=operator", &all[..2], "Object: Operators"),
        ("kind=product", &all[2..], "Object: Products"),
        ("action=changed", &all[2..], "Action: Changed"),
        ("action=signed-in&kind=operator", &all[1..2], "Action: Signed in, or given a link or a token"),
        ("action=added&kind=product", &[], "Action: Added"),
        ("action=none&kind=none", &all, ""),
    ] {
        let page = browser.page(&format!("/audit-log?{query}")).await;
        let shown = all.map(|operation| page.contains(&format!("<code>{operation}</code>")));
        assert_eq!(shown, all.map(|operation| found.contains(&operation)), "{query}: {page}");
        assert!(page.contains(&format!(">{chip}<")) || chip.is_empty(), "{query}: {page}");
    }
    let page = browser.page("/audit-log?actor=command-line&object=product:mug&after=1").await;
    let choices = [
        "<option value=\"command-line\" selected>The command line</option>",
        "<input type=\"hidden\" name=\"object\" value=\"product:mug\">",
    ];
    assert!(choices.iter().all(|choice| page.contains(choice)), "{page}");
}

#[tokio::test]
async fn more_entries_than_a_page_are_on_older_pages() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    for _ in 0..50 {
        let key = server.issue_key(Scopes::ALL, "").await;
        server.revoke(&key).await;
    }
    let first = browser.page("/audit-log").await;
    assert_eq!(first.matches("<summary class=\"quiet\">Details").count(), 25);
    let (_, rest) = first.split_once("before=").unwrap();
    let before = rest.split_once('"').unwrap().0;
    let older = browser.page(&format!("/audit-log?before={before}")).await;
    assert_eq!(older.matches("<summary class=\"quiet\">Details").count(), 25);
    assert!(older.contains("Newest entries") && !older.contains(&format!("<dd>{before}</dd>")));
}

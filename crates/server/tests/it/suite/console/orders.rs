//! Orders in the console.

use http::Method;
use pointbook_domain::Role;
use serde_json::Value;

use super::operator::{Browser, CONSOLE};
use crate::client::Answer;
use crate::harness::TestServer;

/// A server where `u1` has points, and a browser of an operator.
async fn with_points() -> TestServer {
    let server = TestServer::with_sample().await;
    server.award(100_000).await;
    server
}

/// The number of an order, for people.
async fn number(server: &TestServer, id: &str) -> String {
    let order = server.get(&format!("/v1/store/orders/{id}")).await.json();
    order["data"]["number"].as_str().unwrap().to_owned()
}

async fn status(server: &TestServer, id: &str) -> String {
    server.get(&format!("/v1/store/orders/{id}")).await.json()["data"]["status"].as_str().unwrap().to_owned()
}

/// The entries of the audit log about an order.
async fn entries(server: &TestServer, id: &str) -> Vec<Value> {
    let token = server.issue_super_user().await;
    let path = format!("/v1/manage/audit-log?object=order:{id}");
    let answer = server.request(Method::GET, &path, &token).send().await;
    answer.json()["data"].as_array().unwrap().clone()
}

/// Sends the queue with these orders ticked.
async fn tick(browser: &Browser<'_>, ids: &[&str]) -> Answer {
    let token = browser.form_token().await;
    let ticked = ids.iter().map(|id| ("order", *id));
    browser.post("/orders", &[("form", &*token)].into_iter().chain(ticked).collect::<Vec<_>>()).await
}

#[tokio::test]
async fn the_oldest_waiting_order_comes_first_and_the_newest_closed_one() {
    let server = with_points().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.push(server.ordered("mug", 1).await);
        server.advance_seconds(86_400);
    }
    let browser = Browser::of(&server, Role::Fulfilment).await;
    let page = browser.page("/orders").await;
    let mut places = Vec::new();
    for id in &ids {
        places.push(page.find(&number(&server, id).await).unwrap());
    }
    assert!(places.is_sorted(), "{page}");
    let heads = page.split_once("<thead>").unwrap().1.split_once("</thead>").unwrap().0;
    assert!(heads.find("Waits").unwrap() < heads.find("Product").unwrap(), "{heads}");
    assert!(page.contains("Select none"), "{page}");
    for text in ["3 days", "2 days", "1 day<", "3 waiting", "Blue mug", ">500<"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    for id in &ids[..2] {
        let order = browser.page(&format!("/orders/{id}")).await;
        assert_eq!(browser.submit(&order, &format!("/orders/{id}/fulfil"), &[]).await.status, 303);
    }
    let page = browser.page("/orders?status=fulfilled").await;
    assert!(page.contains("<span class=\"quiet rank-3\">SKU-mug</span>"), "{page}");
    assert!(page.contains(">Placed</th>") && !page.contains(">Waits</th>"), "{page}");
    let (first, second) = (number(&server, &ids[0]).await, number(&server, &ids[1]).await);
    assert!(page.find(&second).unwrap() < page.find(&first).unwrap(), "{page}");
    assert!(browser.page("/orders?status=all").await.contains("3 found"));
    assert!(browser.page("/orders?user=u1").await.contains("1 waiting"));
    assert!(browser.page("/orders?user=u2").await.contains("Nothing fits."));
    assert!(browser.page("/orders?status=cancelled").await.contains("No order matches."));
    let beyond = browser.page("/orders?page=7").await;
    assert!(beyond.contains("This list has no page 7.") && !beyond.contains("No order"), "{beyond}");
}

/// The number of an order leads to it, too, but a list is what a person looks through.
#[tokio::test]
async fn orders_are_found_by_number_member_and_product_and_show_the_picture() {
    let server = with_points().await;
    server
        .add_changed_product("lamp", |product| product.thumbnail = "https://img.example/lamp.webp".to_owned())
        .await;
    let (mug, lamp) = (server.ordered("mug", 1).await, server.ordered("lamp", 1).await);
    let numbers = [number(&server, &mug).await, number(&server, &lamp).await];
    let browser = Browser::of(&server, Role::Fulfilment).await;
    for (search, is_mug, is_lamp) in [
        (&*numbers[0].to_lowercase(), true, false),
        ("SKU-lamp", false, true),
        ("blue%20MUG", true, false),
        ("u1", true, true),
        ("nothing", false, false),
    ] {
        let page = browser.page(&format!("/orders?search={search}")).await;
        let has = |number: &str| page.contains(&format!(">{number}</a>"));
        assert_eq!((has(&numbers[0]), has(&numbers[1])), (is_mug, is_lamp), "{search}: {page}");
    }
    let one = browser.page(&format!("/orders/{lamp}")).await;
    assert!(
        one.contains("<img src=\"https://img.example/lamp.webp\"") && !one.contains("/products/lamp"),
        "{one}"
    );
    let one_of_owner = Browser::of(&server, Role::Owner).await.page(&format!("/orders/{lamp}")).await;
    for part in ["<img src=\"https://img.example/lamp.webp\"", "/products/lamp\""] {
        assert!(one_of_owner.contains(part), "{part}: {one_of_owner}");
    }
    for card in ["<h2>What</h2>", "<h2>Who</h2>", "<h2>When</h2>"] {
        assert!(one.contains(card), "{card}: {one}");
    }
    let page = browser.page("/orders?search=lamp&status=all").await;
    assert!(page.contains("<img src=\"https://img.example/lamp.webp\""), "{page}");
    assert!(page.contains("status=fulfilled&amp;search=lamp&amp;page=1"), "states keep the search: {page}");
    let token = server.issue_super_user().await;
    let list = server.request(Method::GET, "/v1/manage/orders?filter[search]=LAMP", &token).send().await;
    assert_eq!(list.json()["data"].as_array().unwrap().len(), 1, "{}", list.text());
}

/// The overview and the queue put an order into the same group.
#[tokio::test]
async fn the_queue_and_the_overview_have_the_same_ages() {
    let server = with_points().await;
    for _ in 0..2 {
        server.ordered("mug", 1).await;
    }
    server.advance_seconds(2 * 86_400);
    server.ordered("mug", 1).await;
    server.advance_seconds(86_400);
    let browser = Browser::of(&server, Role::Owner).await;
    let queue = browser.page("/orders").await;
    let (long, short) = queue.split_once("1 to 3 days · 1<").unwrap();
    assert!(
        long.contains("Longer than 3 days · 2<") && long.matches("name=\"order\"").count() == 2,
        "{queue}"
    );
    assert_eq!(short.matches("name=\"order\"").count(), 1, "{queue}");
    for part in [
        "Waiting <span class=\"due\">3</span>",
        "Sent <span class=\"count\">0</span>",
        ">1,500 points · 3 waiting",
    ] {
        assert!(queue.contains(part), "{part}: {queue}");
    }
    let overview = browser.page("").await;
    for ages in ["<dt>Longer than 3 days</dt><dd>2 ", "<dt>1 to 3 days</dt><dd>1 ", "<dt>Today</dt><dd>0 "] {
        assert!(overview.contains(ages), "{ages}: {overview}");
    }
}

#[tokio::test]
async fn the_page_of_a_member_has_a_tab_with_the_orders() {
    let server = with_points().await;
    let id = server.ordered("mug", 1).await;
    let number = number(&server, &id).await;
    let browser = Browser::of(&server, Role::Support).await;
    let page = browser.page("/members/u1").await;
    assert!(page.contains("href=\"/console/shop/members/u1/orders\""), "{page}");
    let tab = browser.page("/members/u1/orders").await;
    let here = "href=\"/console/shop/members/u1/orders\" aria-current=\"page\"";
    assert!(tab.contains(here) && tab.contains(&format!("/orders/{id}\"")) && tab.contains(&number), "{tab}");
    let token = server.issue_super_user().await;
    server.request(Method::PUT, "/v1/manage/users/u2", &token).json(&serde_json::json!({})).send().await;
    let none = browser.page("/members/u2/orders").await;
    assert!(none.contains("The member has no orders yet.") && !none.contains(&number), "{none}");
    let fulfilment = Browser::of(&server, Role::Fulfilment).await;
    assert_eq!(fulfilment.get("/members/u1/orders").await.status, 403);
}

#[tokio::test]
async fn an_empty_queue_says_what_fills_it() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Support).await;
    assert!(browser.page("/orders").await.contains("No order waits to be sent. New orders"));
}

#[tokio::test]
async fn many_orders_are_fulfilled_at_once_each_with_its_result() {
    let server = with_points().await;
    let ids =
        [server.ordered("mug", 1).await, server.ordered("mug", 2).await, server.ordered("cafe", 1).await];
    let [waiting, done, cancelled] = &ids;
    let browser = Browser::of(&server, Role::Fulfilment).await;
    let token = server.issue_super_user().await;
    for (id, step) in [(done, "fulfil"), (cancelled, "cancel")] {
        server.post(&format!("/v1/manage/orders/{id}/{step}"), &token).send().await;
    }
    let page = tick(&browser, &[waiting, done, cancelled, waiting, "nothing"]).await;
    assert_eq!(page.status, 200);
    let told = page.text();
    for text in ["1 of 4 marked as sent.", "Was sent before", "Was cancelled before", "No such order"] {
        assert!(told.contains(text), "{text}: {told}");
    }
    let again = tick(&browser, &[waiting]).await;
    assert!(again.text().contains("0 of 1 marked as sent.") && again.text().contains("Was sent before"));
    assert_eq!(status(&server, waiting).await, "fulfilled");
    let entries = entries(&server, waiting).await;
    assert_eq!(entries.len(), 1, "{entries:?}");
    assert_eq!(entries[0]["actor_label"], "fulfilment@example.com");
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn at_least_one_and_at_most_100_orders_are_fulfilled_at_once() {
    let server = with_points().await;
    let id = server.ordered("mug", 1).await;
    let browser = Browser::of(&server, Role::Owner).await;
    let none = tick(&browser, &[]).await;
    assert!(none.status == 422 && none.text().contains("Select at least one order."), "{}", none.text());
    let others: Vec<String> = (0..100).map(|number| format!("o{number}")).collect();
    let mut many: Vec<&str> = others.iter().map(String::as_str).collect();
    many.push(&id);
    let refused = tick(&browser, &many).await;
    assert!(refused.status == 422 && refused.text().contains("at most 100"), "{}", refused.text());
    assert_eq!(status(&server, &id).await, "placed");
    assert_eq!(tick(&browser, &many[1..]).await.status, 200);
    assert_eq!(status(&server, &id).await, "fulfilled");
}

#[tokio::test]
async fn a_cancellation_needs_a_reason_and_returns_the_points_once() {
    let server = with_points().await;
    let id = server.ordered("plate", 2).await;
    let browser = Browser::of(&server, Role::Support).await;
    let path = format!("/orders/{id}");
    let page = browser.page(&path).await;
    for text in ["Plate, 100% recycled", "SKU-plate", "u1", "1,000 points", "Waiting"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    let cancel = format!("{path}/cancel");
    for reason in [String::new(), "  ".to_owned(), "x".repeat(1_001)] {
        let refused = browser.submit(&page, &cancel, &[("reason", &reason)]).await;
        assert!(refused.status == 422 && refused.text().contains("Give a reason"), "{}", refused.text());
        assert!(refused.text().contains(reason.trim()), "what was typed stays");
    }
    for _ in 0..2 {
        let done = browser.submit(&page, &cancel, &[("reason", "Broken <b>plate</b>")]).await;
        let place = format!("{CONSOLE}{path}?said=order-cancelled");
        assert_eq!((done.status.as_u16(), done.header("location")), (303, Some(&*place)));
    }
    assert_eq!(server.balance().await, 100_000);
    let after = browser.page(&format!("{path}?said=order-cancelled")).await;
    assert!(
        after.contains("The order is cancelled, and the points are returned.") && !after.contains("/cancel")
    );
    let entries = entries(&server, &id).await;
    assert_eq!((entries.len(), &entries[0]["reason"]), (1, &Value::from("Broken <b>plate</b>")));
    let fulfil = browser.submit(&page, &format!("{path}/fulfil"), &[]).await;
    assert!(fulfil.status == 422 && fulfil.text().contains("was cancelled meanwhile"), "{}", fulfil.text());
    server.assert_audit_is_clean().await;
}

#[tokio::test]
async fn the_packing_list_has_the_waiting_orders_and_no_formula() {
    let server = with_points().await;
    server.add_changed_product("sum", |product| product.title = "=SUM(A1), \"all\"".to_owned()).await;
    let sum = server.ordered("sum", 2).await;
    server.advance_seconds(60);
    let (mug, closed) = (server.ordered("mug", 1).await, server.ordered("mug", 1).await);
    let token = server.issue_super_user().await;
    server.post(&format!("/v1/manage/orders/{closed}/fulfil"), &token).send().await;
    let browser = Browser::of(&server, Role::Auditor).await;
    let list = browser.get("/packing-list").await;
    assert_eq!(list.header("content-type"), Some("text/csv; charset=utf-8"));
    let name = "attachment; filename=\"packing-list-2026-03-01.csv\"";
    assert_eq!(list.header("content-disposition"), Some(name));
    let numbers = (number(&server, &sum).await, number(&server, &mug).await);
    let expected = format!(
        "\u{feff}number,user_id,sku,title,quantity,created_at\r\n\
         {},u1,SKU-sum,\"'=SUM(A1), \"\"all\"\"\",2,2026-03-01T12:00:00.000000Z\r\n\
         {},u1,SKU-mug,Blue mug,1,2026-03-01T12:01:00.000000Z\r\n",
        numbers.0, numbers.1
    );
    assert_eq!(list.text(), expected);
}

#[tokio::test]
async fn an_operator_who_may_not_change_orders_sees_no_button_for_it() {
    let server = with_points().await;
    let id = server.ordered("mug", 1).await;
    let browser = Browser::of(&server, Role::Auditor).await;
    let pages = [browser.page("/orders").await, browser.page(&format!("/orders/{id}")).await];
    for page in pages {
        assert!(!page.contains("Mark as sent") && !page.contains("Cancel order"), "{page}");
        assert!(!page.contains("type=\"checkbox\""), "{page}");
    }
    let fulfilment = Browser::of(&server, Role::Fulfilment).await;
    let page = fulfilment.page(&format!("/orders/{id}")).await;
    assert!(page.contains("Mark as sent") && !page.contains("/members/") && !page.contains("/products/"));
    assert_eq!(fulfilment.get("/orders/nothing").await.status, 404);
}

/// A search that hides the count of another tab would make an operator believe that nothing waits.
#[tokio::test]
async fn the_tabs_count_what_the_search_finds() {
    let server = with_points().await;
    server.add_changed_product("lamp", |_| ()).await;
    let (mug, lamp) = (server.ordered("mug", 1).await, server.ordered("lamp", 1).await);
    let browser = Browser::of(&server, Role::Fulfilment).await;
    let page = browser.page(&format!("/orders/{mug}")).await;
    assert_eq!(browser.submit(&page, &format!("/orders/{mug}/fulfil"), &[]).await.status, 303);
    for (search, placed, fulfilled) in [("SKU-mug", 0, 1), ("SKU-lamp", 1, 0), ("u1", 1, 1)] {
        let page = browser.page(&format!("/orders?search={search}")).await;
        let class = if placed > 0 { "due" } else { "count" };
        for tab in [
            format!("Waiting <span class=\"{class}\">{placed}</span>"),
            format!("Sent <span class=\"count\">{fulfilled}</span>"),
            format!("<span class=\"count\">{}</span>", placed + fulfilled),
        ] {
            assert!(page.contains(&tab), "{search}: {tab}: {page}");
        }
        assert_eq!(page.contains(&lamp), placed > 0, "{search}: {page}");
    }
}

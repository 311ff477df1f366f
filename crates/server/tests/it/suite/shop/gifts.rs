//! The list of gifts, and the page of one.

use http::Method;
use pointbook_domain::CategoryId;
use serde_json::json;

use super::browser::{Browser, SHOP, with_shop};

#[tokio::test]
async fn a_gift_that_is_sold_out_is_marked_and_cannot_be_ordered() {
    let server = with_shop().await;
    server.award(10_000).await;
    let mut browser = Browser::of(&server, "u1").await;
    for (language, mark, reason) in [
        ("en", "Sold out", "This gift is sold out."),
        ("de", "Ausverkauft", "Diese Prämie ist ausverkauft."),
        ("ja", "品切れ", "このギフトは品切れです。"),
        ("tr", "Tükendi", "Bu hediye tükendi."),
    ] {
        browser.language = language;
        let list = browser.page("?filter%5Btitle%5D=wine").await;
        let marked = format!("<span class=\"mark\" data-mark=\"sold-out\">{mark}</span>");
        assert!(list.contains("class=\"card gone\"") && list.contains(&marked), "{list}");
        let page = browser.page("/products/wine").await;
        assert!(page.contains(&marked) && page.contains(reason), "{page}");
        assert!(page.contains("<button disabled") && !page.contains(&format!("{SHOP}/order\"")), "{page}");
        let question = browser.page("/order?product=wine&quantity=1").await;
        assert!(question.contains(reason) && !question.contains("name=\"once\""), "{question}");
    }
    let mug = browser.page("/products/mug").await;
    assert!(!mug.contains("sold-out") && mug.contains(&format!("{SHOP}/order\"")), "{mug}");
}

/// The question can be opened by its address, and a member may ask for more pieces than the points pay for.
#[tokio::test]
async fn an_order_that_the_points_do_not_cover_is_not_offered() {
    let server = with_shop().await;
    server.award(999).await;
    let mut browser = Browser::of(&server, "u1").await;
    for (language, reason) in [
        ("en", "Your points are not enough."),
        ("de", "Ihre Punkte reichen nicht aus."),
        ("ja", "ポイントが足りません。"),
        ("tr", "Puanınız yetmiyor."),
    ] {
        browser.language = language;
        let one = browser.page("/order?product=mug&quantity=1").await;
        assert!(!one.contains(reason) && one.contains("name=\"once\""), "{one}");
        let two = browser.page("/order?product=mug&quantity=2").await;
        assert!(two.contains(reason) && !two.contains("name=\"once\""), "{two}");
    }
    server.award(1).await;
    browser.language = "en";
    let two = browser.page("/order?product=mug&quantity=2").await;
    assert!(two.contains("Order now") && two.contains("<dd>0 points</dd>"), "{two}");
}

#[tokio::test]
async fn the_last_piece_marks_the_gift_and_its_return_takes_the_mark_away() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let is_marked = async || browser.page("/products/plate").await.contains("data-mark=\"sold-out\"");
    assert!(!is_marked().await);
    let order = server.ordered("plate", 3).await;
    assert!(is_marked().await);
    let path = format!("/v1/store/orders/{order}/cancel");
    assert_eq!(server.post(&path, server.token()).send().await.status, 200);
    assert!(!is_marked().await);
}

/// The interface takes commas between ids. The form of the shop sends one id.
#[tokio::test]
async fn a_category_with_commas_in_its_id_is_one_category() {
    let server = with_shop().await;
    let many = ",".repeat(25);
    let ids = ["a,b", "a", "b", &*many, "ü &=#+?/"];
    let tree: Vec<_> = ids.iter().map(|id| json!({"id": id, "label": format!("Label {id}")})).collect();
    let office = server.issue_super_user().await;
    let put = server.request(Method::PUT, "/v1/manage/categories", &office);
    assert_eq!(put.json(&json!({"categories": tree})).send().await.status, 200);
    for (number, id) in ids.iter().enumerate() {
        let change = |product: &mut pointbook_domain::Product| {
            product.categories = vec![CategoryId::new(*id).unwrap()];
        };
        server.add_changed_product(&format!("in-{number}"), change).await;
    }
    let browser = Browser::of(&server, "u1").await;
    let found = async |category: &str| {
        let query = url::form_urlencoded::Serializer::new(String::new())
            .append_pair("filter[category]", category)
            .append_pair("page[size]", "1")
            .finish();
        let page = browser.page(&format!("?{query}")).await;
        let shown = (0..ids.len()).filter(|number| page.contains(&format!("{SHOP}/products/in-{number}?")));
        (shown.collect::<Vec<_>>(), page)
    };
    for (number, id) in ids.iter().enumerate() {
        let (shown, page) = found(id).await;
        assert_eq!(shown, [number], "{id}");
        let escaped = id.replace('&', "&amp;");
        assert!(page.contains(&format!("<option value=\"{escaped}\" selected>")), "{id}: {page}");
    }
    // Without such a category, the value means what it means in the interface.
    let (_, page) = found("b,a").await;
    assert!(page.contains("2 gifts") && page.contains("category%5D=b%2Ca&amp;page%5Bsize%5D=1"), "{page}");
}

#[tokio::test]
async fn a_list_has_the_page_that_a_person_types() {
    let server = with_shop().await;
    server.award(10_000).await;
    server.ordered("mug", 1).await;
    let browser = Browser::of(&server, "u1").await;
    for list in ["", "/points", "/orders"] {
        let page = browser.page(&format!("{list}?page=900")).await;
        assert!(page.contains("This list has no page 900."), "{list}: {page}");
        for none in ["page=many", "page=0", "page%5Bnumber%5D=-1", "page=99999999999"] {
            let page = browser.page(&format!("{list}?{none}")).await;
            assert!(!page.contains("This list has no page"), "{list}?{none}: {page}");
        }
    }
}

/// A member who opens the page again the next day is not thanked again.
#[tokio::test]
async fn an_order_is_thanked_for_once() {
    let server = with_shop().await;
    server.award(10_000).await;
    let order = server.ordered("mug", 1).await;
    let path = format!("/orders/{order}?placed");
    let thanks = "Thank you. The order is placed.";
    let browser = Browser::of(&server, "u1").await;
    assert!(browser.page(&path).await.contains(thanks));
    server.advance_seconds(120);
    assert!(!browser.page(&path).await.contains(thanks));
}

#[tokio::test]
async fn the_way_back_from_a_gift_and_its_order_keeps_filters_and_page() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    let list = "filter%5Btitle%5D=mug&amp;page%5Bnumber%5D=1";
    let page = browser.page("?filter[title]=mug&page=1&sort=").await;
    assert!(page.contains(&format!("{SHOP}/products/mug?{list}\"")), "{page}");
    let gift = browser.page(&format!("/products/mug?{}", list.replace("&amp;", "&"))).await;
    assert!(gift.contains(&format!("href=\"{SHOP}?{list}\"")), "{gift}");
    assert!(gift.contains(&format!("name=\"list\" value=\"{list}\"")), "{gift}");
    let question = browser
        .page("/order?product=mug&quantity=1&list=filter%255Btitle%255D%3Dmug%26page%255Bnumber%255D%3D1")
        .await;
    assert!(question.contains(&format!("href=\"{SHOP}/products/mug?{list}\"")), "{question}");
    assert!(question.contains("Back to the gift"), "{question}");
}

/// The way back is the query of a list: it names no page, so it leads to this shop only.
#[tokio::test]
async fn the_way_back_leads_to_this_shop_only() {
    let server = with_shop().await;
    server.award(10_000).await;
    let browser = Browser::of(&server, "u1").await;
    for foreign in ["https%3A%2F%2Fevil.example", "%2F%2Fevil.example", "..%2F..%2Fconsole", "%22%3E%3Ca"] {
        for path in [
            format!("/products/mug?{foreign}"),
            format!("/products/mug?list={foreign}"),
            format!("/order?product=mug&quantity=1&list={foreign}"),
        ] {
            let page = browser.page(&path).await;
            let (_, main) = page.split_once("<main").unwrap();
            for link in main.split("href=\"").skip(1) {
                let (address, _) = link.split_once('"').unwrap();
                assert!(
                    address == SHOP
                        || address.starts_with(&format!("{SHOP}?"))
                        || address.starts_with(&format!("{SHOP}/")),
                    "{path}: {address}"
                );
            }
        }
    }
}

#[tokio::test]
async fn a_gift_that_costs_more_than_the_balance_says_what_is_missing() {
    let server = with_shop().await;
    server.award(100).await;
    let mut browser = Browser::of(&server, "u1").await;
    for (language, list, gift) in [
        ("en", "400 points to go", "You need 400 points more for this gift."),
        ("de", "Noch 400 Punkte", "Für diese Prämie brauchen Sie noch 400 Punkte."),
        ("ja", "あと400ポイント", "このギフトにはあと400ポイント必要です。"),
        ("tr", "400 puan daha", "Bu hediye için 400 puan daha gerekli."),
    ] {
        browser.language = language;
        let page = browser.page("?filter[title]=mug").await;
        assert!(page.contains(list) && page.contains("class=\"fill\" width=\"20%\""), "{language}: {page}");
        let page = browser.page("/products/mug").await;
        assert!(page.contains(gift) && !page.contains("class=\"order\""), "{language}: {page}");
    }
    browser.language = "en";
    server.award(400).await;
    let page = browser.page("/products/mug").await;
    assert!(!browser.page("?filter[title]=mug").await.contains("to go"));
    assert!(page.contains("Order, 500 points each") && page.contains("you keep 0 points"), "{page}");
    // What is sold out is out of reach for another reason.
    assert!(!browser.page("?filter[title]=wine").await.contains("to go"));
}

/// Each badge has the rule of the filter of its name. A card has room for the two that matter most.
#[tokio::test]
async fn badges_say_in_words_what_is_special_about_a_gift() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    server
        .add_changed_product("lamp", |lamp| {
            "Lamp".clone_into(&mut lamp.title);
            lamp.sale_price = Some(pointbook_testkit::build::price(1));
            lamp.popular = true;
            lamp.stock = Some(5);
        })
        .await;
    let badges = |page: &str| {
        let marks = page.split("data-mark=\"").skip(1);
        marks.map(|mark| mark.split(['>', '<']).nth(1).unwrap().to_owned()).collect::<Vec<_>>()
    };
    let card = badges(&browser.page("?filter[title]=lamp").await);
    assert_eq!(card, ["Few left", "Reduced"]);
    let all = badges(&browser.page("/products/lamp").await);
    assert!(all.starts_with(&card) && all.contains(&"Popular".to_owned()), "{all:?}");
    for (filter, word) in [("newProducts", "New"), ("onlyPopular", "Popular"), ("onSale", "Reduced")] {
        let found = browser.page(&format!("?filter[title]=lamp&filter[{filter}]=1")).await;
        assert_eq!(found.contains("/products/lamp?"), all.contains(&word.to_owned()), "{filter}");
    }
}

#[tokio::test]
async fn the_page_of_a_gift_shows_others_of_its_categories() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    let mug = browser.page("/products/mug").await;
    let (_, others) = mug.split_once("More like this").unwrap();
    assert!(others.contains("/products/cafe\"") && !others.contains("/products/mug\""), "{others}");
    assert!(!others.contains("/products/tea\""), "it is in another category: {others}");
    assert!(!others.contains("inactive") && others.matches("class=\"card").count() <= 4, "{others}");
    let gift = browser.page("/products/gift").await;
    assert!(!gift.contains("More like this"), "no gift is like it: {gift}");
}

#[tokio::test]
async fn the_list_of_orders_shows_the_pictures_of_gifts() {
    let server = with_shop().await;
    server.award(10_000).await;
    server
        .add_changed_product("lamp", |lamp| lamp.thumbnail = "https://img.example/lamp.webp".to_owned())
        .await;
    for id in ["lamp", "mug"] {
        server.ordered(id, 1).await;
    }
    let page = Browser::of(&server, "u1").await.page("/orders").await;
    assert!(page.contains("src=\"https://img.example/lamp.webp\" alt=\"\""), "{page}");
    assert_eq!(page.matches("class=\"picture\"").count(), 2, "{page}");
}

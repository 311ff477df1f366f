//! The filters of the list of gifts.

use super::browser::{Browser, SHOP, with_shop};

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
    assert!(browser.page("?filter%5Btitle%5D=nosuchthing").await.contains("No gifts match."));
}

/// How many gifts a page of the list has.
fn count(page: &str) -> usize {
    page.matches("class=\"card\"").count() + page.matches("class=\"card gone\"").count()
}

#[tokio::test]
async fn a_price_that_cannot_be_read_keeps_the_list_and_what_was_typed() {
    let server = with_shop().await;
    let mut browser = Browser::of(&server, "u1").await;
    let cups = count(&browser.page("?filter[title]=cup").await);
    let typed = ["abc", "1,5", "-5", "1.50"];
    for (language, message) in [
        ("en", "Enter a whole number, such as 1,000."),
        ("de", "Geben Sie eine ganze Zahl ein, zum Beispiel 1.000."),
        ("ja", "1,000のように、整数で入力してください。"),
        ("tr", "Bir tam sayı girin, örneğin 1.000."),
    ] {
        browser.language = language;
        for price in typed {
            let page =
                browser.page(&format!("?filter[title]=cup&filter[maxPrice]={price}&page[size]=1")).await;
            let field = format!("name=\"filter[maxPrice]\" value=\"{price}\"");
            assert!(page.contains(&field) && page.contains("aria-invalid=\"true\""), "{price}: {page}");
            assert!(page.contains(message), "{price}: {page}");
            assert!(page.contains("name=\"filter[title]\" value=\"cup\""), "the other filters stay: {page}");
        }
        let page = browser.page("?filter[title]=cup&filter[maxPrice]=abc").await;
        assert_eq!(count(&page), cups, "{page}");
    }
    assert!(cups > 0 && cups < count(&browser.page("").await));
}

#[tokio::test]
async fn a_price_with_marks_between_thousands_is_one_number() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    let plain = browser.page("?filter[maxPrice]=1000").await;
    assert!(count(&plain) > 0 && count(&plain) < count(&browser.page("").await));
    for price in ["1,000", "1.000", "1%20000", "%EF%BC%91000"] {
        let page = browser.page(&format!("?filter[maxPrice]={price}")).await;
        assert_eq!(count(&page), count(&plain), "{price}: {page}");
        assert!(!page.contains("aria-invalid"), "{price}: {page}");
    }
    assert_eq!(count(&browser.page("?filter[maxPrice]=15").await), 0, "what 1,5 must not mean");
}

/// The links of the chips: what they say, and where they lead.
fn chips(page: &str) -> Vec<(String, String)> {
    let (_, rest) = page.split_once("id=\"chips\"").unwrap();
    let (chips, _) = rest.split_once("</nav>").unwrap();
    let read = |chip: &str| {
        let (address, rest) = chip.split_once('"').unwrap();
        let texts = rest.split('>').filter_map(|part| part.split('<').next()).map(str::trim);
        let text: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
        (text.join(" "), address.replace("&amp;", "&"))
    };
    chips.split("href=\"").skip(1).map(read).collect()
}

fn chip(page: &str, text: &str) -> Option<String> {
    chips(page).into_iter().find(|(known, _)| known == text).map(|(_, address)| address)
}

#[tokio::test]
async fn each_chip_takes_one_filter_away() {
    let server = with_shop().await;
    let browser = Browser::of(&server, "u1").await;
    let page = browser
        .page("?filter[title]=mug&filter[maxPrice]=1,000&filter[onSale]=1&filter[category]=drinks&sort=price&page=1")
        .await;
    let held: Vec<_> = chips(&page).into_iter().filter(|(text, _)| text.starts_with("Remove: ")).collect();
    let texts: Vec<_> = held.iter().map(|(text, _)| &**text).collect();
    assert_eq!(texts.len(), 4, "{texts:?}");
    assert!(texts.contains(&"Remove: mug") && texts.contains(&"Remove: Up to 1,000 points"), "{texts:?}");
    let names = ["filter%5Btitle%5D", "filter%5Bcategory%5D", "filter%5BmaxPrice%5D", "filter%5BonSale%5D"];
    for ((text, address), removed) in held.iter().zip(names) {
        for name in names {
            assert_eq!(address.contains(name), name != removed, "{text}: {address}");
        }
        // The order stays, and the list begins with its first page.
        assert!(address.contains("sort=price") && !address.contains("page%5B"), "{text}: {address}");
    }
    assert_eq!(chip(&page, "Show all gifts").as_deref(), Some(SHOP));
    let free = browser.page("").await;
    assert!(!chips(&free).iter().any(|(text, _)| text.starts_with("Remove") || text == "Show all gifts"));
}

/// The balance is the highest price, so the address says what it shows, and the filter of prices has it.
#[tokio::test]
async fn what_a_member_can_afford_costs_no_more_than_the_balance() {
    let server = with_shop().await;
    server.award(500).await;
    let browser = Browser::of(&server, "u1").await;
    let all = browser.page("").await;
    let way = chip(&all, "What I can afford").unwrap();
    assert_eq!(way, format!("{SHOP}?filter%5BmaxPrice%5D=500"));
    let page = browser.page(way.strip_prefix(SHOP).unwrap()).await;
    assert!(count(&page) > 0 && count(&page) < count(&all) && !page.contains("to go"), "{page}");
    assert!(all.contains(&format!("enough for {} of {} gifts.", count(&page), count(&all))), "{all}");
    assert_eq!(chip(&page, "Remove: What I can afford").as_deref(), Some(SHOP));
    assert_eq!(chip(&page, "What I can afford"), None);
    assert!(browser.page("/points").await.contains(&format!("href=\"{way}\"")));
    // With more points it is the old price, and there is a new way.
    server.award(1).await;
    let page = browser.page("?filter%5BmaxPrice%5D=500").await;
    assert_eq!(chip(&page, "Remove: Up to 500 points").as_deref(), Some(SHOP));
    assert_eq!(chip(&page, "What I can afford"), Some(way.replace("500", "501")));
}

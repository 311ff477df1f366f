//! The filters of the list of gifts.

use super::browser::{Browser, with_shop};

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

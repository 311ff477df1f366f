//! Settings: all of a form or nothing, and display texts.

use http::Method;
use pointbook_domain::Role;
use pointbook_testkit::pictures::png;

use super::operator::{Browser, NOTHING_SAVED};
use crate::client::Call;
use crate::harness::TestServer;
use crate::suite::forms::{fields, multipart};

#[tokio::test]
async fn settings_are_changed_by_the_operator_and_an_empty_field_is_the_default() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/settings").await;
    let typed = [
        ("set.page_size_default", "7"),
        ("set.time_zone", "europe/berlin"),
        ("set.hide_sold_out", "true"),
        ("set.campaign_feb29", "03-01"),
        ("set.cors", ""),
        ("name", "The other shop"),
    ];
    let changed = browser.submit(&page, "/settings", &typed).await;
    assert_eq!(changed.status, 303, "{}", changed.text());
    let tenant = server.production().tenant.clone();
    assert_eq!((tenant.settings.page_size_default.get(), tenant.settings.hide_sold_out), (7, true));
    assert_eq!((tenant.settings.time_zone.as_str(), &*tenant.name), ("Europe/Berlin", "The other shop"));
    let log = browser.page("/audit-log?object=tenant").await;
    for part in ["tenant.change", "page_size_default", "The owner", "Europe/Berlin"] {
        assert!(log.contains(part), "{part}: {log}");
    }
    let page = browser.page("/settings").await;
    assert_eq!(browser.submit(&page, "/settings", &[]).await.status, 303);
    assert_eq!(browser.page("/audit-log?object=tenant").await.matches(">tenant.change<").count(), 1);
}

#[tokio::test]
async fn one_mistake_keeps_all_settings_and_what_was_typed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let before = server.production().tenant.clone();
    let page = browser.page("/settings").await;
    let typed = [
        ("set.page_size_max", "0"),
        ("set.time_zone", "Europe/Berln"),
        ("set.new_product_days", "14"),
        ("name", ""),
        ("locale", "klingon language"),
    ];
    let refused = browser.submit(&page, "/settings", &typed).await;
    assert_eq!(refused.status, 422);
    let text = refused.text();
    for part in [
        "from 1 to 1000",
        "There is no time zone “Europe/Berln”",
        "value=\"14\"",
        "klingon language",
        "1 to 255 characters",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert_eq!(text.matches("<span class=\"error\" role=\"alert\">").count(), 4, "{text}");
    assert!(text.contains(NOTHING_SAVED), "{text}");
    assert_eq!(server.production().tenant, before);
}

#[tokio::test]
async fn a_default_page_size_above_the_largest_one_is_refused_at_its_field() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/settings").await;
    let typed = [("set.page_size_default", "51"), ("set.page_size_max", "50")];
    let refused = browser.submit(&page, "/settings", &typed).await;
    let said = "Write at most 50, which is the largest page size.";
    assert!(refused.status == 422 && refused.text().contains(said), "{}", refused.text());
    assert_eq!(refused.text().matches("<span class=\"error\" role=\"alert\">").count(), 1);
    let typed = [("set.page_size_default", "50"), ("set.page_size_max", "50")];
    assert_eq!(browser.submit(&page, "/settings", &typed).await.status, 303);
}

#[tokio::test]
async fn a_form_of_older_settings_overwrites_nothing() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/settings").await;
    server.set("low_stock_threshold", "9").await;
    let late = browser.submit(&page, "/settings", &[("set.new_product_days", "14")]).await;
    assert!(late.status == 422 && late.text().contains("Another operator changed the settings"));
    assert!(late.text().contains("value=\"14\""));
    assert_eq!(server.production().tenant.settings.low_stock_threshold, 9);
}

#[tokio::test]
async fn a_form_sees_what_another_instance_changed_a_moment_ago() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let (page, texts) = (browser.page("/settings").await, browser.page("/settings/texts").await);
    let mut tenant = server.production().tenant.clone();
    tenant.settings.set("low_stock_threshold", "9").unwrap();
    server.service().database.update_tenant(&tenant, &[]).await.unwrap();
    let late = browser.submit(&page, "/settings", &[("set.new_product_days", "14")]).await;
    assert!(late.status == 422 && late.text().contains("Another operator changed the settings"));
    tenant.settings.set("low_stock_threshold", "8").unwrap();
    server.service().database.update_tenant(&tenant, &[]).await.unwrap();
    let text = [("locale", "de"), ("source", "code-title = Scan")];
    assert_eq!(browser.submit(&texts, "/settings/texts", &text).await.status, 303);
    assert_eq!(server.production().tenant.settings.low_stock_threshold, 8);
}

#[tokio::test]
async fn texts_are_checked_added_and_removed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let path = "/settings/texts";
    let page = browser.page(path).await;
    for (locale, source, told) in [
        ("de", "nonsense-title = X", "Line 1: there is no text “nonsense-title”."),
        ("de", "code-title = X\ncode-count = { $cuont }", "Line 2: “code-count” uses $cuont"),
        ("de", "code-title = {", "Line 1 is not valid Fluent: "),
        ("not a locale", "code-title = X", "This is not a language tag."),
    ] {
        let refused = browser.submit(&page, path, &[("locale", locale), ("source", source)]).await;
        assert!(refused.status == 422 && refused.text().contains(NOTHING_SAVED), "{}", refused.text());
        assert!(refused.text().contains(source) && refused.text().contains(told), "{}", refused.text());
    }
    let text = "code-title = Scan\r\ncode-count = { $count } Scans\r\n";
    assert_eq!(browser.submit(&page, path, &[("locale", "de"), ("source", text)]).await.status, 303);
    let stored = server.production().tenant.settings.texts.clone();
    assert_eq!(
        stored.into_values().collect::<Vec<_>>(),
        ["code-title = Scan\ncode-count = { $count } Scans"]
    );
    let page = browser.page(path).await;
    assert!(page.contains("code-title = Scan"), "{page}");
    assert_eq!(browser.submit(&page, path, &[("locale", "de"), ("source", "")]).await.status, 303);
    assert!(server.production().tenant.settings.texts.is_empty());
}

#[tokio::test]
async fn the_languages_of_apps_change_nothing_in_the_console() {
    let server = TestServer::with_sample().await;
    server.set("locales", "ja").await;
    let browser = Browser::of(&server, Role::Owner).await;
    let language = async |accepted: &str| {
        let page = browser.call(Method::GET, "/sessions").header("accept-language", accepted).send().await;
        page.header("content-language").unwrap().to_owned()
    };
    for (accepted, tag) in [("de-AT, ja;q=0.5", "de"), ("en", "en"), ("ja", "ja"), ("tr", "tr"), ("fr", "en")]
    {
        assert_eq!(language(accepted).await, tag, "{accepted}");
    }
    let page = browser.page("/settings").await;
    assert_eq!(browser.submit(&page, "/settings", &[("locale", "de-CH")]).await.status, 303);
    for (accepted, tag) in [("fr", "de"), ("*", "de"), ("en", "en")] {
        assert_eq!(language(accepted).await, tag, "{accepted}");
    }
}

#[tokio::test]
async fn mistakes_are_told_in_the_language_of_the_page() {
    let server = TestServer::with_sample().await;
    let mut browser = Browser::of(&server, Role::Owner).await;
    browser.language = Some("de");
    let page = browser.page("/settings").await;
    let typed = [
        ("set.page_size_max", "0"),
        ("set.time_zone", "Europe/Berln"),
        ("set.activity_types", "Ümlaut"),
        ("locale", "klingon language"),
        ("name", ""),
    ];
    let refused = browser.submit(&page, "/settings", &typed).await;
    for part in [
        "Es wurde nichts gespeichert.",
        "Schreiben Sie eine ganze Zahl von 1 bis 1000.",
        "Eine Zeitzone „Europe/Berln“ gibt es nicht.",
        "„Ümlaut“ ist kein Name einer Art.",
        "Das ist kein Sprachkürzel.",
        "Schreiben Sie 1 bis 255 Zeichen in eine Zeile.",
    ] {
        assert!(refused.text().contains(part), "{part}: {}", refused.text());
    }
    let page = browser.page("/settings/texts").await;
    let source = [("locale", "de"), ("source", "code-count = { $cuont }")];
    let refused = browser.submit(&page, "/settings/texts", &source).await;
    assert!(refused.text().contains("Zeile 1: „code-count“ verwendet $cuont"), "{}", refused.text());
}

#[tokio::test]
async fn a_colour_makes_the_shop_and_its_preview() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/settings").await;
    assert!(page.contains("/brand.css?part=3346b8"), "{page}");
    assert_eq!(browser.submit(&page, "/settings", &[]).await.status, 303);
    assert_eq!(server.production().tenant.settings.brand_color, None, "pointbook's own colour is none");
    let typed = [("set.brand_color", "#ffd400"), ("set.welcome.de", "Schön, dass Sie da sind.")];
    assert_eq!(browser.submit(&page, "/settings", &typed).await.status, 303);
    let page = browser.page("/settings").await;
    let said =
        ["/brand.css?part=ffd400", "Text on it has 1", "Links and buttons use #", "Schön, dass Sie da sind."];
    for part in said {
        assert!(page.contains(part), "{part}: {page}");
    }
    let css = Call::new(server.console_address(), Method::GET, "/brand.css?part=ffd400".to_owned());
    let css = css.header("host", "shop.example").send().await;
    assert!(css.status == 200 && css.header("content-type") == Some("text/css; charset=utf-8"));
    assert!(css.text().contains("--band: light-dark(#ffd400, #"), "{}", css.text());
    let orders = browser.page("/orders").await;
    assert!(
        orders.contains("/brand.css?part=ffd400") && orders.contains("class=\"mark-of branded\""),
        "{orders}"
    );
    let bad = browser.submit(&page, "/settings", &[("set.brand_color", "red")]).await;
    assert!(bad.status == 422 && bad.text().contains("Write a colour as #rrggbb."), "{}", bad.text());
}

#[tokio::test]
async fn a_square_picture_becomes_the_logo_and_stays_until_it_is_removed() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let send = async |bytes: Option<&[u8]>, more: &[(&str, &str)]| {
        let page = browser.page("/settings").await;
        let own = fields(&page, "/console/shop/settings");
        let is_kept = |name: &str| name != "picture" && more.iter().all(|(known, _)| *known != name);
        let own = own.iter().map(|(name, value)| (&**name, &**value)).filter(|(name, _)| is_kept(name));
        let all: Vec<_> = own.chain(more.iter().copied()).collect();
        let call = browser.call(Method::POST, "/settings").header("sec-fetch-site", "same-origin");
        multipart(call, &all, bytes.map(|bytes| ("picture", "logo.png", bytes))).send().await
    };
    for (bytes, said) in [
        (png(96, 97, 1), "The picture must be a square of at least 96 pixels."),
        (png(95, 95, 1), "The picture must be a square of at least 96 pixels."),
        (b"text".to_vec(), "role=\"alert\">"),
    ] {
        let refused = send(Some(&bytes), &[("name", "Typed")]).await;
        assert!(refused.status == 422 && refused.text().contains(said), "{}", refused.text());
        assert!(refused.text().contains("value=\"Typed\""), "what was typed stays: {}", refused.text());
        assert_ne!(server.production().tenant.name, "Typed");
    }
    let other = send(Some(&png(96, 96, 1)), &[("set.page_size_max", "0")]).await;
    assert!(other.status == 422 && other.text().contains("Choose it again."), "{}", other.text());
    assert_eq!(server.production().tenant.settings.logo, None);
    assert_eq!(send(Some(&png(96, 96, 1)), &[("name", "Typed")]).await.status, 303);
    assert_eq!(server.production().tenant.name, "Typed", "one form carries both");
    assert_eq!(send(None, &[]).await.status, 303);
    let logo = server.production().tenant.settings.logo.clone().unwrap();
    assert!(logo.starts_with("https://shop.example/shop/api/pictures/"), "{logo}");
    assert!(browser.page("/orders").await.contains(&format!("<img class=\"mark-of\" src=\"{logo}\"")));
    let token = server.issue_super_user().await;
    let id = logo.rsplit_once('/').unwrap().1.split_once('.').unwrap().0;
    let path = format!("/v1/manage/pictures/{id}");
    let used = server.request(Method::DELETE, &path, &token).send().await;
    assert!(used.status == 409 && used.header("error-code") == Some("picture_in_use"), "{}", used.text());
    let brand = server.request(Method::GET, "/v1/manage/brand", &token).send().await.json();
    assert_eq!((&brand["data"]["logo"], &brand["data"]["color"]), (&logo.into(), &serde_json::Value::Null));
    assert_eq!(send(None, &[("remove_logo", "true")]).await.status, 303);
    assert_eq!(server.production().tenant.settings.logo, None);
    assert_eq!(server.request(Method::DELETE, &path, &token).send().await.status, 200);
}

#[tokio::test]
async fn a_person_chooses_a_language_and_a_time_zone() {
    let server = TestServer::with_sample().await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/settings").await;
    for part in [
        "<option value=\"de\" lang=\"de\">Deutsch</option>",
        "list=\"zones\"",
        "<option value=\"Europe/Berlin\"></option>",
        "<option value=\"UTC\"></option>",
        "hidden data-color=\"#3346b8\">Default colour<",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("value=\"Etc/") && page.len() < 60_000, "{}", page.len());
    // The command line takes other languages, and the form keeps them.
    assert_eq!(browser.submit(&page, "/settings", &[("locale", "de-AT")]).await.status, 303);
    let page = browser.page("/settings").await;
    assert!(page.contains("<option value=\"de-AT\" selected>de-AT</option>"), "{page}");
    assert_eq!(browser.submit(&page, "/settings", &[]).await.status, 303);
    assert_eq!(server.production().tenant.locale.as_str(), "de-AT");
}

#[tokio::test]
async fn a_switch_that_is_off_sends_nothing() {
    let server = TestServer::with_sample().await;
    server.set("hide_sold_out", "true").await;
    let browser = Browser::of(&server, Role::Owner).await;
    let page = browser.page("/settings").await;
    let mut sent = fields(&page, "/console/shop/settings");
    sent.retain(|(name, _)| name != "set.hide_sold_out");
    let sent: Vec<_> = sent.iter().map(|(name, value)| (&**name, &**value)).collect();
    assert_eq!(browser.post("/settings", &sent).await.status, 303);
    assert!(!server.production().tenant.settings.hide_sold_out);
}

//! Imports of files in the console.

use http::Method;
use pointbook_domain::Role;
use pointbook_testkit::WriteFault;
use serde_json::Value;

use super::operator::{Browser, CONSOLE, operator};
use crate::client::Answer;
use crate::harness::TestServer;
use crate::suite::forms::{fields, multipart};

mod excel;
mod kinds;
mod refused_files;
mod tried;

const PRODUCTS: &str = "/imports/products";
const ACTIVITIES: &str = "/imports/activities";
const USERS: &str = "/imports/users";
const PRODUCT_FILE: &str = "sku,title,regular_price,stock\nnew,New mug,10,\nmug,Blue mug,11,\nbad,,x,\n";
const ACTIVITY_FILE: &str = "user_id,type,source_id,points,title,created_at\n\
    u1,code,s-1,5,Scan,2026-02-01T10:00:00Z\n\
    u2,code,s-2,7,Scan,2026-02-01T10:00:00Z\n";

/// What a browser has in the form of this kind before a file is chosen.
async fn form(browser: &Browser<'_>, path: &str) -> Vec<(String, String)> {
    let mut sent = fields(&browser.page("/imports").await, &format!("{CONSOLE}{path}"));
    sent.retain(|(name, _)| name != "file");
    sent
}

async fn send(
    browser: &Browser<'_>,
    path: &str,
    mut form: Vec<(String, String)>,
    button: &str,
    file: Option<(&str, &[u8])>,
) -> Answer {
    form.push(("do".to_owned(), button.to_owned()));
    let file = file.map(|(name, bytes)| ("file", name, bytes));
    let call = browser.call(Method::POST, path).header("sec-fetch-site", "same-origin");
    multipart(call, &form, file).send().await
}

/// Sends a file with a new form.
async fn upload(browser: &Browser<'_>, path: &str, button: &str, name: &str, file: &[u8]) -> Answer {
    let form = form(browser, path).await;
    send(browser, path, form, button, Some((name, file))).await
}

/// The path of the import that the answer leads to.
fn job(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.header("location").unwrap().strip_prefix(CONSOLE).unwrap().to_owned()
}

/// The page of the import after it has ended.
async fn ended(browser: &Browser<'_>, job: &str) -> String {
    for _ in 0..100_000 {
        let page = browser.page(job).await;
        if !page.contains("data-again") {
            return page;
        }
        tokio::task::yield_now().await;
    }
    panic!("the import does not end");
}

async fn import(browser: &Browser<'_>, path: &str, button: &str, name: &str, file: &str) -> String {
    let answer = upload(browser, path, button, name, file.as_bytes()).await;
    ended(browser, &job(&answer)).await
}

/// The numbers of a page of products: new, changed, unchanged, refused.
fn counts(page: &str) -> Vec<String> {
    let (_, facts) = page.split_once("<dt>Step</dt>").unwrap();
    let numbers = facts.split("<dd>").map(|part| part.split('<').next().unwrap().to_owned());
    numbers.filter(|text| text.parse::<u64>().is_ok()).collect()
}

async fn balance(server: &TestServer, user: &str) -> Option<i64> {
    let token = server.issue_super_user().await;
    let answer = server.request(Method::GET, &format!("/v1/manage/users/{user}"), &token).send().await;
    answer.json()["data"]["user_points"].as_i64()
}

#[tokio::test]
async fn a_file_is_tried_and_then_imported() {
    let server = TestServer::with_sample().await;
    let manager = Browser::of(&server, Role::Manager).await;
    let before = server.stored().await;
    let tried = import(&manager, PRODUCTS, "try", "p.csv", PRODUCT_FILE).await;
    assert!(tried.contains("Tried. Nothing was stored."), "{tried}");
    assert_eq!(counts(&tried), ["1", "1", "0", "1"]);
    assert!(tried.contains("Would be new") && tried.contains("title: is required"), "{tried}");
    assert!(server.stored().await == before, "a dry run stored something");
    assert_eq!(manager.get("/products/new").await.status, 404);

    let done = import(&manager, PRODUCTS, "import", "p.csv", PRODUCT_FILE).await;
    assert!(done.contains("The good rows are imported. Others were refused."), "{done}");
    assert_eq!(counts(&done), ["1", "1", "0", "1"]);
    assert!(manager.page("/products/new").await.contains("New mug"));
    let again = import(&manager, PRODUCTS, "import", "p.csv", PRODUCT_FILE).await;
    assert_eq!(counts(&again), ["0", "0", "2", "1"]);
    let listed = manager.page("/imports").await;
    assert_eq!(listed.matches(&format!("href=\"{CONSOLE}{PRODUCTS}/")).count(), 3, "{listed}");
    assert!(listed.contains("The manager") && listed.contains("Try products"), "{listed}");
}

#[tokio::test]
async fn activities_are_recorded_once_as_the_operator() {
    let server = TestServer::with_sample().await;
    let manager = Browser::of(&server, Role::Manager).await;
    for (button, expected) in [("try", None), ("import", Some(7)), ("import", Some(7))] {
        let page = import(&manager, ACTIVITIES, button, "a.csv", ACTIVITY_FILE).await;
        assert!(page.contains("Import activities"), "{page}");
        assert_eq!(balance(&server, "u2").await, expected, "{button}");
    }
    let id = operator(&server, Role::Manager).await;
    let log = manager.page(&format!("/audit-log?actor=operator:{id}")).await;
    assert_eq!(log.matches("activities.import").count(), 1, "{log}");
}

#[tokio::test]
async fn a_dry_run_names_what_the_import_refuses_also_in_later_batches() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let row = |source: usize, points: i64| format!("u1,code,s-{source},{points},Scan,2026-02-01T10:00:00Z\n");
    // A batch has 10,000 rows.
    let mut file = String::from("user_id,type,source_id,points,title,created_at\n");
    (0..10_000).for_each(|source| file.push_str(&row(source, 1)));
    file.push_str(&row(1, 1));
    file.push_str(&row(2, 2));
    file.push_str("u1,unheard,s-x,1,Scan,2026-02-01T10:00:00Z\n");
    for button in ["try", "import"] {
        let page = import(&owner, ACTIVITIES, button, "a.csv", &file).await;
        assert_eq!(counts(&page).last().unwrap(), "2", "{page}");
        assert!(page.contains("10,000") && page.contains("10,003"), "{page}");
        assert!(
            page.contains("source_id: recorded before, or further up in this file, with other content"),
            "{page}"
        );
        assert!(page.contains("type: the tenant has no activity type"), "{page}");
    }
    assert_eq!(balance(&server, "u1").await, Some(10_000));
}

#[tokio::test]
async fn json_lines_and_a_byte_order_mark_are_read() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let lines = "{\"sku\":\"a\",\"title\":\"A\",\"regular_price\":1}\n{\"sku\":\"b\"}\n";
    for name in ["p.jsonl", "p.txt"] {
        let page = import(&owner, PRODUCTS, "try", name, lines).await;
        assert_eq!(counts(&page), ["1", "0", "0", "1"], "{name}");
    }
    let page = import(&owner, PRODUCTS, "try", "p.csv", &format!("\u{feff}{PRODUCT_FILE}")).await;
    assert_eq!(counts(&page), ["1", "1", "0", "1"]);
}

#[tokio::test]
async fn refused_rows_are_downloaded_corrected_and_imported() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let file = "sku,title,regular_price\n=1+1,\"a;=2\",-5\n＝b,@c,7\nok,\"'=quoted\",x\n";
    let answer = upload(&owner, PRODUCTS, "import", "p.csv", file.as_bytes()).await;
    let job = job(&answer);
    let page = ended(&owner, &job).await;
    assert_eq!(counts(&page), ["1", "0", "0", "2"]);
    assert!(page.contains(&format!("{CONSOLE}{job}/refused.csv")), "{page}");
    let refused = owner.get(&format!("{job}/refused.csv")).await;
    assert_eq!(refused.header("content-disposition"), Some("attachment; filename=\"refused-products.csv\""));
    assert_eq!(refused.header("content-type"), Some("text/csv; charset=utf-8"));
    let price = "regular_price: must be";
    let lines: Vec<&str> = refused.text().split("\r\n").collect();
    assert_eq!(lines[0], "\u{feff}line,reason,escaped,sku,title,regular_price");
    assert!(lines[1].starts_with("2,") && lines[1].contains(price), "{}", lines[1]);
    assert!(lines[1].ends_with(",yes,'=1+1,a;'=2,-5"), "{}", lines[1]);
    assert!(lines[2].ends_with(",yes,ok,''=quoted,x"), "{}", lines[2]);
    let corrected = refused.text().replace(",-5\r\n", ",5\r\n").replace(",x\r\n", ",6\r\n");
    let page = import(&owner, PRODUCTS, "import", "refused.csv", &corrected).await;
    assert_eq!(counts(&page), ["2", "0", "0", "0"], "{page}");
    let token = server.issue_super_user().await;
    let list = server.request(Method::GET, "/v1/manage/products?page[size]=100", &token).send().await;
    let titles: Vec<Value> = list.json()["data"].as_array().unwrap().clone();
    let title = |sku: &str| titles.iter().find(|product| product["sku"] == sku).unwrap()["title"].clone();
    assert_eq!((title("=1+1"), title("ok"), title("＝b")), ("a;=2".into(), "'=quoted".into(), "@c".into()));
}

#[tokio::test]
async fn a_file_that_cannot_be_read_is_refused_with_its_reason() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let before = server.stored().await;
    let too_large = vec![b'x'; 8 * 1024 * 1024 + 1];
    for (file, text) in [
        (&b""[..], "The file is empty."),
        (b" \r\n", "The file is empty."),
        (&too_large, "The file is larger than 8 MiB."),
        (b"\x1f\x8b\x08", "The file is compressed."),
    ] {
        let answer = upload(&owner, PRODUCTS, "import", "p.csv", file).await;
        assert!(answer.status == 422 && answer.text().contains(text), "{text}: {}", answer.text());
    }
    let none = send(&owner, PRODUCTS, form(&owner, PRODUCTS).await, "import", None).await;
    assert!(none.status == 422 && none.text().contains("Choose a file."), "{}", none.text());
    for (name, file, reason) in [
        ("p.csv", "sku,tilte\n1,2\n", "unknown column &quot;tilte&quot;"),
        ("p.json", "[{}]", "Only categories are sent as a list."),
    ] {
        let page = import(&owner, PRODUCTS, "import", name, file).await;
        assert!(
            page.contains("The file was refused. Nothing was stored.") && page.contains(reason),
            "{page}"
        );
    }
    assert!(server.stored().await == before);
}

#[tokio::test]
async fn a_form_that_is_much_too_large_gets_a_page_that_says_so() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let answer = upload(&owner, PRODUCTS, "import", "p.csv", &vec![b'x'; 10 * 1024 * 1024]).await;
    assert!(answer.status == 413 && answer.text().contains("pointbook import"), "{}", answer.text());
}

#[tokio::test]
async fn names_and_cells_are_escaped() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let hostile = "<script>alert(1)</script>";
    let file = format!("sku,title,regular_price,thumbnail\n{hostile},{hostile},{hostile},{hostile}\n");
    let page = import(&owner, PRODUCTS, "try", &format!("../../{hostile}.csv"), &file).await;
    let header = import(&owner, PRODUCTS, "try", "a.csv", &format!("{hostile},sku\n1,2\n")).await;
    let list = owner.page("/imports").await;
    for page in [page, header, list] {
        assert!(page.contains("&lt;script&gt;") && !page.contains(hostile), "{page}");
    }
}

#[tokio::test]
async fn a_form_that_is_sent_twice_is_one_import_and_the_other_button_is_another() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let form = form(&owner, PRODUCTS).await;
    let mut jobs = Vec::new();
    for (button, file) in
        [("try", PRODUCT_FILE), ("try", PRODUCT_FILE), ("import", PRODUCT_FILE), ("import", "sku\nx\n")]
    {
        let answer = send(&owner, PRODUCTS, form.clone(), button, Some(("p.csv", file.as_bytes()))).await;
        jobs.push(job(&answer));
        ended(&owner, jobs.last().unwrap()).await;
    }
    assert_eq!(jobs[0], jobs[1]);
    jobs.dedup();
    assert_eq!(jobs.len(), 3);
}

#[tokio::test]
async fn a_tenant_imports_one_file_at_a_time_and_shows_the_progress() {
    let (server, _, faulty) = TestServer::with_faults().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let manager = Browser::of(&server, Role::Manager).await;
    let form = form(&owner, ACTIVITIES).await;
    faulty.fail_next_write(Some(WriteFault::AnswerHangs));
    let running =
        job(&send(&owner, ACTIVITIES, form, "import", Some(("a.csv", ACTIVITY_FILE.as_bytes()))).await);
    while faulty.awaits_write() {
        tokio::task::yield_now().await;
    }
    let page = owner.page(&running).await;
    assert!(page.contains("data-again") && page.contains("Line 0 of 3"), "{page}");
    assert_eq!(owner.get(&format!("{running}/refused.csv")).await.status, 404);
    let busy = upload(&manager, PRODUCTS, "import", "p.csv", PRODUCT_FILE.as_bytes()).await;
    assert!(busy.status == 409 && busy.text().contains(&format!("{CONSOLE}{running}")), "{}", busy.text());
    assert!(busy.text().contains("Another import of this tenant is running."), "{}", busy.text());
    // Staging is another tenant.
    let staging = Browser::of_staging(&server, Role::Owner).await;
    assert_eq!(staging.get(&running).await.status, 404);
}

#[tokio::test]
async fn results_are_for_roles_with_the_scope_and_for_an_hour() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let done = job(&upload(&owner, PRODUCTS, "try", "p.csv", PRODUCT_FILE.as_bytes()).await);
    ended(&owner, &done).await;
    for role in Role::ALL {
        let browser = Browser::of(&server, role).await;
        let may = matches!(role, Role::Owner | Role::Manager);
        for path in [done.clone(), format!("{done}/refused.csv"), "/imports".to_owned()] {
            assert_eq!(browser.get(&path).await.status, if may { 200 } else { 403 }, "{role} {path}");
        }
    }
    let other_kind = done.replace("/products/", "/activities/");
    assert_eq!(owner.get(&other_kind).await.status, 404);
    server.advance_seconds(3_601);
    let gone = owner.get(&done).await;
    assert!(gone.status == 404 && gone.text().contains("This import is not here"), "{}", gone.text());
}

#[tokio::test]
async fn only_forms_of_the_session_import() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let before = server.stored().await;
    let good = form(&owner, PRODUCTS).await;
    for changed in ["form", "once"] {
        for value in [None, Some("none")] {
            let mut form = good.clone();
            form.retain(|(name, _)| name != changed);
            form.extend(value.map(|value| (changed.to_owned(), value.to_owned())));
            let file = Some(("p.csv", PRODUCT_FILE.as_bytes()));
            let status = send(&owner, PRODUCTS, form, "import", file).await.status;
            assert_eq!(status, if changed == "form" { 403 } else { 400 }, "{changed} {value:?}");
        }
    }
    let other = send(&owner, PRODUCTS, good, "both", Some(("p.csv", PRODUCT_FILE.as_bytes()))).await;
    assert_eq!(other.status, 400);
    assert!(server.stored().await == before);
}

//! Imports of each kind of file, and what their pages say.

use http::Method;
use pointbook_domain::Role;

use super::{ACTIVITIES, PRODUCTS, USERS, counts, ended, import, job, upload};
use crate::harness::TestServer;
use crate::suite::console::operator::Browser;

const CATEGORIES: &str = "/imports/categories";

#[tokio::test]
async fn members_are_tried_and_then_imported() {
    let server = TestServer::with_sample().await;
    let manager = Browser::of(&server, Role::Manager).await;
    let file = "user_id,birth_date,locale\nann,1990-05-17,de\nann,1990-05-17,ja\nbad,tomorrow,de\n";
    let before = server.stored().await;
    let tried = import(&manager, USERS, "try", "u.csv", file).await;
    assert_eq!(counts(&tried), ["1", "1", "0", "1"], "{tried}");
    assert!(tried.contains("birth_date: must be a date such as") && tried.contains("Try members"), "{tried}");
    assert!(server.stored().await == before, "a dry run stored something");
    let answer = upload(&manager, USERS, "import", "u.csv", file.as_bytes()).await;
    let job = job(&answer);
    assert_eq!(counts(&ended(&manager, &job).await), ["1", "1", "0", "1"]);
    let refused = manager.get(&format!("{job}/refused.csv")).await;
    assert!(
        refused.text().starts_with("\u{feff}line,reason,escaped,user_id,birth_date,locale\r\n4,"),
        "{}",
        refused.text()
    );
    assert!(manager.page("/members/ann").await.contains("1990"));
    let again =
        import(&manager, USERS, "import", "u.csv", "user_id,birth_date,locale\nann,1990-05-17,ja\n").await;
    assert_eq!(counts(&again), ["0", "0", "1", "0"]);
}

#[tokio::test]
async fn a_missing_column_of_members_is_named_before_it_clears_anything() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let warning = "Columns that the file lacks: birth_date. This clears them for every member in the file.";
    for file in ["user_id,locale\nann,de\n", "user_id,birth_date,locale\nann,1990-05-17,de\n"] {
        let page = import(&owner, USERS, "import", "u.csv", file).await;
        assert!(!page.contains("the file lacks"), "nothing is cleared: {page}");
    }
    let tried = import(&owner, USERS, "try", "u.csv", "user_id,locale\nann,de\n").await;
    assert!(tried.contains(warning), "{tried}");
    assert!(owner.page("/members/ann").await.contains("1990"));
    let done = import(&owner, USERS, "import", "u.csv", "user_id,locale\nann,de\n").await;
    assert!(done.contains(warning) && !owner.page("/members/ann").await.contains("1990"), "{done}");
    let lines = import(&owner, USERS, "try", "u.jsonl", "{\"user_id\":\"ann\"}\n").await;
    assert!(lines.contains("<dd>1</dd>") && !lines.contains("the file lacks"), "{lines}");
}

fn says_what_is_missing(page: &str) -> bool {
    page.contains("the file lacks") || page.contains("has no column")
}

#[tokio::test]
async fn a_missing_column_of_products_is_named_before_it_clears_anything() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let all = "sku,title,description,regular_price,sale_price,thumbnail,gallery,categories,stock,popular,published_at,active\n\
               cup,Cup,<p>Clay</p>,10,9,https://a.example/a.png,https://a.example/b.png,drinks,5,true,2026-01-02T03:04:05Z,false\n";
    let few = "sku,title,regular_price\ncup,Cup,10\n";
    let page = import(&owner, PRODUCTS, "import", "p.csv", &few.replace("cup", "new")).await;
    assert!(!says_what_is_missing(&page), "a new product has nothing to clear: {page}");
    let page = import(&owner, PRODUCTS, "import", "p.csv", all).await;
    assert!(!says_what_is_missing(&page), "{page}");
    let token = server.issue_super_user().await;
    let stored = async || {
        let product = server.request(Method::GET, "/v1/manage/products/cup", &token).send().await;
        product.json()["data"].clone()
    };
    let before = stored().await;
    for button in ["try", "import"] {
        assert_eq!(stored().await, before);
        let page = import(&owner, PRODUCTS, button, "p.csv", few).await;
        let cleared = [
            "Columns that the file lacks: description, sale_price, thumbnail, gallery, categories, popular",
            "This clears them for every product in the file.",
        ];
        assert!(cleared.iter().all(|part| page.contains(part)), "{page}");
        assert!(
            page.contains("no column active: this makes every product in it visible to members."),
            "{page}"
        );
    }
    let after = stored().await;
    let kept = ["stock", "published_at"].map(|name| (&before[name], &after[name]));
    assert!(kept.iter().all(|(before, after)| before == after && !after.is_null()), "{after}");
    assert_eq!((&before["active"], &after["active"]), (&false.into(), &true.into()));
    assert_eq!((&before["popular"], &after["popular"]), (&true.into(), &false.into()));
    for name in ["description", "sale_price", "thumbnail", "gallery", "categories"] {
        assert_ne!(before[name], after[name], "{name}");
    }
    let lines = "{\"sku\":\"cup\",\"title\":\"Cup\",\"regular_price\":11}\n";
    let page = import(&owner, PRODUCTS, "try", "p.jsonl", lines).await;
    assert!(page.contains("<dd>1</dd>") && !says_what_is_missing(&page), "{page}");
}

#[tokio::test]
async fn a_tree_of_categories_is_tried_and_then_imported() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let file = r#"[{"id":"home","label":"Home","children":[{"id":"mugs","label":"Mugs"}]}]"#;
    import(&owner, CATEGORIES, "import", "c.json", file).await;
    let before = server.stored().await;
    let other = r#"[{"id":"home","label":"House"},{"id":"new","label":"New"}]"#;
    let tried = import(&owner, CATEGORIES, "try", "c.json", other).await;
    assert!(tried.contains("Would be removed") && tried.contains("Tried. Nothing was stored."), "{tried}");
    assert_eq!(counts(&tried), ["1", "1", "0", "1"], "{tried}");
    for bad in ["[]", "{}", r#"[{"id":"a","label":"A"},{"id":"a","label":"B"}]"#, "id,label\na,A\n"] {
        let page = import(&owner, CATEGORIES, "import", "c.json", bad).await;
        assert!(page.contains("The file was refused. Nothing was stored."), "{bad}: {page}");
    }
    let large = upload(&owner, CATEGORIES, "import", "c.json", &vec![b'['; (1 << 20) + 1]).await;
    assert!(large.status == 422 && large.text().contains("larger than 1 MiB"), "{}", large.text());
    assert!(server.stored().await == before);
    let done = import(&owner, CATEGORIES, "import", "c.json", other).await;
    assert!(done.contains("The tree is imported.") && done.contains("Removed"), "{done}");
    assert_eq!(counts(&done), ["1", "1", "0", "1"], "{done}");
    assert!(owner.page("/categories").await.contains("House"));
}

#[tokio::test]
async fn a_file_with_only_a_header_says_so() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    for button in ["try", "import"] {
        let page = import(&owner, PRODUCTS, button, "p.csv", "sku,title,regular_price\n").await;
        assert!(page.contains("The file has no rows.") && !page.contains("All rows are imported"), "{page}");
    }
}

#[tokio::test]
async fn unknown_categories_of_products_are_named() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    let many: Vec<String> = (10..35).map(|id| format!("x{id}")).collect();
    let file = format!("sku,title,regular_price,categories\na,A,1,{}\nb,B,1,<b>\n", many.join("|"));
    for button in ["try", "import"] {
        let page = import(&owner, PRODUCTS, button, "p.csv", &file).await;
        assert!(page.contains("Products that name categories which the tree does not have: 2."), "{page}");
        assert!(page.contains("<code>&lt;b&gt;</code>, <code>x10</code>"), "{page}");
        assert!(page.contains("and 6 more") && !page.contains("x34"), "{page}");
    }
}

/// The audit log counts the refused rows as the page does.
#[tokio::test]
async fn the_audit_log_counts_all_refused_rows() {
    let server = TestServer::with_sample().await;
    let owner = Browser::of(&server, Role::Owner).await;
    // A batch of 10,000 rows of which none is recorded, and another one.
    let batch: Vec<_> =
        (0..9_999).map(|row| format!("u1,code,s-{row},x,Scan,2026-02-01T10:00:00Z\n")).collect();
    let mut file = format!("user_id,type,source_id,points,title,created_at\n{}", batch.concat());
    file.push_str("u1,unheard,s,1,Scan,2026-02-01T10:00:00Z\n");
    file.push_str("u1,code,s-1,1,Scan,2026-02-01T10:00:00Z\nu1,code,s-2,x,Scan,2026-02-01T10:00:00Z\n");
    let page = import(&owner, ACTIVITIES, "import", "a.csv", &file).await;
    assert!(page.contains("<dd>10,001</dd>"), "{page}");
    let token = server.issue_super_user().await;
    let log = server.request(Method::GET, "/v1/manage/audit-log?object=activities", &token).send().await;
    let entries = log.json()["data"].as_array().unwrap().clone();
    assert_eq!(entries.len(), 1, "{}", log.text());
    let said = log.text();
    assert!(said.contains("\"recorded\":1") && said.contains("\"refused\":10001"), "{said}");
}

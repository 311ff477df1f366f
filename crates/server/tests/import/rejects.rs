//! The reject file.

use std::os::unix::fs::PermissionsExt;

use pointbook_server::import::{Effect, Ending, ImportError, Kind, Options};

use crate::harness::{Store, memory};

#[tokio::test]
async fn good_rows_are_kept_and_bad_ones_written_in_order() {
    let store = Store::open().await;
    let text = "user_id,locale\nann,en\n,de\n\nbob,EN\neve,tr\n";
    let summary = store.run(Kind::Users, memory(text), Options::default()).await.unwrap();
    assert_eq!(summary.to_string(), "users: 4 read, 2 created, 0 replaced, 0 unchanged, 2 rejected");
    assert!(!summary.is_clean());
    let first = summary.first_reject.unwrap();
    assert_eq!((first.line, first.reason.as_str()), (3, "user_id: is required"));
    let rule = "locale: a locale is a language tag such as en, de-AT or zh-Hant";
    let expected =
        [(3, "user_id: is required".to_owned(), b",de".to_vec()), (5, rule.to_owned(), b"bob,EN".to_vec())];
    assert_eq!(store.rejects(), expected);
}

/// As in a spreadsheet, which shows cells and no quotes.
#[tokio::test]
async fn rejected_rows_can_be_corrected_where_they_are_and_imported() {
    let store = Store::open().await;
    let text = "title,sku,regular_price\n\"Say \"\"hi\"\"\nor not\",a,x\nok,b,1\n=two,c,2.5\n";
    store.import(Kind::Products, text).await;
    let rejects = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
    let expected = concat!(
        "line,reason,title,sku,regular_price\n",
        "2,regular_price: must be a whole number,\"Say \"\"hi\"\"\nor not\",a,x\n",
        "5,regular_price: must be a whole number,=two,c,2.5\n",
    );
    assert_eq!(rejects, expected);
    let corrected = rejects.replace(",a,x", ",a,5");
    let numbers = store.import(Kind::Products, corrected).await;
    assert_eq!(numbers, "products: 2 read, 1 created, 0 replaced, 0 unchanged, 1 rejected");
    assert_eq!(store.products().await[0].title, "Say \"hi\"\nor not");
    // The columns line and reason appear only once.
    let again = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
    assert_eq!(
        again,
        "line,reason,title,sku,regular_price\n4,regular_price: must be a whole number,=two,c,2.5\n"
    );
    store.import(Kind::Products, again.replace("2.5", "3")).await;
    assert_eq!(store.product_ids().await, ["a", "b", "c"]);
    assert!(!store.path("rejects.csv").exists());
}

#[tokio::test]
async fn a_reject_file_has_the_separator_of_the_input() {
    let store = Store::open().await;
    for separator in [";", "\t"] {
        let text = "sku|title|regular_price\nmug|\"two|\"\"parts\"\", all\"|x\n".replace('|', separator);
        store.import(Kind::Products, text).await;
        let rejects = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
        let expected = "line|reason|sku|title|regular_price\n\
                        2|regular_price: must be a whole number|mug|\"two|\"\"parts\"\", all\"|x\n";
        assert_eq!(rejects, expected.replace('|', separator));
        // The next run replaces the file, and so does the next separator.
        store.import(Kind::Products, rejects.clone()).await;
        assert_eq!(std::fs::read_to_string(store.path("rejects.csv")).unwrap(), rejects);
    }
    let rejects = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
    let numbers = store.import(Kind::Products, rejects.replace("\tx", "\t5")).await;
    assert_eq!(numbers, "products: 1 read, 1 created, 0 replaced, 0 unchanged, 0 rejected");
    assert_eq!(store.products().await[0].title, "two\t\"parts\", all");
}

#[tokio::test]
async fn row_that_does_not_fit_the_columns_stays_refused_until_it_is_corrected() {
    let store = Store::open().await;
    store.import(Kind::Users, "user_id,locale\nann\n\"b\"x,en\neve,de,x\nbob,en\n").await;
    let rows: Vec<_> = store.rejects().into_iter().map(|(line, _, row)| (line, row)).collect();
    let expected = [(2, b"ann".to_vec()), (3, b"\"\"\"b\"\"x,en\",,".to_vec()), (4, b"eve,de,x".to_vec())];
    assert_eq!(rows, expected);
    let rejects = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
    let numbers = store.import(Kind::Users, rejects.clone()).await;
    assert_eq!(numbers, "users: 3 read, 0 created, 0 replaced, 0 unchanged, 3 rejected");
    let numbers = store.import(Kind::Users, rejects.replace("eve,de,x", "eve,de")).await;
    assert_eq!(numbers, "users: 3 read, 1 created, 0 replaced, 0 unchanged, 2 rejected");
    store.import(Kind::Users, "{\"user_id\":7}\n").await;
    let rejects = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
    assert_eq!(rejects, "line,reason,row\n1,user_id: must be a string,\"{\"\"user_id\"\":7}\"\n");
    let corrected = rejects.replace(":7}", ":\"\"7\"\"}");
    let numbers = store.import(Kind::Users, corrected).await;
    assert_eq!(numbers, "users: 1 read, 1 created, 0 replaced, 0 unchanged, 0 rejected");
}

#[tokio::test]
async fn each_run_has_its_own_reject_file_or_none() {
    let store = Store::open().await;
    store.import(Kind::Users, "user_id,locale\nann,E\nbob,E\n").await;
    assert_eq!(store.rejects().len(), 2);
    store.import(Kind::Users, "user_id,locale\neve,E\n").await;
    assert_eq!(store.rejects().len(), 1);
    store.import(Kind::Users, "user_id,locale\neve,en\n").await;
    assert!(!store.path("rejects.csv").exists());
}

#[tokio::test]
async fn failed_import_keeps_the_previous_reject_file() {
    let store = Store::open().await;
    store.import(Kind::Users, "user_id,locale\nann,E\n").await;
    let stop = Box::pin(std::future::ready(()));
    let rows = "user_id\n".to_owned() + &"ann\n".repeat(100_000);
    let summary = store.run(Kind::Users, memory(rows), Options { stop, ..Options::default() }).await.unwrap();
    assert!(matches!(summary.ending, Ending::Interrupted), "{summary:?}");
    assert_eq!(store.rejects().len(), 1);
}

#[tokio::test]
async fn reject_output_that_is_not_a_regular_file_is_kept() {
    let store = Store::open().await;
    let path = store.path("null");
    std::os::unix::fs::symlink("/dev/null", &path).unwrap();
    for text in ["user_id,locale\nann,E\n", "user_id,locale\nann,en\n"] {
        let options = Options { rejects: Some(path.clone()), ..Options::default() };
        assert!(store.run(Kind::Users, memory(text), options).await.is_ok());
    }
    assert!(path.is_symlink());
}

#[tokio::test]
async fn rejected_rows_are_not_written_through_a_link() {
    let store = Store::open().await;
    let path = store.path("link.csv");
    for (name, content) in
        [("absent.csv", None), ("empty.csv", Some("")), ("old.csv", Some("line,reason,row\n"))]
    {
        let behind = store.path(name);
        content.inspect(|content| std::fs::write(&behind, content).unwrap());
        std::os::unix::fs::symlink(&behind, &path).unwrap();
        let options = Options { rejects: Some(path.clone()), ..Options::default() };
        let refused = store.run(Kind::Users, memory("user_id,locale\nann,E\n"), options).await;
        let Err(ImportError::Usage(problem)) = refused else { panic!("{name}: {refused:?}") };
        assert!(
            problem.ends_with("link.csv, which is a symbolic link: remove the link, or choose another file"),
            "{problem}"
        );
        assert_eq!(std::fs::read_to_string(&behind).ok().as_deref(), content, "{name}");
        std::fs::remove_file(&path).unwrap();
    }
}

/// An empty file counts as a reject file, but another user may have created it to read the rows.
#[tokio::test]
async fn reject_file_is_created_with_mode_0600() {
    let store = Store::open().await;
    let path = store.path("rejects.csv");
    std::fs::write(&path, "").unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o644)).unwrap();
    store.import(Kind::Users, "user_id,locale\nann,E\n").await;
    assert_eq!(store.rejects().len(), 1);
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
}

#[tokio::test]
async fn a_reject_file_that_cannot_be_written_ends_the_import() {
    let store = Store::open().await;
    let path = store.path("no-such-folder/rejects.csv");
    let options = Options { rejects: Some(path.clone()), ..Options::default() };
    let refused = store.run(Kind::Users, memory("user_id,locale\nann,E\n"), options).await;
    let Err(ImportError::Rejects { path: told, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(told, path);
}

#[tokio::test]
async fn a_reject_file_with_apostrophes_gives_the_exact_cells_back() {
    let store = Store::open().await;
    let text = "line,reason,escaped,user_id,locale\n2,why,yes,'=ann,en\n3,why,yes,a;'=b,bad locale\n";
    let counts = "users: 2 read, 1 created, 0 replaced, 0 unchanged, 1 rejected";
    assert_eq!(store.import(Kind::Users, text).await, counts);
    // The command keeps the cells, and the column that says how they are written.
    let rejected = std::fs::read_to_string(store.path("rejects.csv")).unwrap();
    assert!(rejected.starts_with("line,reason,escaped,user_id,locale\n"), "{rejected}");
    assert!(rejected.ends_with(",yes,a;'=b,bad locale\n"), "{rejected}");
    store.import(Kind::Users, rejected.replace("bad locale", "de")).await;
    store.import(Kind::Users, "line,reason,user_id\n2,why,'=dora\n").await;
    let users = store.export("acme", Kind::Users, None).await;
    for id in ["=ann", "a;=b", "'=dora"] {
        assert!(users.contains(&format!("\n{id},")), "{id}: {users}");
    }
}

#[tokio::test]
async fn a_dry_run_retires_nothing() {
    let store = Store::open().await;
    let options = Options { effect: Effect::Try, replace: true, ..Options::default() };
    let refused = store.run(Kind::Products, memory("x"), options).await;
    assert!(matches!(refused, Err(ImportError::Usage(rule)) if rule.contains("--dry-run")));
}

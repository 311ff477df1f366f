//! The reject file.

use pointbook_server::import::{Ending, ImportError, Kind, Options};

use crate::harness::{Store, memory};

#[tokio::test]
async fn good_rows_are_kept_and_bad_ones_written_in_order() {
    let store = Store::open().await;
    let text = "user_id,locale\nann,en\n,de\n\nbob,EN\neve,tr\n";
    let summary = store.run(Kind::Users, memory(text), Options::default()).await.unwrap();
    assert_eq!(summary.to_string(), "users: 4 read, 2 created, 0 replaced, 0 unchanged, 2 rejected");
    assert!(!summary.is_clean());
    let first = summary.first_reject.unwrap();
    assert_eq!((first.line, first.reason.as_str()), (3, "user_id: is missing"));
    let rule = "locale: a locale is a language tag such as en, de-AT or zh-Hant";
    let expected =
        [(3, "user_id: is missing".to_owned(), b",de".to_vec()), (5, rule.to_owned(), b"bob,EN".to_vec())];
    assert_eq!(store.rejects(), expected);
}

#[tokio::test]
async fn rejected_rows_can_be_mended_and_imported() {
    let store = Store::open().await;
    let header = "sku,title,regular_price";
    store.import(Kind::Products, format!("{header}\na,\"Say \"\"hi\"\"\nor not\",x\n")).await;
    let row = String::from_utf8(store.rejects().remove(0).2).unwrap();
    let mended = format!("{header}\n{}\n", row.replace(",x", ",5"));
    assert!(store.import(Kind::Products, mended).await.contains(" 1 created"));
    assert_eq!(store.products().await[0].title, "Say \"hi\"\nor not");
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
async fn an_import_that_does_not_end_keeps_the_rejects_of_the_run_before() {
    let store = Store::open().await;
    store.import(Kind::Users, "user_id,locale\nann,E\n").await;
    let stop = Box::pin(std::future::ready(()));
    let rows = "user_id\n".to_owned() + &"ann\n".repeat(100_000);
    let summary = store.run(Kind::Users, memory(rows), Options { stop, ..Options::default() }).await.unwrap();
    assert!(matches!(summary.ending, Ending::Interrupted), "{summary:?}");
    assert_eq!(store.rejects().len(), 1);
}

#[tokio::test]
async fn what_is_no_file_is_written_to_and_stays() {
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
async fn a_reject_file_that_cannot_be_written_ends_the_import() {
    let store = Store::open().await;
    let path = store.path("no-such-folder/rejects.csv");
    let options = Options { rejects: Some(path.clone()), ..Options::default() };
    let refused = store.run(Kind::Users, memory("user_id,locale\nann,E\n"), options).await;
    let Err(ImportError::Rejects { path: told, .. }) = refused else { panic!("{refused:?}") };
    assert_eq!(told, path);
}

//! An import replaces the whole category tree, or nothing.

use pointbook_server::import::{ImportError, Kind, Options};

use crate::harness::{Store, memory};

const TREE: &str =
    r#"[{"id":"b","label":"B","children":[{"id":"c","label":"C"}]},{"id":"a","label":"A","children":null}]"#;

#[tokio::test]
async fn import_replaces_the_category_tree() {
    let store = Store::open().await;
    let mut imported = Vec::new();
    for tree in [TREE, TREE, r#"[{"id":"z","label":"Z"}]"#] {
        imported.push(store.import(Kind::Categories, tree).await);
    }
    assert_eq!(imported[0], "categories: 3 read, 3 created, 0 replaced, 0 unchanged, 0 rejected");
    assert_eq!(imported[1], "categories: 3 read, 0 created, 0 replaced, 3 unchanged, 0 rejected");
    assert_eq!(imported[2], "categories: 1 read, 1 created, 0 replaced, 0 unchanged, 0 rejected, 3 removed");
    let expected = "[\n  {\n    \"id\": \"z\",\n    \"label\": \"Z\",\n    \"children\": []\n  }\n]\n";
    assert_eq!(store.export("acme", Kind::Categories, None).await, expected);
}

#[tokio::test]
async fn bad_category_leaves_the_tree_unchanged() {
    let store = Store::open().await;
    store.import(Kind::Categories, TREE).await;
    let before = store.export("acme", Kind::Categories, None).await;
    for (tree, problem) in [
        (
            r#"[{"id":"a","label":"A"},{"id":"b","children":[{"label":"C","id":7}]}]"#,
            "[1].label: is required; [1].children[0].id: must be a string",
        ),
        (r#"[{"id":"a","label":"A","children":[{"id":"a","label":"B"}]}]"#, "category \"a\" stands twice"),
        (r#"[{"id":"a","label":"a\u0000"}]"#, "[0].label: must not contain U+0000"),
    ] {
        let refused = store.run(Kind::Categories, memory(tree), Options::default()).await;
        let Err(ImportError::Content(problems)) = refused else { panic!("{refused:?}") };
        assert_eq!(problems.to_string(), problem);
    }
    assert_eq!(store.export("acme", Kind::Categories, None).await, before);
}

#[tokio::test]
async fn empty_tree_is_imported_only_with_the_option() {
    let store = Store::open().await;
    store.import(Kind::Categories, TREE).await;
    let refused = store.run(Kind::Categories, memory("[]"), Options::default()).await;
    assert!(matches!(refused, Err(ImportError::Input(_))), "{refused:?}");
    assert!(store.export("acme", Kind::Categories, None).await.contains("\"a\""));
    // A pull from a server without categories sets this option.
    let options = Options { may_be_empty: true, ..Options::default() };
    assert!(store.run(Kind::Categories, memory("[]"), options).await.unwrap().is_clean());
    assert_eq!(store.export("acme", Kind::Categories, None).await, "[]\n");
}

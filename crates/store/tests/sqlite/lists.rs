//! Tests of the lists of the back office: searches.

use std::path::PathBuf;
use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::Product;
use pointbook_store::ports::{Database, StoredProductFilter, TenantData, UserFilter};
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use pointbook_testkit::build::{page, product, profile, upsert};
use pointbook_testkit::conformance::add_tenant;

fn new_store() -> (tempfile::TempDir, PathBuf, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.db");
    let store = SqliteStore::open(&path, &SqliteOptions::new(build::noon())).unwrap();
    (folder, path, store)
}

async fn new_tenant() -> (tempfile::TempDir, Arc<dyn TenantData>) {
    let (folder, _, store) = new_store();
    let database: Arc<dyn Database> = Arc::new(store);
    let data = add_tenant(&database, "acme").await;
    (folder, data)
}

async fn users_found(data: &Arc<dyn TenantData>, search: &str) -> Vec<String> {
    let filter = UserFilter { search: Some(search.to_owned()), disabled: None };
    let found = data.users(&filter, page(1, 100)).await.unwrap();
    assert_eq!(found.total, found.items.len() as u64, "{search}");
    found.items.into_iter().map(|user| user.id.as_str().to_owned()).collect()
}

async fn products_found(data: &Arc<dyn TenantData>, search: &str) -> Vec<String> {
    let found = data.products(&StoredProductFilter::of_search(Some(search)), page(1, 100)).await.unwrap();
    assert_eq!(found.total, found.items.len() as u64, "{search}");
    found.items.into_iter().map(|stored| stored.product.id.as_str().to_owned()).collect()
}

/// `%`, `_`, `*`, `?`, `[` and `\` are special in LIKE or GLOB.
#[tokio::test]
async fn wildcards_in_a_search_are_literal() {
    let (_folder, data) = new_tenant().await;
    let odd = ["a%c", "a_c", "a*c", "a?c", "a[b]c", "a\\c", "a'c", "abc"];
    data.write(build::import(odd.map(profile).clone())).await.unwrap();
    let titled = |title: &str| Product { title: title.to_owned(), ..product(&format!("p {title}")) };
    data.write(UpsertProducts(odd.map(titled).map(upsert).to_vec())).await.unwrap();
    for part in ["%", "_", "*", "?", "[b]", "\\", "'", "bc"] {
        let expected = odd.iter().find(|id| id.contains(part)).unwrap();
        assert_eq!(users_found(&data, part).await, [*expected]);
        assert_eq!(products_found(&data, &format!("A{}", &expected[1..])).await, [format!("p {expected}")]);
    }
    assert_eq!(users_found(&data, "a%%c").await, [""; 0]);
}

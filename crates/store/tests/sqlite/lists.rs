//! Tests of the lists of the back office: searches, and query plans that neither sort nor read too much.

use std::path::PathBuf;
use std::sync::Arc;

use pointbook_catalogue::commands::UpsertProducts;
use pointbook_domain::Product;
use pointbook_store::ports::{Database, Query, StockCount, StoredProductFilter, TenantData, UserFilter};
use pointbook_store::schema::Dialect;
use pointbook_store::schema::texts::STOCK_COUNTS;
use pointbook_store::sqlite::{SqliteOptions, SqliteStore};
use pointbook_testkit::build;
use pointbook_testkit::build::{page, product, profile, upsert};
use pointbook_testkit::conformance::add_tenant;
use rusqlite::Connection;

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

fn plan(sql: &str) -> String {
    let (_folder, path, _store) = new_store();
    let database = Connection::open(path).unwrap();
    let mut explained = database.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
    let steps = explained.raw_query().mapped(|row| row.get::<_, String>("detail"));
    steps.map(Result::unwrap).collect::<Vec<_>>().join("; ")
}

/// The query plans of all statements in a source that begin with the verb.
fn plans(source: &str, verb: &str) -> Vec<String> {
    let statements = source.split('"').skip(1).step_by(2).filter(|string| string.starts_with(verb));
    let plans: Vec<String> = statements.map(plan).collect();
    assert!(!plans.is_empty());
    plans
}

/// An audit reads all products, each with all its orders.
#[test]
fn stock_counts_use_primary_key_and_index_of_orders() {
    let walk = "SEARCH products USING PRIMARY KEY (tenant_id=? AND id>?)";
    let orders = |key| {
        let index = "SEARCH orders USING COVERING INDEX orders_by_product (tenant_id=? AND product_id=?";
        format!("CORRELATED SCALAR SUBQUERY {key}; {index}")
    };
    let counts = Query::of_text::<StockCount>(&STOCK_COUNTS, &("",)).select(Dialect::Sqlite);
    let (placed, taken) = (orders("1") + " AND status=?)", orders("2") + ")");
    assert_eq!(plan(&counts), format!("{walk}; {placed}; {taken}"));
}

#[test]
fn counting_taken_pieces_reads_only_orders_of_product() {
    let orders =
        "SEARCH orders USING COVERING INDEX orders_by_product (tenant_id=? AND product_id=? AND status=?";
    for plan in plans(include_str!("../../src/sqlite/catalogue.rs"), "SELECT coalesce(") {
        assert!(plan.contains(orders) && !plan.contains("SCAN orders"), "{plan}");
    }
}

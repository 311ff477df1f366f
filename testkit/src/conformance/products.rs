//! Facts of writing products.

use std::sync::Arc;

use pointbook_catalogue::commands::{RetireProducts, UpsertProducts};
use pointbook_domain::points::MAX_POINTS;
use pointbook_domain::{CategoryId, Product};
use pointbook_store::ports::UpsertOutcome::{Created, Replaced, Unchanged};
use pointbook_store::ports::{
    CatalogueVersion, Database, ProductChange, ProductUpsert, TenantData, UpsertOutcome,
};

use super::add_tenant;
use crate::build;
use crate::build::{product, product_id};

async fn upsert(data: &Arc<dyn TenantData>, products: &[Product]) -> Vec<UpsertOutcome> {
    let upserts: Vec<_> = products.iter().cloned().map(build::upsert).collect();
    data.write(UpsertProducts(upserts.clone())).await.unwrap()
}

async fn stored(data: &Arc<dyn TenantData>) -> Vec<Product> {
    let changes = data.product_changes(CatalogueVersion(0), None, 1_000).await.unwrap();
    let product = |change| match change {
        ProductChange::Upserted(product) => *product,
        ProductChange::Retired(id) => panic!("{id} is retired"),
    };
    changes.into_iter().map(product).collect()
}

async fn version(data: &Arc<dyn TenantData>) -> u64 {
    data.catalogue_version().await.unwrap().0
}

/// A product in which no field has its default.
fn full_product() -> Product {
    Product {
        sku: String::new(),
        title: " \"Straße\"\n 100 % か\u{3099} \\ ' \u{1f600} ".into(),
        description: "<p>a &amp; b</p>".into(),
        description_source: "<script>x</script><p>a & b".into(),
        regular_price: build::price(MAX_POINTS),
        sale_price: Some(build::price(0)),
        thumbnail: "https://img.example/a?b=c&d=%20".into(),
        gallery: vec!["https://img.example/1,2".into(), String::new()],
        categories: ["b", "a\"]"].map(|id| CategoryId::new(id).unwrap()).into(),
        stock: Some(u32::MAX),
        popular: true,
        published_at: build::at(-1),
        active: false,
        ..product("p/1 \u{1f600}")
    }
}

/// Inactive products are stored like others.
pub async fn every_field_of_a_product_survives(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    // An index of PostgreSQL would refuse it. Equal characters would be compressed.
    let title = (0..1_000).filter_map(|number| char::from_u32(0x4e00 + 7 * number)).collect();
    let long = Product { title, ..product("b") };
    assert_eq!(upsert(&data, &[full_product(), product("a"), long.clone()]).await, [Created; 3]);
    assert_eq!(stored(&data).await, [product("a"), long, full_product()]);
}

/// Therefore a repeated import needs no new snapshot.
pub async fn unchanged_products_raise_no_version(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let products = [full_product(), product("a")];
    upsert(&data, &products).await;
    assert_eq!(upsert(&data, &products).await, [Unchanged, Unchanged]);
    assert_eq!(upsert(&data, &[]).await, []);
    assert_eq!(version(&data).await, 1);
}

/// The number of changed products does not matter.
pub async fn a_call_raises_the_version_once(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    upsert(&data, &[product("a"), product("b"), product("c")]).await;
    assert_eq!(version(&data).await, 1);
    let b = Product { popular: true, ..product("b") };
    assert_eq!(upsert(&data, &[product("a"), b, product("d")]).await, [Unchanged, Replaced, Created]);
    assert_eq!(version(&data).await, 2);
}

/// A file may name a product twice.
pub async fn a_later_product_of_one_call_wins(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let later = Product { title: "Later".into(), ..product("a") };
    assert_eq!(
        upsert(&data, &[product("a"), later.clone(), later.clone()]).await,
        [Created, Replaced, Unchanged]
    );
    assert_eq!(stored(&data).await, [later]);
}

/// A new product gets the default.
pub async fn a_default_publication_keeps_the_stored_one(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let imported = |days, title: &str| {
        let product = Product { published_at: build::on_day(days), title: title.into(), ..product("a") };
        vec![ProductUpsert { product, keep_published_at: true, keep_stock: false }]
    };
    assert_eq!(data.write(UpsertProducts(imported(1, "x"))).await.unwrap(), [Created]);
    assert_eq!(data.write(UpsertProducts(imported(2, "x"))).await.unwrap(), [Unchanged]);
    assert_eq!(data.write(UpsertProducts(imported(3, "y"))).await.unwrap(), [Replaced]);
    data.write(RetireProducts { ids: vec![product_id("a")], at: build::on_day(4) }).await.unwrap();
    assert_eq!(data.write(UpsertProducts(imported(5, "y"))).await.unwrap(), [Created]);
    assert_eq!(stored(&data).await[0].published_at, build::on_day(1));
}

/// A difference in any field counts.
pub async fn every_difference_is_a_replacement(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let (other, same) = (full_product(), product("a"));
    upsert(&data, std::slice::from_ref(&same)).await;
    let same = || same.clone();
    for changed in [
        Product { sku: other.sku, ..same() },
        Product { title: other.title, ..same() },
        Product { description: other.description, ..same() },
        Product { description_source: other.description_source, ..same() },
        Product { regular_price: other.regular_price, ..same() },
        Product { sale_price: other.sale_price, ..same() },
        Product { thumbnail: other.thumbnail, ..same() },
        Product { gallery: other.gallery, ..same() },
        Product { categories: other.categories, ..same() },
        Product { stock: other.stock, ..same() },
        Product { popular: other.popular, ..same() },
        Product { published_at: other.published_at, ..same() },
        Product { active: other.active, ..same() },
    ] {
        assert_eq!(upsert(&data, std::slice::from_ref(&changed)).await, [Replaced]);
        assert_eq!(stored(&data).await, [changed]);
    }
    assert_eq!(version(&data).await, 14);
}

/// Unknown and retired products do not count, and do not raise the version.
pub async fn retiring_counts_only_unretired_products(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    upsert(&data, &[product("a"), product("b"), product("c")]).await;
    let ids = ["c", "a", "x", "a"].map(product_id);
    assert_eq!(data.write(RetireProducts { ids: ids.to_vec(), at: build::noon() }).await.unwrap(), 2);
    assert_eq!(version(&data).await, 2);
    assert_eq!(data.write(RetireProducts { ids: ids.to_vec(), at: build::noon() }).await.unwrap(), 0);
    assert_eq!(data.write(RetireProducts { ids: Vec::new(), at: build::noon() }).await.unwrap(), 0);
    assert_eq!(version(&data).await, 2);
    assert_eq!(stored(&data).await, [product("b")]);
}

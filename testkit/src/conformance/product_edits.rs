//! Facts of changing one stored product: under a condition, in some fields, by a difference.

use std::sync::Arc;

use futures_util::future::join_all;
use pointbook_catalogue::commands::{EditProduct, RetireProducts};
use pointbook_domain::{FieldChange, Product, ProductPatch};
use pointbook_points::audit::stock::stock_counts;
use pointbook_store::ports::UpsertOutcome::{Created, Replaced, Unchanged};
use pointbook_store::ports::{
    Database, ProductCondition, ProductEdit, ProductEditOutcome, ProductEditRefusal, ProductState,
    StoredProduct, TenantData, UpsertOutcome,
};

use super::order_steps::done;
use super::orders::{place, placed, put_product, shop};
use super::state::tenant_state;
use crate::build;
use crate::build::{cancel, order, pieces, price, product, product_id};

fn mug(stock: Option<u32>) -> Product {
    Product { stock, regular_price: price(10), ..product("mug") }
}

/// Tries to change the mug.
async fn edit(data: &Arc<dyn TenantData>, edit: ProductEdit, on: &ProductCondition) -> ProductEditOutcome {
    let edited = data
        .execute(
            EditProduct {
                id: product_id("mug"),
                edit: edit.clone(),
                condition: on.clone(),
                at: build::on_day(1),
            },
            None,
        )
        .await
        .unwrap();
    edited.without_key().unwrap()
}

/// Changes the mug. The change must not be refused.
async fn edited(
    data: &Arc<dyn TenantData>,
    change: ProductEdit,
    on: &ProductCondition,
) -> (UpsertOutcome, StoredProduct) {
    match edit(data, change, on).await {
        ProductEditOutcome::Stored(outcome, stored) => (outcome, *stored),
        other => panic!("the change of the mug must succeed, got {other:?}"),
    }
}

async fn stored(data: &Arc<dyn TenantData>) -> StoredProduct {
    data.product(&product_id("mug")).await.unwrap().unwrap()
}

async fn state_of_mug(data: &Arc<dyn TenantData>) -> ProductCondition {
    ProductCondition::OneOf(vec![ProductState::of(&stored(data).await)])
}

fn put(product: Product) -> ProductEdit {
    ProductEdit::Put(Box::new(build::upsert(product)))
}

fn patch(patch: ProductPatch) -> ProductEdit {
    ProductEdit::Patch(Box::new(patch))
}

fn titled(title: &str) -> ProductEdit {
    patch(ProductPatch { title: Some(title.to_owned()), ..ProductPatch::default() })
}

const ANY: ProductCondition = ProductCondition::None;

/// The outcome has the same product as a read.
pub async fn a_product_is_created_replaced_or_left_as_it_is(database: Arc<dyn Database>) {
    let data = super::add_tenant(&database, "acme").await;
    let other = Product { title: "Other".into(), ..mug(Some(7)) };
    for (product, expected) in [(mug(Some(3)), Created), (mug(Some(3)), Unchanged), (other, Replaced)] {
        let (outcome, after) = edited(&data, put(product.clone()), &ANY).await;
        assert_eq!((outcome, &after.product), (expected, &product));
        assert_eq!(after, stored(&data).await);
    }
    assert_eq!(data.catalogue_version().await.unwrap().0, 2);
    assert_eq!(edit(&data, ProductEdit::Retire, &ANY).await, ProductEditOutcome::Retired);
    assert_eq!(data.product(&product_id("mug")).await.unwrap(), None);
    assert_eq!(edited(&data, put(mug(Some(1))), &ANY).await.0, Created);
}

/// A retired product counts as unknown. A refused change stores nothing.
pub async fn an_unknown_product_is_put_and_not_changed(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(3)), 0).await;
    data.write(RetireProducts { ids: vec![product_id("mug")], at: build::noon() }).await.unwrap();
    let before = tenant_state(&data).await;
    for change in [titled("Cup"), ProductEdit::AddStock(1), ProductEdit::Retire] {
        for on in [ANY, ProductCondition::Exists] {
            assert_eq!(edit(&data, change.clone(), &on).await, ProductEditOutcome::Unknown);
        }
    }
    for on in [ProductCondition::Exists, ProductCondition::OneOf(vec![])] {
        assert_eq!(edit(&data, put(mug(None)), &on).await, ProductEditOutcome::ConditionFailed);
    }
    assert_eq!(tenant_state(&data).await, before);
    assert_eq!(edited(&data, put(mug(Some(1))), &ProductCondition::Missing).await.0, Created);
    let again = edit(&data, put(mug(Some(2))), &ProductCondition::Missing).await;
    assert_eq!(again, ProductEditOutcome::ConditionFailed);
    assert_eq!(stored(&data).await.product.stock, Some(1));
}

/// Any change counts: by an operator, by an order, and by a step of an order.
pub async fn a_product_in_another_state_is_not_changed(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(100)), 1_000).await;
    let mut states = vec![state_of_mug(&data).await];
    put_product(&data, Product { title: "Cup".into(), ..mug(Some(100)) }).await;
    states.push(state_of_mug(&data).await);
    placed(&data, &order("o1", "u1", "mug")).await;
    states.push(state_of_mug(&data).await);
    done(&data, "o1", &pointbook_store::ports::OrderStep::Fulfil).await;
    let before = tenant_state(&data).await;
    for old in &states {
        for change in [put(mug(Some(1))), titled("Old"), ProductEdit::AddStock(1), ProductEdit::Retire] {
            assert_eq!(edit(&data, change, old).await, ProductEditOutcome::ConditionFailed, "{old:?}");
        }
    }
    assert_eq!(tenant_state(&data).await, before);
    let now = state_of_mug(&data).await;
    assert_eq!(edited(&data, titled("New"), &now).await.1.product.title, "New");
    assert_eq!(edit(&data, titled("Newer"), &now).await, ProductEditOutcome::ConditionFailed);
    assert_eq!(edited(&data, titled("Newer"), &ProductCondition::Exists).await.0, Replaced);
}

/// Checks each field alone.
pub async fn patch_changes_only_the_named_fields(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(5)), 0).await;
    let mut expected = mug(Some(5));
    let most = ProductPatch {
        sku: Some("S".into()),
        description: Some(("clean".into(), "source".into())),
        regular_price: Some(price(20)),
        sale_price: FieldChange::Set(Some(price(20))),
        thumbnail: Some("https://a/t".into()),
        gallery: Some(vec!["https://a/g".into()]),
        categories: Some(vec![pointbook_domain::CategoryId::new("c").unwrap()]),
        stock: FieldChange::Set(None),
        popular: Some(true),
        published_at: Some(build::on_day(-3)),
        title: Some("T".into()),
        brand: FieldChange::Set(Some("B".into())),
        ..ProductPatch::default()
    };
    for change in [
        ProductPatch::default(),
        ProductPatch { title: Some("Cup".into()), ..ProductPatch::default() },
        most,
        ProductPatch { active: Some(false), ..ProductPatch::default() },
        ProductPatch { sale_price: FieldChange::Set(None), ..ProductPatch::default() },
        ProductPatch { brand: FieldChange::Set(None), ..ProductPatch::default() },
    ] {
        apply(&mut expected, &change);
        let (_, after) = edited(&data, patch(change), &ANY).await;
        assert_eq!(after.product, expected);
        assert_eq!(after, stored(&data).await);
    }
    let dear = ProductPatch { sale_price: FieldChange::Set(Some(price(21))), ..ProductPatch::default() };
    let refused = ProductEditOutcome::Refused(ProductEditRefusal::SaleAboveRegular);
    assert_eq!(edit(&data, patch(dear), &ANY).await, refused);
    assert_eq!(stored(&data).await.product, expected);
}

/// Applies a patch field by field, as a reference.
fn apply(product: &mut Product, patch: &ProductPatch) {
    macro_rules! set {
        ($($field:ident),*) => { $( if let Some(value) = &patch.$field { product.$field = value.clone(); } )* };
    }
    set!(sku, title, regular_price, thumbnail, gallery, categories, popular, published_at, active);
    if let Some((clean, source)) = &patch.description {
        (product.description, product.description_source) = (clean.clone(), source.clone());
    }
    if let FieldChange::Set(brand) = &patch.brand {
        product.brand.clone_from(brand);
    }
    if let FieldChange::Set(sale) = &patch.sale_price {
        product.sale_price = *sale;
    }
    if let FieldChange::Set(stock) = &patch.stock {
        product.stock = *stock;
    }
}

/// The supply changes by the same difference. A refused difference changes nothing.
pub async fn a_stock_changes_by_a_difference(database: Arc<dyn Database>) {
    let data = shop(&database, mug(Some(10)), 1_000).await;
    placed(&data, &pieces(3, order("o1", "u1", "mug"))).await;
    for (difference, left, supplied) in
        [(5, 12, 15), (-12, 0, 3), (i64::from(u32::MAX), u32::MAX, 4_294_967_298)]
    {
        let (outcome, after) = edited(&data, ProductEdit::AddStock(difference), &ANY).await;
        assert_eq!((outcome, after.product.stock, after.reserved), (Replaced, Some(left), 3));
        let counts = &stock_counts(&*data).await.unwrap()[0];
        assert_eq!((counts.stock, counts.supplied), (Some(i64::from(left)), supplied));
    }
    let before = tenant_state(&data).await;
    let refused = |difference| edit_stock(&data, difference);
    assert_eq!(refused(1).await, ProductEditRefusal::TooManyPieces);
    assert_eq!(refused(i64::MAX).await, ProductEditRefusal::TooManyPieces);
    assert_eq!(refused(-4_294_967_296).await, ProductEditRefusal::TooFewPieces);
    assert_eq!(refused(i64::MIN).await, ProductEditRefusal::TooFewPieces);
    assert_eq!(tenant_state(&data).await, before);
    done(&data, "o1", &cancel("o1")).await;
    put_product(&data, mug(None)).await;
    assert_eq!(refused(1).await, ProductEditRefusal::UnlimitedStock);
}

async fn edit_stock(data: &Arc<dyn TenantData>, difference: i64) -> ProductEditRefusal {
    match edit(data, ProductEdit::AddStock(difference), &ANY).await {
        ProductEditOutcome::Refused(refusal) => refusal,
        other => panic!("{difference} must be refused, got {other:?}"),
    }
}

/// The number of pieces stays consistent. Of concurrent changes of one state, one wins.
pub async fn changes_and_orders_at_once_lose_nothing(database: Arc<dyn Database>) {
    const ROUNDS: usize = 8;
    let data = shop(&database, mug(Some(1_000)), 10_000).await;
    let known = state_of_mug(&data).await;
    let (sold, changed) = (
        join_all(
            (0..ROUNDS)
                .map(async |round| place(&data, &pieces(2, order(&format!("o{round}"), "u1", "mug"))).await),
        ),
        join_all((0..ROUNDS).map(async |round| {
            edited(&data, ProductEdit::AddStock(1), &ANY).await;
            edited(&data, titled(&format!("Mug {round}")), &ANY).await;
            edit(&data, put(mug(Some(1_000))), &known).await
        })),
    );
    let (_, changed) = futures_util::future::join(sold, changed).await;
    let outdated = |outcome: &ProductEditOutcome| *outcome == ProductEditOutcome::ConditionFailed;
    assert!(changed.iter().all(outdated), "{changed:?}");
    let counts = &stock_counts(&*data).await.unwrap()[0];
    assert_eq!((counts.stock, counts.supplied, counts.taken), (Some(992), 1_008, 16));
    let now = state_of_mug(&data).await;
    let together = join_all((0..ROUNDS).map(|round| edit(&data, titled(&format!("New {round}")), &now)));
    let lost = together.await.iter().filter(|outcome| outdated(outcome)).count();
    assert_eq!(lost, ROUNDS - 1);
}

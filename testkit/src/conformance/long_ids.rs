//! Facts of ids with the maximum length: a database may bound the size of a key.

use std::sync::Arc;

use pointbook_catalogue::commands::{ReplaceCategories, UpsertProducts};
use pointbook_domain::id::MAX_ID_CHARS;
use pointbook_domain::{Category, SourceId, TransactionId};
use pointbook_points::orders::place::PlaceOrder;
use pointbook_store::ports::{Database, NewTransaction, UpsertOutcome};

use super::{add_tenant, record_all, whole_history};
use crate::build;
use crate::build::{activity, category, recorded, tree};

/// An id with the maximum number of bytes, which hardly compresses.
fn longest(seed: u32) -> String {
    const FIRST: u32 = 0x2_0000;
    let characters = (1..).scan(seed, |state: &mut u32, _| {
        *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        char::from_u32(FIRST + (*state >> 16) % 0xA000)
    });
    characters.take(MAX_ID_CHARS).collect()
}

/// A transaction whose user, source and id have the maximum length.
fn earned(user: u32, amount: i64) -> NewTransaction {
    let mut new = recorded("u1", activity("s1", amount));
    new.user_id = build::user_id(&longest(user));
    new.transaction.id = TransactionId::new(longest(user + 10)).unwrap();
    new.transaction.activity.source_id = SourceId::new(longest(user + 20)).unwrap();
    new
}

/// User, source and transaction id have the maximum length.
pub async fn an_activity_of_the_longest_ids_is_recorded(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let new = earned(1, 10);
    record_all(&data, std::slice::from_ref(&new)).await;
    assert_eq!(whole_history(&data, &longest(1)).await.rows, build::history_rows([&new.transaction]));
    let entries = data.entries_after(None, 10).await.unwrap();
    assert_eq!(entries.into_iter().map(|entry| entry.transaction).collect::<Vec<_>>(), [new.transaction]);
}

/// The product is stored, and an order of it is placed.
pub async fn a_product_of_the_longest_id_is_ordered(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let product = build::product(&longest(1));
    data.write(UpsertProducts(vec![build::upsert(product.clone())])).await.unwrap();
    record_all(&data, &[earned(2, 1_000_000)]).await;
    let order = build::order("o1", &longest(2), &longest(1));
    data.write(PlaceOrder::without_end(order.clone())).await.unwrap();
    assert_eq!(data.order(&order.id).await.unwrap().unwrap().product.id, product.id);
}

/// The tree has a child below its parent, and long labels.
pub async fn categories_of_the_longest_ids_survive(database: Arc<dyn Database>) {
    let data = add_tenant(&database, "acme").await;
    let label: String = (1..9).map(longest).collect();
    let child = Category { label, ..category(&longest(1), vec![]) };
    let tree = tree(vec![category(&longest(2), vec![child])]);
    assert_eq!(data.write(ReplaceCategories::with(&tree)).await.unwrap(), UpsertOutcome::Created);
    assert_eq!(data.categories().await.unwrap(), tree);
}

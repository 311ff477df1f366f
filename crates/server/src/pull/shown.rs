//! What a side shows, in short: equal where both show the same.

use pointbook_check::{Category, Product, Transaction};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::compare::Comparable;

/// The SHA-256 of lines of JSON, one for each thing that was shown.
#[derive(Debug, Default)]
pub(super) struct Shown(Sha256);

impl Shown {
    /// The digest, in hexadecimal digits.
    pub(super) fn sha256(self) -> String {
        data_encoding::HEXLOWER.encode(&self.0.finalize())
    }

    /// A tree of categories with their labels.
    pub(super) fn add_tree(&mut self, tree: &[Category]) {
        self.add(&categories(tree));
    }

    /// A product with every field.
    pub(super) fn add_product(&mut self, product: &Product) {
        let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = product;
        self.add(&json!([id, title, sku, description, regular_price, sale_price, thumbnail, gallery]));
    }

    /// What a filter finds, in one order.
    pub(super) fn add_found<'i>(&mut self, filter: &str, ids: impl IntoIterator<Item = &'i String>) {
        self.add(&json!([filter, ids.into_iter().collect::<Vec<_>>()]));
    }

    /// A day of a history, its groups and their transactions in one order.
    pub(super) fn add_day(&mut self, date: &str, groups: &[Comparable]) {
        let group = |(kind, points, bonus_points, transactions): &Comparable| {
            json!([kind, points, bonus_points, transactions.iter().map(transaction).collect::<Vec<_>>()])
        };
        self.add(&json!([date, groups.iter().map(group).collect::<Vec<_>>()]));
    }

    /// A balance, where it was told.
    pub(super) fn add_points(&mut self, points: Option<i64>) {
        self.add(&json!(points));
    }

    fn add(&mut self, value: &Value) {
        self.0.update(value.to_string());
        self.0.update("\n");
    }
}

fn categories(tree: &[Category]) -> Value {
    let category = |Category { id, label, children }: &Category| json!([id, label, categories(children)]);
    tree.iter().map(category).collect()
}

fn transaction(transaction: &Transaction) -> Value {
    let Transaction { created_at, kind, points, bonus_points, title, subtitle, bonuses } = transaction;
    let bonuses: Vec<Value> =
        bonuses.iter().map(|bonus| json!([bonus.kind, bonus.points, bonus.title])).collect();
    json!([created_at, kind, points, bonus_points, title, subtitle, bonuses])
}

//! Digests of a store or a history. Two servers with the same data have the same digest.

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::check::{Bonus, Category, Product, Transaction};

/// The parts of a group that are the same on every server: type, sum of points, sum of bonus points, transactions.
pub(super) type ComparableGroup = (String, i64, i64, Vec<Transaction>);

/// The SHA-256 of lines of JSON, one for each added value.
#[derive(Debug, Default)]
pub(super) struct ContentDigest(Sha256);

impl ContentDigest {
    /// The digest, in lower-case hexadecimal digits.
    pub(super) fn sha256(self) -> String {
        data_encoding::HEXLOWER.encode(&self.0.finalize())
    }

    pub(super) fn add_tree(&mut self, tree: &[Category]) {
        self.add(&categories(tree));
    }

    pub(super) fn add_product(&mut self, product: &Product) {
        self.add(&Value::Array(product_fields(product).map(|(_, value)| value).into()));
    }

    /// Adds the ids that a filter finds. The caller sorts them.
    pub(super) fn add_found<'i>(&mut self, filter: &str, ids: impl IntoIterator<Item = &'i String>) {
        self.add(&json!([filter, ids.into_iter().collect::<Vec<_>>()]));
    }

    /// Adds a day of a history. The caller sorts its groups and their transactions.
    pub(super) fn add_day(&mut self, date: &str, groups: &[ComparableGroup]) {
        let group = |(kind, points, bonus_points, transactions): &ComparableGroup| {
            json!([kind, points, bonus_points, transactions.iter().map(transaction).collect::<Vec<_>>()])
        };
        self.add(&json!([date, groups.iter().map(group).collect::<Vec<_>>()]));
    }

    pub(super) fn add_points(&mut self, points: Option<i64>) {
        self.add(&json!(points));
    }

    fn add(&mut self, value: &Value) {
        self.0.update(value.to_string());
        self.0.update("\n");
    }
}

/// Every field of a product with its name.
pub(super) fn product_fields(product: &Product) -> [(&'static str, Value); 8] {
    let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = product;
    [
        ("id", json!(id)),
        ("title", json!(title)),
        ("sku", json!(sku)),
        ("description", json!(description)),
        ("regular_price", json!(regular_price)),
        ("sale_price", json!(sale_price)),
        ("thumbnail", json!(thumbnail)),
        ("gallery", json!(gallery)),
    ]
}

fn categories(tree: &[Category]) -> Value {
    let category = |Category { id, label, children }: &Category| json!([id, label, categories(children)]);
    tree.iter().map(category).collect()
}

fn transaction(transaction: &Transaction) -> Value {
    let Transaction { created_at, kind, points, bonus_points, title, subtitle, bonuses } = transaction;
    let bonus = |Bonus { kind, points, title }: &Bonus| json!([kind, points, title]);
    let bonuses: Vec<Value> = bonuses.iter().map(bonus).collect();
    json!([created_at, kind, points, bonus_points, title, subtitle, bonuses])
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// The digest after `add`.
    fn sha256(add: impl FnOnce(&mut ContentDigest)) -> String {
        let mut digest = ContentDigest::default();
        add(&mut digest);
        digest.sha256()
    }

    /// Whether all values have different digests.
    fn all_differ<T>(values: &[T], digest: impl Fn(&T) -> String) -> bool {
        let digests: HashSet<String> = values.iter().map(digest).collect();
        digests.len() == values.len()
    }

    fn product() -> Product {
        Product {
            id: "mug".to_owned(),
            title: "Mug".to_owned(),
            sku: "M-1".to_owned(),
            description: "<p>Blue</p>".to_owned(),
            regular_price: 7,
            sale_price: Some(5),
            thumbnail: "t".to_owned(),
            gallery: vec!["g".to_owned()],
        }
    }

    #[test]
    fn every_field_of_a_product_changes_the_digest() {
        let other = || "x".to_owned();
        let products = [
            product(),
            Product { id: other(), ..product() },
            Product { title: other(), ..product() },
            Product { sku: other(), ..product() },
            Product { description: other(), ..product() },
            Product { regular_price: 8, ..product() },
            Product { sale_price: None, ..product() },
            Product { thumbnail: other(), ..product() },
            Product { gallery: Vec::new(), ..product() },
        ];
        assert!(all_differ(&products, |product| sha256(|digest| digest.add_product(product))));
    }

    #[test]
    fn every_field_of_a_transaction_and_its_bonus_changes_the_digest() {
        let bonus = |kind: &str, points, title: &str| Bonus {
            kind: kind.to_owned(),
            points,
            title: title.to_owned(),
        };
        let transaction = || Transaction {
            created_at: "now".to_owned(),
            kind: "code".to_owned(),
            points: 1,
            bonus_points: 2,
            title: "t".to_owned(),
            subtitle: "s".to_owned(),
            bonuses: vec![bonus("birthday", 2, "b")],
        };
        let other = || "x".to_owned();
        let transactions = [
            transaction(),
            Transaction { created_at: other(), ..transaction() },
            Transaction { kind: other(), ..transaction() },
            Transaction { points: 9, ..transaction() },
            Transaction { bonus_points: 9, ..transaction() },
            Transaction { title: other(), ..transaction() },
            Transaction { subtitle: other(), ..transaction() },
            Transaction { bonuses: vec![bonus("x", 2, "b")], ..transaction() },
            Transaction { bonuses: vec![bonus("birthday", 9, "b")], ..transaction() },
            Transaction { bonuses: vec![bonus("birthday", 2, "x")], ..transaction() },
        ];
        let groups = transactions.map(|transaction| ("code".to_owned(), 1, 2, vec![transaction]));
        let digest =
            |group: &ComparableGroup| sha256(|digest| digest.add_day("day", std::slice::from_ref(group)));
        assert!(all_differ(&groups, digest));
        let sums =
            [(1, 2), (9, 2), (1, 9)].map(|(points, bonus)| ("code".to_owned(), points, bonus, Vec::new()));
        assert!(all_differ(&sums, digest));
        assert!(all_differ(&["a", "b"], |date| sha256(|digest| digest.add_day(date, &[]))));
    }

    #[test]
    fn categories_filter_results_and_balance_change_the_digest() {
        let category = |id: &str, label: &str, children: Vec<Category>| Category {
            id: id.to_owned(),
            label: label.to_owned(),
            children,
        };
        let leaf = || category("a", "A", Vec::new());
        let trees = [
            vec![],
            vec![leaf()],
            vec![category("b", "A", Vec::new())],
            vec![category("a", "B", Vec::new())],
            vec![category("a", "A", vec![leaf()])],
            vec![leaf(), leaf()],
        ];
        assert!(all_differ(&trees, |tree| sha256(|digest| digest.add_tree(tree))));
        let found = [("a", vec![]), ("b", vec![]), ("a", vec!["p".to_owned()])];
        assert!(all_differ(&found, |(filter, ids)| sha256(|digest| digest.add_found(filter, ids))));
        assert!(all_differ(&[None, Some(0), Some(1)], |points| sha256(|digest| digest.add_points(*points))));
    }

    /// Operators compare digests of different runs, so this format must not change.
    #[test]
    fn digest_is_the_sha256_of_lines_of_json() {
        let line = r#"["mug","Mug","M-1","<p>Blue</p>",7,5,"t",["g"]]"#;
        let expected = data_encoding::HEXLOWER.encode(&Sha256::digest(format!("{line}\n")));
        assert_eq!(sha256(|digest| digest.add_product(&product())), expected);
    }
}

//! What was read, as the rows of an import.

use std::collections::HashMap;

use data_encoding::HEXLOWER;
use pointbook_check::{Bonus, Category, Day, Product, ReadError, Source, Transaction};
use pointbook_domain::{Timestamp, UserId};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::Plan;
use super::lines::Lines;

/// 2000-01-01, in microseconds: before anything is new.
const LISTED_FIRST_AT_MICROS: i64 = 946_684_800_000_000;
const MICROS_OF_A_SECOND: i64 = 1_000_000;

/// How much of a hash tells transactions of one moment apart, in characters.
const HASH_CHARS: usize = 24;

/// The tree as an import reads it.
pub(crate) fn category_tree(categories: &[Category]) -> Value {
    let one = |category: &Category| {
        let Category { id, label, children } = category;
        json!({"id": id, "label": label, "children": category_tree(children)})
    };
    categories.iter().map(one).collect()
}

/// All products. When they were published is not told; their order is, and here it follows from those times.
pub(crate) fn product_lines(source: &mut Source, lines: &Lines, plan: &Plan) -> Result<(), ReadError> {
    let mut products = source.products(None);
    let mut published_at = LISTED_FIRST_AT_MICROS;
    while let Some(product) = products.next_product()? {
        if !lines.push(&product_row(product, plan, published_at)) {
            return Ok(());
        }
        published_at -= MICROS_OF_A_SECOND;
    }
    Ok(())
}

fn product_row(product: Product, plan: &Plan, published_at: i64) -> Value {
    let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = product;
    let published_at = Timestamp::from_micros(published_at).map(|time| time.to_string());
    let (categories, popular) = (plan.categories.get(&id), plan.popular.contains(&id));
    json!({
        "id": id, "title": title, "sku": sku, "description": description, "regular_price": regular_price,
        "sale_price": sale_price, "thumbnail": thumbnail, "gallery": gallery,
        "categories": categories.map_or(&[][..], Vec::as_slice), "popular": popular, "published_at": published_at,
    })
}

/// Everything that this user did, by the token that the source is read with; gives whether more is wanted.
pub(crate) fn activity_lines(source: &mut Source, lines: &Lines, user: &UserId) -> Result<bool, ReadError> {
    let mut history = source.history();
    while let Some(days) = history.next_page()? {
        for row in days.into_iter().flat_map(|day| activity_rows(user, day)) {
            if !lines.push(&row) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A day comes whole, so that what is the same in every field can be counted within it.
fn activity_rows(user: &UserId, day: Day) -> Vec<Value> {
    let mut equals: HashMap<String, u32> = HashMap::new();
    let transactions = day.groups.into_iter().flat_map(|group| group.transactions);
    let row = |transaction: Transaction| {
        let content = content_hash(&transaction);
        let ordinal = equals.entry(content.clone()).or_default();
        *ordinal += 1;
        let source_id = format!("pull:{}:{content}:{ordinal}", transaction.created_at);
        activity_row(user, &source_id, transaction)
    };
    transactions.map(row).collect()
}

fn activity_row(user: &UserId, source_id: &str, transaction: Transaction) -> Value {
    let Transaction { created_at, kind, points, bonus_points: _, title, subtitle, bonuses } = transaction;
    let bonus = |bonus: Bonus| {
        let Bonus { kind, points, title } = bonus;
        json!({"type": kind, "points": points, "title": title})
    };
    json!({
        "user_id": user.as_str(), "type": kind, "source_id": source_id, "points": points, "title": title,
        "subtitle": subtitle, "created_at": created_at,
        "bonus_breakdown": bonuses.into_iter().map(bonus).collect::<Vec<_>>(),
    })
}

/// The same for the same transaction, whenever it is read.
fn content_hash(transaction: &Transaction) -> String {
    let Transaction { created_at, kind, points, bonus_points, title, subtitle, bonuses } = transaction;
    let bonuses: Vec<_> =
        bonuses.iter().map(|bonus| json!([bonus.kind, bonus.points, bonus.title])).collect();
    let content = json!([created_at, kind, points, bonus_points, title, subtitle, bonuses]);
    let mut hash = HEXLOWER.encode(&Sha256::digest(content.to_string()));
    hash.truncate(HASH_CHARS);
    hash
}

#[cfg(test)]
mod tests {
    use pointbook_check::Group;

    use super::*;

    fn transaction(title: &str) -> Transaction {
        Transaction {
            created_at: "2026-01-01T10:00:00.000000Z".to_owned(),
            kind: "code".to_owned(),
            points: 5,
            bonus_points: 0,
            title: title.to_owned(),
            subtitle: String::new(),
            bonuses: Vec::new(),
        }
    }

    fn source_ids(titles: &[&str]) -> Vec<String> {
        let group = Group {
            kind: "code".to_owned(),
            title: String::new(),
            subtitle: String::new(),
            total_points: 0,
            total_bonus_points: 0,
            transactions: titles.iter().map(|title| transaction(title)).collect(),
        };
        let day = Day { date: "2026-01-01".to_owned(), groups: vec![group] };
        let rows = activity_rows(&UserId::new("ann").unwrap(), day);
        rows.iter().map(|row| row["source_id"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn the_same_transaction_has_the_same_source_id() {
        let (first, again) = (source_ids(&["a", "b", "a"]), source_ids(&["b", "a", "a"]));
        assert_eq!(first[0], again[1]);
        assert_eq!(first[1], again[0]);
        assert_eq!(first[2], again[2]);
        assert!(first[0].ends_with(":1") && first[2].ends_with(":2"), "{first:?}");
    }
}

//! What was read, as the rows of an import.

use std::collections::HashMap;

use pointbook_app::web_url::is_web_url;
use pointbook_check::{Bonus, Category, Day, Product, ReadError, Source, Transaction};
use pointbook_domain::{Timestamp, UserId};
use serde_json::{Value, json};

use super::Plan;
use super::lines::Lines;

/// 2000-01-01, in microseconds: before anything is new.
const LISTED_FIRST_AT_MICROS: i64 = 946_684_800_000_000;
const MICROS_OF_A_SECOND: i64 = 1_000_000;

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
    // What a client must not follow is left out; the comparison at the end names the product.
    let thumbnail = if is_web_url(&thumbnail) { thumbnail } else { String::new() };
    let gallery: Vec<String> = gallery.into_iter().filter(|url| is_web_url(url)).collect();
    let (categories, popular) = (plan.categories.get(&id), plan.popular.contains(&id));
    json!({
        "id": id, "title": title, "sku": sku, "description": description, "regular_price": regular_price,
        "sale_price": sale_price, "thumbnail": thumbnail, "gallery": gallery,
        "categories": categories.map_or(&[][..], Vec::as_slice), "popular": popular, "published_at": published_at,
    })
}

/// Everything that this user did, by the token that the source is read with; gives whether more is wanted.
/// Transactions that cannot be taken over are told in words.
pub(crate) fn activity_lines(
    source: &mut Source,
    lines: &Lines,
    user: &UserId,
    refused: &mut Vec<String>,
) -> Result<bool, ReadError> {
    let mut history = source.history();
    while let Some(days) = history.next_page()? {
        for row in days.into_iter().flat_map(|day| activity_rows(user, day, refused)) {
            if !lines.push(&row) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// A day comes whole, so that those of one moment and amount can be counted within it. Texts are no part of what
/// tells them apart: they change with a language, and the points would be recorded once more.
fn activity_rows(user: &UserId, day: Day, refused: &mut Vec<String>) -> Vec<Value> {
    let mut transactions: Vec<_> = day.groups.into_iter().flat_map(|group| group.transactions).collect();
    // Newest first, as they came; equals in the order of their texts, so that they are counted alike again.
    transactions.sort_by(|a, b| b.created_at.cmp(&a.created_at).then_with(|| a.cmp(b)));
    let mut ordinals: HashMap<String, u32> = HashMap::new();
    let mut rows = Vec::with_capacity(transactions.len());
    for transaction in transactions {
        let source_id = source_id(&transaction, &mut ordinals);
        match unsound(&transaction) {
            Some(words) => refused.push(words),
            None => rows.push(activity_row(user, &source_id, transaction)),
        }
    }
    rows
}

/// The same for the same transaction, whenever it is read. The type is part of the key anyway, and of the count.
fn source_id(transaction: &Transaction, ordinals: &mut HashMap<String, u32>) -> String {
    let Transaction { created_at, kind, points, bonus_points, title: _, subtitle: _, bonuses: _ } =
        transaction;
    let ordinal = ordinals.entry(format!("{created_at} {points} {bonus_points} {kind}")).or_default();
    *ordinal += 1;
    format!("pull:{created_at}:{points}:{bonus_points}:{ordinal}")
}

/// Why a transaction would have other points here: only the single bonuses are recorded.
fn unsound(transaction: &Transaction) -> Option<String> {
    let Transaction { created_at, kind, bonus_points, bonuses, .. } = transaction;
    let sum: i128 = bonuses.iter().map(|bonus| i128::from(bonus.points)).sum();
    (sum != i128::from(*bonus_points))
        .then(|| format!("{kind} of {created_at}: bonus_points is {bonus_points}, its bonuses come to {sum}"))
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

    /// The rows of a day of user `ann`, and what of it was refused.
    fn rows(transactions: Vec<Transaction>) -> (Vec<Value>, Vec<String>) {
        let group = Group {
            kind: "code".to_owned(),
            title: String::new(),
            subtitle: String::new(),
            total_points: 0,
            total_bonus_points: 0,
            transactions,
        };
        let day = Day { date: "2026-01-01".to_owned(), groups: vec![group] };
        let mut refused = Vec::new();
        let rows = activity_rows(&UserId::new("ann").unwrap(), day, &mut refused);
        (rows, refused)
    }

    /// Titles with their ordinals.
    fn counted(titles: &[&str]) -> Vec<String> {
        let (rows, refused) = rows(titles.iter().map(|title| transaction(title)).collect());
        assert_eq!(refused, [""; 0]);
        let counted = |row: &Value| {
            let source_id = row["source_id"].as_str().unwrap();
            let ordinal = source_id.strip_prefix("pull:2026-01-01T10:00:00.000000Z:5:0:").unwrap();
            format!("{}{ordinal}", row["title"].as_str().unwrap())
        };
        rows.iter().map(counted).collect()
    }

    #[test]
    fn equals_are_counted_alike_in_whatever_order_they_come() {
        assert_eq!(counted(&["a", "b", "a"]), ["a1", "a2", "b3"]);
        assert_eq!(counted(&["b", "a", "a"]), ["a1", "a2", "b3"]);
        assert_eq!(counted(&["c"]), ["c1"]);
    }

    #[test]
    fn bonuses_that_do_not_come_to_the_bonus_points_are_refused() {
        let bonus = Bonus { kind: "birthday".to_owned(), points: 3, title: String::new() };
        let with = |bonus_points, bonuses| Transaction { bonus_points, bonuses, ..transaction("a") };
        let (rows, refused) =
            rows(vec![with(3, vec![bonus.clone()]), with(7, Vec::new()), with(7, vec![bonus])]);
        assert_eq!(rows.len(), 1);
        assert_eq!(
            refused,
            [
                "code of 2026-01-01T10:00:00.000000Z: bonus_points is 7, its bonuses come to 0",
                "code of 2026-01-01T10:00:00.000000Z: bonus_points is 7, its bonuses come to 3",
            ]
        );
    }
}

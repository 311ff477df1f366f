//! Converts the data of the other server to rows of an import.

use std::collections::HashMap;

use pointbook_domain::web_url::is_web_url;
use pointbook_domain::{Timestamp, UserId};
use serde_json::{Value, json};

use super::lines::LineSender;
use super::store_index::StoreIndex;
use crate::check::{Bonus, Category, Day, Product, ReadError, Source, Transaction};

/// 2000-01-01, in microseconds since 1970: so old that no product counts as new.
const LISTED_FIRST_AT_MICROS: i64 = 946_684_800_000_000;
const MICROS_OF_A_SECOND: i64 = 1_000_000;

/// The category tree in the format of an import.
pub fn category_tree(categories: &[Category]) -> Value {
    let one = |category: &Category| {
        let Category { id, label, children } = category;
        json!({"id": id, "label": label, "children": category_tree(children)})
    };
    categories.iter().map(one).collect()
}

/// Sends all products. The other server does not show when they were published, so each gets a time one second before the
/// previous one: that keeps the order of the list.
///
/// # Errors
/// When the other server cannot be read or breaks a rule of the interface.
pub fn product_lines(source: &mut Source, lines: &LineSender, index: &StoreIndex) -> Result<(), ReadError> {
    let mut products = source.products(None);
    let mut published_at = LISTED_FIRST_AT_MICROS;
    while let Some(product) = products.next_product()? {
        if !lines.push(&product_row(product, index, published_at)) {
            return Ok(());
        }
        published_at -= MICROS_OF_A_SECOND;
    }
    Ok(())
}

fn product_row(product: Product, index: &StoreIndex, published_at: i64) -> Value {
    let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = product;
    let published_at = Timestamp::from_micros(published_at).map(|time| time.to_string());
    // Leaves out URLs that clients must not follow. The comparison at the end reports the product.
    let thumbnail = if is_web_url(&thumbnail) { thumbnail } else { String::new() };
    let gallery: Vec<String> = gallery.into_iter().filter(|url| is_web_url(url)).collect();
    let (categories, popular) = (index.categories.get(&id), index.popular.contains(&id));
    json!({
        "id": id, "title": title, "sku": sku, "description": description, "regular_price": regular_price,
        "sale_price": sale_price, "thumbnail": thumbnail, "gallery": gallery,
        "categories": categories.map_or(&[][..], Vec::as_slice), "popular": popular, "published_at": published_at,
    })
}

/// Sends all transactions of the user whose token the source uses. Returns `false` when the import takes no more rows.
/// Adds a reason to `refused` for each transaction that cannot be copied.
///
/// # Errors
/// When the other server cannot be read or breaks a rule of the interface.
pub fn activity_lines(
    source: &mut Source,
    lines: &LineSender,
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

/// Converts a whole day at once, to number transactions with the same time, type and points. Titles are not part of the
/// source id: they change with the language, and then the transaction would be recorded twice.
fn activity_rows(user: &UserId, day: Day, refused: &mut Vec<String>) -> Vec<Value> {
    let mut transactions: Vec<_> = day.groups.into_iter().flat_map(|group| group.transactions).collect();
    // Newest first, as in the response. Equal times are ordered by the other fields, so that every run numbers them alike.
    transactions.sort_by(|a, b| b.created_at.cmp(&a.created_at).then_with(|| a.cmp(b)));
    let mut ordinals: HashMap<String, u32> = HashMap::new();
    let mut rows = Vec::with_capacity(transactions.len());
    for transaction in transactions {
        let source_id = source_id(&transaction, &mut ordinals);
        match bonus_mismatch(&transaction) {
            Some(reason) => refused.push(reason),
            None => rows.push(activity_row(user, &source_id, transaction)),
        }
    }
    rows
}

/// A source id that is the same for the same transaction in every run. It needs no type, because the ledger's key has it.
fn source_id(transaction: &Transaction, ordinals: &mut HashMap<String, u32>) -> String {
    let Transaction { created_at, kind, points, bonus_points, title: _, subtitle: _, bonuses: _ } =
        transaction;
    let ordinal = ordinals.entry(format!("{created_at} {points} {bonus_points} {kind}")).or_default();
    *ordinal += 1;
    format!("pull:{created_at}:{points}:{bonus_points}:{ordinal}")
}

/// Returns a reason when the bonuses do not add up to `bonus_points`. An import records only the single bonuses, so the
/// transaction would have other points here.
fn bonus_mismatch(transaction: &Transaction) -> Option<String> {
    let Transaction { created_at, kind, bonus_points, bonuses, .. } = transaction;
    let sum: i128 = bonuses.iter().map(|bonus| i128::from(bonus.points)).sum();
    (sum != i128::from(*bonus_points)).then(|| {
        format!("{kind} at {created_at}: bonus_points is {bonus_points}, but its bonuses add up to {sum}")
    })
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
    use super::*;
    use crate::check::Group;

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

    /// The rows of a day of user `ann`, and the reasons of refused transactions.
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

    /// The titles, each with the ordinal of its row.
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
    fn ordinals_do_not_depend_on_the_order_of_the_response() {
        assert_eq!(counted(&["a", "b", "a"]), ["a1", "a2", "b3"]);
        assert_eq!(counted(&["b", "a", "a"]), ["a1", "a2", "b3"]);
        assert_eq!(counted(&["c"]), ["c1"]);
    }

    #[test]
    fn bonuses_that_do_not_add_up_are_refused() {
        let bonus = Bonus { kind: "birthday".to_owned(), points: 3, title: String::new() };
        let with = |bonus_points, bonuses| Transaction { bonus_points, bonuses, ..transaction("a") };
        let (rows, refused) =
            rows(vec![with(3, vec![bonus.clone()]), with(7, Vec::new()), with(7, vec![bonus])]);
        assert_eq!(rows.len(), 1);
        assert_eq!(
            refused,
            [
                "code at 2026-01-01T10:00:00.000000Z: bonus_points is 7, but its bonuses add up to 0",
                "code at 2026-01-01T10:00:00.000000Z: bonus_points is 7, but its bonuses add up to 3",
            ]
        );
    }
}

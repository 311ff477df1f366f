//! Differences between stored figures and those that the ledger gives, in words.

use std::collections::BTreeMap;
use std::fmt::Display;

/// Each column whose stored value is another one: `spent_points is 9 but the ledger gives 0`. Empty when all are equal.
pub(crate) fn of_columns<V: PartialEq + Display>(
    columns: impl IntoIterator<Item = &'static str>,
    stored: &[V],
    counted: &[V],
) -> Vec<String> {
    let pairs = columns.into_iter().zip(stored.iter().zip(counted));
    let wrong = pairs.filter(|(_, (stored, counted))| stored != counted);
    wrong
        .map(|(name, (stored, counted))| format!("{name} is {stored} but the ledger gives {counted}"))
        .collect()
}

/// The numbers of a row with their columns: `orders 1, pieces 2`.
pub(crate) fn named(columns: impl IntoIterator<Item = &'static str>, numbers: &[i64]) -> String {
    let named = columns.into_iter().zip(numbers).map(|(name, number)| format!("{name} {number}"));
    named.collect::<Vec<_>>().join(", ")
}

/// The first key of a list whose stored numbers are others: `days, 2026-05-04: orders is 2 but the ledger gives 1`. A key that
/// one side does not have is named as such.
pub(crate) fn of_list<K: Ord + Copy + Display, const N: usize>(
    list: &'static str,
    columns: [&'static str; N],
    stored: impl Iterator<Item = (K, [i64; N])>,
    counted: impl Iterator<Item = (K, [i64; N])>,
) -> Option<String> {
    let (stored, counted): (BTreeMap<_, _>, BTreeMap<_, _>) = (stored.collect(), counted.collect());
    let keys = stored.keys().chain(counted.keys());
    let first = keys.filter(|key| stored.get(key) != counted.get(key)).min()?;
    let words = match (stored.get(first), counted.get(first)) {
        (Some(stored), Some(counted)) => of_columns(columns, stored, counted).join(", "),
        (None, Some(counted)) => format!("is missing, but the ledger gives {}", named(columns, counted)),
        (Some(stored), None) => {
            format!("has {}, but the ledger gives no such entry", named(columns, stored))
        }
        (None, None) => return None,
    };
    Some(format!("{list}, {first}: {words}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_different_entry_of_a_list_is_named() {
        let list = |stored: &[(u8, [i64; 2])], counted: &[(u8, [i64; 2])]| {
            let (stored, counted) = (stored.iter().copied(), counted.iter().copied());
            of_list("days", ["earned", "orders"], stored, counted).unwrap_or_default()
        };
        assert_eq!(list(&[(1, [0, 1])], &[(1, [0, 1])]), "");
        assert_eq!(
            list(&[(1, [0, 1]), (3, [9, 9])], &[(1, [0, 2]), (3, [1, 1])]),
            "days, 1: orders is 1 but the ledger gives 2"
        );
        assert_eq!(list(&[], &[(2, [5, 0])]), "days, 2: is missing, but the ledger gives earned 5, orders 0");
        assert_eq!(
            list(&[(2, [5, 0])], &[]),
            "days, 2: has earned 5, orders 0, but the ledger gives no such entry"
        );
    }
}

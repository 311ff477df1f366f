//! The lines of an import that are stored.

use std::collections::HashSet;
use std::hash::Hash;

use crate::body::NdjsonLine;
use crate::error::{FieldErrors, Rule};
use crate::query::ImportMode;
use crate::views::import::RejectedLines;

/// The good lines, and the refused ones. The field `id` has what only one line of an atomic import may have.
///
/// # Errors
/// In [`ImportMode::Atomic`], those of all bad lines.
pub fn taken<T, K: Eq + Hash>(
    mode: ImportMode,
    lines: Vec<NdjsonLine<T>>,
    id: &str,
    key: impl Fn(&T) -> K,
) -> Result<(Vec<T>, RejectedLines), FieldErrors> {
    match mode {
        ImportMode::Atomic => Ok((all(lines, id, key)?, RejectedLines::default())),
        ImportMode::Lines => Ok(good_and_bad(lines)),
    }
}

/// Every line, unless one is bad. One change says one thing of an id.
fn all<T, K: Eq + Hash>(
    lines: Vec<NdjsonLine<T>>,
    id: &str,
    key: impl Fn(&T) -> K,
) -> Result<Vec<T>, FieldErrors> {
    let (mut items, mut errors) = (Vec::with_capacity(lines.len()), FieldErrors::default());
    let mut ids = HashSet::new();
    for NdjsonLine { number, item } in lines {
        let item = item.and_then(|item| {
            let is_first = ids.insert(key(&item));
            is_first.then_some(item).ok_or_else(|| FieldErrors::one(id, Rule::DISTINCT))
        });
        match item {
            Ok(item) => items.push(item),
            Err(wrong) => errors.extend_within(&format!("lines.{number}."), wrong),
        }
    }
    if errors.is_empty() { Ok(items) } else { Err(errors) }
}

fn good_and_bad<T>(lines: Vec<NdjsonLine<T>>) -> (Vec<T>, RejectedLines) {
    let (mut good, mut bad) = (Vec::with_capacity(lines.len()), RejectedLines::default());
    for NdjsonLine { number, item } in lines {
        match item {
            Ok(item) => good.push(item),
            Err(errors) => bad.add(number, errors),
        }
    }
    (good, bad)
}

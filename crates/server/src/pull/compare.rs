//! Both sides, read in the same way and held against each other.

use std::collections::BTreeMap;

use pointbook_check::{Day, Group, Product, ReadError, Source, Transaction};

/// How many differences are named of the store, and of each history.
const NAMED: usize = 10;

/// What differs, of so many.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// How many products or days were held against each other.
    pub(crate) compared: u64,
    /// The first differences, in words.
    pub(crate) named: Vec<String>,
    /// How many there are.
    pub(crate) differences: u64,
}

impl Comparison {
    fn differs(&mut self, words: impl FnOnce() -> String) {
        self.differences += 1;
        if self.named.len() < NAMED {
            self.named.push(words());
        }
    }

    fn expect<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, theirs: &T, ours: &T) {
        if theirs != ours {
            self.differs(|| format!("{what}: there {theirs:?}, here {ours:?}"));
        }
    }
}

/// Categories, and products in their order with every field.
pub(crate) fn compare_stores(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let mut comparison = Comparison::default();
    if theirs.categories()? != ours.categories()? {
        comparison.differs(|| "the category trees differ".to_owned());
    }
    let (mut theirs, mut ours) = (theirs.products(None), ours.products(None));
    loop {
        match (theirs.next_product()?, ours.next_product()?) {
            (None, None) => return Ok(comparison),
            (Some(there), Some(here)) if there.id == here.id => {
                compare_products(&mut comparison, &there, &here);
            }
            (there, here) => {
                let (there, here) = (there.map(|product| product.id), here.map(|product| product.id));
                let place = comparison.compared + 1;
                comparison.differs(|| {
                    format!("product {place} of the list, and maybe those behind it: there {there:?}, here {here:?}")
                });
                return Ok(comparison);
            }
        }
    }
}

fn compare_products(comparison: &mut Comparison, there: &Product, here: &Product) {
    let Product { id, title, sku, description, regular_price, sale_price, thumbnail, gallery } = there;
    comparison.compared += 1;
    let mut field = |name: &str, same: bool| {
        if !same {
            comparison.differs(|| format!("product {id}: another {name}"));
        }
    };
    field("title", *title == here.title);
    field("sku", *sku == here.sku);
    field("description", *description == here.description);
    field("regular_price", *regular_price == here.regular_price);
    field("sale_price", *sale_price == here.sale_price);
    field("thumbnail", *thumbnail == here.thumbnail);
    field("gallery", *gallery == here.gallery);
}

/// Days, their groups with sums and transactions, and the balance. The titles of groups are each server's own.
pub(crate) fn compare_history(theirs: &mut Source, ours: &mut Source) -> Result<Comparison, ReadError> {
    let ((there, their_points), (mut here, our_points)) = (days(theirs)?, days(ours)?);
    let mut comparison = Comparison::default();
    for (date, day) in there {
        comparison.compared += 1;
        match here.remove(&date) {
            None => comparison.differs(|| format!("{date} is not here")),
            Some(ours) => comparison.expect(&date, &comparable(day), &comparable(ours)),
        }
    }
    for date in here.into_keys() {
        comparison.differs(|| format!("{date} is not there"));
    }
    comparison.expect("user_points", &their_points, &our_points);
    Ok(comparison)
}

/// The whole history of one user, by date, and the balance.
fn days(source: &mut Source) -> Result<(BTreeMap<String, Day>, Option<i64>), ReadError> {
    let (mut history, mut days) = (source.history(), BTreeMap::new());
    while let Some(page) = history.next_page()? {
        days.extend(page.into_iter().map(|day| (day.date.clone(), day)));
    }
    Ok((days, history.user_points()))
}

/// What of a group is the same on every server: its type, its sums, its transactions.
type Comparable = (String, i64, i64, Vec<Transaction>);

/// What of a day is the same on every server, in one order.
fn comparable(day: Day) -> Vec<Comparable> {
    let group = |group: Group| {
        let Group { kind, title: _, subtitle: _, total_points, total_bonus_points, mut transactions } = group;
        transactions.sort();
        (kind, total_points, total_bonus_points, transactions)
    };
    let mut groups: Vec<_> = day.groups.into_iter().map(group).collect();
    groups.sort();
    groups
}

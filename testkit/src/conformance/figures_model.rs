//! Figures as the pages of reports describe them, computed from all ledger rows at once, day by day and member by member.

use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::{Day, Order};
use pointbook_store::ports::LedgerEntry;

/// How a row counts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Earned,
    Spent,
    Refunded,
    Reversed,
    Ended,
}

struct Row<'r> {
    entry: &'r LedgerEntry,
    day: Day,
    kind: Kind,
}

impl<'r> Row<'r> {
    fn new(entry: &'r LedgerEntry) -> Self {
        let activity = &entry.transaction.activity;
        let source = activity.source_id.as_str();
        let is_order = activity.kind.as_str() == "order";
        let kind = match () {
            () if source.ends_with(":reversal") => Kind::Reversed,
            () if is_order && (activity.points.get() > 0 || source.ends_with(":refund")) => Kind::Refunded,
            () if activity.points.get() < 0 && source.starts_with("expiry:") => Kind::Ended,
            () if activity.points.get() < 0 => Kind::Spent,
            () => Kind::Earned,
        };
        Self { entry, day: activity.created_at.day(), kind }
    }

    fn base(&self) -> i64 {
        self.entry.transaction.activity.points.get()
    }

    fn bonus(&self) -> i64 {
        self.entry.transaction.activity.bonuses.total().get()
    }

    fn user(&self) -> &str {
        self.entry.user_id.as_str()
    }

    fn month(&self) -> String {
        self.day.to_string()[..7].to_owned()
    }
}

/// The ledger of a tenant and its orders.
pub(super) struct Model<'r> {
    rows: Vec<Row<'r>>,
    orders: &'r [Order],
}

impl<'r> Model<'r> {
    pub(super) fn new(entries: &'r [LedgerEntry], orders: &'r [Order]) -> Self {
        Self { rows: entries.iter().map(Row::new).collect(), orders }
    }

    /// The report `points`, without the rate.
    pub(super) fn points(&self, days: &[Day]) -> Vec<Vec<String>> {
        let sum = |day: &Day, kind: Kind, of: fn(&Row<'r>) -> i64| -> i64 {
            self.rows.iter().filter(|row| row.day == *day && row.kind == kind).map(of).sum()
        };
        let row = |day: &Day| {
            let net = |row: &Row<'r>| row.base() + row.bonus();
            let count = self.rows.iter().filter(|row| row.day == *day).count();
            let open: i64 = self.rows.iter().filter(|row| row.day <= *day).map(net).sum();
            let numbers = [
                i64::try_from(count).unwrap(),
                sum(day, Kind::Earned, Row::base),
                sum(day, Kind::Earned, Row::bonus),
                -sum(day, Kind::Spent, Row::base),
                sum(day, Kind::Refunded, Row::base),
                -sum(day, Kind::Reversed, |row| row.base() + row.bonus()),
                -sum(day, Kind::Ended, Row::base),
                open,
            ];
            texts(*day, numbers)
        };
        days.iter().map(row).collect()
    }

    /// The report `reversals`.
    pub(super) fn reversals(&self, days: &[Day]) -> Vec<Vec<String>> {
        let mut sums: BTreeMap<(Day, &str), [i64; 2]> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| row.kind == Kind::Reversed && days.contains(&row.day)) {
            let kind = row.entry.transaction.activity.kind.as_str();
            let [count, points] = sums.entry((row.day, kind)).or_default();
            (*count, *points) = (*count + 1, *points - row.base() - row.bonus());
        }
        let row = |((day, kind), sums): ((Day, &str), [i64; 2])| {
            [day.to_string(), kind.to_owned()].into_iter().chain(sums.map(|sum| sum.to_string())).collect()
        };
        sums.into_iter().map(row).collect()
    }

    /// The days on which a member did something.
    fn active(&self) -> BTreeMap<&str, BTreeSet<i32>> {
        let mut active: BTreeMap<&str, BTreeSet<i32>> = BTreeMap::new();
        for row in self.rows.iter().filter(|row| matches!(row.kind, Kind::Earned | Kind::Spent)) {
            active.entry(row.user()).or_default().insert(row.day.as_days());
        }
        active
    }

    /// The report `members`.
    pub(super) fn members(&self, days: &[Day]) -> Vec<Vec<String>> {
        let active = self.active();
        let count = |is_counted: &dyn Fn(&BTreeSet<i32>) -> bool| -> i64 {
            i64::try_from(active.values().filter(|days| is_counted(days)).count()).unwrap()
        };
        let row = |day: &Day| {
            let at = day.as_days();
            let within = |days: &BTreeSet<i32>, length: i32, end: i32| {
                (end - length + 1..=end).any(|day| days.contains(&day))
            };
            let is_first = |days: &BTreeSet<i32>| days.first() == Some(&at);
            let numbers = [
                count(&is_first),
                count(&|days| days.contains(&at)),
                count(&|days| within(days, 7, at)),
                count(&|days| within(days, 28, at)),
                count(&|days| days.contains(&at) && !is_first(days) && !within(days, 28, at - 1)),
                count(&|days| days.contains(&(at - 28)) && !within(days, 28, at)),
            ];
            texts(*day, numbers)
        };
        days.iter().map(row).collect()
    }

    /// The report `cohorts`, without the percentage.
    pub(super) fn cohorts(&self) -> Vec<Vec<String>> {
        let mut cells: BTreeMap<(String, String), i64> = BTreeMap::new();
        for days in self.active().into_values() {
            let month = |day: &i32| Day::from_days(*day).unwrap().to_string()[..7].to_owned();
            let months: BTreeSet<String> = days.iter().map(month).collect();
            let joined = months.first().unwrap();
            for month in &months {
                *cells.entry((joined.clone(), month.clone())).or_default() += 1;
            }
        }
        cells.into_iter().map(|((joined, month), members)| vec![joined, month, members.to_string()]).collect()
    }

    /// The report `vintages`, without the rates: each member has single points, each with its month.
    pub(super) fn vintages(&self) -> Vec<Vec<String>> {
        let mut months: BTreeMap<String, [i64; 4]> = BTreeMap::new();
        let users: BTreeSet<&str> = self.rows.iter().map(Row::user).collect();
        for user in users {
            let mut purse = Purse::default();
            for row in self.rows.iter().filter(|row| row.user() == user) {
                self.take(&mut purse, row);
            }
            for (month, sums) in purse.months {
                months.entry(month).or_default().iter_mut().zip(sums).for_each(|(sum, more)| *sum += more);
            }
        }
        months.retain(|_, sums| *sums != [0; 4]);
        let row = |(month, [issued, spent, reversed, ended]): (String, [i64; 4])| {
            let numbers = [issued, spent, reversed, ended, issued - spent - reversed - ended];
            std::iter::once(month).chain(numbers.map(|number| number.to_string())).collect()
        };
        months.into_iter().map(row).collect()
    }

    fn take(&self, purse: &mut Purse, row: &Row<'r>) {
        let net = row.base() + row.bonus();
        match row.kind {
            Kind::Earned => purse.earn(&row.month(), net),
            Kind::Spent => purse.take(SPENT, -net),
            Kind::Ended => purse.take(ENDED, -net),
            Kind::Refunded => purse.give_back(SPENT, net),
            Kind::Reversed => {
                let origin = self.origin(row);
                match (origin.kind, net) {
                    (Kind::Ended, 0..) => purse.give_back(ENDED, net),
                    (Kind::Ended, _) => purse.take(ENDED, -net),
                    (_, 0..) => purse.return_to(&origin.month(), net),
                    _ => purse.take_back(&origin.month(), -net),
                }
            }
        }
    }

    /// The row that a reversal is about in the end: a reversal may be reversed.
    fn origin<'s>(&'s self, row: &'s Row<'r>) -> &'s Row<'r> {
        let Some(id) = row.entry.transaction.activity.source_id.as_str().strip_suffix(":reversal") else {
            return row;
        };
        let is_it = |other: &&Row<'_>| other.entry.transaction.id.as_str() == id;
        self.origin(self.rows.iter().find(is_it).unwrap())
    }

    /// The report `products`, without titles.
    pub(super) fn products(&self) -> Vec<Vec<String>> {
        let mut products: BTreeMap<&str, [i64; 6]> = BTreeMap::new();
        for order in self.orders {
            let numbers = [1, order.quantity.get().into(), order.points.get()];
            let cancelled = if order.cancelled_at.is_some() { numbers } else { [0; 3] };
            let sums = products.entry(order.product.id.as_str()).or_default();
            sums.iter_mut().zip(numbers.into_iter().chain(cancelled)).for_each(|(sum, more)| *sum += more);
        }
        let mut products: Vec<_> = products.into_iter().collect();
        products.sort_by_key(|(_, sums)| -sums[2]);
        let row = |(id, sums): (&str, [i64; 6])| {
            std::iter::once(id.to_owned()).chain(sums.map(|sum| sum.to_string())).collect()
        };
        products.into_iter().map(row).collect()
    }
}

fn texts<const N: usize>(day: Day, numbers: [i64; N]) -> Vec<String> {
    std::iter::once(day.to_string()).chain(numbers.map(|number| number.to_string())).collect()
}

/// The places of the sums of a month.
const SPENT: usize = 1;
const ENDED: usize = 3;

/// The single points of a member: those that are left, in the order in which they are spent, and those that were spent or ended, by the place
/// of their sum.
#[derive(Default)]
struct Purse {
    left: Vec<String>,
    gone: BTreeMap<usize, Vec<String>>,
    /// Issued, spent, reversed, ended.
    months: BTreeMap<String, [i64; 4]>,
}

impl Purse {
    fn earn(&mut self, month: &str, points: i64) {
        self.months.entry(month.to_owned()).or_default()[0] += points;
        self.left.extend((0..points).map(|_| month.to_owned()));
        self.left.sort();
    }

    fn take(&mut self, of: usize, points: i64) {
        for _ in 0..points {
            let month = self.left.remove(0);
            self.pay(of, month);
        }
    }

    fn pay(&mut self, of: usize, month: String) {
        self.months.get_mut(&month).unwrap()[of] += 1;
        let gone = self.gone.entry(of).or_default();
        gone.push(month);
        gone.sort();
    }

    fn give_back(&mut self, of: usize, points: i64) {
        for _ in 0..points {
            let month = self.gone.get_mut(&of).unwrap().pop().unwrap();
            self.months.get_mut(&month).unwrap()[of] -= 1;
            self.left.push(month);
        }
        self.left.sort();
    }

    /// Points that were taken back come back.
    fn return_to(&mut self, month: &str, points: i64) {
        self.months.get_mut(month).unwrap()[2] -= points;
        self.left.extend((0..points).map(|_| month.to_owned()));
        self.left.sort();
    }

    /// Takes points of this month. If they were spent, or have ended, another point takes the place of each.
    fn take_back(&mut self, month: &str, points: i64) {
        for _ in 0..points {
            self.months.get_mut(month).unwrap()[2] += 1;
            if let Some(at) = self.left.iter().position(|left| left == month) {
                self.left.remove(at);
                continue;
            }
            let find =
                |(of, gone): (&usize, &Vec<String>)| Some((*of, gone.iter().position(|gone| gone == month)?));
            let (of, at) = self.gone.iter().find_map(find).unwrap();
            self.gone.get_mut(&of).unwrap().remove(at);
            self.months.get_mut(month).unwrap()[of] -= 1;
            let paying = self.left.remove(0);
            self.pay(of, paying);
        }
    }
}

//! Points: issued, spent and open.

use std::collections::BTreeMap;

use pointbook_domain::{Day, Timestamp};
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::{DailyTotal, Vintage};

use super::report::{Reading, Rows, Source};
use super::table::{sum, sums};
use super::{Column, ColumnKind, Report, Span, Value};
use crate::Month;

pub(super) static BY_DAY: Report = Report {
    name: "points",
    title: "Points by day",
    about: "One row for each day: what members earned and spent, and how many points all members have together at its end.",
    span: Span::Days,
    names_members: false,
    columns: &[
        DAY,
        TRANSACTIONS,
        EARNED,
        BONUS,
        SPENT,
        REFUNDED,
        REVERSED,
        EXPIRED,
        Column {
            name: "open_points",
            kind: ColumnKind::Points,
            about: "The points of all members together at the end of the day.",
        },
        Column {
            name: "redemption_percent",
            kind: ColumnKind::Percent,
            about: "Spent points without refunded ones, in percent of the earned and bonus points of this one day; 0 when none were \
                    earned. Members also spend points of earlier days: what became of the points of a month is in the report \
                    `vintages`.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(by_day(source)) },
    total: Some(by_day_total),
};

pub(super) static BY_TYPE: Report = Report {
    name: "activity-types",
    title: "Points by type of activity",
    about: "One row for each type of activity with transactions in these days.",
    span: Span::Days,
    names_members: false,
    columns: &[
        Column { name: "type", kind: ColumnKind::Text("code"), about: "The type of the activities." },
        TRANSACTIONS,
        EARNED,
        BONUS,
        SPENT,
        REFUNDED,
        REVERSED,
        EXPIRED,
    ],
    read: |source| -> Reading<'_> { Box::pin(by_type(source)) },
    total: Some(by_type_total),
};

pub(super) static BY_MONTH_OF_EARNING: Report = Report {
    name: "vintages",
    title: "Points by month of earning",
    about: "One row for each month with points: what became of those that members earned in it. Orders pay with a member's oldest \
            points first. The open points of all rows are the balances of all members.",
    span: Span::Whole,
    names_members: false,
    columns: &[
        Column { name: "month", kind: ColumnKind::Month, about: "The month of earning." },
        Column {
            name: "issued_points",
            kind: ColumnKind::Points,
            about: "The points that were earned in the month, bonuses included.",
        },
        Column {
            name: "spent_points",
            kind: ColumnKind::Points,
            about: "What of them was spent, in any month.",
        },
        Column { name: "reversed_points", kind: ColumnKind::Points, about: "What of them was taken back." },
        Column {
            name: "expired_points",
            kind: ColumnKind::Points,
            about: "What of them ended, in any month.",
        },
        Column {
            name: "open_points",
            kind: ColumnKind::Points,
            about: "What members still have of them. Below 0 for a month in which an imported history spent more than there was.",
        },
        Column {
            name: "redemption_percent",
            kind: ColumnKind::Percent,
            about: "The spent points in percent of the issued points; 0 when none were issued.",
        },
        Column {
            name: "expired_percent",
            kind: ColumnKind::Percent,
            about: "The points that ended in percent of the issued points; 0 when none were issued.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(by_month_of_earning(source)) },
    total: Some(by_month_total),
};

pub(super) const DAY: Column = Column { name: "day", kind: ColumnKind::Day, about: "The local day." };
const TRANSACTIONS: Column =
    Column { name: "transactions", kind: ColumnKind::Count, about: "How many rows the ledger has." };
const EARNED: Column = Column {
    name: "earned_points",
    kind: ColumnKind::Points,
    about: "What members earned, without bonuses.",
};
const BONUS: Column = Column { name: "bonus_points", kind: ColumnKind::Points, about: "The bonuses on top." };
const SPENT: Column = Column {
    name: "spent_points",
    kind: ColumnKind::Points,
    about: "What members spent, as a positive number.",
};
const REFUNDED: Column =
    Column { name: "refunded_points", kind: ColumnKind::Points, about: "What cancelled orders gave back." };
const REVERSED: Column = Column {
    name: "reversed_points",
    kind: ColumnKind::Points,
    about: "What reversals took back. Below 0 when they gave points back.",
};

const EXPIRED: Column =
    Column { name: "expired_points", kind: ColumnKind::Points, about: "What ended, as a positive number." };

/// Sums of totals.
#[derive(Default)]
struct Sum {
    transactions: i64,
    earned: i64,
    bonus: i64,
    spent: i64,
    refunded: i64,
    reversed: i64,
    expired: i64,
}

impl Sum {
    fn add(&mut self, total: &DailyTotal) {
        self.transactions = self.transactions.saturating_add(total.transactions);
        self.earned = self.earned.saturating_add(total.earned_points);
        self.bonus = self.bonus.saturating_add(total.bonus_points);
        self.spent = self.spent.saturating_add(total.spent_points);
        self.refunded = self.refunded.saturating_add(total.refunded_points);
        self.reversed = self.reversed.saturating_add(total.reversed_points);
        self.expired = self.expired.saturating_add(total.expired_points);
    }

    fn issued(&self) -> i64 {
        self.earned.saturating_add(self.bonus)
    }

    fn redeemed(&self) -> i64 {
        self.spent.saturating_sub(self.refunded)
    }

    /// The change of the balances.
    fn net(&self) -> i64 {
        let gone = self.redeemed().saturating_add(self.reversed).saturating_add(self.expired);
        self.issued().saturating_sub(gone)
    }

    fn values(&self) -> impl Iterator<Item = Value> {
        let Self { transactions, earned, bonus, spent, refunded, reversed, expired } = *self;
        [transactions, earned, bonus, spent, refunded, reversed, expired].map(Value::Number).into_iter()
    }
}

pub(super) async fn totals(source: &Source<'_>, from: Day, until: Day) -> StoreResult<Vec<DailyTotal>> {
    let totals = Query::of::<DailyTotal>("daily_totals", &["day", "type"]).between("day", [&from, &until]);
    read_all(source.data, totals).await
}

/// All points now are known from the months of earning. Going back from there needs only the days after.
async fn by_day(source: &Source<'_>) -> StoreResult<Rows> {
    let mut sums: BTreeMap<Day, Sum> = BTreeMap::new();
    for total in totals(source, source.range.from, Timestamp::MAX.day()).await? {
        sums.entry(total.day).or_default().add(&total);
    }
    let mut open = vintages(source).await?.iter().map(open_points).fold(0, i64::saturating_add);
    let later = sums.iter().filter(|(day, _)| **day > source.range.until);
    open = later.fold(open, |open, (_, sum)| open.saturating_sub(sum.net()));
    let mut rows = Vec::new();
    for day in source.range.days().rev() {
        let sum = sums.remove(&day).unwrap_or_default();
        let rate = Value::percent(sum.redeemed(), sum.issued());
        let last = [Value::Number(open), rate];
        rows.push(std::iter::once(Value::Day(day)).chain(sum.values()).chain(last).collect());
        open = open.saturating_sub(sum.net());
    }
    rows.reverse();
    Ok(rows)
}

/// The days together: all but the open points, and the percentage of the sums.
fn by_day_total(rows: &[Vec<Value>]) -> Vec<Option<Value>> {
    let [earned, bonus, spent, refunded] = [2, 3, 4, 5].map(|column| sum(rows, column));
    let rate = Value::percent(spent.saturating_sub(refunded), earned.saturating_add(bonus));
    let mut total = sums(rows, BY_DAY.columns.len() - 1, 1..8);
    total.push(Some(rate));
    total
}

fn by_type_total(rows: &[Vec<Value>]) -> Vec<Option<Value>> {
    sums(rows, BY_TYPE.columns.len(), 1..8)
}

fn by_month_total(rows: &[Vec<Value>]) -> Vec<Option<Value>> {
    let [issued, spent, expired] = [1, 2, 4].map(|column| sum(rows, column));
    let mut total = sums(rows, BY_MONTH_OF_EARNING.columns.len() - 2, 1..6);
    total.extend([spent, expired].map(|part| Some(Value::percent(part, issued))));
    total
}

async fn by_type(source: &Source<'_>) -> StoreResult<Rows> {
    let mut sums: BTreeMap<String, Sum> = BTreeMap::new();
    for total in totals(source, source.range.from, source.range.until).await? {
        sums.entry(total.kind.clone()).or_default().add(&total);
    }
    let row = |(kind, sum): (String, Sum)| std::iter::once(Value::Text(kind)).chain(sum.values()).collect();
    Ok(sums.into_iter().map(row).collect())
}

async fn by_month_of_earning(source: &Source<'_>) -> StoreResult<Rows> {
    let row = |vintage: Vintage| {
        let Vintage { month, issued_points, spent_points, reversed_points, expired_points } = vintage;
        let numbers = [issued_points, spent_points, reversed_points, expired_points, open_points(&vintage)];
        let rates = [spent_points, expired_points].map(|part| Value::percent(part, issued_points));
        std::iter::once(Value::Month(Month(month))).chain(numbers.map(Value::Number)).chain(rates).collect()
    };
    Ok(vintages(source).await?.into_iter().map(row).collect())
}

async fn vintages(source: &Source<'_>) -> StoreResult<Vec<Vintage>> {
    read_all(source.data, Query::of::<Vintage>("vintages", &["month"])).await
}

fn open_points(vintage: &Vintage) -> i64 {
    let Vintage { month: _, issued_points, spent_points, reversed_points, expired_points } = vintage;
    issued_points
        .saturating_sub(*spent_points)
        .saturating_sub(*reversed_points)
        .saturating_sub(*expired_points)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On the first day members earn 100 and spend nothing, on the second they spend 60 and earn 20.
    #[test]
    fn the_percentage_of_a_total_is_that_of_the_sums() {
        let row = |numbers: [i64; 9]| {
            std::iter::once(Value::Day(Timestamp::MIN.day())).chain(numbers.map(Value::Number)).collect()
        };
        let rows: Vec<Vec<Value>> =
            vec![row([1, 90, 10, 0, 0, 0, 0, 100, 0]), row([2, 20, 0, 60, 12, 3, 4, 65, 240])];
        let shown = |total: Vec<Option<Value>>| {
            total
                .iter()
                .map(|value| value.as_ref().map_or(String::new(), Value::to_string))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(by_day_total(&rows)), ["", "3", "110", "10", "60", "12", "3", "4", "", "40"]);
        assert_eq!(shown(by_day_total(&[])), ["", "0", "0", "0", "0", "0", "0", "0", "", "0"]);
        assert_eq!(shown(by_type_total(&rows)), ["", "3", "110", "10", "60", "12", "3", "4"]);
        let rows: Vec<Vec<Value>> = [[100, 30, 10, 5, 55, 30, 5], [0, 10, 0, 0, -10, 0, 0]]
            .map(|numbers| {
                std::iter::once(Value::Month(Month(1))).chain(numbers.map(Value::Number)).collect()
            })
            .into();
        assert_eq!(shown(by_month_total(&rows)), ["", "100", "40", "10", "5", "45", "40", "5"]);
    }
}

//! Members: how many were active, came and went.

use std::collections::{BTreeMap, BTreeSet};

use pointbook_domain::Day;
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::{Cohort, DailyMembers};

use super::points::DAY;
use super::report::{Reading, Rows, Source};
use super::{Column, ColumnKind, Report, Span, Value};
use crate::Month;

pub(super) static BY_DAY: Report = Report {
    name: "members",
    title: "Members by day",
    about: "One row for each day: how many members were active. A member is active on a day with a transaction that earns or spends \
            points; reversals, refunds and back-fills do not count.",
    span: Span::Days,
    names_members: false,
    columns: &[
        DAY,
        movers("new_members", "Members who were active for the first time."),
        members("active_members", "Members who were active on the day."),
        members("active_7_days", "Members who were active in the 7 days that end with it."),
        members("active_28_days", "Members who were active in the 28 days that end with it."),
        movers(
            "returning_members",
            "Members who were active, and whose active day before is more than 28 days ago.",
        ),
        movers("lapsed_members", "Members who were active 28 days before and not since."),
    ],
    read: |source| -> Reading<'_> { Box::pin(by_day(source)) },
    total: None,
};

pub(super) static COHORTS: Report = Report {
    name: "cohorts",
    title: "Members by month of joining",
    about: "One row for each month of joining and each month from then on: how many of the members who joined in the first were active in \
            the second. A member joins with the first active day.",
    span: Span::Whole,
    names_members: false,
    columns: &[
        Column { name: "joined", kind: ColumnKind::Month, about: "The month of joining." },
        Column { name: "month", kind: ColumnKind::Month, about: "The month of activity." },
        Column {
            name: "active_members",
            kind: ColumnKind::GroupSize,
            about: "How many of the members who joined were active in it.",
        },
        Column {
            name: "active_percent",
            kind: ColumnKind::Percent,
            about: "The same in percent of all who joined in that month.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(cohorts(source)) },
    total: None,
};

const fn members(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: ColumnKind::Members, about }
}

const fn movers(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: ColumnKind::Movers, about }
}

async fn by_day(source: &Source<'_>) -> StoreResult<Rows> {
    let range = source.range;
    let days =
        Query::of::<DailyMembers>("daily_members", &["day"]).between("day", [&range.from, &range.until]);
    let days: Vec<DailyMembers> = read_all(source.data, days).await?;
    let days: BTreeMap<Day, DailyMembers> = days.into_iter().map(|row| (row.day, row)).collect();
    let numbers = |day| {
        days.get(&day).map_or([0; 6], |row: &DailyMembers| {
            [row.joined, row.active_1, row.active_7, row.active_28, row.came_back, row.lapsed]
        })
    };
    let row = |day| std::iter::once(Value::Day(day)).chain(numbers(day).map(Value::Number)).collect();
    Ok(range.days().map(row).collect())
}

async fn cohorts(source: &Source<'_>) -> StoreResult<Rows> {
    let cohorts: Vec<Cohort> =
        read_all(source.data, Query::of::<Cohort>("cohorts", &["joined", "month"])).await?;
    let members: BTreeMap<(i64, i64), i64> =
        cohorts.iter().map(|row| ((row.joined, row.month), row.members)).collect();
    let count = |joined, month| members.get(&(joined, month)).copied().unwrap_or_default();
    let last = cohorts.iter().map(|row| row.month).max().unwrap_or_default();
    let months = |joined| (joined..=last).map(move |month| (joined, month));
    let row = |(joined, month)| {
        // All who join are active in that month.
        let (active, all) = (count(joined, month), count(joined, joined));
        let months = [joined, month].map(|month| Value::Month(Month(month)));
        months.into_iter().chain([Value::Number(active), Value::percent(active, all)]).collect()
    };
    let joined: BTreeSet<i64> = cohorts.iter().map(|row| row.joined).collect();
    Ok(joined.into_iter().flat_map(months).take(MAX_COHORT_ROWS).map(row).collect())
}

/// Twenty years and more. Days far in the future would make more rows.
const MAX_COHORT_ROWS: usize = 40_000;

//! Points by the month in which they end.

use std::collections::BTreeMap;

use pointbook_domain::expiry::{never, owed};
use pointbook_domain::{Day, UserId};
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::{KeptLots, UserLots};

use super::report::{Reading, Rows, Source};
use super::table::{add, sums};
use super::{Column, ColumnKind, Report, Span, Value};
use crate::Month;

pub(super) static BY_MONTH_OF_EXPIRY: Report = Report {
    name: "expiry",
    title: "Points by month of expiry",
    about: "One row for each month in which points end that members have now. The open points of all rows are the balances of all \
            members. Points that are over count until the ledger has the row in which they ended.",
    span: Span::Whole,
    names_members: false,
    columns: &[
        Column {
            name: "ends_in",
            kind: ColumnKind::Text("2026-05"),
            about: "The month in which the points end, `never`, or `debt` for the balances below 0.",
        },
        Column { name: "members", kind: ColumnKind::GroupSize, about: "How many members have such points." },
        Column { name: "open_points", kind: ColumnKind::Points, about: "What they have of them together." },
    ],
    read: |source| -> Reading<'_> { Box::pin(by_month_of_expiry(source)) },
    total: Some(|rows| sums(rows, BY_MONTH_OF_EXPIRY.columns.len(), 2..3)),
};

const MEMBERS_PER_READ: u32 = 4_000;

/// The members and their points, by the first day of the month, as they are at one moment.
#[derive(Default)]
struct Ends(BTreeMap<Month, [i64; 2]>);

impl Ends {
    fn count(&mut self, user: &UserLots) {
        let balance = [(never(), user.balance.get())];
        let lots: Vec<(Day, i64)> = match &user.kept {
            Some(KeptLots { lots, .. }) => lots.iter().collect(),
            None => balance.into_iter().filter(|(_, points)| *points != 0).collect(),
        };
        let mut months: BTreeMap<Month, i64> = BTreeMap::new();
        for (last_day, points) in lots {
            let last_day = if points < 0 { owed() } else { last_day };
            let sum = months.entry(Month::from(last_day)).or_default();
            *sum = sum.saturating_add(points);
        }
        for (month, points) in months {
            add(self.0.entry(month).or_insert([0, 0]), [1, points]);
        }
    }
}

async fn by_month_of_expiry(source: &Source<'_>) -> StoreResult<Rows> {
    let moment = source.data.row_snapshot().await?;
    let (mut ends, mut after): (Ends, Option<UserId>) = (Ends::default(), None);
    loop {
        let users = Query::of::<UserLots>("points_by_end", &["id"]).after(after.as_ref());
        let users: Vec<UserLots> = read_all(&*moment, users.limit(MEMBERS_PER_READ)).await?;
        let Some(last) = users.last() else { break };
        for user in &users {
            ends.count(user);
        }
        after = Some(last.id.clone());
    }
    let [debt, forever] = [owed(), never()].map(Month::from);
    let name = |month: Month| match month {
        month if month == debt => "debt".to_owned(),
        month if month == forever => "never".to_owned(),
        month => month.to_string(),
    };
    let row = |(month, sums): (Month, [i64; 2])| {
        std::iter::once(Value::Text(name(month))).chain(sums.map(Value::Number)).collect()
    };
    Ok(ends.0.into_iter().map(row).collect())
}

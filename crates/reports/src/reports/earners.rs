//! The members who earned most.

use std::cmp::Reverse;

use pointbook_domain::UserId;
use pointbook_store::StoreResult;

use super::member_days::for_each_member;
use super::report::{Reading, Rows, Source};
use super::table::count;
use super::{Column, ColumnKind, Report, Span, Value};

pub(super) static EARNERS: Report = Report {
    name: "earners",
    title: "Members who earned most",
    about: "The 100 members who earned most points in these days, bonuses included. The member with the most points comes \
            first. The bonuses of back-fills do not count.",
    span: Span::Days,
    names_members: true,
    columns: &[
        Column { name: "user_id", kind: ColumnKind::Text("mia"), about: "The id of the user." },
        Column {
            name: "earned_points",
            kind: ColumnKind::Points,
            about: "What the member earned, without bonuses.",
        },
        Column { name: "bonus_points", kind: ColumnKind::Points, about: "The bonuses on top." },
        Column {
            name: "active_days",
            kind: ColumnKind::Count,
            about: "On how many of these days the member was active.",
        },
        Column { name: "orders", kind: ColumnKind::Count, about: "How many orders the member placed." },
    ],
    read: |source| -> Reading<'_> { Box::pin(earners(source)) },
    total: None,
};

const SHOWN: usize = 100;

/// Twice as many as shown are kept, so that they are sorted seldom.
const KEPT: usize = 2 * SHOWN;

struct Earner {
    user_id: UserId,
    earned: i64,
    bonus: i64,
    days: i64,
    orders: i64,
}

async fn earners(source: &Source<'_>) -> StoreResult<Rows> {
    let (mut best, range): (Vec<Earner>, _) = (Vec::new(), source.range);
    for_each_member(source.data, range.from, |user_id, days| {
        let (mut earned, mut bonus, mut orders) = (0_i64, 0_i64, 0_i64);
        let active = days.between(range.from, range.until);
        for day in active {
            earned = earned.saturating_add(day.earned);
            bonus = bonus.saturating_add(day.bonus);
            orders = orders.saturating_add(day.orders);
        }
        if !active.is_empty() {
            best.push(Earner { user_id, earned, bonus, days: count(active.len()), orders });
        }
        if best.len() >= KEPT {
            cut(&mut best);
        }
    })
    .await?;
    cut(&mut best);
    let row = |Earner { user_id, earned, bonus, days, orders }: Earner| {
        let numbers = [earned, bonus, days, orders].map(Value::Number);
        std::iter::once(Value::Text(user_id.as_str().to_owned())).chain(numbers).collect()
    };
    Ok(best.into_iter().map(row).collect())
}

/// Members come by id, and the sort keeps the order of equal ones.
fn cut(earners: &mut Vec<Earner>) {
    earners.sort_by_key(|earner| Reverse(earner.earned.saturating_add(earner.bonus)));
    earners.truncate(SHOWN);
}

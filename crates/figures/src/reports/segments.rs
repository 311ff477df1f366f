//! Members by recency, frequency and points.

use std::collections::BTreeMap;

use pointbook_app::StoreResult;
use pointbook_app::background::in_background;
use pointbook_app::ports::{Query, read_all};
use pointbook_domain::UserId;
use pointbook_schema::rows::MemberActivity;

use super::report::{Reading, Rows, Source};
use super::{Column, ColumnKind, Report, Span, Value};

pub(super) static SEGMENTS: Report = Report {
    name: "segments",
    title: "Members by recency, frequency and points",
    about: "Groups of members. All active members are ranked three times, and each ranking is cut in fifths: 5 is the fifth with the \
            highest values. Members with the same value are in the same fifth.",
    span: Span::Whole,
    names_members: false,
    columns: &[
        fifth("recency", "By the last active day; 5 for the latest."),
        fifth("frequency", "By the number of active days; 5 for the most."),
        fifth("points", "By the points that they earned, bonuses included; 5 for the most."),
        Column { name: "members", kind: ColumnKind::GroupSize, about: "How many members are in the group." },
        Column {
            name: "issued_points",
            kind: ColumnKind::Points,
            about: "What they earned together, bonuses included and reversals taken off.",
        },
        Column {
            name: "spent_points",
            kind: ColumnKind::Points,
            about: "What they spent together, refunds taken off.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(segments(source)) },
};

const fn fifth(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: ColumnKind::Count, about }
}

const MEMBERS_PER_READ: u32 = 4_000;

/// Recency, frequency, points.
type Measures = [i64; 3];

struct Ranked {
    measures: Measures,
    earned: i64,
    spent: i64,
}

async fn segments(source: &Source<'_>) -> StoreResult<Rows> {
    let members = members(source).await?;
    in_background(move || grouped(&members)).await
}

fn grouped(members: &[Ranked]) -> Rows {
    let ranks: [Vec<i64>; 3] = [0, 1, 2].map(|at| sorted(members, at));
    let mut groups: BTreeMap<Measures, [i64; 3]> = BTreeMap::new();
    for Ranked { measures, earned, spent } in members {
        let mut fifths = *measures;
        fifths.iter_mut().zip(&ranks).for_each(|(value, rank)| *value = fifth_of(rank, *value));
        let sums = groups.entry(fifths).or_default();
        sums.iter_mut().zip([1, *earned, *spent]).for_each(|(sum, more)| *sum = sum.saturating_add(more));
    }
    let row =
        |(fifths, sums): (Measures, [i64; 3])| fifths.into_iter().chain(sums).map(Value::Number).collect();
    groups.into_iter().map(row).collect()
}

/// The members who were ever active.
async fn members(source: &Source<'_>) -> StoreResult<Vec<Ranked>> {
    let (mut all, mut after): (Vec<Ranked>, Option<UserId>) = (Vec::new(), None);
    loop {
        let rows = Query::of::<MemberActivity>("segments", &["user_id"]);
        let rows = rows.null("last_day", Some(false)).after(after.as_ref()).limit(MEMBERS_PER_READ);
        let rows: Vec<MemberActivity> = read_all(source.data, rows).await?;
        let Some(last) = rows.last() else { return Ok(all) };
        after = Some(last.user_id.clone());
        all.extend(rows.into_iter().map(|row| Ranked {
            measures: [row.last_day.map_or(0, |day| day.as_days().into()), row.day_count, row.earned_points],
            earned: row.earned_points,
            spent: row.spent_points,
        }));
    }
}

fn sorted(members: &[Ranked], at: usize) -> Vec<i64> {
    let mut values: Vec<i64> = members.iter().filter_map(|member| member.measures.get(at)).copied().collect();
    values.sort_unstable();
    values
}

/// 1 to 5, by how many members have a lower value.
fn fifth_of(sorted: &[i64], value: i64) -> i64 {
    let lower = sorted.partition_point(|other| *other < value);
    let fifth = lower * 5 / sorted.len().max(1) + 1;
    i64::try_from(fifth).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_are_in_one_fifth() {
        let values = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
        let fifths: Vec<i64> = values.iter().map(|value| fifth_of(&values, *value)).collect();
        assert_eq!(fifths, [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        let same = [7; 10];
        assert_eq!(fifth_of(&same, 7), 1);
        assert_eq!(fifth_of(&[3], 3), 1);
    }
}

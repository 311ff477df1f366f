//! Members by recency, frequency and points.

use std::collections::BTreeMap;

use pointbook_domain::UserId;
use pointbook_store::StoreResult;
use pointbook_store::background::in_background;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::MemberActivity;

use super::report::{Reading, Rows, Source};
use super::table::{add, count};
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
    total: None,
};

const fn fifth(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: ColumnKind::Count, about }
}

const MEMBERS_PER_READ: u32 = 4_000;

/// Recency, frequency, points.
type Measures = [i64; 3];

/// How many members have each value of a measure.
#[derive(Default)]
struct Ranking(BTreeMap<i64, u64>);

/// The smallest values of the second to the fifth fifth. `None` when no member is so high.
#[derive(Debug, PartialEq, Eq)]
struct Fifths([Option<i64>; 4]);

/// Reads the members twice, so that only the different values are in memory: first to rank them, then to count the groups.
async fn segments(source: &Source<'_>) -> StoreResult<Rows> {
    let mut rankings: [Ranking; 3] = Default::default();
    for_each_active(source, |member| {
        rankings.iter_mut().zip(measures(member)).for_each(|(ranking, value)| ranking.add(value));
    })
    .await?;
    let fifths = in_background(move || rankings.map(|ranking| ranking.fifths())).await?;
    let mut groups: BTreeMap<Measures, [i64; 3]> = BTreeMap::new();
    for_each_active(source, |member| {
        let mut group = measures(member);
        group.iter_mut().zip(&fifths).for_each(|(value, fifths)| *value = fifths.of(*value));
        add(groups.entry(group).or_default(), [1, member.earned_points, member.spent_points]);
    })
    .await?;
    let row =
        |(fifths, sums): (Measures, [i64; 3])| fifths.into_iter().chain(sums).map(Value::Number).collect();
    Ok(groups.into_iter().map(row).collect())
}

fn measures(member: &MemberActivity) -> Measures {
    let last_day = member.last_day.map_or(0, |day| day.as_days().into());
    [last_day, member.day_count, member.earned_points]
}

/// Calls `each` for the members who were ever active, by id.
async fn for_each_active(
    source: &Source<'_>,
    mut each: impl FnMut(&MemberActivity) + Send,
) -> StoreResult<()> {
    let mut after: Option<UserId> = None;
    loop {
        let rows = Query::of::<MemberActivity>("segments", &["user_id"]);
        let rows = rows.null("last_day", Some(false)).after(after.as_ref()).limit(MEMBERS_PER_READ);
        let rows: Vec<MemberActivity> = read_all(source.data, rows).await?;
        let Some(last) = rows.last() else { return Ok(()) };
        rows.iter().for_each(&mut each);
        after = Some(last.user_id.clone());
    }
}

impl Ranking {
    fn add(&mut self, value: i64) {
        *self.0.entry(value).or_default() += 1;
    }

    /// A value is in the fifth that its first member is in.
    fn fifths(&self) -> Fifths {
        let all = self.0.values().sum::<u64>().max(1);
        let (mut lower, mut fifths) = (0, [None; 4]);
        for (value, members) in &self.0 {
            let reached = usize::try_from(lower * 5 / all).unwrap_or_default();
            let new = fifths.iter_mut().take(reached);
            new.for_each(|smallest| *smallest = smallest.or(Some(*value)));
            lower += members;
        }
        Fifths(fifths)
    }
}

impl Fifths {
    /// 1 to 5.
    fn of(&self, value: i64) -> i64 {
        let reached = self.0.iter().flatten().filter(|smallest| value >= **smallest).count();
        count(reached).saturating_add(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fifths(values: &[i64]) -> Vec<i64> {
        let mut ranking = Ranking::default();
        for value in values {
            ranking.add(*value);
        }
        let fifths = ranking.fifths();
        values.iter().map(|value| fifths.of(*value)).collect()
    }

    #[test]
    fn equal_values_are_in_one_fifth() {
        assert_eq!(fifths(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]), [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]);
        assert_eq!(fifths(&[7; 10]), [1; 10]);
        assert_eq!(fifths(&[3]), [1]);
        assert_eq!(fifths(&[1, 1, 1, 1, 9]), [1, 1, 1, 1, 5]);
        assert_eq!(Ranking::default().fifths(), Fifths([None; 4]));
    }

    /// The definition: how many members have a lower value.
    #[test]
    fn fifths_are_those_of_a_sorted_list() {
        let values: Vec<i64> = (0..97).map(|at| (at * at) % 31).collect();
        let lower = |value: &i64| values.iter().filter(|other| *other < value).count();
        let expected: Vec<i64> =
            values.iter().map(|value| count(lower(value) * 5 / values.len() + 1)).collect();
        assert_eq!(fifths(&values), expected);
    }
}

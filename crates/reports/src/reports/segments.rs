//! Members by recency, frequency and points, and the names of the groups.

use std::collections::BTreeMap;

use pointbook_domain::{Day, Timestamp, UserId};
use pointbook_store::StoreResult;
use pointbook_store::background::in_background;
use pointbook_store::ports::{Query, TenantData, read_all};
use pointbook_store::schema::rows::MemberActivity;

use super::member_days::for_each_member;
use super::report::{Reading, Rows, Source};
use super::table::{add, count};
use super::{Column, ColumnKind, Report, Span, Value};

/// A part of the grid of recency and frequency, which has a name.
#[derive(Debug, PartialEq, Eq)]
pub struct Segment {
    pub name: &'static str,
    /// The first and the last fifth of each.
    recency: [i64; 2],
    frequency: [i64; 2],
}

/// Each field of the grid is in exactly one of them.
pub static SEGMENT_NAMES: [Segment; 10] = [
    Segment { name: "champions", recency: [5, 5], frequency: [4, 5] },
    Segment { name: "loyal", recency: [3, 4], frequency: [4, 5] },
    Segment { name: "promising", recency: [4, 5], frequency: [2, 3] },
    Segment { name: "new", recency: [5, 5], frequency: [1, 1] },
    Segment { name: "first_steps", recency: [4, 4], frequency: [1, 1] },
    Segment { name: "needs_a_nudge", recency: [3, 3], frequency: [3, 3] },
    Segment { name: "falling_asleep", recency: [3, 3], frequency: [1, 2] },
    Segment { name: "at_risk", recency: [1, 2], frequency: [3, 4] },
    Segment { name: "cannot_lose", recency: [1, 2], frequency: [5, 5] },
    Segment { name: "lost", recency: [1, 2], frequency: [1, 2] },
];

impl Segment {
    fn has(&self, [recency, frequency]: [i64; 2]) -> bool {
        let is_in = |[first, last]: [i64; 2], fifth| (first..=last).contains(&fifth);
        is_in(self.recency, recency) && is_in(self.frequency, frequency)
    }
}

/// The name of a field of the grid.
fn name_of(fifths: [i64; 2]) -> Value {
    let segment = SEGMENT_NAMES.iter().find(|segment| segment.has(fifths));
    Value::Text(segment.map_or("", |segment| segment.name).to_owned())
}

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
        NAME,
    ],
    read: |source| -> Reading<'_> { Box::pin(segments(source)) },
    total: None,
};

/// The groups with one name together. A page shows them; it is no report of the interface.
pub static BY_NAME: Report = Report {
    name: "segments",
    title: "Segments",
    about: "One row for each segment.",
    span: Span::Whole,
    names_members: false,
    columns: &[
        NAME,
        Column { name: "members", kind: ColumnKind::GroupSize, about: "How many members are in it." },
        Column {
            name: "members_before",
            kind: ColumnKind::Members,
            about: "How many were in it 28 days ago, as it is known now.",
        },
        Column { name: "open_points", kind: ColumnKind::Points, about: "What they can spend together." },
    ],
    read: |source| -> Reading<'_> { Box::pin(by_name(source)) },
    total: None,
};

const NAME: Column = Column {
    name: "segment",
    kind: ColumnKind::Text("champions"),
    about: "The name of the group, by `recency` and `frequency`: `champions`, `loyal`, `promising`, `new`, `first_steps`, \
            `needs_a_nudge`, `falling_asleep`, `at_risk`, `cannot_lose` or `lost`.",
};

/// How many days ago the members were counted to whom those of now are compared.
const DAYS_BEFORE: i32 = 28;

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
    for_each_active(source.data, |member| {
        rankings.iter_mut().zip(measures(member)).for_each(|(ranking, value)| ranking.add(value));
    })
    .await?;
    let fifths = in_background(move || rankings.map(|ranking| ranking.fifths())).await?;
    let mut groups: BTreeMap<Measures, [i64; 3]> = BTreeMap::new();
    for_each_active(source.data, |member| {
        let mut group = measures(member);
        group.iter_mut().zip(&fifths).for_each(|(value, fifths)| *value = fifths.of(*value));
        add(groups.entry(group).or_default(), [1, member.earned_points, member.spent_points]);
    })
    .await?;
    let row = |(fifths, sums): (Measures, [i64; 3])| {
        let [recency, frequency, _] = fifths;
        let numbers = fifths.into_iter().chain(sums).map(Value::Number);
        numbers.chain([name_of([recency, frequency])]).collect()
    };
    Ok(groups.into_iter().map(row).collect())
}

/// How many members have each last active day and number of active days, and their open points.
#[derive(Default)]
struct Grid(BTreeMap<[i64; 2], [i64; 2]>);

impl Grid {
    async fn of_now(data: &dyn TenantData) -> StoreResult<Self> {
        let mut grid = Self::default();
        for_each_active(data, |member| {
            let [recency, frequency, _] = measures(member);
            add(grid.0.entry([recency, frequency]).or_default(), [1, open_points(member)]);
        })
        .await?;
        Ok(grid)
    }

    /// Those who were active until this day, without their points.
    async fn until(data: &dyn TenantData, until: Day) -> StoreResult<Self> {
        let (mut grid, ever) = (Self::default(), Timestamp::MIN.day());
        for_each_member(data, ever, |_, days| {
            let days = days.between(ever, until);
            if let Some(last) = days.last() {
                add(grid.0.entry([last.day.as_days().into(), count(days.len())]).or_default(), [1, 0]);
            }
        })
        .await?;
        Ok(grid)
    }

    /// Of recency and of frequency.
    fn fifths(&self) -> [Fifths; 2] {
        let mut rankings: [Ranking; 2] = Default::default();
        for (values, [members, _]) in &self.0 {
            for (ranking, value) in rankings.iter_mut().zip(values) {
                *ranking.0.entry(*value).or_default() += members.unsigned_abs();
            }
        }
        rankings.map(|ranking| ranking.fifths())
    }

    /// The members and the open points of each segment.
    fn sums(&self) -> [[i64; 2]; SEGMENT_NAMES.len()] {
        let ([recency, frequency], mut sums) = (self.fifths(), [[0; 2]; SEGMENT_NAMES.len()]);
        for ([last, days], more) in &self.0 {
            let fifths = [recency.of(*last), frequency.of(*days)];
            let place = SEGMENT_NAMES.iter().position(|segment| segment.has(fifths));
            if let Some(sums) = place.and_then(|place| sums.get_mut(place)) {
                add(sums, *more);
            }
        }
        sums
    }
}

async fn by_name(source: &Source<'_>) -> StoreResult<Rows> {
    let until = Day::from_days(source.today.as_days() - DAYS_BEFORE).unwrap_or(source.today);
    let (now, before) = (Grid::of_now(source.data).await?, Grid::until(source.data, until).await?);
    let [now, before] = in_background(move || [now.sums(), before.sums()]).await?;
    let row = |((segment, [members, open]), [earlier, _]): ((&Segment, [i64; 2]), [i64; 2])| {
        let name = Value::Text(segment.name.to_owned());
        std::iter::once(name).chain([members, earlier, open].map(Value::Number)).collect()
    };
    Ok(SEGMENT_NAMES.iter().zip(now).zip(before).map(row).collect())
}

/// The members of a segment, by id.
pub(crate) async fn members_of(data: &dyn TenantData, segment: &Segment) -> StoreResult<Query> {
    let grid = Grid::of_now(data).await?;
    let [recency, frequency] = in_background(move || grid.fifths()).await?;
    let ever = [Timestamp::MIN, Timestamp::MAX].map(Timestamp::day);
    let none = [ever[1], ever[0]];
    let day = |days: i64| i32::try_from(days).ok().and_then(Day::from_days);
    let days = |[first, last]: [i64; 2]| [day(first).unwrap_or(ever[0]), day(last).unwrap_or(ever[1])];
    let days = recency.ends(segment.recency).map_or(none, days);
    let counts = frequency.ends(segment.frequency).unwrap_or([1, 0]);
    let members = Query::of::<MemberActivity>("segment_members", &["user_id"]);
    Ok(members.between("last_day", days.each_ref()).between("day_count", counts.each_ref()))
}

/// What a member has.
pub(crate) fn open_points(member: &MemberActivity) -> i64 {
    member.earned_points.saturating_sub(member.spent_points).saturating_sub(member.expired_points)
}

fn measures(member: &MemberActivity) -> Measures {
    let last_day = member.last_day.map_or(0, |day| day.as_days().into());
    [last_day, member.day_count, member.earned_points]
}

/// Calls `each` for the members who were ever active, by id.
async fn for_each_active(
    data: &dyn TenantData,
    mut each: impl FnMut(&MemberActivity) + Send,
) -> StoreResult<()> {
    let mut after: Option<UserId> = None;
    loop {
        let rows = Query::of::<MemberActivity>("segments", &["user_id"]);
        let rows = rows.null("last_day", Some(false)).after(after.as_ref()).limit(MEMBERS_PER_READ);
        let rows: Vec<MemberActivity> = read_all(data, rows).await?;
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

    /// The smallest and the largest value from one fifth to another. `None` when no member is so high.
    fn ends(&self, [first, last]: [i64; 2]) -> Option<[i64; 2]> {
        let smallest = |fifth: i64| *usize::try_from(fifth - 2).ok().and_then(|at| self.0.get(at))?;
        let low = if first == 1 { i64::MIN } else { smallest(first)? };
        Some([low, smallest(last + 1).map_or(i64::MAX, |above| above.saturating_sub(1))])
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

    #[test]
    fn each_field_has_exactly_one_name() {
        for (recency, frequency) in (1..=5).flat_map(|recency| (1..=5).map(move |days| (recency, days))) {
            let named = SEGMENT_NAMES.iter().filter(|segment| segment.has([recency, frequency]));
            assert_eq!(named.count(), 1, "{recency} {frequency}");
        }
        assert_eq!(name_of([5, 5]), Value::Text("champions".to_owned()));
        assert_eq!(name_of([1, 5]), Value::Text("cannot_lose".to_owned()));
    }

    /// A list of members by the ends has those whom the grid counts.
    #[test]
    fn the_ends_of_fifths_hold_exactly_their_values() {
        for values in [vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10], vec![7; 10], vec![3], vec![1, 1, 1, 1, 9], vec![]]
        {
            let mut ranking = Ranking::default();
            for value in &values {
                ranking.add(*value);
            }
            let fifths = ranking.fifths();
            for (first, last) in (1..=5).flat_map(|first| (first..=5).map(move |last| (first, last))) {
                let ends = fifths.ends([first, last]);
                for value in 0..12 {
                    let is_in = ends.is_some_and(|[low, high]| (low..=high).contains(&value));
                    let expected = (first..=last).contains(&fifths.of(value));
                    assert_eq!(is_in, expected, "{value} from {first} to {last} of {values:?}");
                }
            }
        }
    }
}

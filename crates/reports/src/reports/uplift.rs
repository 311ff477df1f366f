//! What campaigns changed: members outside of their control groups against those inside.

use pointbook_domain::{Day, Timestamp};
use pointbook_points::campaigns::runs::started_runs;
use pointbook_points::earning::bonuses::current_rules;
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::{CampaignRunRow, CampaignVersionRow};

use super::control_time::ControlTime;
use super::member_days::for_each_member;
use super::report::{Reading, Rows, Source};
use super::table::count;
use super::welch::{Comparison, Sample, compare};
use super::{Column, ColumnKind, Report, Span, Value};
use crate::count::ActiveDay;

pub(super) static UPLIFT: Report = Report {
    name: "uplift",
    title: "What campaigns changed",
    about: "Three rows for each campaign with a control group that has started: active days, points earned without bonuses, and orders. Each compares all \
            members who joined by the end outside of the control group with those inside, from the start of the campaign until 28 days \
            after its end. Days without a control group do not count. Numbers are per 1,000 members. With 95 % confidence, the difference is between the lowest and the highest.",
    span: Span::Whole,
    names_members: false,
    columns: &[
        Column { name: "campaign", kind: ColumnKind::Text("spring"), about: "The id of the campaign." },
        Column {
            name: "measure",
            kind: ColumnKind::Text("active_days"),
            about: "`active_days`, `earned_points` or `orders`.",
        },
        Column { name: "from", kind: ColumnKind::Day, about: "The first local day that counts." },
        Column { name: "until", kind: ColumnKind::Day, about: "The last local day that counts." },
        Column {
            name: "members",
            kind: ColumnKind::GroupSize,
            about: "How many members are outside of the control group.",
        },
        Column {
            name: "control_members",
            kind: ColumnKind::GroupSize,
            about: "How many members are inside.",
        },
        thousand("per_1000", "The measure outside of the control group."),
        thousand("control_per_1000", "The measure inside."),
        thousand("difference_per_1000", "The first less the second."),
        thousand("lowest_per_1000", "The lower end of the interval of 95 % confidence."),
        thousand("highest_per_1000", "Its upper end."),
        Column {
            name: "result",
            kind: ColumnKind::Text("more"),
            about: "`more` or `less` when both the lowest and the highest are above or below 0, `no_difference_shown` when 0 is between them, \
                    `too_few_to_tell` with fewer than 200 members on one side.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(uplift(source)) },
    total: None,
};

const fn thousand(name: &'static str, about: &'static str) -> Column {
    Column { name, kind: ColumnKind::Points, about }
}

/// How long a campaign may have an effect after its end.
const DAYS_AFTER: i32 = 28;

const MEASURES: [&str; 3] = ["active_days", "earned_points", "orders"];

/// A campaign, and what its members did.
struct Study {
    campaign_id: String,
    /// The smallest and the largest percentage that its control group had.
    percents: (u8, u8),
    from: Day,
    until: Day,
    /// Outside of the control group, and inside: each with the measures.
    samples: [[Sample; 3]; 2],
}

async fn uplift(source: &Source<'_>) -> StoreResult<Rows> {
    let mut studies = studies(source).await?;
    if studies.is_empty() {
        return Ok(Rows::new());
    }
    let earning = current_rules(source.context).await?;
    // Members who were not active since the start count with 0, so all are read.
    for_each_member(source.data, Timestamp::MIN.day(), |user_id, days| {
        for study in &mut studies {
            if days.first().is_some_and(|joined| joined <= study.until) {
                let (least, most) = study.percents;
                let is_inside = |percent| earning.is_control(&study.campaign_id, &user_id, percent);
                let is_control = is_inside(least);
                // A member who was inside for a part of the time is on neither side.
                if is_control || !is_inside(most) {
                    study.add(is_control, days.between(study.from, study.until));
                }
            }
        }
    })
    .await?;
    Ok(studies.iter().flat_map(Study::rows).collect())
}

impl Study {
    /// Only whole days with a control group count. `None` before the first one.
    fn new(run: CampaignRunRow, time: &ControlTime, source: &Source<'_>) -> Option<Self> {
        let day = |at: Timestamp| source.zone.local_time(at).day;
        let start = day(time.from);
        let from = if time.from > run.started_at { later(start, 1)? } else { start };
        let end = match time.until {
            // From then on, the members of the control group get bonuses too.
            Some(until) => later(day(until), -1),
            None => run.ended_at.and_then(|at| later(day(at), DAYS_AFTER)),
        };
        let until = end.map_or(source.today, |end| end.min(source.today));
        let (campaign_id, percents) = (run.campaign_id, time.percents);
        (from <= until).then(|| Self { campaign_id, percents, from, until, samples: Default::default() })
    }

    fn add(&mut self, is_control: bool, days: &[ActiveDay]) {
        let sum = |number: fn(&ActiveDay) -> i64| days.iter().map(number).fold(0, i64::saturating_add);
        let values = [count(days.len()), sum(|day| day.earned), sum(|day| day.orders)];
        let [others, control] = &mut self.samples;
        let samples = if is_control { control } else { others };
        samples.iter_mut().zip(values).for_each(|(sample, value)| sample.add(value));
    }

    fn rows(&self) -> impl Iterator<Item = Vec<Value>> {
        let [others, control] = &self.samples;
        MEASURES.into_iter().zip(others.iter().zip(control)).map(|(measure, (others, control))| {
            let Comparison { means: [mean, control_mean], difference, interval: [lowest, highest], result } =
                compare(others, control);
            let numbers = [mean, control_mean, difference, lowest, highest].map(Value::Number);
            let counts = [others.count(), control.count()].map(Value::Number);
            [Value::Text(self.campaign_id.clone()), Value::Text(measure.to_owned())]
                .into_iter()
                .chain([Value::Day(self.from), Value::Day(self.until)])
                .chain(counts)
                .chain(numbers)
                .chain([Value::Text(result.to_owned())])
                .collect()
        })
    }
}

/// The campaigns that have started and had a control group for a whole day.
async fn studies(source: &Source<'_>) -> StoreResult<Vec<Study>> {
    let now = source.context.now;
    let versions = Query::of::<CampaignVersionRow>("control_groups", &["revision"]);
    let versions: Vec<CampaignVersionRow> = read_all(source.data, versions).await?;
    let mut studies = Vec::new();
    for run in started_runs(source.data, &versions, now).await? {
        let versions: Vec<_> =
            versions.iter().filter(|version| version.campaign_id == run.campaign_id).collect();
        let time = ControlTime::of(&run, &versions, now)?;
        studies.extend(time.and_then(|time| Study::new(run, &time, source)));
    }
    Ok(studies)
}

/// The day this many days later.
fn later(day: Day, days: i32) -> Option<Day> {
    Day::from_days(day.as_days() + days)
}

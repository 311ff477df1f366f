//! Campaigns: what they gave.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use pointbook_campaigns::Campaign;
use pointbook_domain::{Day, Points, Timestamp};
use pointbook_points::campaigns::rules_cache::version_of;
use pointbook_store::StoreResult;
use pointbook_store::ports::{Query, read_all};
use pointbook_store::schema::rows::{CampaignDay, CampaignVersionRow};

use super::points::DAY;
use super::report::{Reading, Rows, Source};
use super::table::add;
use super::{Column, ColumnKind, Report, Span, Value};

pub(super) static CAMPAIGNS: Report = Report {
    name: "campaigns",
    title: "Campaigns by points",
    about: "One row for each campaign that gave bonuses for activities of these days. The campaign with the most points comes first. \
            Bonuses that were reversed later count.",
    span: Span::Days,
    names_members: false,
    columns: &[
        CAMPAIGN,
        Column {
            name: "title",
            kind: ColumnKind::Text("Spring bonus"),
            about: "Its title now, in the language of the tenant.",
        },
        AWARDS,
        POINTS,
        NEW_MEMBERS,
    ],
    read: |source| -> Reading<'_> { Box::pin(campaigns(source)) },
    total: None,
};

pub(super) static BY_DAY: Report = Report {
    name: "campaign-days",
    title: "Campaigns by day",
    about: "One row for each day and each campaign that gave bonuses for activities of that day.",
    span: Span::Days,
    names_members: false,
    columns: &[
        DAY,
        CAMPAIGN,
        AWARDS,
        POINTS,
        NEW_MEMBERS,
        Column {
            name: "points_so_far",
            kind: ColumnKind::Points,
            about: "The points of all its bonuses for activities up to the end of the day, also of days before the report.",
        },
        Column {
            name: "budget_points",
            kind: ColumnKind::Points,
            about: "The budget that the campaign has now; 0 when its points have no budget. Reversals give points back to the budget.",
        },
    ],
    read: |source| -> Reading<'_> { Box::pin(by_day(source)) },
    total: None,
};

const CAMPAIGN: Column =
    Column { name: "campaign", kind: ColumnKind::Text("spring"), about: "The id of the campaign." };
const AWARDS: Column = Column { name: "awards", kind: ColumnKind::Count, about: "How many bonuses it gave." };
const POINTS: Column = Column { name: "points", kind: ColumnKind::Points, about: "Their points." };
const NEW_MEMBERS: Column = Column {
    name: "new_members",
    kind: ColumnKind::Members,
    about: "How many members got their first bonus of this campaign.",
};

async fn days(source: &Source<'_>, from: Day) -> StoreResult<Vec<CampaignDay>> {
    let days = Query::of::<CampaignDay>("campaign_days", &["day", "campaign_id"]);
    read_all(source.data, days.between("day", [&from, &source.range.until])).await
}

async fn by_day(source: &Source<'_>) -> StoreResult<Rows> {
    let (newest, mut so_far) = (newest(source).await?, HashMap::<String, i64>::new());
    let budget = |id: &str| newest.get(id).and_then(|campaign| campaign.budget()?.points);
    let mut rows = Rows::new();
    for CampaignDay { day, campaign_id, awards, points, first_members } in
        days(source, Timestamp::MIN.day()).await?
    {
        let sum = so_far.entry(campaign_id.clone()).or_default();
        *sum = sum.saturating_add(points);
        if day >= source.range.from {
            let budget = budget(&campaign_id).map_or(0, Points::get);
            let numbers = [awards, points, first_members, *sum, budget].map(Value::Number);
            rows.push([Value::Day(day), Value::Text(campaign_id)].into_iter().chain(numbers).collect());
        }
    }
    Ok(rows)
}

async fn campaigns(source: &Source<'_>) -> StoreResult<Rows> {
    let mut sums: BTreeMap<String, [i64; 3]> = BTreeMap::new();
    for row in days(source, source.range.from).await? {
        let sum = sums.entry(row.campaign_id).or_default();
        add(sum, [row.awards, row.points, row.first_members]);
    }
    let newest = newest(source).await?;
    let title = |id: &str| {
        newest.get(id).map_or_else(|| id.to_owned(), |found| found.title(None, source.locale).to_owned())
    };
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, [_, points, _])| Reverse(*points));
    let row = |(id, sums): (String, [i64; 3])| {
        let title = Value::Text(title(&id));
        [Value::Text(id), title].into_iter().chain(sums.map(Value::Number)).collect()
    };
    Ok(sums.into_iter().map(row).collect())
}

/// The newest version of each campaign.
async fn newest(source: &Source<'_>) -> StoreResult<HashMap<String, Arc<Campaign>>> {
    let versions = Query::of::<CampaignVersionRow>("newest_campaigns", &["revision"]);
    let versions: Vec<CampaignVersionRow> = read_all(source.data, versions).await?;
    let mut newest = HashMap::new();
    for row in &versions {
        newest.insert(row.campaign_id.clone(), version_of(row)?.campaign);
    }
    Ok(newest)
}

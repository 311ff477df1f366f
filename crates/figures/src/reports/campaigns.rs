//! Campaigns: what they gave.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use pointbook_app::StoreResult;
use pointbook_app::ports::{Query, read_all};
use pointbook_app::rules_cache::version_of;
use pointbook_schema::rows::{CampaignDay, CampaignVersionRow};

use super::points::DAY;
use super::report::{Reading, Rows, Source};
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
};

pub(super) static BY_DAY: Report = Report {
    name: "campaign-days",
    title: "Campaigns by day",
    about: "One row for each day and each campaign that gave bonuses for activities of that day.",
    span: Span::Days,
    names_members: false,
    columns: &[DAY, CAMPAIGN, AWARDS, POINTS, NEW_MEMBERS],
    read: |source| -> Reading<'_> { Box::pin(by_day(source)) },
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

async fn days(source: &Source<'_>) -> StoreResult<Vec<CampaignDay>> {
    let range = source.range;
    let days = Query::of::<CampaignDay>("campaign_days", &["day", "campaign_id"]);
    read_all(source.data, days.between("day", [&range.from, &range.until])).await
}

async fn by_day(source: &Source<'_>) -> StoreResult<Rows> {
    let row = |row: CampaignDay| {
        let numbers = [row.awards, row.points, row.first_members].map(Value::Number);
        [Value::Day(row.day), Value::Text(row.campaign_id)].into_iter().chain(numbers).collect()
    };
    Ok(days(source).await?.into_iter().map(row).collect())
}

async fn campaigns(source: &Source<'_>) -> StoreResult<Rows> {
    let mut sums: BTreeMap<String, [i64; 3]> = BTreeMap::new();
    for row in days(source).await? {
        let sum = sums.entry(row.campaign_id).or_default();
        sum.iter_mut().zip([row.awards, row.points, row.first_members]).for_each(|(sum, more)| *sum += more);
    }
    let titles = titles(source).await?;
    let title = |id: &str| titles.get(id).cloned().unwrap_or_else(|| id.to_owned());
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, [_, points, _])| Reverse(*points));
    let row = |(id, sums): (String, [i64; 3])| {
        let title = Value::Text(title(&id));
        [Value::Text(id), title].into_iter().chain(sums.map(Value::Number)).collect()
    };
    Ok(sums.into_iter().map(row).collect())
}

/// Of the newest version of each campaign.
async fn titles(source: &Source<'_>) -> StoreResult<HashMap<String, String>> {
    let versions = Query::of::<CampaignVersionRow>("campaign_titles", &["revision"]);
    let versions: Vec<CampaignVersionRow> = read_all(source.data, versions).await?;
    let mut titles = HashMap::new();
    for row in &versions {
        let title = version_of(row)?.campaign.title(None, source.locale).to_owned();
        titles.insert(row.campaign_id.clone(), title);
    }
    Ok(titles)
}

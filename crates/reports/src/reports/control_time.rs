//! When a campaign had a control group.

use pointbook_campaigns::{CampaignVersion, VersionState};
use pointbook_domain::Timestamp;
use pointbook_points::campaigns::rules_cache::version_of;
use pointbook_store::StoreResult;
use pointbook_store::schema::rows::{CampaignRunRow, CampaignVersionRow};

/// The last time during which a campaign ran with a control group.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ControlTime {
    pub(super) from: Timestamp,
    /// When a version without a control group took over.
    pub(super) until: Option<Timestamp>,
    /// The smallest and the largest percentage. The group of a smaller one is a part of the group of a larger one.
    pub(super) percents: (u8, u8),
}

impl ControlTime {
    /// Of a campaign that has started, with its versions in the order in which they were written. `None` when every user could get its bonuses.
    pub(super) fn of(
        run: &CampaignRunRow,
        versions: &[&CampaignVersionRow],
        now: Timestamp,
    ) -> StoreResult<Option<Self>> {
        let mut time: Option<Self> = None;
        for version in running(run, versions, now)? {
            let (percent, from) = (version.campaign.control_percent(), version.from.max(run.started_at));
            match &mut time {
                Some(open) if percent == 0 => open.until = open.until.or(Some(from)),
                Some(Self { percents: (least, most), until: None, .. }) => {
                    (*least, *most) = (percent.min(*least), percent.max(*most));
                }
                _ if percent > 0 => time = Some(Self { from, until: None, percents: (percent, percent) }),
                _ => {}
            }
        }
        Ok(time)
    }
}

/// The versions that were active during the run.
fn running(
    run: &CampaignRunRow,
    versions: &[&CampaignVersionRow],
    now: Timestamp,
) -> StoreResult<Vec<CampaignVersion>> {
    let end = run.ended_at.unwrap_or(Timestamp::MAX);
    let mut versions = versions.to_vec();
    versions.sort_unstable_by_key(|row| (row.valid_from, row.version));
    let ends = versions.iter().skip(1).map(|row| row.valid_from).chain([Timestamp::MAX]).collect::<Vec<_>>();
    let is_active = |row: &CampaignVersionRow| row.state == VersionState::Active.as_str();
    let has_run = |row: &CampaignVersionRow, until: Timestamp| {
        let from = row.valid_from.max(run.started_at);
        from < until && from < end && from <= now
    };
    let active = versions.iter().zip(ends).filter(|(row, until)| is_active(row) && has_run(row, *until));
    active.map(|(row, _)| version_of(row)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000).unwrap()
    }

    fn version(number: u32, (from, state, percent): (i64, &str, u8)) -> CampaignVersionRow {
        let definition = format!(
            r#"{{"id":"tea","title":{{"en":"Tea"}},"reward":{{"points":1}},"control_percent":{percent}}}"#
        );
        CampaignVersionRow {
            revision: number.into(),
            campaign_id: "tea".to_owned(),
            version: number,
            state: state.to_owned(),
            valid_from: at(from),
            definition,
            created_at: at(0),
            created_by: String::new(),
        }
    }

    /// Of a campaign that started at 10 and has not ended, at 100.
    fn time(versions: &[(i64, &str, u8)]) -> Option<ControlTime> {
        let rows: Vec<_> = (1..).zip(versions).map(|(number, row)| version(number, *row)).collect();
        let run = CampaignRunRow {
            campaign_id: "tea".to_owned(),
            started_at: at(10),
            started_version: 1,
            ended_at: None,
            ended_version: None,
        };
        ControlTime::of(&run, &rows.iter().collect::<Vec<_>>(), at(100)).unwrap()
    }

    fn expected(from: i64, until: Option<i64>, percents: (u8, u8)) -> ControlTime {
        ControlTime { from: at(from), until: until.map(at), percents }
    }

    #[test]
    fn a_control_group_of_all_time_counts_from_the_start() {
        assert_eq!(time(&[(0, "draft", 5), (10, "active", 5)]), Some(expected(10, None, (5, 5))));
        assert_eq!(
            time(&[(10, "active", 5), (20, "active", 9), (30, "active", 7)]),
            Some(expected(10, None, (5, 9)))
        );
        assert_eq!(time(&[(10, "active", 0)]), None);
    }

    #[test]
    fn a_time_without_a_control_group_does_not_count() {
        assert_eq!(time(&[(10, "active", 0), (20, "active", 9)]), Some(expected(20, None, (9, 9))));
        assert_eq!(time(&[(10, "active", 5), (20, "active", 0)]), Some(expected(10, Some(20), (5, 5))));
        let again = [(10, "active", 5), (20, "active", 0), (30, "active", 0), (40, "active", 8)];
        assert_eq!(time(&again[..3]), Some(expected(10, Some(20), (5, 5))));
        assert_eq!(time(&again), Some(expected(40, None, (8, 8))));
    }

    #[test]
    fn a_version_that_did_not_run_does_not_count() {
        let before = [(0, "active", 40), (5, "active", 5)];
        assert_eq!(time(&before), Some(expected(10, None, (5, 5))));
        assert_eq!(
            time(&[(10, "active", 5), (20, "paused", 0), (30, "active", 6)]),
            Some(expected(10, None, (5, 6)))
        );
        assert_eq!(time(&[(10, "active", 5), (200, "active", 0)]), Some(expected(10, None, (5, 5))));
        assert_eq!(
            time(&[(10, "active", 5), (20, "active", 0), (20, "active", 6)]),
            Some(expected(10, None, (5, 6)))
        );
    }
}

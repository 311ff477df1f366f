//! Which version of a campaign is in force, and which ones are planned.

use std::cmp::Reverse;

use pointbook_campaigns::VersionState;
use pointbook_domain::Timestamp;
use pointbook_store::schema::rows::CampaignVersionRow;

/// The version in force at a time. Of two versions that take over at the same time, the later one counts.
pub(super) fn in_force<'r>(
    rows: impl Iterator<Item = &'r CampaignVersionRow>,
    at: Timestamp,
) -> Option<&'r CampaignVersionRow> {
    rows.filter(|row| row.valid_from <= at).max_by_key(|row| (row.valid_from, row.version))
}

/// The version in force at a time, or the first one when none is in force yet.
pub(super) fn in_force_or_first<'r>(
    rows: impl Iterator<Item = &'r CampaignVersionRow> + Clone,
    at: Timestamp,
) -> Option<&'r CampaignVersionRow> {
    in_force(rows.clone(), at).or_else(|| rows.min_by_key(|row| (row.valid_from, row.version)))
}

/// The versions that take over after a time, in this order. Of two at the same time, only the later one.
pub(super) fn planned<'r>(
    rows: impl Iterator<Item = &'r CampaignVersionRow>,
    at: Timestamp,
) -> Vec<&'r CampaignVersionRow> {
    let mut planned: Vec<_> = rows.filter(|row| row.valid_from > at).collect();
    planned.sort_unstable_by_key(|row| (row.valid_from, Reverse(row.version)));
    planned.dedup_by_key(|row| row.valid_from);
    planned
}

/// The version that the back office sees. It is the one in force, or the first one. When that is a draft and a start is planned, it is
/// the version that starts.
pub(super) fn shown<'r>(
    rows: impl Iterator<Item = &'r CampaignVersionRow> + Clone,
    now: Timestamp,
) -> Option<&'r CampaignVersionRow> {
    let counts = in_force_or_first(rows.clone(), now)?;
    if has_state(counts, &[VersionState::Draft]) {
        let starts =
            |row: &&CampaignVersionRow| has_state(row, &[VersionState::Active, VersionState::Paused]);
        return Some(planned(rows, now).into_iter().find(starts).unwrap_or(counts));
    }
    Some(counts)
}

pub(super) fn has_state(row: &CampaignVersionRow, states: &[VersionState]) -> bool {
    states.iter().any(|state| row.state == state.as_str())
}

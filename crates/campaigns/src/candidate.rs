//! A campaign that may give an award, as long as no other campaign and no limit objects.

use pointbook_domain::{Day, words};

use crate::limits::OnPointsLimit;
use crate::rule_set::CampaignVersion;

words! {
    /// The limit that made an award smaller.
    pub ClippedBy {
        UserLimit = "user_limit",
        Budget = "budget",
        /// The ceiling of the tenant for all awards of an activity.
        Ceiling = "ceiling",
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Candidate<'s> {
    /// The index of the campaign in its set. Entries are sorted by id, so the index compares as the id does.
    pub(crate) index: usize,
    pub(crate) version: &'s CampaignVersion,
    /// The points before all limits.
    pub(crate) would_be: i64,
    pub(crate) points: i64,
    /// The limit that binds: the last one that made the award smaller.
    pub(crate) clipped_by: Option<ClippedBy>,
    /// The birthday that it pays for.
    pub(crate) birthday: Option<Day>,
}

impl Candidate<'_> {
    /// Keeps the award within the points that a limit leaves. `false` when it gets nothing.
    pub(crate) fn fit(&mut self, left: i64, on_limit: OnPointsLimit, by: ClippedBy) -> bool {
        if left >= self.points {
            return true;
        }
        if left <= 0 || on_limit == OnPointsLimit::Skip {
            return false;
        }
        self.points = left;
        self.clipped_by = Some(by);
        true
    }
}

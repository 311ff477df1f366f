//! Limits of a campaign: per user and period, and for the whole campaign.

use pointbook_domain::{Points, words};

use crate::period::Period;

words! {
    /// What happens when an award has more points than a limit leaves.
    pub(crate) OnPointsLimit {
        /// The award has the points that are left.
        Clip = "clip",
        /// The activity gets no award.
        Skip = "skip",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Limits {
    /// Sorted by period. Each period is there once.
    pub(crate) per_user: Vec<UserLimit>,
    pub(crate) budget: Option<Budget>,
    pub(crate) on_points_limit: OnPointsLimit,
}

/// The most awards and points of one user in a period. At least one of them is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UserLimit {
    pub(crate) period: Period,
    pub(crate) awards: Option<u64>,
    pub(crate) points: Option<Points>,
}

/// The most awards and points of a campaign for all users together. At least one of them is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    pub awards: Option<u64>,
    pub points: Option<Points>,
}

impl Limits {
    pub(crate) const NONE: Self =
        Self { per_user: Vec::new(), budget: None, on_points_limit: OnPointsLimit::Clip };
}

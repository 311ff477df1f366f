//! The states of a back-fill.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackFillState {
    /// It waits for its job.
    Queued,
    Running,
    /// It gave every award that could be given.
    Done,
    /// It keeps what it gave until then.
    Cancelled,
    /// The back-test finds other awards now, so nothing more was given.
    Outdated,
    /// Stored data is invalid, or it took longer than four hours. The log says which.
    Failed,
}

impl BackFillState {
    pub const ALL: [Self; 6] =
        [Self::Queued, Self::Running, Self::Done, Self::Cancelled, Self::Outdated, Self::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Outdated => "outdated",
            Self::Failed => "failed",
        }
    }

    /// Whether a stored state is one of a back-fill that has not ended.
    pub(super) fn is_pending(stored: &str) -> bool {
        [Self::Queued, Self::Running].iter().any(|state| state.as_str() == stored)
    }
}

//! The states of a back-test.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BackTestState {
    /// It waits for its job.
    Queued,
    Running,
    /// It has a result.
    Done,
    Cancelled,
    /// Stored data is invalid, too many of its activities may earn, or it took longer than four hours. The log says which.
    Failed,
}

impl BackTestState {
    pub const ALL: [Self; 5] = [Self::Queued, Self::Running, Self::Done, Self::Cancelled, Self::Failed];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Running => "running",
            Self::Done => "done",
            Self::Cancelled => "cancelled",
            Self::Failed => "failed",
        }
    }

    /// Whether a stored state is one of a back-test that has not ended.
    pub(super) fn is_pending(stored: &str) -> bool {
        [Self::Queued, Self::Running].iter().any(|state| state.as_str() == stored)
    }
}

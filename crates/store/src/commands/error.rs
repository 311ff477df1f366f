/// Why a command cannot be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// The stored data contradict each other, or the command uses facts that it did not need.
    #[error("{0}")]
    Corrupt(String),
    /// The response to the request cannot be rendered, so it cannot be kept.
    #[error("the response to the write cannot be made")]
    NoResponse,
}

impl CommandError {
    pub fn in_row(table: &str, key: &str, what: &str) -> Self {
        Self::Corrupt(format!("table {table}, key ({key:?}): {what}"))
    }

    /// For a row that is missing although other rows refer to it.
    pub fn missing(table: &str, key: &str) -> Self {
        Self::in_row(table, key, "no such row")
    }

    /// For a fact that the command did not need.
    pub fn not_loaded(table: &'static str) -> impl Fn() -> Self + Copy {
        move || Self::Corrupt(format!("table {table}: a command asks for a row that it did not need"))
    }
}

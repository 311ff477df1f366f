/// Why a command cannot be decided.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// What is stored contradicts itself, or the command asks for facts that it did not need.
    #[error("{0}")]
    Corrupt(String),
    /// The response to the request cannot be rendered, so it cannot be kept.
    #[error("the response to the write cannot be made")]
    NoResponse,
}

impl CommandError {
    pub(crate) fn in_row(table: &str, key: &str, what: &str) -> Self {
        Self::Corrupt(format!("table {table}, key ({key:?}): {what}"))
    }

    /// Of a row that other rows promise and that is missing.
    pub(crate) fn missing(table: &str, key: &str) -> Self {
        Self::in_row(table, key, "no such row")
    }

    /// A command asks for what it did not need.
    pub(super) fn not_loaded(table: &'static str) -> impl Fn() -> Self + Copy {
        move || Self::Corrupt(format!("table {table}: a command asks for a row that it did not need"))
    }
}

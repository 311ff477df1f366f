//! What is logged, and how.

/// The keys of `[log]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogConfig {
    /// `info`, or by module: `info,pointbook_http=debug`.
    pub level: String,
    /// The form of a line.
    pub format: LogFormat,
    /// Whether each request is logged.
    pub access: bool,
}

/// The form of a line of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogFormat {
    /// Text on a terminal, JSON elsewhere.
    Auto,
    /// For people.
    Text,
    /// For machines.
    Json,
}

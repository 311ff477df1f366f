//! Why a command ends without success.

use std::error::Error;
use std::io::{self, ErrorKind};

use pointbook_app::{IssueTokenError, StoreError, with_causes};

use crate::wiring;

/// The exit codes other than 0; `--help` documents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did its work and found something wrong: differences, rejected rows.
    FoundWrong = 1,
    /// Arguments, configuration or a file are refused. The parser of the command line ends with it too.
    Input = 2,
    /// The database or the system failed.
    Trouble = 3,
    /// The user ended the command. Shells give the same for a program that SIGINT ended.
    Interrupted = 130,
}

/// Why a command failed, in sentences for the person who called it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub(crate) exit: Exit,
    /// One problem each, with the argument, file or line and what to do. Empty when the command said them itself.
    pub(crate) messages: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, messages: vec![message.into()] }
    }

    /// The command found something wrong, and has said what.
    pub(crate) const fn found_wrong() -> Self {
        Self { exit: Exit::FoundWrong, messages: Vec::new() }
    }

    /// An argument, a file or the configuration is refused.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// Several problems of the input.
    pub(crate) fn inputs(messages: Vec<String>) -> Self {
        Self { exit: Exit::Input, messages }
    }

    /// The database or the system failed.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Trouble, message)
    }

    /// A file cannot be read or written. One that is missing, damaged or out of reach is refused input, and so is a
    /// name that no file can have; all else failed.
    pub(crate) fn file(doing: &str, error: &dyn Error, cause: &io::Error) -> Self {
        let exit = if is_of_input(cause.kind()) { Exit::Input } else { Exit::Trouble };
        Self { exit, ..Self::trouble(doing, error) }
    }

    /// The database or the system failed: what the command was doing, and every cause.
    pub(crate) fn trouble(doing: &str, error: &dyn Error) -> Self {
        Self::failed(format!("{doing}: {}", with_causes(error)))
    }
}

/// Whether a file that fails in this way is refused: other arguments would do, or the file is damaged.
pub(crate) fn is_of_input(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::NotFound
            | ErrorKind::PermissionDenied
            | ErrorKind::AlreadyExists
            | ErrorKind::IsADirectory
            | ErrorKind::NotADirectory
            | ErrorKind::ReadOnlyFilesystem
            | ErrorKind::InvalidFilename
            | ErrorKind::InvalidInput
            | ErrorKind::InvalidData
            | ErrorKind::UnexpectedEof
    )
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        // A role without the right needs another URL, like a database that is not there.
        let exit = if wiring::lacks_right(&error) { Exit::Input } else { Exit::Trouble };
        Self::new(exit, with_causes(&error))
    }
}

impl From<IssueTokenError> for Failure {
    fn from(error: IssueTokenError) -> Self {
        match error {
            IssueTokenError::UserDisabled => Self::input("the user is disabled: enable them first"),
            IssueTokenError::TooManyKeys => Self::input(error.to_string()),
            IssueTokenError::Store(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_every_cause() {
        let error = StoreError::Failed("disk full".into());
        assert_eq!(Failure::from(error).messages, ["the database failed: disk full"]);
    }

    #[test]
    fn a_damaged_file_is_refused_and_a_full_disk_failed() {
        for (kind, exit) in [
            (ErrorKind::NotFound, Exit::Input),
            (ErrorKind::UnexpectedEof, Exit::Input),
            (ErrorKind::StorageFull, Exit::Trouble),
            (ErrorKind::Other, Exit::Trouble),
        ] {
            let error = io::Error::from(kind);
            assert_eq!(Failure::file("cannot write a.csv", &error, &error).exit, exit, "{kind}");
        }
    }
}

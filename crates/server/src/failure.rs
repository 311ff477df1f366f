//! Why a command failed, and with which exit code.

use std::error::Error;
use std::io;
use std::io::ErrorKind;

use pointbook_access::tokens::issue::IssueTokenError;
use pointbook_exchange::pull::PullError;
use pointbook_store::StoreError;
use pointbook_store::database_health::with_causes;

use crate::wiring;

/// The exit codes other than 0; `--help` documents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command did its work and found something wrong: differences, rejected rows.
    FoundWrong = 1,
    /// Arguments, configuration or a file are invalid. clap uses the same code.
    Input = 2,
    /// The database or the system failed.
    Trouble = 3,
    /// The user stopped the command with Ctrl-C. Shells report the same code for a program that SIGINT killed.
    Interrupted = 130,
}

/// Why a command failed, in messages for the person who ran it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    pub(crate) exit: Exit,
    /// One problem each: the argument, file or line, and what to do. Empty when the command has printed them already.
    pub(crate) messages: Vec<String>,
}

impl Failure {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Self { exit, messages: vec![message.into()] }
    }

    /// The command found something wrong and has printed it.
    pub(crate) const fn found_wrong() -> Self {
        Self { exit: Exit::FoundWrong, messages: Vec::new() }
    }

    /// An argument, a file or the configuration is invalid.
    pub(crate) fn input(message: impl Into<String>) -> Self {
        Self::new(Exit::Input, message)
    }

    /// Several problems in the input.
    pub(crate) fn inputs(messages: Vec<String>) -> Self {
        Self { exit: Exit::Input, messages }
    }

    /// The database or the system failed.
    pub(crate) fn failed(message: impl Into<String>) -> Self {
        Self::new(Exit::Trouble, message)
    }

    /// A file cannot be read or written. A missing, damaged or inaccessible file and an invalid file name count as
    /// invalid input. Every other error counts as trouble.
    pub(crate) fn file(doing: &str, error: &dyn Error, cause: &io::Error) -> Self {
        let exit = if is_input_error(cause.kind()) { Exit::Input } else { Exit::Trouble };
        Self { exit, ..Self::trouble(doing, error) }
    }

    /// The database or the system failed. The message says what the command was doing, and names every cause.
    pub(crate) fn trouble(doing: &str, error: &dyn Error) -> Self {
        Self::failed(format!("{doing}: {}", with_causes(error)))
    }
}

/// Whether this error of a file is invalid input: other arguments would work, or the file is damaged.
pub(crate) fn is_input_error(kind: ErrorKind) -> bool {
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
        // The user must name another role in the URL, as for a database that does not exist.
        let exit = if wiring::lacks_right(&error) { Exit::Input } else { Exit::Trouble };
        Self::new(exit, with_causes(&error))
    }
}

impl From<IssueTokenError> for Failure {
    fn from(error: IssueTokenError) -> Self {
        match error {
            IssueTokenError::UserDisabled => Self::input("the user is disabled: enable the user first"),
            IssueTokenError::TooManyKeys => Self::input(error.to_string()),
            IssueTokenError::Store(error) => error.into(),
        }
    }
}

impl From<PullError> for Failure {
    fn from(error: PullError) -> Self {
        match error {
            PullError::Issue(error) => error.into(),
            PullError::Revoke(error) => error.into(),
            PullError::Thread(_)
            | PullError::Panicked
            | PullError::Listen(_)
            | PullError::Url(_)
            | PullError::Token(_) => Self::failed(with_causes(&error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failure_names_every_cause() {
        let error = StoreError::Failed("disk full".into());
        assert_eq!(Failure::from(error).messages, ["the database failed: disk full"]);
    }

    #[test]
    fn damaged_file_is_input_error_and_full_disk_is_trouble() {
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

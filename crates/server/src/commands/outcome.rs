//! How a command ends.

use std::error::Error;
use std::io;

use pointbook_app::{IssueTokenError, StoreError};

use crate::wiring;

/// What every command gives back.
pub type CommandResult = Result<Verdict, Failure>;

/// How a command that ran to its end judges what it saw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// All is well.
    Fine,
    /// The command did its work and found something wrong: differences, rejected rows.
    FoundWrong,
}

/// The exit codes other than 0; `--help` documents them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// What was looked at is wrong.
    FoundWrong = 1,
    /// Arguments, configuration or a file are refused. The parser of the command line ends with it too.
    Input = 2,
    /// The database or the system failed.
    Trouble = 3,
    /// The user ended it. Shells give the same for a program that SIGINT ended.
    Interrupted = 130,
}

/// Why a command did not run to its end: sentences for the person who called it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// How the program ends.
    pub exit: Exit,
    /// What was wrong, one problem each; each names the argument, file or line and what to do.
    pub messages: Vec<String>,
}

impl Failure {
    /// An argument, a file or the configuration is refused.
    pub fn input(message: impl Into<String>) -> Self {
        Self::inputs(vec![message.into()])
    }

    /// Several things are refused, all named at once.
    pub fn inputs(messages: Vec<String>) -> Self {
        let exit = Exit::Input;
        Self { exit, messages }
    }

    /// The database or the system failed, which this sentence says in full.
    pub fn failed(message: impl Into<String>) -> Self {
        let (exit, messages) = (Exit::Trouble, vec![message.into()]);
        Self { exit, messages }
    }

    /// A file cannot be read or written. One that is missing, damaged or out of reach is refused input, and so is a name that no
    /// file can have; all else failed.
    pub fn file(doing: &str, error: &dyn Error, cause: &io::Error) -> Self {
        let exit = if is_of_input(cause.kind()) { Exit::Input } else { Exit::Trouble };
        Self { exit, ..Self::trouble(doing, error) }
    }

    /// The database or the system failed: what was being done, and every cause below it.
    pub fn trouble(doing: &str, error: &dyn Error) -> Self {
        Self::failed(format!("{doing}: {}", chain(error)))
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        // Another URL is needed, as where the database is not there.
        let exit = if wiring::lacks_right(&error) { Exit::Input } else { Exit::Trouble };
        Self { exit, messages: vec![chain(&error)] }
    }
}

/// Whether a file that fails in this way is refused: other arguments would do, or the file is damaged.
pub(super) fn is_of_input(kind: io::ErrorKind) -> bool {
    use io::ErrorKind;
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

impl From<IssueTokenError> for Failure {
    fn from(error: IssueTokenError) -> Self {
        match error {
            IssueTokenError::UserDisabled => Self::input("the user is disabled: enable them first"),
            IssueTokenError::Store(error) => error.into(),
        }
    }
}

/// An error and its causes in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
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
            (io::ErrorKind::NotFound, Exit::Input),
            (io::ErrorKind::UnexpectedEof, Exit::Input),
            (io::ErrorKind::StorageFull, Exit::Trouble),
            (io::ErrorKind::Other, Exit::Trouble),
        ] {
            let error = io::Error::from(kind);
            assert_eq!(Failure::file("cannot write a.csv", &error, &error).exit, exit, "{kind}");
        }
    }
}

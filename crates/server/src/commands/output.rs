//! What commands write: results to the standard output, words for people to the standard error.
//! The macros of the standard library end the program when nobody reads; these do not.

use std::fmt::Display;
use std::io::{self, Write};

use super::Failure;

/// Says a line to people. What was being done goes on when nobody listens.
pub(crate) fn say(line: impl Display) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// Writes a result as it stands; a line needs its end.
///
/// # Errors
/// As [`written`].
pub(super) fn print(text: impl Display) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    written(write!(stdout, "{text}").and_then(|()| stdout.flush()))?;
    Ok(())
}

/// What writing to the standard output gave; none when its reader has seen enough, as `head` does:
/// nothing failed then.
///
/// # Errors
/// [`Failure`] when it could not be written for another reason.
pub(super) fn written<T>(result: io::Result<T>) -> Result<Option<T>, Failure> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(None),
        Err(error) => Err(Failure::trouble("cannot write to the standard output", &error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reader_that_left_is_no_failure() {
        assert_eq!(written(Ok(1)), Ok(Some(1)));
        assert_eq!(written::<()>(Err(io::ErrorKind::BrokenPipe.into())), Ok(None));
        let full = written::<()>(Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(full.messages.len(), 1);
    }
}

//! What commands write: results to the standard output, words for people to the standard error.
//! The macros of the standard library end the program when nobody reads; these do not.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use super::Failure;

/// A shorter wait is not worth a line.
const NOTICED: Duration = Duration::from_secs(5);

/// Says a line to people. What was being done goes on when nobody listens.
pub(crate) fn say(line: impl Display) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// A text that may hold anything, on one line and without orders to a terminal.
pub(super) fn visible(text: &str) -> String {
    pointbook_check::one_line(text)
}

/// Says how long something took, where that was long enough to be noticed.
pub(super) fn say_duration(duration: Duration) {
    if duration >= NOTICED {
        say(format_args!("took {:.1} s", duration.as_secs_f64()));
    }
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

//! Writes results to the standard output and messages for people to the standard error. The macros of the standard
//! library end the program when the reader has left; these functions do not.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;

use crate::Failure;

/// How a command ends.
pub(crate) type CommandResult = Result<(), Failure>;

/// A shorter wait is not worth a line.
const NOTICED: Duration = Duration::from_secs(5);

/// Writes a line to the standard error. The command goes on when that fails.
pub(crate) fn say(line: impl Display) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// Text from outside, on one line and without control sequences for the terminal.
pub(super) fn visible(text: &str) -> String {
    pointbook_check::one_line(text)
}

pub(super) fn say_duration(duration: Duration) {
    if duration >= NOTICED {
        say(format_args!("took {:.1} s", duration.as_secs_f64()));
    }
}

/// Writes a result as it is: a line needs its end.
pub(crate) fn print(text: impl Display) -> CommandResult {
    let mut stdout = io::stdout().lock();
    written(write!(stdout, "{text}").and_then(|()| stdout.flush()))
}

/// The result of writing to the standard output. It is no failure when the reader has left, as `head` does.
pub(super) fn written(result: io::Result<()>) -> CommandResult {
    match result {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::trouble("cannot write to the standard output", &error))
        }
        _ => Ok(()),
    }
}

/// Prints items as JSON, or as a table below these titles.
pub(super) fn print_list<T, const COLUMNS: usize>(
    items: &[T],
    json: bool,
    to_json: impl Fn(&T) -> Value,
    titles: [&str; COLUMNS],
    to_row: impl Fn(&T) -> [String; COLUMNS],
) -> CommandResult {
    if json {
        return print(format_args!("{:#}\n", items.iter().map(to_json).collect::<Value>()));
    }
    let rows = items.iter().map(to_row);
    print(align(&std::iter::once(titles.map(str::to_owned)).chain(rows).collect::<Vec<_>>()))
}

/// Pads every column but the last to its widest cell.
fn align<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let widths: [usize; COLUMNS] = std::array::from_fn(|column| {
        rows.iter().map(|row| row[column].chars().count()).max().unwrap_or_default()
    });
    let line = |row: &[String; COLUMNS]| {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        format!("{}\n", cells.join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reader_that_left_is_no_failure() {
        assert_eq!(written(Ok(())), Ok(()));
        assert_eq!(written(Err(io::ErrorKind::BrokenPipe.into())), Ok(()));
        let full = written(Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(full.messages.len(), 1);
    }

    #[test]
    fn columns_begin_below_one_another() {
        let rows = [["a", "bb"], ["ccc", "d"]].map(|row| row.map(str::to_owned));
        assert_eq!(align(&rows), "a    bb\nccc  d\n");
    }
}

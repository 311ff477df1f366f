//! Writes results to the standard output and messages to the standard error. The `print` macros of the standard library
//! panic when the reader has closed the pipe; these functions do not.

use std::fmt::Display;
use std::io::{self, Write};
use std::time::Duration;

use serde_json::Value;

use crate::Failure;

/// How a command ends.
pub(crate) type CommandResult = Result<(), Failure>;

/// Shorter durations are not printed.
const MIN_SHOWN: Duration = Duration::from_secs(5);

/// Writes a line to the standard error. Ignores errors, so that the command goes on.
pub(crate) fn say(line: impl Display) {
    drop(writeln!(io::stderr().lock(), "{line}"));
}

/// Makes a string from outside safe to print: one line, without control sequences for the terminal.
pub(super) fn visible(text: &str) -> String {
    pointbook_exchange::check::one_line(text)
}

pub(super) fn say_duration(duration: Duration) {
    if duration >= MIN_SHOWN {
        say(format_args!("took {:.1} s", duration.as_secs_f64()));
    }
}

/// Writes a result to the standard output, without adding a line end.
pub(crate) fn print(text: impl Display) -> CommandResult {
    let mut stdout = io::stdout().lock();
    written(write!(stdout, "{text}").and_then(|()| stdout.flush()))
}

/// Turns a write error into a failure, except when the reader has closed the pipe, as `head` does.
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
    print(table(titles, items.iter().map(to_row)))
}

/// Rows below their titles.
pub(super) fn table<const COLUMNS: usize>(
    titles: [&str; COLUMNS],
    rows: impl Iterator<Item = [String; COLUMNS]>,
) -> String {
    align(&std::iter::once(titles.map(str::to_owned)).chain(rows).collect::<Vec<_>>())
}

/// Pads every column but the last to its widest cell. People wrote many cells, so these give the terminal no orders.
pub(super) fn align<R: AsRef<[String]>>(rows: &[R]) -> String {
    let width = |column| {
        let cells = rows.iter().filter_map(|row| row.as_ref().get(column));
        cells.map(|cell: &String| cell.chars().count()).max().unwrap_or_default()
    };
    let columns = rows.first().map_or(0, |row| row.as_ref().len());
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let line = |row: &R| {
        // `format!` pads to 65,535 at most, and a cell may be longer.
        let pad = |cell: &str, width: usize| " ".repeat(width.saturating_sub(cell.chars().count()));
        let cells = row.as_ref().iter().zip(&widths);
        let cells = cells.map(|(cell, &width)| format!("{}{}", visible(cell), pad(cell, width)));
        format!("{}\n", cells.collect::<Vec<_>>().join("  ").trim_end())
    };
    rows.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_pipe_is_not_a_failure_and_a_full_disk_is() {
        assert_eq!(written(Ok(())), Ok(()));
        assert_eq!(written(Err(io::ErrorKind::BrokenPipe.into())), Ok(()));
        let full = written(Err(io::ErrorKind::StorageFull.into())).unwrap_err();
        assert_eq!(full.messages.len(), 1);
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [["a", "bb"], ["ccc", "d"]].map(|row| row.map(str::to_owned));
        assert_eq!(align(&rows), "a    bb\nccc  d\n");
    }
}

//! Files that an import reads: CSV, JSON Lines, and the category tree; perhaps compressed.

use std::io;
use std::io::{Cursor, Read};

use pointbook_domain::Timestamp;
use pointbook_domain::spreadsheet::spreadsheet_text_of;
use pointbook_exchange::import::{CheckedRow, Format, ImportError, Input, Kind, RejectedRow, Rule, check};

/// The same rows are read however the file arrives, and each begins at a line of it. A refused row has a reason, and is refused
/// again in the file of refused rows.
pub(crate) fn read(file: &[u8]) {
    for kind in [Kind::Users, Kind::Products, Kind::Activities, Kind::Categories] {
        let whole = rows_of(kind, Cursor::new(file.to_vec()));
        // The header refuses a file of another kind, which is seen once.
        if whole.is_err() && kind != Kind::Users {
            continue;
        }
        let in_pieces = rows_of(kind, Pieces(Cursor::new(file.to_vec()), 1 + file.len() % 7));
        // Which error of a broken archive comes first depends on how much of it the decoder got.
        let is_plain = !file.starts_with(b"\x1f\x8b");
        assert!(
            whole == in_pieces || !is_plain && whole.is_err() && in_pieces.is_err(),
            "{whole:?} {in_pieces:?}"
        );
        let Ok(rows) = whole else { continue };
        assert!(rows.is_sorted_by(|one, next| one.line <= next.line));
        let lines = file.split(|byte| *byte == b'\n').count() as u64;
        assert!(rows.iter().all(|row| row.line >= 1 && (row.line <= lines || !is_plain)));
        let mut refused: Vec<_> = rows.into_iter().filter_map(|row| row.refused).collect();
        assert!(refused.iter().all(|row| !row.reason.is_empty() && row.problems.iter().len() > 0));
        // Without the columns of an earlier file of refused rows, the number of cells may be right.
        refused.retain(|row| !row.problems.iter().any(|(_, rule)| matches!(rule, Rule::Cells { .. })));
        if !refused.is_empty() {
            let again = rows_of(kind, Cursor::new(file_of(&refused))).unwrap();
            let is_refused = again.iter().all(|row| row.refused.is_some());
            assert!(is_refused && again.len() == refused.len(), "{refused:#?} {again:#?}");
        }
    }
}

fn rows_of(kind: Kind, file: impl Read + Send + 'static) -> Result<Vec<CheckedRow>, String> {
    let format = if kind == Kind::Categories { Some(Format::Json) } else { None };
    let now = Timestamp::from_micros(1_795_910_400_000_000).unwrap();
    check(kind, Input::reader(file, format), now).map_err(|error: ImportError| error.to_string())
}

/// The file of refused rows, as the console writes it.
fn file_of(refused: &[RejectedRow]) -> Vec<u8> {
    let RejectedRow { columns, separator, .. } = &refused[0];
    let mut file = csv::WriterBuilder::new().delimiter(*separator).flexible(true).from_writer(Vec::new());
    file.write_record(["line", "reason", "escaped"].iter().chain(columns)).unwrap();
    for RejectedRow { line, reason, cells, .. } in refused {
        let safe = |bytes: &[u8]| spreadsheet_text_of(&String::from_utf8_lossy(bytes), *separator);
        let own = [line.to_string(), safe(reason.as_bytes()), "yes".to_owned()];
        file.write_record(own.into_iter().chain(cells.iter().map(|cell| safe(cell)))).unwrap();
    }
    file.into_inner().unwrap()
}

/// A reader that gives at most so many bytes at a time.
struct Pieces(Cursor<Vec<u8>>, usize);

impl Read for Pieces {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(into.len());
        self.0.read(&mut into[..most])
    }
}

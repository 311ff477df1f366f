//! What one pass over a table does with each row.

use super::error::CopyError;
use super::pairs::Pair;
use crate::ports::Row;
use crate::schema::Table;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    /// Nothing: rows of a ledger that are not the source's are refused.
    Check,
    Write,
    Remove,
}

/// The row that a pass writes or removes because of a pair, if any.
pub(crate) fn affected(table: &Table, pass: Pass, pair: Pair) -> Result<Option<Row>, CopyError> {
    match (pass, pair) {
        (_, Pair::Both { source, target }) if source == target => Ok(None),
        (Pass::Check, Pair::Both { source, target }) => Err(difference(table, &source, &target)),
        (Pass::Check, Pair::Extra(row)) => Err(CopyError::LedgerWentOn(table.describe(&row))),
        // Nothing of this was there when the ledger was checked.
        (_, Pair::Extra(_)) if table.is_append_only => Err(CopyError::in_use(table)),
        (_, Pair::Both { source, target }) if has_grown(table, &source, &target) => {
            Err(CopyError::in_use(table))
        }
        (Pass::Write, Pair::Lacking(row) | Pair::Both { source: row, .. })
        | (Pass::Remove, Pair::Extra(row)) => Ok(Some(row)),
        (Pass::Check | Pass::Remove, Pair::Lacking(_))
        | (Pass::Write, Pair::Extra(_))
        | (Pass::Remove, Pair::Both { .. }) => Ok(None),
    }
}

fn difference(table: &Table, source: &Row, target: &Row) -> CopyError {
    let mut columns = table.columns.iter().zip(source.iter().zip(target));
    let differing = columns.find(|(_, (source, target))| source != target);
    let column = differing.map(|(column, _)| column.name).unwrap_or_default();
    CopyError::LedgersDiffer { row: table.describe(source), column }
}

/// Whether the target counts more than the source: something was recorded there.
fn has_grown(table: &Table, source: &Row, target: &Row) -> bool {
    table.growing_column.is_some_and(|place| target.get(place) > source.get(place))
}

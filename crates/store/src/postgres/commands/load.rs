//! Loads the facts that commands need, mostly in one round trip: PostgreSQL executes the statements in the order in which they are
//! sent, so rows are locked in the order of their tables.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use pointbook_domain::Timestamp;
use tokio_postgres::Row as Stored;

use crate::commands::{Facts, Held, Needs, Range, RowKind, RowNeeds, Work};
use crate::postgres::connection::Transaction;
use crate::postgres::error::{Outcome, StoreFailure};
use crate::postgres::pipeline::all;
use crate::postgres::{raw_rows, row};
use crate::schema::{Dialect, Hold, Lock, Query, RangeTest, Row, TABLES, find_event_after};

/// How a transaction holds rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Attempt {
    /// What it does with a row that it needs and another writer holds.
    pub(super) hold: Hold,
    /// Whether another writer was faster before.
    pub(super) is_repeated: bool,
}

/// The rows that a statement found.
pub(super) enum Found<'n> {
    Rows {
        kind: &'n RowKind,
        keys: &'n BTreeSet<Row>,
        hold: Option<Hold>,
        rows: Vec<Stored>,
    },
    Range {
        kind: &'n RowKind,
        range: &'n Range,
        held: Held,
        rows: Vec<Stored>,
    },
    Existing {
        kind: &'n RowKind,
        keys: &'n BTreeSet<Row>,
        rows: Vec<Stored>,
    },
    Filled {
        kind: &'n RowKind,
        ranges: Vec<&'n Range>,
        rows: Vec<Stored>,
    },
    /// The turn of the back office.
    Turn,
}

type Statement<'n> = BoxFuture<'n, Outcome<Found<'n>>>;

/// Finds the rows that commands need.
pub(super) async fn find<'n>(
    database: &'n Transaction,
    tenant: &'n str,
    needs: &'n Needs,
    attempt: Attempt,
) -> Outcome<Vec<Found<'n>>> {
    let found = all(statements(database, tenant, needs, attempt)).await?;
    for found in &found {
        check_absent(database, tenant, found).await?;
    }
    Ok(found)
}

/// Fails as overtaken when a row that was to be locked was absent and is there now. Nobody can lock an absent row, so what was read
/// after it may be of the writer who added it.
async fn check_absent(database: &Transaction, tenant: &str, found: &Found<'_>) -> Outcome<()> {
    let Found::Rows { kind, keys, hold: Some(Hold::Waiting), rows } = found else { return Ok(()) };
    if rows.len() == keys.len() {
        return Ok(());
    }
    let select = kind.statement(Dialect::Postgres, Work::Select(None));
    let given: Vec<&Row> = keys.iter().collect();
    let now = database.rows_of(&select, tenant, &given).await?;
    if now.len() == rows.len() { Ok(()) } else { Err(StoreFailure::Overtaken) }
}

/// Adds the rows to the facts. Loads the few facts that are no rows.
pub(super) async fn put(
    database: &Transaction,
    tenant: &str,
    needs: &Needs,
    found: Vec<Found<'_>>,
    facts: &mut Facts,
) -> Outcome<()> {
    found.into_iter().try_for_each(|found| found.put(facts))?;
    if let Some(at) = needs.events_after {
        facts.put_events_after(at, has_events_after(database, tenant, at).await?);
    }
    Ok(())
}

/// The statements in the order in which they are sent. What is not locked comes last, so that it is read under the locks. The version of
/// the catalogue, which has a low place, is then the very last: a product of which an order knows an old version is guarded, an old
/// threshold of the catalogue is not.
fn statements<'n>(
    database: &'n Transaction,
    tenant: &'n str,
    needs: &'n Needs,
    attempt: Attempt,
) -> Vec<Statement<'n>> {
    let needs = needs.rows_in_order();
    let (mut locking, mut reading) = (Vec::new(), Vec::new());
    for RowNeeds { kind, held, read, ranges, existing, filled } in &needs {
        let hold = match kind.table.lock {
            Lock::Rows => Some(attempt.hold),
            // The range is locked first then, in the order of its keys.
            Lock::NamedRows if attempt.is_repeated => None,
            Lock::NamedRows => Some(Hold::Waiting),
            Lock::OfUser | Lock::Turn => None,
        };
        let range_hold = match kind.table.lock {
            Lock::Rows => Some(Hold::Waiting),
            Lock::NamedRows if attempt.is_repeated => Some(Hold::Waiting),
            Lock::NamedRows | Lock::OfUser | Lock::Turn => None,
        };
        let order = kind.table.lock_order;
        let by_name = by_key(database, tenant, kind, held, hold).boxed();
        match kind.table.lock {
            _ if held.is_empty() => {}
            Lock::NamedRows if attempt.is_repeated => reading.push(by_name),
            _ => locking.push((order, by_name)),
        }
        for (range, query) in ranges {
            let is_held = kind.table.lock == Lock::Turn || range_hold.is_some();
            let found = of_range(database, tenant, (kind, range, query), range_hold, is_held);
            locking.push((order, found.boxed()));
        }
        if !read.is_empty() {
            reading.push(by_key(database, tenant, kind, read, None).boxed());
        }
        if !existing.is_empty() {
            reading.push(which_exist(database, tenant, kind, existing).boxed());
        }
        for (tests, ranges) in alike(kind, filled) {
            reading.push(which_are_filled(database, tenant, kind, tests, ranges).boxed());
        }
    }
    let takes_turn = needs.iter().any(|needs| {
        needs.kind.table.lock == Lock::Turn && !(needs.held.is_empty() && needs.ranges.is_empty())
    });
    if takes_turn {
        locking.push((TURN, take_turn(database, tenant).boxed()));
        // Rows of small tables are read in the turn.
        locking.sort_by_key(|(order, _)| *order);
    }
    reading.reverse();
    locking.into_iter().map(|(_, statement)| statement).chain(reading).collect()
}

/// The place of `catalogue_versions` among the tables that are locked.
const TURN: u8 = 40;

async fn take_turn<'n>(database: &Transaction, tenant: &str) -> Outcome<Found<'n>> {
    let select = "SELECT version FROM catalogue_versions WHERE tenant_id = $1 FOR NO KEY UPDATE";
    database.rows(select, &[&tenant]).await?;
    Ok(Found::Turn)
}

async fn by_key<'n>(
    database: &Transaction,
    tenant: &str,
    kind: &'n RowKind,
    keys: &'n BTreeSet<Row>,
    hold: Option<Hold>,
) -> Outcome<Found<'n>> {
    let select = kind.statement(Dialect::Postgres, Work::Select(hold));
    let given: Vec<&Row> = keys.iter().collect();
    let rows = database.rows_of(&select, tenant, &given).await?;
    Ok(Found::Rows { kind, keys, hold, rows })
}

async fn of_range<'n>(
    database: &Transaction,
    tenant: &str,
    (kind, range, query): (&'n RowKind, &'n Range, &Query),
    lock: Option<Hold>,
    is_held: bool,
) -> Outcome<Found<'n>> {
    let rows = raw_rows::select(database, tenant, query, lock).await?;
    Ok(Found::Range { kind, range, held: if is_held { Held::Yes } else { Held::No }, rows })
}

async fn which_exist<'n>(
    database: &Transaction,
    tenant: &str,
    kind: &'n RowKind,
    keys: &'n BTreeSet<Row>,
) -> Outcome<Found<'n>> {
    let select = kind.statement(Dialect::Postgres, Work::Find(None));
    let given: Vec<&Row> = keys.iter().collect();
    let rows = database.rows_of(&select, tenant, &given).await?;
    Ok(Found::Existing { kind, keys, rows })
}

/// The ranges that one statement asks for.
fn alike<'n>(kind: &RowKind, ranges: &'n BTreeSet<Range>) -> Vec<(Vec<RangeTest>, Vec<&'n Range>)> {
    let mut alike: Vec<(Vec<RangeTest>, Vec<&Range>)> = Vec::new();
    for range in ranges {
        let (tests, _) = range.tests(kind.table);
        match alike.iter_mut().find(|(known, _)| *known == tests) {
            Some((_, ranges)) => ranges.push(range),
            None => alike.push((tests, vec![range])),
        }
    }
    alike
}

async fn which_are_filled<'n>(
    database: &Transaction,
    tenant: &str,
    kind: &'n RowKind,
    tests: Vec<RangeTest>,
    ranges: Vec<&'n Range>,
) -> Outcome<Found<'n>> {
    let select = kind.statement(Dialect::Postgres, Work::Any(tests));
    let given: Vec<Row> = ranges.iter().map(|range| range.tests(kind.table).1).collect();
    let rows = database.rows_of(&select, tenant, &given).await?;
    Ok(Found::Filled { kind, ranges, rows })
}

impl Found<'_> {
    fn put(self, facts: &mut Facts) -> Outcome<()> {
        match self {
            Found::Rows { kind, keys, hold, rows } => {
                let is_held = hold.is_some() || kind.table.lock == Lock::Turn;
                let held = if is_held { Held::Yes } else { Held::No };
                rows.iter().try_for_each(|stored| (kind.put)(facts, &row::Stored(stored), held))?;
                for key in keys {
                    if facts.knows_row(kind, key) {
                        continue;
                    }
                    // A row that was left out may be absent, or another writer holds it.
                    if hold == Some(Hold::Skipping) {
                        facts.note_skipped();
                    } else {
                        (kind.put_absent)(facts, key.clone());
                    }
                }
            }
            Found::Range { kind, range, held, rows } => {
                rows.iter().try_for_each(|stored| (kind.put)(facts, &row::Stored(stored), held))?;
                (kind.put_range)(facts, range);
            }
            Found::Existing { kind, keys, rows } => {
                for stored in &rows {
                    let key = raw_rows::cells(kind.table, kind.key(), stored)?;
                    facts.put_existing(kind.table.name, key, true);
                }
                for key in keys {
                    facts.put_existing(kind.table.name, key.clone(), false);
                }
            }
            Found::Filled { kind, ranges, rows } => {
                for stored in &rows {
                    let (number,): (u64,) = row::read_as((kind.table.name, 0), stored)?;
                    let place = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
                    if let Some(range) = place.and_then(|place| ranges.get(place)) {
                        facts.put_any(kind.table.name, (*range).clone(), true);
                    }
                }
                for range in ranges {
                    facts.put_any(kind.table.name, range.clone(), false);
                }
            }
            Found::Turn => {}
        }
        Ok(())
    }
}

/// Whether something of the tenant happened after this time. Only a clock that goes back asks this.
async fn has_events_after(database: &Transaction, tenant: &str, at: Timestamp) -> Outcome<bool> {
    for select in TABLES.iter().filter_map(|table| find_event_after(Dialect::Postgres, table)) {
        if database.row(&select, &[&tenant, &at.as_micros()]).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

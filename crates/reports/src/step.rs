//! Brings the figures of a tenant up to date, step by step.

use std::time::Duration;

use pointbook_domain::{EventType, Timestamp, UserId};
use pointbook_events::feed::{EventData, EventFilter, EventPage, FeedError, newest_feed, read_events};
use pointbook_store::background::in_background;
use pointbook_store::commands::RowChange;
use pointbook_store::ports::Row;
use pointbook_store::schema::rows::{FiguresState, LedgerEntry, MemberRow};
use pointbook_store::schema::{Cell, MEMBER_FIGURES, Table, cells};
use pointbook_store::{Context, StoreResult};
use tokio::time::Instant;

use crate::count::{Counted, Rows, count};
use crate::load::{load, stored_sums};
use crate::state::{Phase, begun, cursor, phase, read_state, zone};
use crate::sums::SUM_TABLES;
use crate::write::WriteFigures;

/// The name of the job that counts what is new.
pub const FIGURES_JOB: &str = "count-figures";

/// How many rows one step counts or removes. A write of so many rows takes some tens of milliseconds.
const ROWS_PER_STEP: u32 = 5_000;

/// Does the next bounded part of the work. Only one of several processes writes it. Returns `true` when the figures have all events
/// that the feed had.
///
/// # Errors
/// When the store fails, or a stored row cannot be read.
pub async fn step(context: &Context) -> StoreResult<bool> {
    let stepper = Stepper { context };
    let Some(state) = read_state(&*context.tenant.data).await? else {
        return stepper.begin(None, Phase::Clearing).await;
    };
    match phase(&state)? {
        Phase::Clearing => stepper.clear(&state).await,
        _ if !state.has_days_of(&zone(context)) => stepper.begin(Some(&state), Phase::Clearing).await,
        Phase::Scanning => stepper.scan(&state).await,
        Phase::Following => stepper.follow(&state).await,
    }
}

/// Throws all figures away. The next steps count the ledger again.
///
/// # Errors
/// When the store fails.
pub async fn rebuild(context: &Context) -> StoreResult<()> {
    loop {
        let state = read_state(&*context.tenant.data).await?;
        let next =
            begun(state.as_ref(), Phase::Clearing, &zone(context), pointbook_domain::Feed::EMPTY.end());
        let due_at = Some(real_now(context));
        if context.write(WriteFigures { state: next, changes: Vec::new(), due_at }).await? {
            return Ok(());
        }
    }
}

struct Stepper<'c> {
    context: &'c Context,
}

impl Stepper<'_> {
    /// Begins a phase at the end of the feed: what comes later is an event. The job is due, because the work may be long.
    async fn begin(&self, state: Option<&FiguresState>, phase: Phase) -> StoreResult<bool> {
        let end = newest_feed(&*self.context.tenant.data).await?.end();
        let (state, due_at) = (begun(state, phase, &zone(self.context), end), Some(real_now(self.context)));
        self.context.write(WriteFigures { state, changes: Vec::new(), due_at }).await?;
        Ok(false)
    }

    /// Whether it wrote. If another process was faster, the next step goes on from there.
    async fn write(&self, state: FiguresState, changes: Vec<RowChange>) -> StoreResult<bool> {
        self.context.write(WriteFigures { state, changes, due_at: None }).await
    }

    async fn clear(&self, state: &FiguresState) -> StoreResult<bool> {
        let data = &*self.context.tenant.data;
        let mut changes = Vec::new();
        for table in tables() {
            let rows = data.rows_after(table, None, ROWS_PER_STEP).await?;
            changes.extend(rows.into_iter().map(|row| RowChange::Remove(table, row)));
            if changes.len() >= ROWS_PER_STEP as usize {
                break;
            }
        }
        if changes.is_empty() {
            return self.begin(Some(state), Phase::Scanning).await;
        }
        self.write(FiguresState { writes: state.writes + 1, ..state.clone() }, changes).await?;
        Ok(false)
    }

    async fn scan(&self, state: &FiguresState) -> StoreResult<bool> {
        let data = &*self.context.tenant.data;
        let after = UserId::new(state.scanned_user.as_str()).ok();
        let after = after.as_ref().map(|user| (user, state.scanned_seq));
        let rows = data.entries_after(after, ROWS_PER_STEP).await?;
        let writes = state.writes + 1;
        let Some(last) = rows.last() else {
            let phase = Phase::Following.as_str().to_owned();
            self.write(FiguresState { writes, phase, ..state.clone() }, Vec::new()).await?;
            return Ok(false);
        };
        let (scanned_user, scanned_seq) = (last.user_id.as_str().to_owned(), last.seq);
        let next = FiguresState { writes, scanned_user, scanned_seq, ..state.clone() };
        self.count(rows, Rows::OfLedger, next).await?;
        Ok(false)
    }

    async fn follow(&self, state: &FiguresState) -> StoreResult<bool> {
        let filter = EventFilter {
            types: EventType::ALL.iter().copied().filter(|kind| kind.is_transaction()).collect(),
            user_id: None,
        };
        let served = &self.context.tenant;
        let page =
            match read_events(served, &filter, Some(cursor(state)), ROWS_PER_STEP, Duration::ZERO).await {
                Ok(page) => page,
                // What is missing in the feed is in the ledger.
                Err(FeedError::Gone(_)) => return self.begin(Some(state), Phase::Scanning).await,
                Err(FeedError::Store(error)) => return Err(error),
            };
        if page.cursor == cursor(state) {
            return Ok(true);
        }
        let is_done = page.cursor == page.feed.end();
        let position = page.cursor.position;
        let next = FiguresState { writes: state.writes + 1, position, ..state.clone() };
        match self.count(rows_of(page), Rows::OfEvents, next).await? {
            Some(has_written) => Ok(has_written && is_done),
            None => self.begin(Some(state), Phase::Scanning).await,
        }
    }

    /// Whether it wrote. `None` when a row before these was never counted.
    async fn count(
        &self,
        rows: Vec<LedgerEntry>,
        origin: Rows,
        next: FiguresState,
    ) -> StoreResult<Option<bool>> {
        let data = &*self.context.tenant.data;
        let (loaded, zone) = (load(data, &rows).await?, zone(self.context));
        let count = move || count(&rows, origin, loaded, &zone);
        let Ok(counted) = in_background(count).await? else { return Ok(None) };
        let stored = stored_sums(data, &counted.sums).await?;
        let Counted { members, sums } = counted;
        let mut changes = sums.changes(&stored);
        changes.extend(members.values().map(|member| written(&member.to_row())));
        self.write(next, changes).await.map(Some)
    }
}

/// The time by which jobs are due.
fn real_now(context: &Context) -> Timestamp {
    context.tenant.tenant.clock.to_real(context.now)
}

fn written(row: &MemberRow) -> RowChange {
    RowChange::Write(&MEMBER_FIGURES, cells(row).into_iter().map(Cell::from).collect::<Row>())
}

fn tables() -> impl Iterator<Item = &'static Table> {
    SUM_TABLES.into_iter().chain([&MEMBER_FIGURES])
}

fn rows_of(page: EventPage) -> Vec<LedgerEntry> {
    let row = |data| if let EventData::Transaction(row) = data { Some(*row) } else { None };
    page.events.into_iter().filter_map(|event| row(event.data)).collect()
}

/// Counts what is new, for at most about this long. Gives whether all of it is counted.
///
/// # Errors
/// As [`step`].
pub async fn catch_up(context: &Context, patience: Duration) -> StoreResult<bool> {
    let end = Instant::now().checked_add(patience);
    loop {
        if step(context).await? {
            return Ok(true);
        }
        if end.is_some_and(|end| Instant::now() >= end) {
            return Ok(false);
        }
    }
}

/// Whether a reader has asked for figures. Before that, nothing is counted.
///
/// # Errors
/// When the store fails.
pub async fn has_figures(context: &Context) -> StoreResult<bool> {
    Ok(read_state(&*context.tenant.data).await?.is_some())
}

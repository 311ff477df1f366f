//! How far the figures are.

use pointbook_domain::Cursor;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_store::ports::{Query, RowReader, read_all};
pub(crate) use pointbook_store::schema::figures::Phase;
use pointbook_store::schema::rows::FiguresState;
use pointbook_store::{Context, StoreError, StoreResult};

/// The stored state. `None` before the first step.
pub(crate) async fn read_state(reader: &dyn RowReader) -> StoreResult<Option<FiguresState>> {
    Ok(read_all(reader, Query::of::<FiguresState>("figures", &[]).limit(1)).await?.pop())
}

pub(crate) fn phase(state: &FiguresState) -> StoreResult<Phase> {
    let what = || StoreError::Corrupt(format!("table figures: {:?} is no phase", state.phase));
    Phase::parse(&state.phase).ok_or_else(what)
}

pub(crate) fn cursor(state: &FiguresState) -> Cursor {
    Cursor { generation: state.generation, position: state.position }
}

/// The time zone of the tenant's days.
pub(crate) fn zone(context: &Context) -> Zone {
    context.tenant.zone()
}

/// The next state, which begins with its first user.
pub(crate) fn begun(
    before: Option<&FiguresState>,
    phase: Phase,
    zone: &Zone,
    cursor: Cursor,
) -> FiguresState {
    FiguresState {
        writes: before.map_or(0, |before| before.writes) + 1,
        phase: phase.as_str().to_owned(),
        time_zone: zone.name().as_str().to_owned(),
        generation: cursor.generation,
        position: cursor.position,
        scanned_user: String::new(),
        scanned_seq: 0,
        zone_rules: zone.rules(),
    }
}

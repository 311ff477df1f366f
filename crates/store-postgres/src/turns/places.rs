//! The lines, and the places in them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pointbook_app::commands::Lane;
use tokio::sync::Semaphore;

use super::{
    BACK_OFFICE, Full, MAX_PLACES, MAX_PLACES_IN_LINE, MAX_PLACES_OF_TENANT, TenantTurns, Turns, doors,
};

/// A place in a line, from the question to the answer.
pub(crate) struct Place {
    tenant: Arc<TenantTurns>,
    lane: Lane,
    turn: Arc<Semaphore>,
}

impl Place {
    pub(super) fn tenant(&self) -> &TenantTurns {
        &self.tenant
    }

    pub(super) fn line(&self) -> &Arc<Semaphore> {
        &self.turn
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.tenant.lines).leave(&self.lane);
        self.tenant.all.leave();
    }
}

impl TenantTurns {
    /// Takes a place in a line, if there is one.
    pub(crate) fn enter(self: &Arc<Self>, lane: Lane) -> Result<Place, Full> {
        let mut lines = locked(&self.lines);
        lines.expect_room(&lane)?;
        self.all.enter()?;
        let turn = lines.enter(&lane);
        Ok(Place { tenant: self.clone(), lane, turn })
    }
}

impl Turns {
    fn enter(&self) -> Result<(), Full> {
        let mut places = locked(&self.places);
        if *places >= MAX_PLACES {
            return Err(Full);
        }
        *places += 1;
        self.waiting.increment(1);
        Ok(())
    }

    fn leave(&self) {
        *locked(&self.places) -= 1;
        self.waiting.decrement(1);
    }
}

/// The lines of one tenant. A line is there as long as somebody stands in it.
#[derive(Default)]
pub(super) struct Lines {
    lines: HashMap<Lane, Line>,
    places: usize,
}

struct Line {
    places: usize,
    turn: Arc<Semaphore>,
}

impl Lines {
    fn expect_room(&self, lane: &Lane) -> Result<(), Full> {
        let in_line = self.lines.get(lane).map_or(0, |line| line.places);
        if self.places < MAX_PLACES_OF_TENANT && in_line < MAX_PLACES_IN_LINE { Ok(()) } else { Err(Full) }
    }

    fn enter(&mut self, lane: &Lane) -> Arc<Semaphore> {
        self.places += 1;
        let entry = self.lines.entry(lane.clone());
        let Line { places, turn } = entry.or_insert_with(|| Line { places: 0, turn: doors(width(lane)) });
        *places += 1;
        turn.clone()
    }

    fn leave(&mut self, lane: &Lane) {
        self.places -= 1;
        if let Some(line) = self.lines.get_mut(lane) {
            line.places -= 1;
            if line.places == 0 {
                self.lines.remove(lane);
            }
        }
    }

    #[cfg(test)]
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.places == 0
    }
}

/// How many of a line are under way at once.
fn width(lane: &Lane) -> usize {
    match lane {
        Lane::User(_) | Lane::Order(_) => 1,
        Lane::BackOffice => BACK_OFFICE,
    }
}

pub(super) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Nothing fails under the lock, so what it guards is whole.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

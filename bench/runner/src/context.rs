//! What every scenario has at hand: how long and how often to measure, and where to note what came of it.

use std::cell::RefCell;

use anyhow::Result;
use pointbook_operate::pointbook::announce;

use super::machine::Watch;
use super::oha;
use super::options::Options;
use super::record::{Bound, Record, Verdict};
use super::rounds::{self, Extent};
use super::spread::Spread;

/// A run of the benchmark.
pub(super) struct Bench {
    pub(super) options: Options,
    pub(super) extent: Extent,
    /// Whether times at a given rate can be measured.
    pub(super) has_oha: bool,
    pub(super) record: RefCell<Record>,
}

impl Bench {
    /// With nothing noted.
    pub(super) fn new(options: Options) -> Result<Self> {
        let has_oha = oha::is_there()?;
        if !has_oha {
            eprintln!("{}", oha::MISSING);
        }
        let extent = Extent { rounds: options.rounds, seconds: 1, is_noisy: options.is_noisy };
        Ok(Self { options, extent, has_oha, record: RefCell::default() })
    }

    /// Whether a scenario is to be measured.
    pub(super) fn wants(&self, name: &str) -> bool {
        name.contains(&self.options.scenario)
    }

    /// The sizes of the catalogue of a scenario; a quick run leaves out those that take long.
    pub(super) fn sizes(&self, usual: &[u32]) -> Vec<u32> {
        const QUICK_MAX: u32 = 50_000;
        match &self.options.products {
            Some(sizes) => sizes.clone(),
            None => {
                usual.iter().copied().filter(|size| !self.options.is_quick || *size <= QUICK_MAX).collect()
            }
        }
    }

    /// Measures rounds until enough of them count, and notes how they went.
    pub(super) fn hold<T>(&self, name: &str, turn: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
        self.hold_beside(name, None, turn)
    }

    /// The same, with a process that is ours though it was not started here.
    pub(super) fn hold_beside<T>(
        &self,
        name: &str,
        process: Option<u32>,
        mut turn: impl FnMut() -> Result<T>,
    ) -> Result<Vec<T>> {
        announce(name);
        let (measured, held) = rounds::hold(self.extent, || {
            let watch = Watch::start(process)?;
            Ok((turn()?, watch.foreign_share()?))
        })
        .map_err(|error| error.context(name.to_owned()))?;
        self.record.borrow_mut().held(name, held);
        Ok(measured)
    }

    /// Notes what a target came to.
    pub(super) fn judge(&self, scenario: &str, target: &'static str, measured: Spread, bound: Bound) {
        let verdict = Verdict { scenario: scenario.to_owned(), target, measured, bound };
        self.record.borrow_mut().judge(verdict);
    }

    /// Adds a row to a table.
    pub(super) fn row(&self, title: &'static str, head: &'static [&'static str], cells: Vec<String>) {
        self.record.borrow_mut().row(title, head, cells);
    }
}

//! The context of every scenario: the length and the number of rounds, and the record of the results.

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
    /// A run with an empty record.
    pub(super) fn new(options: Options) -> Result<Self> {
        let has_oha = oha::is_there()?;
        if !has_oha {
            eprintln!("{}", oha::MISSING);
        }
        let extent = Extent { rounds: options.rounds, seconds: 1, is_noisy: options.is_noisy };
        Ok(Self { options, extent, has_oha, record: RefCell::default() })
    }

    /// Whether the options select this scenario.
    pub(super) fn wants(&self, name: &str) -> bool {
        name.contains(&self.options.scenario)
    }

    /// The sizes of the catalogue of a scenario. A quick run leaves out large ones.
    pub(super) fn sizes(&self, usual: &[u32]) -> Vec<u32> {
        const QUICK_MAX: u32 = 50_000;
        match &self.options.products {
            Some(sizes) => sizes.clone(),
            None => {
                usual.iter().copied().filter(|size| !self.options.is_quick || *size <= QUICK_MAX).collect()
            }
        }
    }

    /// Repeats a round until enough rounds count, and records their summary.
    pub(super) fn repeat<T>(&self, name: &str, turn: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
        self.repeat_with_process(name, None, turn)
    }

    /// Like [`Self::repeat`], where another process, such as a database's, also belongs to the measurement.
    pub(super) fn repeat_with_process<T>(
        &self,
        name: &str,
        process: Option<u32>,
        mut turn: impl FnMut() -> Result<T>,
    ) -> Result<Vec<T>> {
        announce(name);
        let (measured, summary) = rounds::repeat(self.extent, || {
            let watch = Watch::start(process)?;
            Ok((turn()?, watch.foreign_share()?))
        })
        .map_err(|error| error.context(name.to_owned()))?;
        self.record.borrow_mut().add_rounds(name, summary);
        Ok(measured)
    }

    /// Records the result of a target.
    pub(super) fn judge(&self, scenario: &str, target: &'static str, measured: Spread, bound: Bound) {
        let verdict = Verdict { scenario: scenario.to_owned(), target, measured, bound };
        self.record.borrow_mut().judge(verdict);
    }

    /// Adds a row to a table.
    pub(super) fn row(&self, title: &'static str, head: &'static [&'static str], cells: Vec<String>) {
        self.record.borrow_mut().row(title, head, cells);
    }
}

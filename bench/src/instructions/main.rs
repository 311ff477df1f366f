//! `instructions fill FOLDER` makes a store; `instructions count FOLDER`, run by callgrind, opens it and does each
//! case of [`cases::ALL`] inside [`measured`], where callgrind counts. It prints `RUNS<tab>NAME` for each, in the
//! order in which callgrind writes its counts.

mod cases;
mod fixture;
mod goods;
mod work;

use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use tokio::time::sleep;

use self::fixture::ServiceFixture;
use self::work::Work;

/// More than a line of the access log waits.
const LOG_IS_WRITTEN_WITHIN: Duration = Duration::from_millis(500);

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["fill", folder] => fixture::fill(Path::new(folder)),
        ["count", folder] => count(&ServiceFixture::open(Path::new(folder))?),
        _ => bail!("usage: instructions fill FOLDER, then instructions count FOLDER"),
    }
}

/// Does each case twice: once so that what is made at first use is there, and once for the count.
fn count(fixture: &ServiceFixture) -> Result<()> {
    for case in cases::ALL {
        let warmed_up = case.prepare(fixture, 0..case.runs)?();
        // Under callgrind one thread runs at a time: now is the turn of the one that empties the access log, whose
        // buffer would grow otherwise while it is counted.
        fixture.runtime.block_on(async { sleep(LOG_IS_WRITTEN_WITHIN).await });
        let counted = measured(&mut case.prepare(fixture, case.runs..2 * case.runs)?);
        ensure!(warmed_up && counted, "{}: it does not find what it should", case.name);
        println!("{}\t{}", case.runs, case.name);
    }
    Ok(())
}

/// The benchmark runner knows this function by its name.
#[inline(never)]
fn measured(work: &mut Work<'_>) -> bool {
    // The call must come back here, or callgrind would not see this function end.
    black_box(work())
}

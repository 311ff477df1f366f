//! `instructions fill FOLDER` creates a store. `instructions count FOLDER`, under callgrind, opens it and runs each
//! case of [`cases::ALL`] inside [`measured`], where callgrind counts. It prints `RUNS<tab>NAME` for each case, in the
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

/// Longer than a line of the access log waits in its buffer.
const LOG_IS_WRITTEN_WITHIN: Duration = Duration::from_millis(500);

fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["fill", folder] => fixture::fill(Path::new(folder)),
        ["count", folder] => count(&ServiceFixture::open(Path::new(folder))?),
        _ => bail!("usage: instructions fill FOLDER, then instructions count FOLDER"),
    }
}

/// Runs each case twice: once to warm up, and once for the count.
fn count(fixture: &ServiceFixture) -> Result<()> {
    for case in cases::ALL {
        let warmed_up = case.prepare(fixture, 0..case.runs)?();
        // Under callgrind one thread runs at a time. This pause lets the thread that empties the access log run, because
        // its buffer would otherwise grow during the count.
        fixture.runtime.block_on(async { sleep(LOG_IS_WRITTEN_WITHIN).await });
        let counted = measured(&mut case.prepare(fixture, case.runs..2 * case.runs)?);
        ensure!(warmed_up && counted, "{}: a run gave an unexpected result", case.name);
        println!("{}\t{}", case.runs, case.name);
    }
    Ok(())
}

/// The benchmark runner knows this function by its name.
#[inline(never)]
fn measured(work: &mut Work<'_>) -> bool {
    // The call must not be a tail call, or callgrind would not see this function end.
    black_box(work())
}

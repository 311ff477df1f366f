//! Reads beside the server of fixed responses, in turn.

use anyhow::Result;

use super::ceiling::Ceiling;
use super::context::Bench;
use super::load::{self, CONNECTIONS, Load, Round};
use super::oha::{OpenLoop, Outcome};
use super::requests::{Get, Script, Target};
use super::spread::Spread;

/// The number of connections for requests at half of the server's peak rate.
const OPEN_CONNECTIONS: u32 = 64;

const TITLE: &str = "Reads beside the server of fixed responses";
const HEAD: &[&str] = &[
    "scenario",
    "products",
    "bytes",
    "CPU us per request",
    "ceiling",
    "ratio",
    "requests/s",
    "of the ceiling's",
    "p50 ms at half of that",
    "p99 ms",
    "ceiling's p50 ms",
    "p99 ms",
];

/// One kind of read. A load generator sends its requests in turn.
pub(super) struct Paired<'p> {
    pub(super) name: &'p str,
    pub(super) products: u32,
    pub(super) target: &'p Target,
    pub(super) gets: &'p [Get],
    /// Whether times at half of the peak rate are measured too.
    pub(super) is_timed: bool,
}

/// One round of our server and one of the ceiling.
pub(super) type Pair = (Round, Round);

/// The results of a read.
pub(super) struct Figures {
    pub(super) pairs: Vec<Pair>,
}

impl Figures {
    /// The ratio of our processor time to the ceiling's.
    pub(super) fn ratio(&self) -> Spread {
        Spread::of_ratios(&self.pairs, |pair| pair.0.cpu_us, |pair| pair.1.cpu_us)
    }

    /// Processor time per request, in microseconds.
    pub(super) fn cpu_us(&self) -> Spread {
        Spread::of(self.pairs.iter().map(|pair| pair.0.cpu_us))
    }
}

impl Paired<'_> {
    /// Measures, and adds a row to the table.
    pub(super) fn measure(&self, bench: &Bench) -> Result<Figures> {
        let ceiling = Ceiling::of(self.target, self.gets)?;
        let sides = [self.target, &Target::of(&ceiling.server)];
        let title = format!("{}, {} products", self.name, self.products);
        let pairs = in_turn(bench, &title, sides, [self.gets, self.gets])?;
        let figures = Figures { pairs };
        eprintln!("{} us, {} times the ceiling", figures.cpu_us(), figures.ratio());
        // Both get requests at half of our peak rate.
        let rate = Spread::of(figures.pairs.iter().map(|pair| pair.0.rate)).median;
        let timed = if self.is_timed && bench.has_oha {
            timed(bench, &title, sides, [self.gets, self.gets], [rate, rate])?
        } else {
            Vec::new()
        };
        bench.row(TITLE, HEAD, self.cells(&figures, ceiling.body_bytes, &timed));
        Ok(figures)
    }

    fn cells(&self, figures: &Figures, body_bytes: usize, timed: &[(Outcome, Outcome)]) -> Vec<String> {
        let pairs = &figures.pairs;
        let time = |figure: fn(&(Outcome, Outcome)) -> f64| Spread::of(timed.iter().map(figure)).to_string();
        vec![
            self.name.to_owned(),
            self.products.to_string(),
            body_bytes.to_string(),
            figures.cpu_us().to_string(),
            Spread::of(pairs.iter().map(|pair| pair.1.cpu_us)).to_string(),
            figures.ratio().to_string(),
            Spread::of(pairs.iter().map(|pair| pair.0.rate)).whole(),
            Spread::of_ratios(pairs, |pair| pair.0.rate, |pair| pair.1.rate).to_string(),
            time(|(ours, _)| ours.p50_ms),
            time(|(ours, _)| ours.p99_ms),
            time(|(_, ceiling)| ceiling.p50_ms),
            time(|(_, ceiling)| ceiling.p99_ms),
        ]
    }
}

/// Rounds of two servers in turn at full load, after a round that warms up.
pub(super) fn in_turn(
    bench: &Bench,
    name: &str,
    sides: [&Target; 2],
    gets: [&[Get]; 2],
) -> Result<Vec<Pair>> {
    let [first, second] = sides;
    let scripts = [Script::write("first", first, gets[0])?, Script::write("second", second, gets[1])?];
    let turn = || {
        let [first, second] = [(first, &scripts[0]), (second, &scripts[1])].map(|(target, script)| {
            let seconds = bench.extent.seconds;
            load::run(target, &Load { script: &script.file, connections: CONNECTIONS, seconds })
        });
        Ok((first?, second?))
    };
    turn()?;
    bench.repeat_with_process(name, second.process, turn)
}

/// Rounds of two servers in turn, each at half of its given rate.
pub(super) fn timed(
    bench: &Bench,
    name: &str,
    sides: [&Target; 2],
    gets: [&[Get]; 2],
    rates: [f64; 2],
) -> Result<Vec<(Outcome, Outcome)>> {
    let one_token =
        gets.map(|gets| gets.iter().filter(|get| get.token == gets[0].token).cloned().collect::<Vec<_>>());
    let [first, second] = [0, 1].map(|side| OpenLoop {
        name: "half",
        target: sides[side],
        gets: &one_token[side],
        rate: rates[side] / 2.0,
        connections: OPEN_CONNECTIONS,
        seconds: bench.extent.seconds,
        is_from_due: true,
        is_idle: false,
    });
    let rounds = bench.repeat_with_process(&format!("{name}, at half"), sides[1].process, || {
        Ok((first.run()?, second.run()?))
    })?;
    eprintln!("p99 {} ms", Spread::of(rounds.iter().map(|(ours, _)| ours.p99_ms)));
    Ok(rounds)
}

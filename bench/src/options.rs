//! The command-line options of `cargo benchmark`.

use std::path::PathBuf;

use clap::Parser;

const ROUNDS: usize = 7;
const QUICK_ROUNDS: usize = 3;
/// The usual sizes of a catalogue.
const SIZES: [u32; 2] = [50_000, 1_000_000];

/// Measures the released program over HTTP
#[derive(Debug, Parser)]
#[command(name = "cargo benchmark")]
#[expect(clippy::struct_excessive_bools, reason = "they are flags of a command line")]
pub(crate) struct Options {
    /// Measure only scenarios with this word in their name; an unknown word lists the names
    #[arg(long, value_name = "WORD", default_value = "")]
    pub(crate) scenario: String,
    /// Use small data and three rounds
    #[arg(long)]
    pub(crate) quick: bool,
    /// The number of rounds [default: 7]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    rounds: Option<u16>,
    /// How long a load lasts in each round
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) seconds: u32,
    /// Sizes of the catalogue, instead of those of the scenarios
    #[arg(long, value_name = "N,N", value_delimiter = ',', value_parser = clap::value_parser!(u32).range(1_000..))]
    products: Option<Vec<u32>>,
    /// Measure on PostgreSQL: `postgres` starts a server, a URL names an empty database
    #[arg(long, value_name = "postgres|URL")]
    pub(crate) database: Option<String>,
    /// Compare with another build of pointbook, in turn
    #[arg(long, value_name = "BINARY", conflicts_with = "against")]
    pub(crate) beside: Option<PathBuf>,
    /// Compare the reads of the catalogue with another server of the interface, in turn
    #[arg(long, value_name = "URL", requires = "against_token", conflicts_with = "database")]
    pub(crate) against: Option<String>,
    /// A customer's token at that server
    #[arg(long, value_name = "TOKEN", requires = "against")]
    pub(crate) against_token: Option<String>,
    /// The process of that server, when it runs on this machine
    #[arg(long, value_name = "ID", requires = "against")]
    pub(crate) against_pid: Option<u32>,
    /// Count instructions of hot functions instead, and compare them with the baseline
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Write a new baseline of the counts
    #[arg(long, requires = "instructions")]
    pub(crate) update: bool,
    /// Print only differences, and skip what cannot be counted here
    #[arg(long, requires = "instructions", conflicts_with = "update")]
    pub(crate) check: bool,
}

impl Options {
    pub(crate) fn rounds(&self) -> usize {
        self.rounds.map_or(if self.quick { QUICK_ROUNDS } else { ROUNDS }, usize::from)
    }

    /// The sizes of the catalogue for reads. PostgreSQL, whose databases are copies, and other servers get the smallest one.
    pub(crate) fn sizes(&self) -> Vec<u32> {
        let is_small = self.quick || self.database.is_some() || self.against.is_some();
        let usual: &[u32] = if is_small { &SIZES[..1] } else { &SIZES };
        self.products.clone().unwrap_or_else(|| usual.to_vec())
    }

    /// The sizes of the catalogue for a scenario with another usual size. A quick run takes the smallest one.
    pub(crate) fn sizes_or(&self, usual: u32) -> Vec<u32> {
        let usual = if self.quick { SIZES[0] } else { usual };
        self.products.clone().unwrap_or_else(|| vec![usual])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &str) -> Result<Options, String> {
        let words = ["cargo benchmark"].into_iter().chain(words.split_whitespace());
        Options::try_parse_from(words).map_err(|error| error.to_string())
    }

    #[test]
    fn default_is_seven_rounds_and_quick_is_three() {
        let rounds = ["", "--quick", "--quick --rounds 9"].map(|words| parse(words).unwrap().rounds());
        assert_eq!(rounds, [7, 3, 9]);
    }

    #[test]
    fn quick_run_has_small_catalogues_and_given_sizes_win() {
        let sizes = |words| {
            let options = parse(words).unwrap();
            (options.sizes(), options.sizes_or(100_000))
        };
        assert_eq!(sizes(""), (vec![50_000, 1_000_000], vec![100_000]));
        assert_eq!(sizes("--quick"), (vec![50_000], vec![50_000]));
        assert_eq!(sizes("--database postgres"), (vec![50_000], vec![100_000]));
        assert_eq!(sizes("--quick --products 1000,2000"), (vec![1_000, 2_000], vec![1_000, 2_000]));
    }

    #[test]
    fn combinations_without_a_meaning_are_refused() {
        for words in [
            "--rounds 0",
            "--seconds 0",
            "--products 999",
            "--update",
            "--check",
            "--instructions --check --update",
            "--against http://a",
            "--against-token t",
            "--against http://a --against-token t --database postgres",
            "--against http://a --against-token t --beside before",
        ] {
            assert!(parse(words).is_err(), "{words}");
        }
    }
}

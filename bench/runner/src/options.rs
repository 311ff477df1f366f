//! What `cargo benchmark` is told.

use anyhow::{Context, Result, bail, ensure};

/// The words behind the command's name.
pub(super) const USAGE: &str = "--quick, --scenario WORD, --rounds N, --products N,N, --noisy, --database postgres|URL, \
     --against URL --against-token T [--against-pid N], and --instructions as the first";

/// What to measure, and how.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    /// Only what a minute or two and small databases allow.
    pub(super) is_quick: bool,
    /// What the names of the scenarios have in them.
    pub(super) scenario: String,
    /// How many rounds count.
    pub(super) rounds: usize,
    /// Sizes of the catalogue, instead of those that the scenarios choose.
    pub(super) products: Option<Vec<u32>>,
    /// Whether rounds count although something else used the processors.
    pub(super) is_noisy: bool,
    /// The word of a PostgreSQL server.
    pub(super) database: Option<String>,
    /// Another server of the interface, to be measured beside ours.
    pub(super) against: Option<Against>,
}

/// Another server.
#[derive(Debug, PartialEq, Default)]
pub(super) struct Against {
    pub(super) url: String,
    pub(super) token: String,
    /// Its first process, where it runs on this machine.
    pub(super) process: Option<u32>,
}

/// Rounds that count, unless told otherwise.
const ROUNDS: usize = 7;
const QUICK_ROUNDS: usize = 3;

impl Options {
    /// Reads the words of the command line.
    pub(super) fn parse(words: &[String]) -> Result<Self> {
        let mut options = Self::default();
        let (mut rounds, mut against, mut url) = (None, Against::default(), None);
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let mut value = || words.next().with_context(|| format!("{word} needs a value"));
            match word.as_str() {
                "--quick" => options.is_quick = true,
                "--noisy" => options.is_noisy = true,
                "--scenario" => value()?.clone_into(&mut options.scenario),
                "--rounds" => rounds = Some(number(word, value()?)?),
                "--products" => options.products = Some(sizes(value()?)?),
                "--database" => options.database = Some(value()?.clone()),
                "--against" => url = Some(value()?.clone()),
                "--against-token" => value()?.clone_into(&mut against.token),
                "--against-pid" => against.process = Some(number(word, value()?)?),
                _ => bail!("unknown option {word:?}; there are {USAGE}"),
            }
        }
        options.rounds = rounds.unwrap_or(if options.is_quick { QUICK_ROUNDS } else { ROUNDS });
        options.against = combine(url, against)?;
        options.check()?;
        Ok(options)
    }

    /// Whether every scenario is measured, at all of its sizes.
    pub(super) fn is_all(&self) -> bool {
        !self.is_quick && self.scenario.is_empty() && self.products.is_none()
    }

    fn check(&self) -> Result<()> {
        ensure!(self.rounds > 0, "--rounds needs at least 1");
        let is_one = self.database.is_none() || self.against.is_none();
        ensure!(is_one, "--database and --against are measured apart");
        Ok(())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            is_quick: false,
            scenario: String::new(),
            rounds: ROUNDS,
            products: None,
            is_noisy: false,
            database: None,
            against: None,
        }
    }
}

fn combine(url: Option<String>, against: Against) -> Result<Option<Against>> {
    let Some(url) = url else {
        ensure!(against == Against::default(), "--against-token and --against-pid go with --against URL");
        return Ok(None);
    };
    ensure!(
        url.starts_with("http://"),
        "--against takes an http:// address, such as http://127.0.0.1:9000/acme/api"
    );
    ensure!(!against.token.is_empty(), "--against needs --against-token: a customer's token at that server");
    Ok(Some(Against { url: url.trim_end_matches('/').to_owned(), ..against }))
}

fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N> {
    text.parse().map_err(|_| anyhow::anyhow!("{option} needs a number, not {text:?}"))
}

fn sizes(text: &str) -> Result<Vec<u32>> {
    let sizes: Vec<u32> = text.split(',').map(|size| number("--products", size)).collect::<Result<_>>()?;
    ensure!(sizes.iter().all(|size| *size >= 1_000), "--products takes sizes of at least 1000");
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn seven_rounds_are_usual_and_three_are_quick() {
        assert_eq!(parse("").unwrap(), Options::default());
        assert_eq!(parse("--quick").unwrap().rounds, QUICK_ROUNDS);
        assert_eq!(parse("--rounds 9 --quick").unwrap().rounds, 9);
        assert_eq!(parse("--products 1000,50000").unwrap().products, Some(vec![1_000, 50_000]));
    }

    #[test]
    fn another_server_needs_an_address_and_a_token() {
        let options =
            parse("--against http://127.0.0.1:9000/api/ --against-token abc --against-pid 12").unwrap();
        let against =
            Against { url: "http://127.0.0.1:9000/api".into(), token: "abc".into(), process: Some(12) };
        assert_eq!(options.against, Some(against));
    }

    #[test]
    fn a_wrong_word_is_said_what_is_wrong_with_it() {
        let wrong = [
            ("--rounds", "--rounds needs a value"),
            ("--rounds x", "--rounds needs a number, not \"x\""),
            ("--rounds 0", "--rounds needs at least 1"),
            ("--products 1000,many", "--products needs a number, not \"many\""),
            ("--products 3", "--products takes sizes of at least 1000"),
            ("--against https://x --against-token t", "--against takes an http:// address"),
            ("--against http://x", "--against needs --against-token"),
            ("--against-token t", "--against-token and --against-pid go with"),
            ("--database postgres --against http://x --against-token t", "are measured apart"),
            ("--quick --instructions", "--instructions as the first"),
            ("--fast", "unknown option \"--fast\"; there are --quick"),
        ];
        for (words, message) in wrong {
            let error = parse(words).unwrap_err().to_string();
            assert!(error.contains(message), "{words}: {error}");
        }
    }
}

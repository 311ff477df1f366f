//! The command-line options of `cargo benchmark`.

use anyhow::{Context, Result, bail, ensure};

/// The options, as error messages list them.
pub(super) const USAGE: &str = "--quick, --scenario WORD, --rounds N, --products N,N, --noisy, --database postgres|URL, \
     --against URL --against-token T [--against-pid N], and --instructions as the first";

/// What to measure, and how.
#[derive(Debug, PartialEq)]
pub(super) struct Options {
    /// Measures only scenarios with small databases, in a minute or two.
    pub(super) is_quick: bool,
    /// Measures only scenarios whose names contain this string.
    pub(super) scenario: String,
    /// How many rounds must count.
    pub(super) rounds: usize,
    /// Sizes of the catalogue, instead of those of the scenarios.
    pub(super) products: Option<Vec<u32>>,
    /// Whether rounds count although other programs used the processors.
    pub(super) is_noisy: bool,
    /// `postgres`, or the URL of a PostgreSQL database.
    pub(super) database: Option<String>,
    /// Another server of the interface, to compare with ours.
    pub(super) against: Option<Against>,
}

/// Another server.
#[derive(Debug, PartialEq, Default)]
pub(super) struct Against {
    pub(super) url: String,
    pub(super) token: String,
    /// The id of its first process, when it runs on this machine.
    pub(super) process: Option<u32>,
}

/// The default number of rounds that must count.
const ROUNDS: usize = 7;
const QUICK_ROUNDS: usize = 3;

impl Options {
    /// Parses the words of the command line.
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
                _ => bail!("unknown option {word:?}; the options are {USAGE}"),
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
        ensure!(self.rounds > 0, "--rounds must be at least 1");
        let is_one = self.database.is_none() || self.against.is_none();
        ensure!(is_one, "--database and --against cannot be combined: run them separately");
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
        ensure!(against == Against::default(), "--against-token and --against-pid require --against URL");
        return Ok(None);
    };
    ensure!(
        url.starts_with("http://"),
        "--against requires an http:// URL, such as http://127.0.0.1:9000/acme/api"
    );
    ensure!(
        !against.token.is_empty(),
        "--against requires --against-token: a customer's token at that server"
    );
    Ok(Some(Against { url: url.trim_end_matches('/').to_owned(), ..against }))
}

fn number<N: std::str::FromStr>(option: &str, text: &str) -> Result<N> {
    text.parse().map_err(|_| anyhow::anyhow!("{option} must be a number, got {text:?}"))
}

fn sizes(text: &str) -> Result<Vec<u32>> {
    let sizes: Vec<u32> = text.split(',').map(|size| number("--products", size)).collect::<Result<_>>()?;
    ensure!(sizes.iter().all(|size| *size >= 1_000), "--products requires sizes of at least 1000");
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Options> {
        Options::parse(&text.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn default_is_seven_rounds_and_quick_is_three() {
        assert_eq!(parse("").unwrap(), Options::default());
        assert_eq!(parse("--quick").unwrap().rounds, QUICK_ROUNDS);
        assert_eq!(parse("--rounds 9 --quick").unwrap().rounds, 9);
        assert_eq!(parse("--products 1000,50000").unwrap().products, Some(vec![1_000, 50_000]));
    }

    #[test]
    fn another_server_requires_a_url_and_a_token() {
        let options =
            parse("--against http://127.0.0.1:9000/api/ --against-token abc --against-pid 12").unwrap();
        let against =
            Against { url: "http://127.0.0.1:9000/api".into(), token: "abc".into(), process: Some(12) };
        assert_eq!(options.against, Some(against));
    }

    #[test]
    fn error_of_a_wrong_option_says_what_is_allowed() {
        let wrong = [
            ("--rounds", "--rounds needs a value"),
            ("--rounds x", "--rounds must be a number, got \"x\""),
            ("--rounds 0", "--rounds must be at least 1"),
            ("--products 1000,many", "--products must be a number, got \"many\""),
            ("--products 3", "--products requires sizes of at least 1000"),
            ("--against https://x --against-token t", "--against requires an http:// URL"),
            ("--against http://x", "--against requires --against-token"),
            ("--against-token t", "--against-token and --against-pid require"),
            ("--database postgres --against http://x --against-token t", "cannot be combined"),
            ("--quick --instructions", "--instructions as the first"),
            ("--fast", "unknown option \"--fast\"; the options are --quick"),
        ];
        for (words, message) in wrong {
            let error = parse(words).unwrap_err().to_string();
            assert!(error.contains(message), "{words}: {error}");
        }
    }
}

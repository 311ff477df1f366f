//! `pointbook check`: examines a server from outside against the interface.

use std::path::{Path, PathBuf};

use clap::Args;
use pointbook_check::{BaseAddress, Client, Origin, Politeness, Refusal, Token, examine};

use super::{CommandResult, Exit, Failure, NoDatabase, print, say};
use crate::secret_file;

/// Shown below the arguments.
const NOTES: &str = "\
The command sends only GET, HEAD and OPTIONS, so it changes nothing. It checks contracts and readings. A contract is a rule
of the interface (docs/interface.md). A reading is a decision of pointbook where the interface leaves something open. A server
may break readings: the command fails for them only with --strict. For each broken rule it shows the first request, the expected
response and the response that came. It never shows tokens.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// The base address that all paths are appended to, such as <https://shop.example/api>
    base_url: String,

    // In a file or the environment, tokens are in no list of processes.
    /// A customer's token
    #[arg(long, env = "POINTBOOK_CHECK_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// A file that has the token alone; it comes before --token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// The token of another customer of the same tenant, who must see another history
    #[arg(long, value_name = "TOKEN", env = "POINTBOOK_CHECK_OTHER_TOKEN", hide_env_values = true)]
    other_token: Option<String>,

    /// A file that has the other token alone
    #[arg(long, value_name = "FILE")]
    other_token_file: Option<PathBuf>,

    /// Print the report as JSON
    #[arg(long)]
    json: bool,

    /// Let broken readings count as well
    #[arg(long)]
    strict: bool,

    /// The most requests that are sent
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    max_requests: u32,

    /// The most requests in a second
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rate: u32,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Arguments { json, strict, max_requests, rate, .. } = arguments;
    let base = parse_base(&arguments.base_url)?;
    let token = read_token("token", arguments.token, arguments.token_file.as_deref())?.ok_or_else(|| {
        Failure::input("give a customer's token by --token-file, POINTBOOK_CHECK_TOKEN or --token")
    })?;
    let other = read_token("other token", arguments.other_token, arguments.other_token_file.as_deref())?;
    say(format_args!(
        "{base}: at most {max_requests} requests, at most {rate} a second, and only GET, HEAD and OPTIONS"
    ));
    let politeness = Politeness { max_requests, per_second: rate };
    let mut client = Client::new(base, token, other, politeness);
    let report = examine(&mut client).map_err(|refusal| refused(&refusal))?;
    if json {
        let text = serde_json::to_string_pretty(&report);
        let text = text.map_err(|error| Failure::trouble("cannot write the report", &error))?;
        print(format_args!("{text}\n"))?;
    } else {
        print(&report)?;
    }
    let is_broken = |origin| report.counts(origin).broken > 0;
    if is_broken(Origin::Contract) || (strict && is_broken(Origin::Reading)) {
        return Err(Failure::found_wrong());
    }
    Ok(())
}

pub(super) fn parse_base(text: &str) -> Result<BaseAddress, Failure> {
    BaseAddress::parse(text).map_err(|rule| Failure::input(format!("BASE_URL is no base address: {rule}")))
}

/// The token in the file, otherwise the one on the command line.
fn read_token(name: &str, text: Option<String>, file: Option<&Path>) -> Result<Option<Token>, Failure> {
    let text = match file {
        Some(file) => {
            secret_file::warning(file).iter().for_each(say);
            Some(secret_file::read(&format!("the file of the {name}"), file)?)
        }
        None => text,
    };
    let token = text.map(|text| Token::new(&text)).transpose();
    token.map_err(|rule| Failure::input(format!("the {name} is none: {rule}")))
}

fn refused(refusal: &Refusal) -> Failure {
    let exit = match refusal {
        Refusal::Unreachable(_) => Exit::Trouble,
        Refusal::Token(_) => Exit::Input,
        Refusal::NoApi(_) | Refusal::Stranger(_) => Exit::FoundWrong,
    };
    Failure::new(exit, refusal.to_string())
}

//! `pointbook check`: tests over HTTP whether a server follows the interface.

use std::path::{Path, PathBuf};

use clap::Args;
use pointbook_exchange::check::{Client, Origin, Politeness, Refusal, ServerUrl, Token, examine};

use super::{CommandResult, Exit, Failure, NoDatabase, print, say};
use crate::secret_file;

/// Shown below the arguments.
const NOTES: &str = "\
The command sends only GET, HEAD and OPTIONS requests, so it changes nothing. It checks contract rules and readings.
A contract rule is part of the interface (docs/interface.md). A reading is a decision of pointbook where the interface
leaves something open; another server may break it, and the command then fails only with --strict. For each broken rule
the report shows the first request, the expected response and the actual one. Tokens are never shown.";

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    #[command(flatten)]
    no_database: NoDatabase,

    /// The base URL of the server, such as <https://shop.example/api>; all paths are appended to it
    base_url: String,

    // A process list shows arguments, but not the environment or files.
    /// The token of a customer
    #[arg(long, env = "POINTBOOK_CHECK_TOKEN", hide_env_values = true)]
    token: Option<String>,

    /// A file that contains only the token; it takes precedence over --token
    #[arg(long, value_name = "FILE")]
    token_file: Option<PathBuf>,

    /// The token of another customer of the same tenant, to check that histories are separate
    #[arg(long, value_name = "TOKEN", env = "POINTBOOK_CHECK_OTHER_TOKEN", hide_env_values = true)]
    other_token: Option<String>,

    /// A file that contains only the other token
    #[arg(long, value_name = "FILE")]
    other_token_file: Option<PathBuf>,

    /// Print the report as JSON
    #[arg(long)]
    json: bool,

    /// Fail for broken readings, too
    #[arg(long)]
    strict: bool,

    /// The maximum number of requests
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = clap::value_parser!(u32).range(1..))]
    max_requests: u32,

    /// The maximum number of requests per second
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rate: u32,
}

pub(crate) fn run(arguments: Arguments) -> CommandResult {
    let Arguments { json, strict, max_requests, rate, .. } = arguments;
    let base = parse_base(&arguments.base_url)?;
    let token = read_token("token", arguments.token, arguments.token_file.as_deref())?.ok_or_else(|| {
        Failure::input(
            "a customer's token is required: give it with --token-file, POINTBOOK_CHECK_TOKEN or --token",
        )
    })?;
    let other = read_token("other token", arguments.other_token, arguments.other_token_file.as_deref())?;
    say(format_args!(
        "{base}: sending at most {max_requests} requests, {rate} per second, only GET, HEAD and OPTIONS"
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

pub(super) fn parse_base(text: &str) -> Result<ServerUrl, Failure> {
    ServerUrl::parse(text).map_err(|rule| Failure::input(format!("BASE_URL is not a valid base URL: {rule}")))
}

/// Reads the token from the file; without a file, takes the one of the command line.
fn read_token(name: &str, text: Option<String>, file: Option<&Path>) -> Result<Option<Token>, Failure> {
    let text = match file {
        Some(file) => {
            secret_file::warning(file).iter().for_each(say);
            Some(secret_file::read(&format!("the file of the {name}"), file)?)
        }
        None => text,
    };
    let token = text.map(|text| Token::new(&text)).transpose();
    token.map_err(|rule| Failure::input(format!("the {name} is not valid: {rule}")))
}

fn refused(refusal: &Refusal) -> Failure {
    let exit = match refusal {
        Refusal::Unreachable(_) => Exit::Trouble,
        Refusal::Token(_) => Exit::Input,
        Refusal::NoApi(_) | Refusal::NotTheInterface(_) => Exit::FoundWrong,
    };
    Failure::new(exit, refusal.to_string())
}

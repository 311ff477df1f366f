//! `pointbook check`: is the server at an address what the interface says?

use std::path::{Path, PathBuf};
use std::thread;

use clap::Args;
use pointbook_check::{BaseAddress, Client, Origin, Politeness, Refusal, Report, Token, examine};
use tokio::sync::oneshot;

use super::{CommandResult, Exit, Failure, NoDatabase, Verdict, print, say};
use crate::secret_file;

/// Below the arguments in `--help`.
const NOTES: &str = "\
Nothing is changed: only GET, HEAD and OPTIONS are sent. The examination is of contracts, which the document of the
interface has, and of readings, which pointbook decided where the document is silent; a server that breaks readings alone
is in order, but for --strict. What a rule asks for, what came instead, and with which request, is shown for the first time
that it was broken. Tokens are shown nowhere.";

/// The arguments.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
    /// No database.
    #[command(flatten)]
    pub no_database: NoDatabase,

    /// The base address that all paths are appended to, such as <https://shop.example/api>
    base_url: String,

    #[command(flatten)]
    tokens: Tokens,

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

/// Where tokens come from. In a file or the environment they are in no list of processes.
#[derive(Debug, Args)]
struct Tokens {
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
}

/// Examines the server, and prints what was seen.
pub(super) async fn run(arguments: Arguments) -> CommandResult {
    let Arguments { no_database: _, base_url, tokens, json, strict, max_requests, rate } = arguments;
    let base = parse_base(&base_url)?;
    let (token, other) = tokens.read()?;
    say(format_args!(
        "{base}: at most {max_requests} requests, at most {rate} a second, and only GET, HEAD and OPTIONS"
    ));
    let politeness = Politeness { max_requests, per_second: rate };
    let mut client = Client::new(base, token, other, politeness);
    let report = on_a_thread(move || examine(&mut client)).await?.map_err(|refusal| refused(&refusal))?;
    print_report(&report, json)?;
    Ok(judge(&report, strict))
}

/// A base address as the command line has it.
pub(super) fn parse_base(text: &str) -> Result<BaseAddress, Failure> {
    BaseAddress::parse(text).map_err(|rule| Failure::input(format!("BASE_URL is no base address: {rule}")))
}

/// Runs what waits for the network where it keeps nobody waiting.
pub(super) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Failure> {
    let (sender, receiver) = oneshot::channel();
    let begun = thread::Builder::new().name("check".to_owned()).spawn(move || drop(sender.send(work())));
    begun.map_err(|error| Failure::trouble("cannot start a thread", &error))?;
    receiver.await.map_err(|_| Failure::failed("the examination ended early"))
}

impl Tokens {
    fn read(&self) -> Result<(Token, Option<Token>), Failure> {
        let Self { token, token_file, other_token, other_token_file } = self;
        let own = read_token(token.as_deref(), token_file.as_deref(), "token")?;
        let own = own.ok_or_else(|| {
            Failure::input("give a customer's token by --token-file, POINTBOOK_CHECK_TOKEN or --token")
        })?;
        Ok((own, read_token(other_token.as_deref(), other_token_file.as_deref(), "other token")?))
    }
}

fn read_token(text: Option<&str>, file: Option<&Path>, name: &str) -> Result<Option<Token>, Failure> {
    let text = match (file, text) {
        (Some(file), _) => Some(read_file(file)?),
        (None, text) => text.map(str::to_owned),
    };
    let token = text.map(|text| Token::new(&text)).transpose();
    token.map_err(|rule| Failure::input(format!("the {name} is none: {rule}")))
}

fn read_file(path: &Path) -> Result<String, Failure> {
    warn_of(path);
    std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))
}

/// Says that a file of tokens can be read by everybody, where it can.
pub(super) fn warn_of(path: &Path) {
    secret_file::warning(path).iter().for_each(say);
}

/// How a refusal ends the program.
pub(super) fn refused(refusal: &Refusal) -> Failure {
    let message = refusal.to_string();
    match refusal {
        Refusal::Unreachable(_) => Failure::failed(message),
        Refusal::Token(_) => Failure::input(message),
        Refusal::NoApi(_) | Refusal::Stranger(_) => {
            Failure { exit: Exit::FoundWrong, messages: vec![message] }
        }
    }
}

fn print_report(report: &Report, json: bool) -> Result<(), Failure> {
    if !json {
        return print(report);
    }
    let text = serde_json::to_string_pretty(report);
    let text = text.map_err(|error| Failure::trouble("cannot write the report", &error))?;
    print(format_args!("{text}\n"))
}

fn judge(report: &Report, strict: bool) -> Verdict {
    let broken = |origin| report.counts(origin).broken > 0;
    if broken(Origin::Contract) || (strict && broken(Origin::Reading)) {
        Verdict::FoundWrong
    } else {
        Verdict::Fine
    }
}

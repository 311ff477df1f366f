//! `pointbook pull`: takes a store and histories over from another server of the interface.

mod steps;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use pointbook_app::ServiceLimits;
use pointbook_check::{Client, Politeness, Source};

use self::steps::Pull;
use super::check::parse_base;
use super::context::NOTHING_KEPT;
use super::{CommandResult, Context, Failure, find_tenant, say, say_duration};
use crate::pull::{Account, parse_accounts};
use crate::secret_file;
use crate::wiring::{self, DatabaseClient};

/// Shown below the arguments.
const NOTES: &str = "\
Only what the interface documents is read: the store by the first token of the file, the history of each user by their own.
Nothing is changed there. A product is put into the lowest categories that find it. Not told, and so not taken over, are:
when a product was published (here the order of the list follows from times before 2000, so nothing is new), stock (here
unlimited, unless it was set), orders and their states, users without a token, and what is kept of users besides points.
A transaction is recorded once, however often it is read: an interrupted pull is simply run again. What breaks a rule of
the document (see `pointbook check`) is refused, by its name; a history that does, or whose token is not accepted, is
named and passed over. At the end both sides are read and held against each other.";

/// The memory for the tenant's catalogue while it is compared.
const CATALOGUE_BYTES: usize = 512 << 20;

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The base address of the other server, such as <https://shop.example/api>
    base_url: String,

    /// A file with lines of `USER_ID TOKEN`: whose histories, and by which token
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,

    /// The tenant here: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// Retire the products that the other server does not list
    #[arg(long)]
    replace: bool,

    /// The most requests in a second
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rate: u32,
}

/// Takes over, then compares.
pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let Arguments { base_url, token_file, tenant, replace, rate } = arguments;
    let base = parse_base(&base_url)?;
    secret_file::warning(&token_file).iter().for_each(say);
    let accounts = read_accounts(&token_file)?;
    let limits = ServiceLimits { catalogue_bytes: CATALOGUE_BYTES, ..NOTHING_KEPT };
    let service = wiring::open_service(context.database()?, limits, DatabaseClient::Command).await?;
    let service = Arc::new(service);
    let tenant = find_tenant(&service, &tenant)?;
    say(format_args!("{base}: at most {rate} requests a second, and only GET"));
    let first = accounts.first().cloned().ok_or_else(|| Failure::input("there is no token"))?;
    let politeness = Politeness { max_requests: u32::MAX, per_second: rate };
    let source = Source::new(Client::new(base, first.token.clone(), None, politeness));
    let mut pull = Pull { service, tenant, source: Some(source), is_right: true };
    pull.take_store(&first.user, replace).await?;
    let read = pull.take_histories(accounts).await?;
    pull.compare(first, read).await?;
    say_duration(started.elapsed());
    if pull.is_right { Ok(()) } else { Err(Failure::found_wrong()) }
}

fn read_accounts(path: &Path) -> Result<Vec<Account>, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    let named = |problems: Vec<String>| problems.iter().map(|problem| format!("{name}: {problem}")).collect();
    parse_accounts(&text).map_err(|problems| Failure::inputs(named(problems)))
}

//! `pointbook pull`: takes a store and histories over from another server of the interface.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use clap::Args;
use pointbook_app::{IdSource, ServedTenant, Service, ServiceLimits};
use pointbook_check::{Client, Politeness, ReadError, Source};
use pointbook_domain::UserId;
use tokio::sync::oneshot;

use super::check::parse_base;
use super::import::{interrupt, judge, progress, rejects_of};
use super::{CommandResult, Context, Exit, Failure, find_tenant, print, say, say_duration};
use crate::import::{self, Ending, Format, ImportError, Input, Kind, Options, Target};
use crate::pull::{
    Account, Comparison, Lines, Local, Plan, Reading, activity_lines, category_tree, compare_history,
    compare_stores, parse_accounts, product_lines,
};
use crate::secret_file;
use crate::sources::UuidIds;
use crate::wiring::NOTHING_KEPT;
use crate::wiring::{self, DatabaseClient};

/// Shown below the arguments.
const NOTES: &str = "\
The command sends only the four reads of the interface (docs/interface.md): it reads the store with the first token of the
file, and the history of each user with the token of that user. It changes nothing there. A product is put into the lowest categories that find it. Not told, and so not taken over, are:
when a product was published (here the order of the list follows from times before 2000, so nothing is new), stock (here
unlimited, unless it was set), orders and their states, users without a token, and what is kept of users besides points.
A transaction is recorded once, however often it is read: an interrupted pull is simply run again. What breaks a rule of
the interface (see `pointbook check`) is refused, by its name; a history that does, or whose token is not accepted, is
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

/// How many of a history's transactions that are left out the command names.
const NAMED: usize = 10;

const AGAIN: &str = "what was read before is kept, and running the pull again is safe";

/// A wrong response of the other server is a finding; no response is a failure.
fn refused(error: &ReadError) -> Failure {
    match error {
        ReadError::Unreachable(_) => Failure::failed(error.to_string()),
        ReadError::Broken { .. } if error.refuses_token() => {
            Failure::input(format!("the token is not accepted: {error}"))
        }
        ReadError::Broken { .. } => Failure::new(Exit::FoundWrong, error.to_string()),
    }
}

/// Puts the account that was read in front of each message.
fn of_account(user: &UserId, Failure { exit, messages }: Failure) -> Failure {
    Failure { exit, messages: messages.into_iter().map(|message| format!("{user}: {message}")).collect() }
}

/// Says what is wrong with one account, unless all others would fail in the same way.
fn pass_over(failure: Failure) -> CommandResult {
    match failure.exit {
        Exit::FoundWrong | Exit::Input => {
            failure.messages.iter().for_each(say);
            Ok(())
        }
        Exit::Trouble | Exit::Interrupted => Err(failure),
    }
}

struct Pull {
    service: Arc<Service>,
    tenant: Arc<ServedTenant>,
    /// `None` while a thread reads from it.
    source: Option<Source>,
    /// Whether all was taken over and both sides are equal so far.
    is_right: bool,
}

impl Pull {
    async fn take_store(&mut self, first: &UserId, replace: bool) -> CommandResult {
        let plan = self.read(Plan::read).await.map_err(|failure| match failure.exit {
            Exit::Input => of_account(first, failure),
            _ => failure,
        })?;
        let tree = category_tree(&plan.tree).to_string();
        let input = Input::reader(Cursor::new(tree), Some(Format::Json));
        self.import(Kind::Categories, input, false).await?;
        let read = move |source: &mut Source, lines: &Lines| {
            product_lines(source, lines, &plan).map_err(|error| refused(&error))
        };
        self.import_while(read, Kind::Products, replace).await
    }

    /// One import for all users, so that large commits stay large. Returns the accounts that were read to their end.
    async fn take_histories(&mut self, accounts: Vec<Account>) -> Result<Vec<Account>, Failure> {
        let read = |source: &mut Source, lines: &Lines| read_histories(source, lines, accounts);
        let (read, is_complete) = self.import_while(read, Kind::Activities, false).await?;
        self.is_right &= is_complete;
        Ok(read)
    }

    fn take_source(&mut self) -> Result<Source, Failure> {
        self.source.take().ok_or_else(|| Failure::failed("the other server is being read already"))
    }

    /// Reads on a thread of its own.
    async fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut Source) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, Failure> {
        let mut source = self.take_source()?;
        let (sender, receiver) = oneshot::channel();
        let work = move || {
            let result = read(&mut source);
            drop(sender.send((source, result)));
        };
        let begun = thread::Builder::new().name("pull".to_owned()).spawn(work);
        begun.map_err(|error| Failure::trouble("cannot start a thread", &error))?;
        let (source, result) = tokio::select! {
            done = receiver => done.map_err(|_| Failure::failed("the reading thread ended early"))?,
            // `interrupt` has replaced the default handler.
            () = interrupt(Kind::Products) => {
                return Err(Failure::new(Exit::Interrupted, format!("interrupted: {AGAIN}")));
            }
        };
        self.source = Some(source);
        result.map_err(|error| refused(&error))
    }

    /// Imports rows while they are read. Why reading ended early says more than that the input broke off.
    async fn import_while<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut Source, &Lines) -> Result<T, Failure> + Send + 'static,
        kind: Kind,
        replace: bool,
    ) -> Result<T, Failure> {
        let (reading, input) = Reading::start(self.take_source()?, read)?;
        match self.import(kind, Input::reader(input, Some(Format::Jsonl)), replace).await {
            // The thread may be waiting for a response; it ends with the program.
            Err(failure) if failure.exit == Exit::Interrupted => Err(failure),
            imported => {
                let (source, read) = reading.end()?;
                self.source = Some(source);
                let read = read.map_err(|mut failure| {
                    failure.messages.push(AGAIN.to_owned());
                    failure
                })?;
                imported.map(|()| read)
            }
        }
    }

    async fn import(&mut self, kind: Kind, input: Input, replace: bool) -> CommandResult {
        let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
        let target = Target { tenant: &self.tenant, clock: &self.service.clock, ids: &ids };
        let rejects = rejects_of(&self.tenant.name(), kind);
        let options = Options {
            replace,
            // Without categories there, this tenant shall have none.
            may_be_empty: true,
            rejects: Some(rejects.clone()),
            progress: progress(),
            stop: interrupt(kind),
        };
        let summary = import::run(target, kind, input, options).await;
        let summary = summary.map_err(|error| match error {
            ImportError::Usage(_) => Failure::input(format!("the import of {kind}: {error}")),
            error => Failure::trouble(&format!("the import of {kind}"), &error),
        })?;
        print(format_args!("{summary}\n"))?;
        match (judge(&summary, &rejects), &summary.ending) {
            // The rows that are not rejected are taken over and compared.
            (Err(failure), Ending::Complete) => {
                failure.messages.iter().for_each(say);
                self.is_right = false;
                Ok(())
            }
            (result, _) => result,
        }
    }

    /// Compares the store, by the first account, and these histories.
    async fn compare(&mut self, first: Account, read: Vec<Account>) -> CommandResult {
        let local = Local::start(self.service.clone(), self.tenant.clone()).await?;
        let store = self.compare_as(&local, first, compare_stores).await?;
        self.report("store", "products", &store)?;
        for account in read {
            let user = account.user.clone();
            match self.compare_as(&local, account, compare_history).await {
                Ok(history) => self.report(user.as_str(), "days", &history)?,
                Err(failure) => {
                    pass_over(failure)?;
                    self.is_right = false;
                }
            }
        }
        Ok(())
    }

    /// Compares both sides as this account sees them.
    async fn compare_as(
        &mut self,
        local: &Local,
        Account { user, token }: Account,
        compare: fn(&mut Source, &mut Source) -> Result<Comparison, ReadError>,
    ) -> Result<Comparison, Failure> {
        let read = |mut ours: Source| {
            move |theirs: &mut Source| {
                theirs.set_token(token);
                compare(theirs, &mut ours)
            }
        };
        let comparison = local.read_as(&user, async |ours| self.read(read(ours)).await).await;
        comparison.map_err(|failure| match failure.exit {
            Exit::Interrupted => failure,
            _ => of_account(&user, failure),
        })
    }

    fn report(&mut self, name: &str, what: &str, comparison: &Comparison) -> CommandResult {
        let Comparison { compared, named, differences, note, sha256: (there, here) } = comparison;
        for words in named {
            print(format_args!("{name}: {words}\n"))?;
        }
        if let Some(note) = note {
            print(format_args!("{name}: note: {note}\n"))?;
        }
        self.is_right &= *differences == 0;
        print(format_args!("{name}: {compared} {what} compared, {differences} differences\n"))?;
        let hashes = if there == here {
            format!("{there} there and here")
        } else {
            format!("{there} there, {here} here")
        };
        print(format_args!("{name}: sha256 {hashes}\n"))
    }
}

/// Reads one history after the other, also after one that is wrong. Returns the accounts that were read to their end,
/// and whether these are all accounts, with every transaction.
fn read_histories(
    source: &mut Source,
    lines: &Lines,
    accounts: Vec<Account>,
) -> Result<(Vec<Account>, bool), Failure> {
    let (mut read, mut is_complete) = (Vec::new(), true);
    for account in accounts {
        let (user, mut left_out) = (account.user.clone(), Vec::new());
        source.set_token(account.token.clone());
        let result = activity_lines(source, lines, &user, &mut left_out);
        left_out.iter().take(NAMED).for_each(|words| say(format_args!("{user}: not taken over: {words}")));
        if left_out.len() > NAMED {
            say(format_args!("{user}: not taken over: {} more", left_out.len() - NAMED));
        }
        is_complete &= left_out.is_empty() && result.is_ok();
        match result {
            Ok(is_more_wanted) => {
                read.push(account);
                if !is_more_wanted {
                    break;
                }
            }
            Err(error) => pass_over(of_account(&user, refused(&error)))?,
        }
    }
    Ok((read, is_complete))
}

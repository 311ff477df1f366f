//! `pointbook pull`: copies the store and point histories from another server that follows the interface.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use clap::Args;
use pointbook_access::tokens::authenticate::Tokens;
use pointbook_catalogue::pictures::file::PicturePermits;
use pointbook_domain::UserId;
use pointbook_exchange::check::{Client, Politeness, ReadError, Source};
use pointbook_exchange::pull::{
    Account, Comparison, LineSender, LocalServer, PullError, ReaderThread, StoreIndex, activity_lines,
    category_tree, compare_history, compare_stores, parse_accounts, product_lines,
};
use pointbook_http::{HttpState, router};
use pointbook_store::{IdSource, Parts, ServedTenant, Service, ServiceLimits};
use tokio::sync::oneshot;

use super::check::parse_base;
use super::import::{interrupt, judge, progress, rejects_of};
use super::{CommandResult, Context, Exit, Failure, find_tenant, print, say, say_duration};
use crate::import::{Ending, Format, ImportError, Input, Kind, Options, Target};
use crate::slices::LISTED;
use crate::sources::{OsSecrets, UuidIds, command_line};
use crate::wiring::{DatabaseClient, NO_CACHES};
use crate::{import, secret_file, wiring};

/// Shown below the arguments.
const NOTES: &str = "\
The command sends only the four GET requests of the interface (docs/interface.md), so it changes nothing on the other
server. It reads the store with the first token of the file, and each user's history with that user's token. It assigns
a product to the deepest categories whose filter finds it.

The interface does not show these things, so the command cannot copy them: when a product was published (here products
get times before 2000 that keep the order of the list, so no product is new), stock (here unlimited, unless it was set),
orders and their status, users without a token, and user data other than points.

Each transaction is recorded once, so it is safe to run an interrupted pull again. The command stops when a response for
the store breaks a rule of the interface (see `pointbook check`), and names the rule. It skips a history that breaks a
rule or whose token is not accepted, and names the user. At the end it reads and compares both sides.";

/// The memory for the tenant's catalogue during the comparison, in bytes.
const CATALOGUE_BYTES: usize = 512 << 20;

#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub(crate) struct Arguments {
    /// The base URL of the other server, such as <https://shop.example/api>
    base_url: String,

    /// A file with one line `USER_ID TOKEN` for each user whose history to copy
    #[arg(long, value_name = "FILE")]
    token_file: PathBuf,

    /// The tenant to copy into: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// Retire the products that the other server does not list
    #[arg(long)]
    replace: bool,

    /// The maximum number of requests per second
    #[arg(long, value_name = "R", default_value_t = 20, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    rate: u32,
}

/// Copies the store and the histories, then compares both sides.
pub(crate) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let Arguments { base_url, token_file, tenant, replace, rate } = arguments;
    let base = parse_base(&base_url)?;
    secret_file::warning(&token_file).iter().for_each(say);
    let accounts = read_accounts(&token_file)?;
    let limits = ServiceLimits { catalogue_bytes: CATALOGUE_BYTES, ..NO_CACHES };
    let service = wiring::open_service(context.database()?, limits, DatabaseClient::Command).await?;
    let service = Arc::new(service);
    let tenant = find_tenant(&service, &tenant)?;
    say(format_args!("{base}: sending at most {rate} requests per second, only GET"));
    let first = accounts.first().cloned().ok_or_else(|| Failure::input("the token file has no tokens"))?;
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

/// How many of the skipped transactions of a history the command prints.
const MAX_NAMED: usize = 10;

const AGAIN: &str = "rows that were read before are kept, and it is safe to run the pull again";

/// A response that breaks a rule is a finding. No response is trouble.
fn read_failure(error: &ReadError) -> Failure {
    match error {
        ReadError::Unreachable(_) => Failure::failed(error.to_string()),
        ReadError::Broken { .. } if error.refuses_token() => {
            Failure::input(format!("the token is not accepted: {error}"))
        }
        ReadError::Broken { .. } => Failure::new(Exit::FoundWrong, error.to_string()),
    }
}

/// Puts the user id in front of each message.
fn prefix_with_user(user: &UserId, Failure { exit, messages }: Failure) -> Failure {
    Failure { exit, messages: messages.into_iter().map(|message| format!("{user}: {message}")).collect() }
}

/// Prints what is wrong with one account, so that the command can go on with the next one. Fails when all others would
/// fail in the same way.
fn skip_account(failure: Failure) -> CommandResult {
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
    /// Whether everything was copied and no difference was found so far.
    is_right: bool,
}

impl Pull {
    async fn take_store(&mut self, first: &UserId, replace: bool) -> CommandResult {
        let index = self.read(StoreIndex::read).await.map_err(|failure| match failure.exit {
            Exit::Input => prefix_with_user(first, failure),
            _ => failure,
        })?;
        let tree = category_tree(&index.tree).to_string();
        let input = Input::reader(Cursor::new(tree), Some(Format::Json));
        self.import(Kind::Categories, input, false).await?;
        let read = move |source: &mut Source, lines: &LineSender| {
            product_lines(source, lines, &index).map_err(|error| read_failure(&error))
        };
        self.import_while(read, Kind::Products, replace).await
    }

    /// Runs one import for all users, so that commits stay large. Returns the accounts whose history was read to its end.
    async fn take_histories(&mut self, accounts: Vec<Account>) -> Result<Vec<Account>, Failure> {
        let read = |source: &mut Source, lines: &LineSender| read_histories(source, lines, accounts);
        let (read, is_complete) = self.import_while(read, Kind::Activities, false).await?;
        self.is_right &= is_complete;
        Ok(read)
    }

    fn take_source(&mut self) -> Result<Source, Failure> {
        self.source
            .take()
            .ok_or_else(|| Failure::failed("another thread is still reading from the other server"))
    }

    /// Reads on a new thread.
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
        begun.map_err(PullError::Thread)?;
        let (source, result) = tokio::select! {
            done = receiver => done.map_err(|_| PullError::Panicked)?,
            // `interrupt` has replaced the default handler.
            () = interrupt(Kind::Products) => {
                return Err(Failure::new(Exit::Interrupted, format!("interrupted: {AGAIN}")));
            }
        };
        self.source = Some(source);
        result.map_err(|error| read_failure(&error))
    }

    /// Imports rows while another thread reads them. When reading fails, returns that failure: it says more than the
    /// failure of the import, whose input only broke off.
    async fn import_while<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut Source, &LineSender) -> Result<T, Failure> + Send + 'static,
        kind: Kind,
        replace: bool,
    ) -> Result<T, Failure> {
        let (reader, input) = ReaderThread::start(self.take_source()?, read)?;
        match self.import(kind, Input::reader(input, Some(Format::Jsonl)), replace).await {
            // The thread may still wait for a response. It ends with the program.
            Err(failure) if failure.exit == Exit::Interrupted => Err(failure),
            imported => {
                let (source, read) = reader.join()?;
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
        let clock = self.service.clock_of(&self.tenant);
        let target = Target { tenant: &self.tenant, clock: &clock, ids: &ids, by: &command_line().into() };
        let rejects = rejects_of(&self.tenant.name(), kind);
        let options = Options {
            replace,
            // When the other server has no categories, this tenant gets none.
            may_be_empty: true,
            // The history has the bonuses of the other server.
            apply_rules: false,
            rejects: Some(rejects.clone()),
            progress: progress(),
            stop: interrupt(kind),
            ..Options::default()
        };
        let summary = import::run(target, kind, input, options).await;
        let summary = summary.map_err(|error| match error {
            ImportError::Usage(_) | ImportError::Input(_) | ImportError::Header(_) => {
                Failure::input(format!("the import of {kind}: {error}"))
            }
            error => Failure::trouble(&format!("the import of {kind}"), &error),
        })?;
        print(format_args!("{summary}\n"))?;
        match (judge(&summary, &rejects), &summary.ending) {
            // The command goes on with the rows that were imported.
            (Err(failure), Ending::Complete) => {
                failure.messages.iter().for_each(say);
                self.is_right = false;
                Ok(())
            }
            (result, _) => result,
        }
    }

    /// Compares the store, read with the first account, and the histories of these accounts.
    async fn compare(&mut self, first: Account, read: Vec<Account>) -> CommandResult {
        let local = self.serve_locally().await?;
        let store = self.compare_as(&local, first, compare_stores).await?;
        self.report("store", "products", &store)?;
        for account in read {
            let user = account.user.clone();
            match self.compare_as(&local, account, compare_history).await {
                Ok(history) => self.report(user.as_str(), "days", &history)?,
                Err(failure) => {
                    skip_account(failure)?;
                    self.is_right = false;
                }
            }
        }
        Ok(())
    }

    /// Serves the tenant on a loopback address.
    async fn serve_locally(&self) -> Result<LocalServer, Failure> {
        let (ids, secrets) = (Arc::new(UuidIds), Arc::new(OsSecrets));
        let parts = Parts::default().with(Arc::new(PicturePermits::default()));
        let state = HttpState::new(Arc::new(Tokens), ids.clone(), secrets.clone(), parts);
        let (service, tenant) = (self.service.clone(), self.tenant.clone());
        Ok(LocalServer::start(service, tenant, command_line(), router(state, &LISTED), (ids, secrets))
            .await?)
    }

    /// Compares both sides, each read as this user.
    async fn compare_as(
        &mut self,
        local: &LocalServer,
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
            _ => prefix_with_user(&user, failure),
        })
    }

    fn report(&mut self, name: &str, unit: &str, comparison: &Comparison) -> CommandResult {
        let Comparison { compared, named, differences, note, sha256: (there, here) } = comparison;
        for difference in named {
            print(format_args!("{name}: {difference}\n"))?;
        }
        if let Some(note) = note {
            print(format_args!("{name}: note: {note}\n"))?;
        }
        self.is_right &= *differences == 0;
        print(format_args!("{name}: {compared} {unit} compared, {differences} differences\n"))?;
        let hashes = if there == here {
            format!("{there} on both sides")
        } else {
            format!("{there} on the other server, {here} here")
        };
        print(format_args!("{name}: sha256 {hashes}\n"))
    }
}

/// Reads one history after the other, and skips those that fail. Returns the accounts whose history was read to its
/// end, and whether no account and no transaction was skipped.
fn read_histories(
    source: &mut Source,
    lines: &LineSender,
    accounts: Vec<Account>,
) -> Result<(Vec<Account>, bool), Failure> {
    let (mut read, mut is_complete) = (Vec::new(), true);
    for account in accounts {
        let (user, mut left_out) = (account.user.clone(), Vec::new());
        source.set_token(account.token.clone());
        let result = activity_lines(source, lines, &user, &mut left_out);
        left_out.iter().take(MAX_NAMED).for_each(|reason| say(format_args!("{user}: not copied: {reason}")));
        if left_out.len() > MAX_NAMED {
            say(format_args!("{user}: not copied: {} more transactions", left_out.len() - MAX_NAMED));
        }
        is_complete &= left_out.is_empty() && result.is_ok();
        match result {
            Ok(is_more_wanted) => {
                read.push(account);
                if !is_more_wanted {
                    break;
                }
            }
            Err(error) => skip_account(prefix_with_user(&user, read_failure(&error)))?,
        }
    }
    Ok((read, is_complete))
}

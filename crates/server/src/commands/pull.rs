//! `pointbook pull`: takes a store and histories over from another server of the interface.

use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use clap::Args;
use pointbook_app::{ServedTenant, Service, ServiceLimits};
use pointbook_check::{BaseAddress, Client, Politeness, ReadError, Source};

use super::check::{on_a_thread, parse_base};
use super::import::{interrupt, judge, progress};
use super::{CommandResult, Context, Exit, Failure, Verdict, find_tenant, print, say};
use crate::import::{self, Ending, Format, Input, Kind, Options, Target};
use crate::pull::{
    Account, Comparison, Local, Plan, Reading, activity_lines, category_tree, compare_history,
    compare_stores, parse_accounts, product_lines,
};
use crate::sources::UuidIds;
use crate::wiring::{self, DatabaseClient};

/// Below the arguments in `--help`.
const NOTES: &str = "\
Only what the interface documents is read: the store by the first token of the file, the history of each user by their own.
Nothing is changed there. A product is put into the lowest categories that find it. Not told, and so not taken over, are:
when a product was published (here the order of the list follows from times before 2000, so nothing is new), stock (here
unlimited, unless it was set), orders and their states, users without a token, and what is kept of users besides points.
A transaction is recorded once, however often it is read: an interrupted pull is simply run again. What breaks a rule of
the document (see `pointbook check`) is refused, by its name. At the end both sides are read and held against each other.";

/// What the tenant's catalogue may take of memory while it is compared, in bytes.
const CATALOGUE_BYTES: usize = 512 << 20;

/// The arguments.
#[derive(Debug, Args)]
#[command(after_help = NOTES)]
pub struct Arguments {
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
pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let started = Instant::now();
    let Arguments { base_url, token_file, tenant, replace, rate } = arguments;
    let base = parse_base(&base_url)?;
    let accounts = read_accounts(&token_file)?;
    let limits = ServiceLimits { principal_max_age_seconds: 0, catalogue_bytes: CATALOGUE_BYTES };
    let service = wiring::open_service(context.database()?, limits, DatabaseClient::Command).await?;
    let service = Arc::new(service);
    let tenant = find_tenant(&service, &tenant)?;
    say(format_args!("{base}: at most {rate} requests a second, and only GET"));
    let source = source(base, &accounts, rate)?;
    let mut pull = Pull { service, tenant, source: Some(source), verdict: Verdict::Fine };
    pull.take_store(replace).await?;
    pull.take_histories(&accounts).await?;
    pull.compare(accounts).await?;
    say(format_args!("took {:.1} s", started.elapsed().as_secs_f64()));
    Ok(pull.verdict)
}

fn read_accounts(path: &PathBuf) -> Result<Vec<Account>, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path)
        .map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    let named = |problems: Vec<String>| problems.iter().map(|problem| format!("{name}: {problem}")).collect();
    parse_accounts(&text).map_err(|problems| Failure::inputs(named(problems)))
}

fn source(base: BaseAddress, accounts: &[Account], rate: u32) -> Result<Source, Failure> {
    let first = accounts.first().ok_or_else(|| Failure::input("there is no token"))?;
    let politeness = Politeness { max_requests: u32::MAX, per_second: rate };
    Ok(Source::new(Client::new(base, first.token.clone(), None, politeness)))
}

/// What the other server tells wrongly is a finding; that it does not answer is a failure.
fn refused(error: &ReadError) -> Failure {
    let messages = vec![error.to_string()];
    match error {
        ReadError::Unreachable(_) => Failure { exit: Exit::Trouble, messages },
        ReadError::Broken { .. } => Failure { exit: Exit::FoundWrong, messages },
    }
}

fn interrupted() -> Failure {
    let message = "interrupted: what was read before is kept, and running the pull again is safe";
    Failure { exit: Exit::Interrupted, messages: vec![message.to_owned()] }
}

/// A pull on its way.
struct Pull {
    service: Arc<Service>,
    tenant: Arc<ServedTenant>,
    /// There but while a thread reads from it.
    source: Option<Source>,
    verdict: Verdict,
}

impl Pull {
    async fn take_store(&mut self, replace: bool) -> Result<(), Failure> {
        let plan = self.read(Plan::read).await?;
        let tree = category_tree(&plan.tree).to_string();
        let input = Input::reader(std::io::Cursor::new(tree), Some(Format::Json));
        self.import(Kind::Categories, input, false).await?;
        let (reading, input) =
            Reading::start(self.take_source()?, move |source, lines| product_lines(source, lines, &plan))?;
        self.import_reading(Kind::Products, reading, input, replace).await
    }

    /// One import for all users, so that large commits stay large.
    async fn take_histories(&mut self, accounts: &[Account]) -> Result<(), Failure> {
        let accounts = accounts.to_vec();
        let (reading, input) = Reading::start(self.take_source()?, move |source, lines| {
            for Account { user, token } in accounts {
                source.set_token(token);
                if !activity_lines(source, lines, &user)? {
                    break;
                }
            }
            Ok(())
        })?;
        self.import_reading(Kind::Activities, reading, input, false).await
    }

    fn take_source(&mut self) -> Result<Source, Failure> {
        self.source.take().ok_or_else(|| Failure::failed("the other server is being read already"))
    }

    /// Reads where that keeps nobody waiting.
    async fn read<T: Send + 'static>(
        &mut self,
        read: impl FnOnce(&mut Source) -> Result<T, ReadError> + Send + 'static,
    ) -> Result<T, Failure> {
        let mut source = self.take_source()?;
        let work = on_a_thread(move || {
            let result = read(&mut source);
            (source, result)
        });
        // What imports hear of goes past this otherwise.
        let (source, result) = tokio::select! {
            done = work => done?,
            () = interrupt(Kind::Products) => return Err(interrupted()),
        };
        self.source = Some(source);
        result.map_err(|error| refused(&error))
    }

    /// Imports what is being read. Why reading ended early says more than that the input broke off.
    async fn import_reading(
        &mut self,
        kind: Kind,
        reading: Reading,
        input: impl Read + Send + 'static,
        replace: bool,
    ) -> Result<(), Failure> {
        let imported = self.import(kind, Input::reader(input, Some(Format::Jsonl)), replace).await;
        if let Err(failure) = &imported
            && failure.exit == Exit::Interrupted
        {
            // The thread may be waiting for an answer; it ends with the program.
            return imported;
        }
        let (source, read) = reading.end()?;
        self.source = Some(source);
        match read {
            Ok(()) => imported,
            Err(error) => {
                let mut failure = refused(&error);
                failure
                    .messages
                    .push("what was read before is kept, and running the pull again is safe".to_owned());
                Err(failure)
            }
        }
    }

    async fn import(&mut self, kind: Kind, input: Input, replace: bool) -> Result<(), Failure> {
        let target = Target { tenant: &self.tenant, clock: &self.service.clock, ids: &UuidIds };
        let name = self.tenant.name();
        let rejects = PathBuf::from(format!("{}.{}.{kind}.rejects.csv", name.slug, name.environment));
        let options =
            Options { replace, rejects: Some(rejects.clone()), progress: progress(), stop: interrupt(kind) };
        let summary = import::run(target, kind, input, options).await;
        let summary = summary.map_err(|error| Failure::trouble(&format!("the import of {kind}"), &error))?;
        print(format_args!("{summary}\n"))?;
        match (judge(&summary, &rejects), &summary.ending) {
            // Rows that are refused here do not keep the others from being taken over and compared.
            (Err(failure), Ending::Complete) => {
                failure.messages.iter().for_each(say);
                self.verdict = Verdict::FoundWrong;
                Ok(())
            }
            (result, _) => result.map(|_| ()),
        }
    }

    async fn compare(&mut self, accounts: Vec<Account>) -> Result<(), Failure> {
        let local = Local::start(self.service.clone(), self.tenant.clone()).await?;
        for (place, Account { user, token }) in accounts.into_iter().enumerate() {
            let comparison =
                local.read_as(&user, async |ours| self.compare_as(token, ours, place == 0).await);
            let (store, history) = comparison.await?;
            if let Some(store) = store {
                self.report("store", "products", &store)?;
            }
            self.report(user.as_str(), "days", &history)?;
        }
        Ok(())
    }

    /// Compares a history, and with the first token the store.
    async fn compare_as(
        &mut self,
        token: pointbook_check::Token,
        mut ours: Source,
        with_store: bool,
    ) -> Result<(Option<Comparison>, Comparison), Failure> {
        let read = move |theirs: &mut Source| {
            theirs.set_token(token);
            let store = if with_store { Some(compare_stores(theirs, &mut ours)?) } else { None };
            Ok((store, compare_history(theirs, &mut ours)?))
        };
        self.read(read).await
    }

    fn report(&mut self, name: &str, what: &str, comparison: &Comparison) -> Result<(), Failure> {
        let Comparison { compared, named, differences } = comparison;
        for words in named {
            print(format_args!("{name}: {words}\n"))?;
        }
        if *differences > 0 {
            self.verdict = Verdict::FoundWrong;
        }
        print(format_args!("{name}: {compared} {what} compared, {differences} differences\n"))
    }
}

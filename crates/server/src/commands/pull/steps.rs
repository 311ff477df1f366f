//! What a pull does, one after the other.

use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;

use pointbook_app::{IdSource, ServedTenant, Service};
use pointbook_check::{ReadError, Source};
use pointbook_domain::UserId;

use super::super::check::on_a_thread;
use super::super::import::{interrupt, judge, progress};
use super::super::{Exit, Failure, Verdict, print, say};
use crate::import::{self, Ending, Format, ImportError, Input, Kind, Options, Target};
use crate::pull::{
    Account, Comparison, Lines, Local, Plan, Reading, activity_lines, category_tree, compare_history,
    compare_stores, product_lines,
};
use crate::sources::UuidIds;

/// How many transactions that are left out are named of each history.
const NAMED: usize = 10;

/// What the other server tells wrongly is a finding; that it does not answer is a failure.
fn refused(error: &ReadError) -> Failure {
    let (exit, message) = match error {
        ReadError::Unreachable(_) => (Exit::Trouble, error.to_string()),
        ReadError::Broken { .. } if error.refuses_token() => {
            (Exit::Input, format!("the token is not accepted: {error}"))
        }
        ReadError::Broken { .. } => (Exit::FoundWrong, error.to_string()),
    };
    Failure { exit, messages: vec![message] }
}

/// The same, of the account that was read.
fn of_account(user: &UserId, failure: Failure) -> Failure {
    let Failure { exit, messages } = failure;
    Failure { exit, messages: messages.into_iter().map(|message| format!("{user}: {message}")).collect() }
}

/// Says what is wrong with one account, unless all others would fail in the same way.
fn pass_over(failure: Failure) -> Result<(), Failure> {
    match failure.exit {
        Exit::FoundWrong | Exit::Input => {
            failure.messages.iter().for_each(say);
            Ok(())
        }
        Exit::Trouble | Exit::Interrupted => Err(failure),
    }
}

fn interrupted() -> Failure {
    let message = "interrupted: what was read before is kept, and running the pull again is safe";
    Failure { exit: Exit::Interrupted, messages: vec![message.to_owned()] }
}

/// A pull on its way.
pub(super) struct Pull {
    pub(super) service: Arc<Service>,
    pub(super) tenant: Arc<ServedTenant>,
    /// There but while a thread reads from it.
    pub(super) source: Option<Source>,
    pub(super) verdict: Verdict,
}

impl Pull {
    pub(super) async fn take_store(&mut self, first: &UserId, replace: bool) -> Result<(), Failure> {
        let plan = self.read(Plan::read).await.map_err(|failure| match failure.exit {
            Exit::Input => of_account(first, failure),
            Exit::FoundWrong | Exit::Trouble | Exit::Interrupted => failure,
        })?;
        let tree = category_tree(&plan.tree).to_string();
        let input = Input::reader(Cursor::new(tree), Some(Format::Json));
        self.import(Kind::Categories, input, false).await?;
        let (reading, input) = Reading::start(self.take_source()?, move |source, lines| {
            product_lines(source, lines, &plan).map_err(|error| refused(&error))
        })?;
        self.import_reading(Kind::Products, reading, input, replace).await
    }

    /// One import for all users, so that large commits stay large. Gives the accounts that were read to their end.
    pub(super) async fn take_histories(&mut self, accounts: Vec<Account>) -> Result<Vec<Account>, Failure> {
        let (reading, input) =
            Reading::start(self.take_source()?, |source, lines| read_histories(source, lines, accounts))?;
        let Histories { read, is_complete } =
            self.import_reading(Kind::Activities, reading, input, false).await?;
        if !is_complete {
            self.verdict = Verdict::FoundWrong;
        }
        Ok(read)
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
    async fn import_reading<T: Send + 'static>(
        &mut self,
        kind: Kind,
        reading: Reading<T>,
        input: impl Read + Send + 'static,
        replace: bool,
    ) -> Result<T, Failure> {
        let imported = self.import(kind, Input::reader(input, Some(Format::Jsonl)), replace).await;
        let imported = match imported {
            // The thread may be waiting for an answer; it ends with the program.
            Err(failure) if failure.exit == Exit::Interrupted => return Err(failure),
            imported => imported,
        };
        let (source, read) = reading.end()?;
        self.source = Some(source);
        let read = read.map_err(|mut failure| {
            failure
                .messages
                .push("what was read before is kept, and running the pull again is safe".to_owned());
            failure
        })?;
        imported.map(|()| read)
    }

    async fn import(&mut self, kind: Kind, input: Input, replace: bool) -> Result<(), Failure> {
        let ids: Arc<dyn IdSource> = Arc::new(UuidIds);
        let target = Target { tenant: &self.tenant, clock: &self.service.clock, ids: &ids };
        let name = self.tenant.name();
        let rejects = PathBuf::from(format!("{}.{}.{kind}.rejects.csv", name.slug, name.environment));
        let options = Options {
            replace,
            // The other server has no categories then, and neither shall this one.
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
            // Rows that are refused here do not keep the others from being taken over and compared.
            (Err(failure), Ending::Complete) => {
                failure.messages.iter().for_each(say);
                self.verdict = Verdict::FoundWrong;
                Ok(())
            }
            (result, _) => result.map(|_| ()),
        }
    }

    /// Compares the store, by the first account, and these histories.
    pub(super) async fn compare(&mut self, first: Account, read: Vec<Account>) -> Result<(), Failure> {
        let local = Local::start(self.service.clone(), self.tenant.clone()).await?;
        let store = self.compare_as(&local, first, compare_stores).await?;
        self.report("store", "products", &store)?;
        for account in read {
            let user = account.user.clone();
            match self.compare_as(&local, account, compare_history).await {
                Ok(history) => self.report(user.as_str(), "days", &history)?,
                Err(failure) => {
                    pass_over(failure)?;
                    self.verdict = Verdict::FoundWrong;
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
            Exit::FoundWrong | Exit::Input | Exit::Trouble => of_account(&user, failure),
        })
    }

    fn report(&mut self, name: &str, what: &str, comparison: &Comparison) -> Result<(), Failure> {
        let Comparison { compared, named, differences, note, sha256: (there, here) } = comparison;
        for words in named {
            print(format_args!("{name}: {words}\n"))?;
        }
        if let Some(note) = note {
            print(format_args!("{name}: note: {note}\n"))?;
        }
        if *differences > 0 {
            self.verdict = Verdict::FoundWrong;
        }
        print(format_args!("{name}: {compared} {what} compared, {differences} differences\n"))?;
        if there == here {
            return print(format_args!("{name}: sha256 {there} there and here\n"));
        }
        print(format_args!("{name}: sha256 {there} there, {here} here\n"))
    }
}

/// What was read of many histories.
struct Histories {
    /// Those that were read to their end.
    read: Vec<Account>,
    /// Whether that is all of them, with every transaction.
    is_complete: bool,
}

/// Reads one history after the other. What is wrong with one is said, and keeps nobody else's from being read.
fn read_histories(source: &mut Source, lines: &Lines, accounts: Vec<Account>) -> Result<Histories, Failure> {
    let mut histories = Histories { read: Vec::new(), is_complete: true };
    for account in accounts {
        let (user, mut left_out) = (account.user.clone(), Vec::new());
        source.set_token(account.token.clone());
        let result = activity_lines(source, lines, &user, &mut left_out);
        left_out.iter().take(NAMED).for_each(|words| say(format_args!("{user}: not taken over: {words}")));
        if left_out.len() > NAMED {
            say(format_args!("{user}: not taken over: {} more", left_out.len() - NAMED));
        }
        histories.is_complete &= left_out.is_empty() && result.is_ok();
        match result {
            Ok(is_more_wanted) => {
                histories.read.push(account);
                if !is_more_wanted {
                    break;
                }
            }
            Err(error) => pass_over(of_account(&user, refused(&error)))?,
        }
    }
    Ok(histories)
}

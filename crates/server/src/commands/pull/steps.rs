//! What a pull does, one after the other.

use std::io::{Cursor, Read};
use std::sync::Arc;

use pointbook_app::{IdSource, ServedTenant, Service};
use pointbook_check::{ReadError, Source};
use pointbook_domain::UserId;

use super::super::check::on_a_thread;
use super::super::import::{interrupt, judge, progress, rejects_of};
use super::super::{CommandResult, Exit, Failure, print, say};
use crate::import::{self, Ending, Format, ImportError, Input, Kind, Options, Target};
use crate::pull::{
    Account, Comparison, Lines, Local, Plan, Reading, activity_lines, category_tree, compare_history,
    compare_stores, product_lines,
};
use crate::sources::UuidIds;

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

pub(super) struct Pull {
    pub(super) service: Arc<Service>,
    pub(super) tenant: Arc<ServedTenant>,
    /// `None` while a thread reads from it.
    pub(super) source: Option<Source>,
    /// Whether all was taken over and both sides are equal so far.
    pub(super) is_right: bool,
}

impl Pull {
    pub(super) async fn take_store(&mut self, first: &UserId, replace: bool) -> CommandResult {
        let plan = self.read(Plan::read).await.map_err(|failure| match failure.exit {
            Exit::Input => of_account(first, failure),
            _ => failure,
        })?;
        let tree = category_tree(&plan.tree).to_string();
        let input = Input::reader(Cursor::new(tree), Some(Format::Json));
        self.import(Kind::Categories, input, false).await?;
        let (reading, input) = Reading::start(self.take_source()?, move |source, lines| {
            product_lines(source, lines, &plan).map_err(|error| refused(&error))
        })?;
        self.import_reading(Kind::Products, reading, input, replace).await
    }

    /// One import for all users, so that large commits stay large. Returns the accounts that were read to their end.
    pub(super) async fn take_histories(&mut self, accounts: Vec<Account>) -> Result<Vec<Account>, Failure> {
        let (reading, input) =
            Reading::start(self.take_source()?, |source, lines| read_histories(source, lines, accounts))?;
        let Histories { read, is_complete } =
            self.import_reading(Kind::Activities, reading, input, false).await?;
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
        let work = on_a_thread(move || {
            let result = read(&mut source);
            (source, result)
        });
        let (source, result) = tokio::select! {
            done = work => done?,
            // Since the first import, SIGINT does not end the program.
            () = interrupt(Kind::Products) => {
                return Err(Failure::new(Exit::Interrupted, format!("interrupted: {AGAIN}")));
            }
        };
        self.source = Some(source);
        result.map_err(|error| refused(&error))
    }

    /// Imports rows while they are read. Why reading ended early says more than that the input broke off.
    async fn import_reading<T: Send + 'static>(
        &mut self,
        kind: Kind,
        reading: Reading<T>,
        input: impl Read + Send + 'static,
        replace: bool,
    ) -> Result<T, Failure> {
        let imported = self.import(kind, Input::reader(input, Some(Format::Jsonl)), replace).await;
        if let Err(failure) = &imported
            && failure.exit == Exit::Interrupted
        {
            // The thread may be waiting for a response; it ends with the program.
            return Err(failure.clone());
        }
        let (source, read) = reading.end()?;
        self.source = Some(source);
        let read = read.map_err(|mut failure| {
            failure.messages.push(AGAIN.to_owned());
            failure
        })?;
        imported.map(|()| read)
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
    pub(super) async fn compare(&mut self, first: Account, read: Vec<Account>) -> CommandResult {
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

struct Histories {
    /// The accounts that were read to their end.
    read: Vec<Account>,
    /// Whether these are all accounts, with every transaction.
    is_complete: bool,
}

/// Reads one history after the other, also after one that is wrong.
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

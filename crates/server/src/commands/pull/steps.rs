//! What a pull does, one after the other.

use std::io::{Cursor, Read};
use std::path::PathBuf;
use std::sync::Arc;

use pointbook_app::{ServedTenant, Service};
use pointbook_check::{ReadError, Source, Token};

use super::super::check::on_a_thread;
use super::super::import::{interrupt, judge, progress};
use super::super::{Exit, Failure, Verdict, print, say};
use crate::import::{self, Ending, Format, Input, Kind, Options, Target};
use crate::pull::{
    Account, Comparison, Local, Plan, Reading, activity_lines, category_tree, compare_history,
    compare_stores, product_lines,
};
use crate::sources::UuidIds;

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
pub(super) struct Pull {
    pub(super) service: Arc<Service>,
    pub(super) tenant: Arc<ServedTenant>,
    /// There but while a thread reads from it.
    pub(super) source: Option<Source>,
    pub(super) verdict: Verdict,
}

impl Pull {
    pub(super) async fn take_store(&mut self, replace: bool) -> Result<(), Failure> {
        let plan = self.read(Plan::read).await?;
        let tree = category_tree(&plan.tree).to_string();
        let input = Input::reader(Cursor::new(tree), Some(Format::Json));
        self.import(Kind::Categories, input, false).await?;
        let (reading, input) =
            Reading::start(self.take_source()?, move |source, lines| product_lines(source, lines, &plan))?;
        self.import_reading(Kind::Products, reading, input, replace).await
    }

    /// One import for all users, so that large commits stay large.
    pub(super) async fn take_histories(&mut self, accounts: &[Account]) -> Result<(), Failure> {
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

    pub(super) async fn compare(&mut self, accounts: Vec<Account>) -> Result<(), Failure> {
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
        token: Token,
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

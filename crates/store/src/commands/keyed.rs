//! A command with the key of its request, as stores use it.

use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;

use super::facts::KeyFact;
use super::{Command, CommandError, Facts, Lane, Needs};
use crate::audit_log::{Actor, Author};
use crate::measure::WriteTally;
use crate::ports::{Execution, Once, RequestKey, StoreResult};

/// Executes commands of one tenant.
#[async_trait]
pub trait CommandStore {
    /// Loads the needs of the command, lets it decide, and saves its changes, all in one commit. It may repeat this when another
    /// writer was faster; the command keeps the last outcome. After it began, the store may finish although the caller stops
    /// waiting.
    async fn run(&self, command: Arc<dyn AnyCommand>) -> StoreResult<()>;
}

/// A [`Command`] without the type of its outcome.
pub trait AnyCommand: Send + Sync {
    /// [`Command::NAME`].
    fn name(&self) -> &'static str;

    fn lane(&self) -> Lane;

    /// The key of the request, if it has one. A store loads it with the needs.
    fn key(&self) -> Option<&RequestKey>;

    fn needs(&self, needs: &mut Needs);

    fn further_needs(&self, facts: &Facts, needs: &mut Needs);

    /// Returns the response of the first request with the same key, or decides; then keeps the outcome.
    ///
    /// # Errors
    /// As [`Command::decide`]. The facts may be changed in part, so the store must not save any of them.
    fn decide(&self, facts: &mut Facts) -> Result<Decided, CommandError>;
}

/// The first needs of these commands.
pub fn first_needs<'c>(commands: impl IntoIterator<Item = &'c dyn AnyCommand>) -> Needs {
    let mut needs = Needs::default();
    commands.into_iter().for_each(|command| command.needs(&mut needs));
    needs
}

/// The further needs of these commands, which depend on the facts of the first needs.
pub fn further_needs<'c>(commands: impl IntoIterator<Item = &'c dyn AnyCommand>, facts: &Facts) -> Needs {
    let mut needs = Needs::default();
    commands.into_iter().for_each(|command| command.further_needs(facts, &mut needs));
    facts.missing(needs)
}

/// Whether a command could decide with the loaded facts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// It decided. The facts have its changes.
    Yes,
    /// It did not decide, and the facts did not change: a need was not loaded, or a command with the same key was decided on
    /// these facts.
    NotYet,
}

/// Receives the outcome and the number of changes. A store may decide several times; the last time counts.
pub(crate) type OutcomeSlot<T> = Arc<Mutex<Option<(Execution<T>, WriteTally)>>>;

/// A command, its author, the key of its request, and the receiver of its outcome.
pub struct KeyedCommand<C: Command> {
    command: C,
    author: Option<Author>,
    once: Option<Once<C::Outcome>>,
    outcome: OutcomeSlot<C::Outcome>,
}

impl<C: Command> KeyedCommand<C> {
    pub(crate) fn new(
        command: C,
        author: Option<Author>,
        once: Option<Once<C::Outcome>>,
        outcome: OutcomeSlot<C::Outcome>,
    ) -> Self {
        Self { command, author, once, outcome }
    }

    /// The ledger, the orders and the tokens tell what customers do.
    fn is_audited(&self, author: &Author) -> bool {
        !matches!(author.actor, Actor::Customer(_)) && self.command.is_audited(&author.actor)
    }

    /// Decides, and turns the notes of the command into entries of the audit log.
    fn decide_with_notes(&self, facts: &mut Facts) -> Result<C::Outcome, CommandError> {
        let audited = self.author.as_ref().filter(|author| self.is_audited(author));
        facts.begin_notes(audited.is_some());
        let outcome = self.command.decide(facts)?;
        if let Some(author) = audited {
            facts.end_notes(author);
        }
        if let Some(author) = &self.author {
            facts.note_time(author.at);
        }
        Ok(outcome)
    }

    fn lacks(&self, facts: &Facts) -> bool {
        let mut needs = Needs::default();
        self.command.needs(&mut needs);
        self.command.further_needs(facts, &mut needs);
        !facts.missing(needs).is_empty()
    }

    fn put(&self, execution: Execution<C::Outcome>, tally: WriteTally) -> Decided {
        *self.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some((execution, tally));
        Decided::Yes
    }

    fn put_unchanged(&self, execution: Execution<C::Outcome>) -> Decided {
        self.put(execution, WriteTally::default())
    }

    /// The decision that the key alone makes.
    fn decide_by_key(&self, facts: &mut Facts, once: &Once<C::Outcome>) -> Option<Decided> {
        match facts.key(&once.key) {
            Some(KeyFact::Free) => None,
            Some(KeyFact::Full) => Some(self.put_unchanged(Execution::TooManyKeys)),
            Some(KeyFact::UsedNow) | None => Some(Decided::NotYet),
            Some(KeyFact::Stored(stored)) if stored.fingerprint != once.key.fingerprint => {
                Some(self.put_unchanged(Execution::KeyTaken))
            }
            Some(KeyFact::Stored(stored)) => {
                let answer = stored.answer.clone();
                facts.use_key(&once.key, once.now);
                Some(self.put_unchanged(Execution::Replayed(answer)))
            }
        }
    }
}

impl<C: Command> AnyCommand for KeyedCommand<C> {
    fn name(&self) -> &'static str {
        C::NAME
    }

    fn lane(&self) -> Lane {
        self.command.lane()
    }

    fn key(&self) -> Option<&RequestKey> {
        self.once.as_ref().map(|once| &once.key)
    }

    fn needs(&self, needs: &mut Needs) {
        self.command.needs(needs);
    }

    fn further_needs(&self, facts: &Facts, needs: &mut Needs) {
        self.command.further_needs(facts, needs);
    }

    fn decide(&self, facts: &mut Facts) -> Result<Decided, CommandError> {
        if let Some(decided) = self.once.as_ref().and_then(|once| self.decide_by_key(facts, once)) {
            return Ok(decided);
        }
        if facts.lacks_some() && self.lacks(facts) {
            return Ok(Decided::NotYet);
        }
        facts.take_tally();
        let outcome = self.decide_with_notes(facts)?;
        if let Some(Once { key, now, answer }) = &self.once
            && self.command.is_kept(&outcome)
        {
            let response = answer(&outcome).ok_or(CommandError::NoResponse)?;
            facts.keep_response(key, *now, response);
        }
        Ok(self.put(Execution::Executed(outcome), facts.take_tally()))
    }
}

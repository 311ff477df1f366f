//! The sessions of operators in the console.

use std::collections::BTreeMap;

use pointbook_domain::TenantSettings;
use pointbook_domain::{Email, Operator, OperatorId, OperatorSession, Timestamp, TokenId, UserId};
use pointbook_store::audit_log::{ChangeNote, session_note};
use pointbook_store::commands::{Command, CommandError, Facts, Needs};
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::ports::{Execution, TenantData, read_all, read_one};
use pointbook_store::schema::Query;
use pointbook_store::schema::rows::LinkRequest;
use pointbook_store::{Actor, Context, ServedTenant, StoreResult, TenantState};
use subtle::ConstantTimeEq;

use crate::keys::uses::Uses;
use crate::sessions::link_requests;
use crate::sessions::open::once;
use crate::sessions::{SESSION_SECONDS, SignInLink};

/// How many sessions an operator may have at a time. A new one ends the oldest.
pub const MAX_SESSIONS: usize = 10;

/// How an operator signs in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInMeans {
    /// A one-time link.
    Link,
    /// The issuer of the configuration.
    OpenId,
}

impl SignInMeans {
    /// Whose keys the used sign-ins are, among the keys of executed requests.
    const fn principal(self) -> &'static str {
        match self {
            Self::Link => "operator-link",
            Self::OpenId => "operator-openid",
        }
    }

    /// The value in the audit log.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Link => "link",
            Self::OpenId => "openid",
        }
    }
}

/// A sign-in that may begin one session.
#[derive(Debug, Clone)]
pub struct OperatorEntry {
    pub operator_id: OperatorId,
    pub means: SignInMeans,
    /// No other sign-in by these means has it. The service remembers it when the session began.
    pub nonce: [u8; 32],
}

impl From<&SignInLink<OperatorId>> for OperatorEntry {
    fn from(link: &SignInLink<OperatorId>) -> Self {
        Self { operator_id: link.subject.clone(), means: SignInMeans::Link, nonce: link.nonce }
    }
}

/// What became of a sign-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OperatorSignIn {
    Begun,
    /// The link, or the attempt, was used before.
    Used,
    /// The operator was removed meanwhile.
    Unknown,
}

/// Stores a session, and removes sessions that have ended.
#[derive(Debug)]
pub struct OpenOperatorSession(pub OperatorSession, pub SignInMeans);

impl Command for OpenOperatorSession {
    type Outcome = OperatorSignIn;

    const NAME: &'static str = "open_operator_session";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<Operator>();
        needs.table::<OperatorSession>();
        needs.row::<LinkRequest>(&self.0.operator_id);
    }

    fn decide(&self, facts: &mut Facts) -> Result<OperatorSignIn, CommandError> {
        let Self(new, means) = self;
        let operators = facts.table::<Operator>()?;
        let is_known = |id: &OperatorId| operators.iter().any(|operator| operator.id == *id);
        if !is_known(&new.operator_id) {
            return Ok(OperatorSignIn::Unknown);
        }
        let mut known = facts.table::<OperatorSession>()?;
        known.sort_by_key(|session| (session.created_at, session.id));
        let (live, ended): (Vec<_>, Vec<_>) = known
            .into_iter()
            .partition(|session| new.created_at < session.ends_at() && is_known(&session.operator_id));
        let own: Vec<_> = live.iter().filter(|session| session.operator_id == new.operator_id).collect();
        let oldest = own.len().saturating_sub(MAX_SESSIONS - 1);
        for session in &ended {
            facts.remove(session)?;
        }
        for session in own.into_iter().take(oldest) {
            end(facts, session)?;
        }
        link_requests::forget(facts, &new.operator_id)?;
        facts.put(new.clone())?;
        facts.note(|| session_note("session.begin", new, Some(means.as_str())));
        Ok(OperatorSignIn::Begun)
    }
}

/// Stores when sessions were last used.
#[derive(Debug)]
struct UseSessions(BTreeMap<TokenId, Timestamp>);

impl Command for UseSessions {
    type Outcome = ();

    const NAME: &'static str = "use_operator_sessions";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<OperatorSession>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        for session in facts.table::<OperatorSession>()? {
            let used_at = self.0.get(&session.id).copied().filter(|at| *at > session.used_at());
            if used_at.is_some() {
                facts.put(OperatorSession { last_used_at: used_at, ..session })?;
            }
        }
        Ok(())
    }
}

/// Ends one session. `false` when it has ended before.
#[derive(Debug)]
pub struct EndOperatorSession(pub TokenId);

impl Command for EndOperatorSession {
    type Outcome = bool;

    const NAME: &'static str = "end_operator_session";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<OperatorSession>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<bool, CommandError> {
        let known = facts.table::<OperatorSession>()?;
        let Some(session) = known.iter().find(|session| session.id == self.0) else { return Ok(false) };
        end(facts, session)?;
        Ok(true)
    }
}

/// Ends all sessions of an operator, and returns their number.
#[derive(Debug)]
pub struct EndSessionsOfOperator(pub OperatorId);

impl Command for EndSessionsOfOperator {
    type Outcome = usize;

    const NAME: &'static str = "end_sessions_of_operator";

    fn needs(&self, needs: &mut Needs) {
        needs.table::<OperatorSession>();
    }

    fn decide(&self, facts: &mut Facts) -> Result<usize, CommandError> {
        let known = facts.table::<OperatorSession>()?;
        let own: Vec<_> = known.iter().filter(|session| session.operator_id == self.0).collect();
        for session in &own {
            end(facts, session)?;
        }
        Ok(own.len())
    }
}

/// Writes into the audit log that the actor makes a one-time link in the console. No store has the link, and what follows from its use
/// is done by the person whom it signs in, so that this entry alone says who could have used it.
#[derive(Debug)]
pub enum NoteLink {
    OfOperator(OperatorId),
    OfMember(UserId),
}

impl Command for NoteLink {
    type Outcome = ();

    const NAME: &'static str = "note_link";

    fn needs(&self, needs: &mut Needs) {
        if let Self::OfOperator(id) = self {
            needs.row::<LinkRequest>(id);
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<(), CommandError> {
        if let Self::OfOperator(id) = self {
            link_requests::forget(facts, id)?;
        }
        facts.note(|| match self {
            Self::OfOperator(id) => ChangeNote::new("operator.link", format!("operator:{id}"), None, None),
            Self::OfMember(id) => ChangeNote::new("user.link", format!("user:{id}"), None, None),
        });
        Ok(())
    }
}

fn end(facts: &mut Facts, session: &OperatorSession) -> Result<(), CommandError> {
    facts.note(|| session_note("session.end", session, None));
    facts.remove(session)
}

/// Uses the link or the attempt, once: any number of uses at the same time begin one session. `token` is what the browser keeps. Sessions
/// last in real time, because the clock of a tenant may jump ahead.
///
/// # Errors
/// When the store fails.
pub async fn open_operator_session(
    context: &Context<OperatorSignIn>,
    entry: impl Into<OperatorEntry>,
    token: &str,
    real_now: Timestamp,
) -> StoreResult<OperatorSignIn> {
    let OperatorEntry { operator_id, means, nonce } = entry.into();
    let hash = token_hash(token.as_bytes());
    let session = OperatorSession {
        id: hash.id(),
        operator_id,
        hash,
        created_at: real_now,
        expires_at: real_now.plus_seconds(SESSION_SECONDS),
        address: context.origin.address.map(|address| address.to_string()),
        last_used_at: None,
    };
    let is_refusal = |outcome: &OperatorSignIn| *outcome != OperatorSignIn::Begun;
    let once = once(context, means.principal(), nonce, is_refusal);
    let context = Context { once: Some(once), ..context.clone() };
    match context.execute(OpenOperatorSession(session, means)).await? {
        Execution::Executed(outcome) => Ok(outcome),
        Execution::Replayed(_) | Execution::KeyTaken | Execution::TooManyKeys => Ok(OperatorSignIn::Used),
    }
}

/// The session with this token, and its operator. `None` when the session has ended, or the operator was removed.
///
/// # Errors
/// When the store fails.
pub async fn find_operator_session(
    data: &dyn TenantData,
    token: &str,
    now: Timestamp,
) -> StoreResult<Option<(Operator, OperatorSession)>> {
    let hash = token_hash(token.as_bytes());
    let query = Query::of::<OperatorSession>("find_operator_session", &[]).equal("id", Some(&hash.id()));
    let Some(session) = read_one::<OperatorSession>(data, query).await? else { return Ok(None) };
    let is_same: bool = session.hash.0.ct_eq(&hash.0).into();
    if !is_same || now >= session.ends_at() {
        return Ok(None);
    }
    let operator = find_operator(data, &session.operator_id).await?;
    Ok(operator.map(|operator| (operator, session)))
}

/// How old the stored use of a session gets before a use is stored, in seconds: five minutes. So a person who clicks costs a write every
/// five minutes. With the minute until a noted use is stored, it is less than [`OperatorSession::IDLE_SECONDS`] has beyond 2 hours.
const USE_SECONDS: u32 = 300;

/// The sessions that were used since their uses were stored.
#[derive(Default)]
struct SessionUses(Uses<TokenId>);

impl TenantState for SessionUses {
    fn new(_: &ServedTenant, _: &TenantSettings) -> Self {
        Self::default()
    }
}

/// Notes that a session is used, when its row says nothing so recent. It writes nothing: [`store_session_uses`] does.
pub fn note_session_use(served: &ServedTenant, session: &OperatorSession, real_now: Timestamp) {
    if real_now >= session.used_at().plus_seconds(USE_SECONDS) {
        served.state::<SessionUses>().0.note(session.id, real_now);
    }
}

/// Stores when sessions were last used, as far as it was noted since the last call.
///
/// # Errors
/// When the store fails: the next call stores these uses.
pub async fn store_session_uses(served: &ServedTenant) -> StoreResult<()> {
    served.state::<SessionUses>().0.store(&*served.data, UseSessions).await
}

/// An operator by the id that links and sessions have.
///
/// # Errors
/// When the store fails.
pub async fn find_operator(data: &dyn TenantData, id: &OperatorId) -> StoreResult<Option<Operator>> {
    read_one(data, Query::of::<Operator>("find_operator", &[]).equal("id", Some(id))).await
}

/// An operator by the address. `None` when no operator of the tenant has it.
///
/// # Errors
/// When the store fails.
pub async fn find_operator_by_email(data: &dyn TenantData, email: &Email) -> StoreResult<Option<Operator>> {
    read_one(data, Query::of::<Operator>("find_operator_by_email", &[]).equal("email", Some(email))).await
}

/// The sessions that have not ended, the newest first.
///
/// # Errors
/// When the store fails.
pub async fn list_operator_sessions(
    data: &dyn TenantData,
    now: Timestamp,
) -> StoreResult<Vec<OperatorSession>> {
    let query = Query::of::<OperatorSession>("list_operator_sessions", &["created_at", "id"]).descending();
    let all: Vec<OperatorSession> = read_all(data, query).await?;
    Ok(all.into_iter().filter(|session| now < session.ends_at()).collect())
}

/// The actor of what an operator does.
pub fn operator_actor(operator: &Operator) -> Actor {
    Actor::Operator { id: operator.id.clone(), email: operator.email.clone() }
}

#[cfg(test)]
mod tests;

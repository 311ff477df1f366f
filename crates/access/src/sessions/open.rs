//! Opens the session of a one-time link, once.

use std::sync::Arc;

use data_encoding::HEXLOWER;
use pointbook_domain::{TokenKind, TokenLabel, UserId};
use pointbook_store::ports::{Execution, InsertTokenOutcome, NewAnswer, Once, RequestKey, StoredAnswer};
use pointbook_store::{Actor, Context, StoreError, StoreResult};
use sha2::{Digest, Sha256};

use crate::sessions::SignInLink;
use crate::tokens::issue::{NewToken, keep_token};

/// How long a session lasts, in seconds: 12 hours.
pub const SESSION_SECONDS: u32 = 12 * 3_600;

/// The label of the token of a session, for people who look at a list of tokens.
const LABEL: &str = "shop";

/// Whose keys the used links are, among the keys of executed requests.
const PRINCIPAL: &str = "sign-in-link";

/// Why a link opens no session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignInRefusal {
    /// The link was used before.
    Used,
    UserDisabled,
}

/// Stores this new token of the user of the link, and creates an unknown user. The use of the link is kept in the same commit. It is
/// kept for longer than the link can be used, so of any number of uses at the same time one opens a session.
///
/// # Errors
/// When the store fails.
pub async fn open_session(
    context: &Context<InsertTokenOutcome>,
    link: &SignInLink<UserId>,
    token: &str,
) -> StoreResult<Result<(), SignInRefusal>> {
    let kind = TokenKind::Customer(link.subject.clone());
    let new = NewToken { label: TokenLabel::new(LABEL).ok(), ..NewToken::new(kind, Some(SESSION_SECONDS)) };
    let actor = Actor::Customer(link.subject.clone());
    let is_refusal = |outcome: &InsertTokenOutcome| !matches!(outcome, InsertTokenOutcome::Stored);
    let once = once(context, PRINCIPAL, link.nonce, is_refusal);
    let context = Context { actor, once: Some(once), ..context.clone() };
    match keep_token(&context, token, new).await? {
        Execution::Executed(InsertTokenOutcome::Stored) => Ok(Ok(())),
        Execution::Executed(InsertTokenOutcome::UserDisabled) => Ok(Err(SignInRefusal::UserDisabled)),
        Execution::Replayed(_) | Execution::KeyTaken => Ok(Err(SignInRefusal::Used)),
        Execution::Executed(InsertTokenOutcome::TooManyKeys) | Execution::TooManyKeys => {
            Err(StoreError::Failed("the tokens of a customer have no bound".into()))
        }
    }
}

/// The use of a link, which is kept like a request with a key, so that no second use is executed. It is kept by the real clock, so that
/// a jump of a virtual clock and its reset do not make a used link usable again.
pub(crate) fn once<T>(
    context: &Context<T>,
    principal: &str,
    nonce: [u8; 32],
    is_refusal: impl Fn(&T) -> bool + Send + Sync + 'static,
) -> Once<T> {
    let key = RequestKey {
        principal: principal.to_owned(),
        key: HEXLOWER.encode(&nonce),
        fingerprint: Sha256::digest(nonce).into(),
        max_kept: None,
    };
    let answer = move |outcome: &T| {
        Some(NewAnswer { answer: StoredAnswer(Vec::new()), is_refusal: is_refusal(outcome) })
    };
    Once { key, now: context.real_now(), answer: Arc::new(answer) }
}

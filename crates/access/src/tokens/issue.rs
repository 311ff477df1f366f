//! Issues access tokens. The caller sees the token once. The store has only its SHA-256.

use hmac::{Hmac, KeyInit, Mac};
use pointbook_domain::{Networks, Scopes, Timestamp, TokenId, TokenKind, TokenLabel, TokenRecord, User};
use pointbook_store::audit_log::{ChangeNote, token_fields};
use pointbook_store::commands::{Command, CommandError, Facts, Needs, Range};
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::ports::{Execution, InsertTokenOutcome, RequestKey, TenantData, TokenFilter};
use pointbook_store::schema::rows::UserRow;
use pointbook_store::tenant_secret::TenantSecret;
use pointbook_store::{Actor, Context, SecretSource, StoreError, StoreResult};
use sha2::{Digest, Sha256};

use crate::users;

/// How many keys of the back office a tenant may have at a time. A back office rotates its keys; it does not make one per
/// session.
pub const MAX_KEYS: usize = 50;

/// Stores a token, and replaces a token with the same hash. Creates an unknown user. A disabled user gets no token, and a back
/// office no more than [`MAX_KEYS`].
pub struct StoreToken(pub TokenRecord);

impl Command for StoreToken {
    type Outcome = InsertTokenOutcome;

    const NAME: &'static str = "insert_token";

    /// An app signs in customers all day. The list of tokens tells about those.
    fn is_audited(&self, by: &Actor) -> bool {
        self.0.kind == TokenKind::SuperUser || !matches!(by, Actor::Key { .. })
    }

    fn needs(&self, needs: &mut Needs) {
        match &self.0.kind {
            TokenKind::Customer(user) => needs.row::<UserRow>(user),
            owner @ TokenKind::SuperUser => needs.rows::<TokenRecord>(unrevoked_of(owner)),
        }
    }

    fn decide(&self, facts: &mut Facts) -> Result<InsertTokenOutcome, CommandError> {
        let Self(token) = self;
        match &token.kind {
            TokenKind::Customer(id) => match users::user(facts, id)? {
                Some(user) if user.disabled_at.is_some() => return Ok(InsertTokenOutcome::UserDisabled),
                Some(_) => {}
                None => users::write(facts, User::new(id, token.created_at))?,
            },
            owner @ TokenKind::SuperUser => {
                let others = facts.rows::<TokenRecord>(&unrevoked_of(owner))?.into_iter();
                let is_other =
                    |other: &&TokenRecord| other.hash != token.hash && other.is_good_at(token.created_at);
                if others.filter(is_other).count() >= MAX_KEYS {
                    return Ok(InsertTokenOutcome::TooManyKeys);
                }
            }
        }
        facts.note(|| note(token));
        // Replaces one with the same hash.
        facts.overwrite(token.clone());
        Ok(InsertTokenOutcome::Stored)
    }
}

fn note(token: &TokenRecord) -> ChangeNote {
    let (operation, noun) = match token.kind {
        TokenKind::SuperUser => ("key.add", "key"),
        TokenKind::Customer(_) => ("token.issue", "token"),
    };
    ChangeNote::new(operation, format!("{noun}:{}", token.hash.id()), None, Some(token_fields(token)))
}

/// The tokens of an owner that are not revoked.
pub(super) fn unrevoked_of(owner: &TokenKind) -> Range {
    let range = Range::default().null("revoked_at");
    match owner {
        TokenKind::Customer(user) => range.equal("user_id", user),
        TokenKind::SuperUser => range.null("user_id"),
    }
}

#[derive(Clone, PartialEq, Eq)]
pub struct IssuedToken {
    /// The token for the client, known only now.
    pub text: String,
    /// The id for people and logs.
    pub id: TokenId,
    /// From this time on, the server refuses it.
    pub expires_at: Option<Timestamp>,
}

#[derive(Debug, thiserror::Error)]
pub enum IssueTokenError {
    #[error("the user is disabled")]
    UserDisabled,
    #[error("the tenant has {MAX_KEYS} keys, which is the limit: revoke one that is no longer used")]
    TooManyKeys,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The prefix of every issued token, for scanners of leaked secrets.
const TOKEN_PREFIX: &str = "pb_";

/// The characters of 256 bits.
const SECRET_CHARACTERS: usize = 43;
/// The prefix of the public tokens of the demo.
const DEMO_PREFIX: &[u8] = b"demo-";
const MAX_DEMO_BYTES: usize = 64;

/// Separates this use of the tenant's secret and of the caller's token from all other uses.
const DERIVATION: &[u8] = b"pointbook-token-2\n";
const CALLER_DERIVATION: &[u8] = b"pointbook-token-1\n";

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewToken {
    pub kind: TokenKind,
    /// The label for operators.
    pub label: Option<TokenLabel>,
    /// Seconds until it expires. `None` for never.
    pub expires_in_seconds: Option<u32>,
    /// It expires at this time at the latest: when the key that issues it expires.
    pub expires_by: Option<Timestamp>,
    /// What a key may do; `None` for everything.
    pub scopes: Option<Scopes>,
    /// The networks in which a key works.
    pub networks: Networks,
}

impl NewToken {
    pub fn new(kind: TokenKind, expires_in_seconds: Option<u32>) -> Self {
        let (label, expires_by, scopes, networks) = (None, None, None, Networks::default());
        Self { kind, label, expires_in_seconds, expires_by, scopes, networks }
    }

    /// From this time on, the server refuses the token when it is issued now.
    pub fn expires_at(&self, now: Timestamp) -> Option<Timestamp> {
        let own_end = self.expires_in_seconds.map(|seconds| now.plus_seconds(seconds));
        own_end.into_iter().chain(self.expires_by).min()
    }

    /// The record of this token with a text.
    pub fn record(self, text: &str, created_by: Option<String>, now: Timestamp) -> TokenRecord {
        let expires_at = self.expires_at(now);
        let Self { kind, label, expires_in_seconds: _, expires_by: _, scopes, networks } = self;
        let bare = token_record(text, kind, expires_at, now);
        TokenRecord { label, scopes, networks, created_by, ..bare }
    }
}

/// When a key expires whose maker chose no end: after 365 days.
pub const DEFAULT_KEY_SECONDS: u32 = 365 * 86_400;

/// Issues a token of 256 random bits.
///
/// # Errors
/// [`IssueTokenError`] for a disabled user or one key too many, and when the store fails.
pub async fn issue_token(
    context: &Context,
    new: NewToken,
    secrets: &dyn SecretSource,
) -> Result<IssuedToken, IssueTokenError> {
    let text = token_text(&secrets.secret());
    let record = new_record(context, &text, new);
    let (id, expires_at) = (record.hash.id(), record.expires_at);
    match context.write(StoreToken(record)).await? {
        InsertTokenOutcome::Stored => Ok(IssuedToken { text, id, expires_at }),
        InsertTokenOutcome::UserDisabled => Err(IssueTokenError::UserDisabled),
        InsertTokenOutcome::TooManyKeys => Err(IssueTokenError::TooManyKeys),
    }
}

/// Stores the hash of a token that the caller chose, and replaces a token with the same hash. A kept response must not hold the
/// token: see [`derived_secret`].
///
/// # Errors
/// When the store fails: nothing was issued, or the key of the request tells.
pub async fn keep_token(
    context: &Context<InsertTokenOutcome>,
    text: &str,
    new: NewToken,
) -> StoreResult<Execution<InsertTokenOutcome>> {
    context.execute(StoreToken(new_record(context, text, new))).await
}

fn new_record<T>(context: &Context<T>, text: &str, new: NewToken) -> TokenRecord {
    let created_by = (new.kind == TokenKind::SuperUser).then(|| context.actor.to_string());
    new.record(text, created_by, context.now)
}

/// The record of a token with this text.
pub fn token_record(
    text: &str,
    kind: TokenKind,
    expires_at: Option<Timestamp>,
    now: Timestamp,
) -> TokenRecord {
    let hash = token_hash(text.as_bytes());
    TokenRecord { expires_at, ..TokenRecord::new(hash, kind, now) }
}

pub fn token_text(secret: &[u8; 32]) -> String {
    format!("{TOKEN_PREFIX}{}", data_encoding::BASE64URL_NOPAD.encode(secret))
}

/// Whether these bytes can be a token: 256 bits as [`token_text`] writes them, or a token of the demo.
pub fn is_token_shape(token: &[u8]) -> bool {
    let is_of_alphabet = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_".contains(byte);
    let is_long_enough = match token.strip_prefix(TOKEN_PREFIX.as_bytes()) {
        Some(secret) => secret.len() == SECRET_CHARACTERS,
        None => token.starts_with(DEMO_PREFIX) && token.len() <= MAX_DEMO_BYTES,
    };
    is_long_enough && token.iter().all(is_of_alphabet)
}

/// The secret of the token that a repeatable request issues. It follows from the tenant's secret, the caller's token and the
/// request. So a repeat gets the same token, although no store has it. Neither the caller's token nor the database alone is
/// enough to derive it.
pub fn derived_secret(
    tenant: &TenantSecret,
    caller_token: &[u8],
    key: &RequestKey,
    issued_at: Timestamp,
) -> [u8; 32] {
    derive(tenant.derive(DERIVATION), caller_key(caller_token), key, issued_at)
}

/// [`derived_secret`] of the time before tenants had secrets, for repeats of requests from then.
pub fn derived_secret_of_caller(caller_token: &[u8], key: &RequestKey, issued_at: Timestamp) -> [u8; 32] {
    derive(caller_key(caller_token), [0; 32], key, issued_at)
}

/// Together the halves are as long as a block of SHA-256.
fn derive(first: [u8; 32], second: [u8; 32], key: &RequestKey, issued_at: Timestamp) -> [u8; 32] {
    let mut halves = [0; 64];
    halves.iter_mut().zip(first.into_iter().chain(second)).for_each(|(byte, of_half)| *byte = of_half);
    let mut mac = Hmac::<Sha256>::new(&halves.into());
    mac.update(&key.fingerprint);
    mac.update(&issued_at.as_micros().to_be_bytes());
    mac.update(key.key.as_bytes());
    mac.finalize().into_bytes().into()
}

/// This is not the stored hash, so a reader of the database cannot derive anything.
fn caller_key(caller_token: &[u8]) -> [u8; 32] {
    Sha256::new().chain_update(CALLER_DERIVATION).chain_update(caller_token).finalize().into()
}

const TOKENS_PER_READ: u32 = 1_000;

/// The tokens that match a filter, expired and revoked ones included: the oldest first, then by id.
pub async fn list_tokens(data: &dyn TenantData, filter: &TokenFilter) -> StoreResult<Vec<TokenRecord>> {
    let mut tokens = Vec::<TokenRecord>::new();
    loop {
        let after = tokens.last().map(|token| token.hash);
        let mut page = data.tokens_after(filter, after.as_ref(), TOKENS_PER_READ).await?;
        let is_last = page.len() < TOKENS_PER_READ as usize;
        tokens.append(&mut page);
        if is_last {
            tokens.sort_by_key(|token| (token.created_at, token.hash.0));
            return Ok(tokens);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secret(tenant: u8, caller: &str, key: &str, fingerprint: u8, micros: i64) -> [u8; 32] {
        let (key, at) = (request(key, fingerprint), Timestamp::from_micros(micros).unwrap());
        derived_secret(&TenantSecret::new([tenant; 32]), caller.as_bytes(), &key, at)
    }

    fn request(key: &str, fingerprint: u8) -> RequestKey {
        let (principal, fingerprint) = (String::new(), [fingerprint; 32]);
        RequestKey { principal, key: key.to_owned(), fingerprint, max_kept: None }
    }

    #[test]
    fn the_same_request_has_the_same_secret_and_no_other_has_it() {
        let first = secret(9, "caller", "key", 1, 5);
        assert_eq!(first, secret(9, "caller", "key", 1, 5));
        let others = [
            (8, "caller", "key", 1, 5),
            (9, "other", "key", 1, 5),
            (9, "caller", "kez", 1, 5),
            (9, "caller", "key", 2, 5),
            (9, "caller", "key", 1, 6),
        ];
        for (tenant, caller, key, fingerprint, micros) in others {
            assert_ne!(first, secret(tenant, caller, key, fingerprint, micros));
        }
    }

    #[test]
    fn a_token_is_told_by_its_shape() {
        for good in
            [token_text(&[0; 32]), token_text(&[255; 32]), "demo-aiko".to_owned(), "demo-s-ben".to_owned()]
        {
            assert!(is_token_shape(good.as_bytes()), "{good}");
        }
        let text = token_text(&[7; 32]);
        let bad = [
            String::new(),
            "abc".to_owned(),
            "pb_".to_owned(),
            text.replace("pb_", "PB_"),
            text[1..].to_owned(),
            format!("{text}A"),
            format!("{}+", &text[..45]),
            format!("{}é", &text[..44]),
            format!("demo-{}", "a".repeat(60)),
        ];
        for bad in bad {
            assert!(!is_token_shape(bad.as_bytes()), "{bad}");
        }
    }

    /// The release before computed it so.
    #[test]
    fn requests_from_before_tenants_had_secrets_keep_their_secret() {
        let at = Timestamp::from_micros(5).unwrap();
        let secret = derived_secret_of_caller(b"caller", &request("key", 1), at);
        assert_eq!(
            data_encoding::HEXLOWER.encode(&secret),
            "050780de26d89f3d21b14175fd6b2c854c9b98f1ec09396b1cc9163474266d08"
        );
    }
}

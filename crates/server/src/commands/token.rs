//! `pointbook token`: issues, lists and revokes access tokens.

use std::io;
use std::io::BufRead;

use clap::{Args, Subcommand};
use pointbook_access::tokens::issue::{DEFAULT_KEY_SECONDS, NewToken, issue_token, list_tokens};
use pointbook_access::tokens::revoke::{
    revoke_super_user_tokens, revoke_token, revoke_token_with_id, revoke_user_tokens,
};
use pointbook_domain::{Timestamp, TokenId, TokenKind, TokenLabel, TokenRecord, UserId};
use pointbook_store::ports::TokenFilter;
use pointbook_store::ports::tokens::token_hash;
use pointbook_store::{ServedTenant, Service};
use serde_json::{Value, json};

use super::{
    CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, print, print_list, say, visible,
};
use crate::sources::OsSecrets;

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Issue a token and print it; it cannot be shown again
    Issue {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        #[command(flatten)]
        kind: KindArguments,

        /// When the token expires: a number and s, m, h, d or w, such as 30d, or `never` [default: 365d for a super-user
        /// token, never for a user's token]
        #[arg(long, value_name = "DURATION", value_parser = parse_expiry)]
        expires_in: Option<Expiry>,

        /// What the token is for, as `token list` shows it: up to 255 characters
        #[arg(long, value_name = "TEXT", value_parser = |text: &str| TokenLabel::new(text))]
        label: Option<TokenLabel>,

        /// Print JSON: `token`, `id` and `expires_at` (null when the token never expires)
        #[arg(long)]
        json: bool,
    },
    /// List tokens by id; the tokens themselves are not stored
    List {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// Only the tokens of this user
        #[arg(long, value_name = "ID", value_parser = |text: &str| UserId::new(text), conflicts_with = "super_users")]
        user: Option<UserId>,

        /// Only the tokens of the back office
        #[arg(long)]
        super_users: bool,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke one token, or all tokens of a user or of the back office
    Revoke {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        #[command(flatten)]
        which: WhichArguments,
    },
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct KindArguments {
    /// Issue a token for this user; an unknown user is created
    #[arg(long, value_name = "ID", value_parser = |text: &str| UserId::new(text))]
    user: Option<UserId>,

    /// Issue a token for the tenant's back office
    #[arg(long)]
    super_user: bool,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct WhichArguments {
    /// All tokens of this user
    #[arg(long, value_name = "ID", value_parser = |text: &str| UserId::new(text))]
    user: Option<UserId>,

    /// All tokens of the back office
    #[arg(long)]
    super_users: bool,

    /// The token with this id, which `token list` and the access log show
    #[arg(long, value_name = "ID", value_parser = TokenId::parse)]
    id: Option<TokenId>,

    /// The token itself; - reads it from the standard input, which keeps it out of the shell's history
    #[arg(value_name = "TOKEN")]
    token: Option<String>,
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Issue { tenant, kind, expires_in, label, json } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let kind = kind.user.map_or(TokenKind::SuperUser, TokenKind::Customer);
            let Expiry(expires_in_seconds) = expires_in.unwrap_or_else(|| default_expiry(&kind));
            issue(&service, &tenant, NewToken { label, ..NewToken::new(kind, expires_in_seconds) }, json)
                .await
        }
        Command::List { tenant, user, super_users, json } => {
            let filter = match user {
                Some(user) => TokenFilter::Of(TokenKind::Customer(user)),
                None if super_users => TokenFilter::Of(TokenKind::SuperUser),
                None => TokenFilter::All,
            };
            list(&*context.open_as(DatabaseClient::ReadOnly).await?, &tenant, &filter, json).await
        }
        Command::Revoke { tenant, which } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let served = find_tenant(&service, &tenant)?;
            revoke(&acting(&service, &served), &served, which).await
        }
    }
}

/// Seconds until a token expires; `None` for never.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expiry(pub(super) Option<u32>);

pub(super) fn default_expiry(kind: &TokenKind) -> Expiry {
    match kind {
        TokenKind::Customer(_) => Expiry(None),
        TokenKind::SuperUser => Expiry(Some(DEFAULT_KEY_SECONDS)),
    }
}

pub(super) async fn issue(service: &Service, tenant: &str, new: NewToken, json: bool) -> CommandResult {
    let served = find_tenant(service, tenant)?;
    let issued = issue_token(&acting(service, &served), new, &OsSecrets).await?;
    if json {
        let expires_at = issued.expires_at.map(|end| end.to_string());
        let issued = json!({ "token": issued.text, "id": issued.id.to_string(), "expires_at": expires_at });
        return print(format_args!("{issued:#}\n"));
    }
    match issued.expires_at {
        Some(expires_at) => say(format_args!("token {} expires at {expires_at}", issued.id)),
        None => say(format_args!("token {} never expires", issued.id)),
    }
    print(format_args!("{}\n", issued.text))
}

pub(super) fn parse_expiry(text: &str) -> Result<Expiry, &'static str> {
    let seconds = if text == "never" { Some(None) } else { parse_seconds(text).map(Some) };
    seconds
        .map(Expiry)
        .ok_or("must be a whole number above 0 with s, m, h, d or w, such as 30d, at most 49710d, or `never`")
}

pub(super) fn parse_seconds(text: &str) -> Option<u32> {
    const UNITS: [(char, u32); 5] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400), ('w', 604_800)];
    UNITS.iter().find_map(|(unit, factor)| {
        let number: u32 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*factor).filter(|&seconds| seconds > 0)
    })
}

async fn list(service: &Service, tenant: &str, filter: &TokenFilter, json: bool) -> CommandResult {
    let served = find_tenant(service, tenant)?;
    let (tokens, now) = (list_tokens(&*served.data, filter).await?, service.now_of(&served));
    let titles = ["ID", "STATE", "KIND", "CREATED", "EXPIRES", "USER", "LABEL"];
    print_list(&tokens, json, |token| to_json(token, now), titles, |token| to_row(token, now))
}

fn to_row(token: &TokenRecord, now: Timestamp) -> [String; 7] {
    [
        token.hash.id().to_string(),
        state(token, now).to_owned(),
        kind(&token.kind).to_owned(),
        token.created_at.to_string(),
        token.expires_at.map_or_else(|| "never".to_owned(), |end| end.to_string()),
        // A user id must not send control sequences to the terminal.
        token.kind.user().map_or_else(|| "-".to_owned(), |user| user.as_str().escape_debug().to_string()),
        token.label.as_ref().map_or("-", TokenLabel::as_str).to_owned(),
    ]
}

fn to_json(token: &TokenRecord, now: Timestamp) -> Value {
    let text = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "id": token.hash.id().to_string(),
        "state": state(token, now),
        "kind": kind(&token.kind),
        "user_id": token.kind.user().map(UserId::as_str),
        "label": token.label.as_ref().map(TokenLabel::as_str),
        "created_at": token.created_at.to_string(),
        "expires_at": text(token.expires_at),
        "revoked_at": text(token.revoked_at),
    })
}

fn kind(kind: &TokenKind) -> &'static str {
    match kind {
        TokenKind::Customer(_) => "customer",
        TokenKind::SuperUser => "super-user",
    }
}

pub(super) fn state(token: &TokenRecord, now: Timestamp) -> &'static str {
    match token.revoked_at {
        Some(_) => "revoked",
        None if token.is_good_at(now) => "active",
        None => "expired",
    }
}

async fn revoke(
    acting: &pointbook_store::context::Context,
    served: &ServedTenant,
    which: WhichArguments,
) -> CommandResult {
    let name = served.name();
    if let Some(user) = which.user {
        let shown = visible(user.as_str());
        if let Some(revoked) = revoke_user_tokens(acting, &user).await? {
            return print(format_args!("tokens of {shown} revoked: {revoked}\n"));
        }
        say(format_args!("{name} has no user {shown}"));
        return Err(Failure::found_wrong());
    }
    if which.super_users {
        let revoked = revoke_super_user_tokens(acting).await?;
        return print(format_args!("super-user tokens of {name} revoked: {revoked}\n"));
    }
    let was_active = if let Some(id) = which.id {
        revoke_token_with_id(acting, id).await? > 0
    } else {
        let token = read_token(which.token.unwrap_or_default())?;
        revoke_token(acting, token_hash(token.as_bytes())).await?
    };
    if was_active {
        return print("tokens revoked: 1\n");
    }
    say(format_args!("no active token of {name} matches"));
    Err(Failure::found_wrong())
}

/// The given token; for `-`, the first line of the standard input.
fn read_token(given: String) -> Result<String, Failure> {
    if given != "-" {
        return Ok(given);
    }
    let mut line = String::new();
    io::stdin()
        .lock()
        .read_line(&mut line)
        .map_err(|error| Failure::trouble("cannot read the token from the standard input", &error))?;
    Ok(line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn duration_has_a_number_and_a_unit() {
        assert_eq!(
            ["45s", "90m", "2h", "30d", "1w"].map(parse_seconds),
            [Some(45), Some(5_400), Some(7_200), Some(2_592_000), Some(604_800)]
        );
        for bad in ["", "d", "30", "0d", "-1d", "1.5h", "30 d", "1y", "99999999w", "Never"] {
            assert!(parse_expiry(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_expiry("never"), Ok(Expiry(None)));
    }
}

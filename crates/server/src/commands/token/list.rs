//! `pointbook token list`.

use clap::Args;
use pointbook_app::list_tokens;
use pointbook_app::ports::TokenFilter;
use pointbook_domain::{Timestamp, TokenKind, TokenLabel, TokenRecord, UserId};
use serde_json::{Value, json};

use super::super::table::align;
use super::super::{CommandResult, Context, Verdict, find_tenant, print};
use super::parse::parse_user;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// Only the tokens of this user
    #[arg(long, value_name = "ID", value_parser = parse_user, conflicts_with = "super_users")]
    user: Option<UserId>,

    /// Only the tokens of the back office
    #[arg(long)]
    super_users: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_read_only().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let filter = match arguments.user {
        Some(user) => TokenFilter::Of(TokenKind::Customer(user)),
        None if arguments.super_users => TokenFilter::Of(TokenKind::SuperUser),
        None => TokenFilter::All,
    };
    let (tokens, now) = (list_tokens(&*served.data, &filter).await?, service.clock.now());
    let text = if arguments.json {
        let tokens: Vec<Value> = tokens.iter().map(|token| to_json(token, now)).collect();
        format!("{:#}\n", Value::from(tokens))
    } else {
        let head = ["ID", "STATE", "KIND", "CREATED", "EXPIRES", "USER", "LABEL"].map(str::to_owned);
        let rows = tokens.iter().map(|token| to_row(token, now));
        align(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
    };
    print(text)?;
    Ok(Verdict::Fine)
}

fn to_row(token: &TokenRecord, now: Timestamp) -> [String; 7] {
    let expires_at = token.expires_at.map_or_else(|| "never".to_owned(), |end| end.to_string());
    [
        token.hash.id().to_string(),
        state(token, now).to_owned(),
        kind(&token.kind).to_owned(),
        token.created_at.to_string(),
        expires_at,
        // A user id may hold what a terminal obeys.
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

fn state(token: &TokenRecord, now: Timestamp) -> &'static str {
    match token.revoked_at {
        Some(_) => "revoked",
        None if token.is_good_at(now) => "active",
        None => "expired",
    }
}

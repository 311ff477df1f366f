//! `pointbook key`: API keys of a tenant's back office.

use clap::Subcommand;
use pointbook_access::tokens::issue::{NewToken, list_tokens};
use pointbook_access::tokens::revoke::{RevokeKeyOutcome, revoke_key};
use pointbook_domain::{
    Network, Networks, Scope, Scopes, Timestamp, TokenId, TokenKind, TokenLabel, TokenRecord,
};
use pointbook_store::ports::TokenFilter;
use serde_json::{Value, json};

use super::token::{Expiry, default_expiry, issue, parse_expiry, state};
use super::{CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, print, print_list, say};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add a key and print it; the key is shown only now
    Add {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// What uses the key, up to 255 characters; lists and logs show it
        #[arg(long, value_name = "TEXT", value_parser = |text: &str| TokenLabel::new(text))]
        label: TokenLabel,

        /// What the key may do: scopes such as orders:read,orders:write, or `all`
        #[arg(long, value_name = "SCOPES", value_parser = parse_scopes)]
        scopes: KeyScopes,

        /// From where the key works: networks such as 203.0.113.0/24, separated by commas [default: from everywhere]
        #[arg(long, value_name = "NETWORKS", value_parser = parse_networks)]
        networks: Option<Networks>,

        /// How long until the key expires: a number and s, m, h, d or w, such as 30d, or `never` [default: 365d]
        #[arg(long, value_name = "DURATION", value_parser = parse_expiry)]
        expires_in: Option<Expiry>,

        /// Print JSON: `token` (the key), `id` and `expires_at`, which is null for never
        #[arg(long)]
        json: bool,
    },
    /// List the keys, the oldest first
    List {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// Print JSON
        #[arg(long)]
        json: bool,
    },
    /// Revoke a key
    Revoke {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// The id of the key, as `key list` and the access log show it
        #[arg(value_parser = TokenId::parse)]
        id: TokenId,
    },
}

/// The scopes of a new key; `None` for all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeyScopes(Option<Scopes>);

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Add { tenant, label, scopes: KeyScopes(scopes), networks, expires_in, json } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let Expiry(expires_in) = expires_in.unwrap_or_else(|| default_expiry(&TokenKind::SuperUser));
            let bare = NewToken::new(TokenKind::SuperUser, expires_in);
            let (label, networks) = (Some(label), networks.unwrap_or_default());
            issue(&service, &tenant, NewToken { label, scopes, networks, ..bare }, json).await
        }
        Command::List { tenant, json } => {
            let service = context.open_as(DatabaseClient::ReadOnly).await?;
            let served = find_tenant(&service, &tenant)?;
            let keys = list_tokens(&*served.data, &TokenFilter::Of(TokenKind::SuperUser)).await?;
            let now = service.now_of(&served);
            let titles = ["ID", "STATE", "EXPIRES", "LAST USED", "SCOPES", "NETWORKS", "LABEL"];
            print_list(&keys, json, |key| to_json(key, now), titles, |key| to_row(key, now))
        }
        Command::Revoke { tenant, id } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let served = find_tenant(&service, &tenant)?;
            if revoke_key(&acting(&service, &served), id).await? == RevokeKeyOutcome::Revoked {
                return print(format_args!("key {id} revoked\n"));
            }
            say(format_args!("{} has no active key {id}", served.name()));
            Err(Failure::found_wrong())
        }
    }
}

fn to_row(key: &TokenRecord, now: Timestamp) -> [String; 7] {
    let time = |time: Option<Timestamp>| time.map_or_else(|| "never".to_owned(), |time| time.to_string());
    let networks = if key.networks.is_empty() { "any".to_owned() } else { key.networks.to_string() };
    [
        key.hash.id().to_string(),
        state(key, now).to_owned(),
        time(key.expires_at),
        time(key.last_used_at),
        key.scopes.map_or_else(|| "all".to_owned(), |scopes| scopes.to_string()),
        networks,
        key.label.as_ref().map_or("-", TokenLabel::as_str).to_owned(),
    ]
}

fn to_json(key: &TokenRecord, now: Timestamp) -> Value {
    let text = |time: Option<Timestamp>| time.map(|time| time.to_string());
    json!({
        "id": key.hash.id().to_string(),
        "state": state(key, now),
        "label": key.label.as_ref().map(TokenLabel::as_str),
        "scopes": key.scopes.unwrap_or(Scopes::ALL).iter().map(Scope::as_str).collect::<Vec<_>>(),
        "networks": key.networks.iter().map(Network::to_string).collect::<Vec<_>>(),
        "created_at": key.created_at.to_string(),
        "created_by": key.created_by,
        "expires_at": text(key.expires_at),
        "revoked_at": text(key.revoked_at),
        "last_used_at": text(key.last_used_at),
    })
}

fn parse_scopes(text: &str) -> Result<KeyScopes, String> {
    if text == "all" {
        return Ok(KeyScopes(None));
    }
    let unknown = text.split(',').find(|name| Scope::parse(name).is_none());
    if let Some(unknown) = unknown {
        let known: Vec<_> = Scope::ALL.iter().map(|scope| scope.as_str()).collect();
        return Err(format!("there is no scope {unknown:?}; the scopes are {}, or all", known.join(", ")));
    }
    let scopes = Scopes::parse(&text.replace(',', " ")).map_err(|error| error.to_string())?;
    Ok(KeyScopes(Some(scopes)))
}

fn parse_networks(text: &str) -> Result<Networks, String> {
    Networks::parse(&text.replace(',', " ")).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_scope_is_named_beside_those_that_exist() {
        assert_eq!(parse_scopes("all"), Ok(KeyScopes(None)));
        let KeyScopes(scopes) = parse_scopes("orders:write,orders:read").unwrap();
        assert_eq!(scopes.unwrap().to_string(), "orders:read orders:write");
        let refused = parse_scopes("orders:read,orders").unwrap_err();
        assert!(
            refused.starts_with("there is no scope \"orders\"; the scopes are products:read, "),
            "{refused}"
        );
        assert!(parse_scopes("").is_err());
    }
}

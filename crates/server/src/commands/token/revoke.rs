//! `pointbook token revoke`.

use std::io::{self, BufRead};

use clap::Args;
use pointbook_app::{
    revoke_super_user_tokens, revoke_token, revoke_token_with_id, revoke_user_tokens, token_hash,
};
use pointbook_domain::{TokenId, UserId};

use super::super::{CommandResult, Context, Failure, Verdict, acting, find_tenant, print, say, visible};
use super::parse::{parse_id, parse_user};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    #[command(flatten)]
    which: WhichArguments,
}

/// Which tokens.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct WhichArguments {
    /// All tokens of this user
    #[arg(long, value_name = "ID", value_parser = parse_user)]
    user: Option<UserId>,

    /// All tokens of the back office
    #[arg(long)]
    super_users: bool,

    /// The token with this id, which `token list` and the access log show
    #[arg(long, value_name = "ID", value_parser = parse_id)]
    id: Option<TokenId>,

    /// This token; - reads it from the standard input, which keeps it out of the shell's history
    #[arg(value_name = "TOKEN")]
    token: Option<String>,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let (which, acting) = (arguments.which, acting(&service, &served));
    if let Some(user) = which.user {
        return revoke_all(&acting, &user).await;
    }
    if which.super_users {
        let revoked = revoke_super_user_tokens(&acting).await?;
        print(format_args!("super-user tokens of {} revoked: {revoked}\n", served.name()))?;
        return Ok(Verdict::Fine);
    }
    let was_active = if let Some(id) = which.id {
        revoke_token_with_id(&acting, id).await? > 0
    } else {
        let token = read_token(which.token.unwrap_or_default())?;
        revoke_token(&acting, token_hash(token.as_bytes())).await?
    };
    if was_active {
        print("tokens revoked: 1\n")?;
        return Ok(Verdict::Fine);
    }
    say(format_args!("no active token of {} matches", served.name()));
    Ok(Verdict::FoundWrong)
}

async fn revoke_all(acting: &pointbook_app::Context, user: &UserId) -> CommandResult {
    let shown = visible(user.as_str());
    if let Some(revoked) = revoke_user_tokens(acting, user).await? {
        print(format_args!("tokens of {shown} revoked: {revoked}\n"))?;
        return Ok(Verdict::Fine);
    }
    say(format_args!("{} has no user {shown}", acting.tenant.name()));
    Ok(Verdict::FoundWrong)
}

/// The token as given, or the first line of the standard input.
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

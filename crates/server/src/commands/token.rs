//! `pointbook token`: access tokens of users and of the back office.

use std::io::{self, BufRead};

use clap::{Args, Subcommand};
use pointbook_app::{issue_token, revoke_token, revoke_user_tokens, token_hash};
use pointbook_domain::{TokenKind, UserId};

use super::{CommandResult, Context, Failure, Verdict, find_tenant, print, say};
use crate::sources::OsSecrets;

/// What can be done with tokens.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Issue a token and print it; it is shown only now
    Issue(IssueArguments),
    /// Revoke a token, or all tokens of a user
    Revoke(RevokeArguments),
}

/// The arguments of `issue`.
#[derive(Debug, Args)]
pub struct IssueArguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    #[command(flatten)]
    kind: KindArguments,

    /// For how long it is good: a number and s, m, h, d or w, such as 30d [default: for ever]
    #[arg(long, value_name = "DURATION", value_parser = parse_seconds)]
    expires_in: Option<u32>,
}

/// Whose token it shall be.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub struct KindArguments {
    /// For this user, who is created when unknown
    #[arg(long, value_name = "ID", value_parser = parse_user)]
    user: Option<UserId>,

    /// For the tenant's back office
    #[arg(long)]
    super_user: bool,
}

/// The arguments of `revoke`.
#[derive(Debug, Args)]
pub struct RevokeArguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// All tokens of this user
    #[arg(long, value_name = "ID", value_parser = parse_user, required_unless_present = "token", conflicts_with = "token")]
    user: Option<UserId>,

    /// This token; - reads it from the standard input, which keeps it out of the shell's history
    #[arg(value_name = "TOKEN")]
    token: Option<String>,
}

pub(super) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Issue(arguments) => issue(arguments, context).await,
        Command::Revoke(arguments) => revoke(arguments, context).await,
    }
}

async fn issue(arguments: IssueArguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let kind = arguments.kind.user.map_or(TokenKind::SuperUser, TokenKind::Customer);
    let now = service.clock.now();
    let issued = issue_token(&*served.data, kind, arguments.expires_in, &OsSecrets, now).await?;
    if let Some(expires_at) = issued.expires_at {
        say(format_args!("good until {expires_at}"));
    }
    print(format_args!("{}\n", issued.text))?;
    Ok(Verdict::Fine)
}

async fn revoke(arguments: RevokeArguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let now = service.clock.now();
    if let Some(user) = arguments.user {
        let revoked = revoke_user_tokens(&served, &user, now).await?.unwrap_or_default();
        say(format_args!("tokens of {} revoked: {revoked}", user.as_str()));
        return Ok(Verdict::Fine);
    }
    let token = read_token(arguments.token.unwrap_or_default())?;
    if revoke_token(&served, &token_hash(token.as_bytes()), now).await? {
        say("token revoked");
        return Ok(Verdict::Fine);
    }
    say(format_args!("{} has no such token that was good", served.name()));
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

fn parse_user(text: &str) -> Result<UserId, String> {
    UserId::new(text).map_err(|error| error.to_string())
}

/// Seconds from a number and its unit.
fn parse_seconds(text: &str) -> Result<u32, String> {
    const UNITS: [(char, u32); 5] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400), ('w', 604_800)];
    let seconds = UNITS.iter().find_map(|(unit, factor)| {
        let number: u32 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*factor).filter(|&seconds| seconds > 0)
    });
    seconds.ok_or_else(|| "a duration is a whole number above 0 and s, m, h, d or w, such as 30d".to_owned())
}

#[cfg(test)]
mod tests {
    use super::parse_seconds;

    #[test]
    fn a_duration_has_a_number_and_a_unit() {
        let read = |text| parse_seconds(text).ok();
        assert_eq!(
            ["45s", "90m", "2h", "30d", "1w"].map(read),
            [Some(45), Some(5_400), Some(7_200), Some(2_592_000), Some(604_800)]
        );
        for bad in ["", "d", "30", "0d", "-1d", "1.5h", "30 d", "1y", "99999999w"] {
            assert_eq!(read(bad), None, "{bad}");
        }
    }
}

//! `pointbook token issue`.

use clap::Args;
use pointbook_app::{NewToken, issue_token};
use pointbook_domain::{TokenKind, TokenLabel, UserId};

use super::super::{CommandResult, Context, Verdict, acting, find_tenant, print, say};
use super::parse::{parse_label, parse_user};
use crate::sources::OsSecrets;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    #[command(flatten)]
    kind: KindArguments,

    /// How long until it expires: a number and s, m, h, d or w, such as 30d, or `never` [default: 365d for a super-user
    /// token, never for a user's]
    #[arg(long, value_name = "DURATION", value_parser = parse_expiry)]
    expires_in: Option<Expiry>,

    /// What the token is for, shown by `token list`: up to 255 characters
    #[arg(long, value_name = "TEXT", value_parser = parse_label)]
    label: Option<TokenLabel>,
}

/// Whose token it shall be.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct KindArguments {
    /// For this user, who is created when unknown
    #[arg(long, value_name = "ID", value_parser = parse_user)]
    user: Option<UserId>,

    /// For the tenant's back office
    #[arg(long)]
    super_user: bool,
}

/// When a token expires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expiry {
    Never,
    InSeconds(u32),
}

/// How long a super-user token lives unless the command says otherwise.
const SUPER_USER_EXPIRY: Expiry = Expiry::InSeconds(365 * 86_400);

impl Expiry {
    fn default_of(kind: &TokenKind) -> Self {
        match kind {
            TokenKind::Customer(_) => Self::Never,
            TokenKind::SuperUser => SUPER_USER_EXPIRY,
        }
    }

    fn seconds(self) -> Option<u32> {
        match self {
            Self::Never => None,
            Self::InSeconds(seconds) => Some(seconds),
        }
    }
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let kind = arguments.kind.user.map_or(TokenKind::SuperUser, TokenKind::Customer);
    let expiry = arguments.expires_in.unwrap_or_else(|| Expiry::default_of(&kind));
    let new = NewToken { kind, label: arguments.label, expires_in_seconds: expiry.seconds() };
    let issued = issue_token(&acting(&service, &served), new, &OsSecrets).await?;
    match issued.expires_at {
        Some(expires_at) => say(format_args!("token {} expires at {expires_at}", issued.id)),
        None => say(format_args!("token {} never expires", issued.id)),
    }
    print(format_args!("{}\n", issued.text))?;
    Ok(Verdict::Fine)
}

fn parse_expiry(text: &str) -> Result<Expiry, String> {
    if text == "never" {
        return Ok(Expiry::Never);
    }
    parse_seconds(text).map(Expiry::InSeconds).ok_or_else(|| {
        "a duration is a whole number above 0 and s, m, h, d or w, such as 30d, or never".to_owned()
    })
}

/// Seconds from a number and its unit.
fn parse_seconds(text: &str) -> Option<u32> {
    const UNITS: [(char, u32); 5] = [('s', 1), ('m', 60), ('h', 3_600), ('d', 86_400), ('w', 604_800)];
    UNITS.iter().find_map(|(unit, factor)| {
        let number: u32 = text.strip_suffix(*unit)?.parse().ok()?;
        number.checked_mul(*factor).filter(|&seconds| seconds > 0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_has_a_number_and_a_unit() {
        assert_eq!(
            ["45s", "90m", "2h", "30d", "1w"].map(parse_seconds),
            [Some(45), Some(5_400), Some(7_200), Some(2_592_000), Some(604_800)]
        );
        for bad in ["", "d", "30", "0d", "-1d", "1.5h", "30 d", "1y", "99999999w", "Never"] {
            assert!(parse_expiry(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_expiry("never"), Ok(Expiry::Never));
    }
}

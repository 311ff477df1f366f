//! `pointbook tenant clock`: the virtual clock of a staging tenant.

use clap::Subcommand;
use pointbook_domain::{TenantName, Timestamp};
use pointbook_store::ports::Execution;
use pointbook_store::tenants::set_clock::{ClockOutcome, ClockTarget, set_clock};

use super::super::arguments::parse_time;
use super::super::token::parse_seconds;
use super::super::{CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, print};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set the clock to a later time; it runs on from there
    Set {
        /// The tenant, such as acme/staging
        tenant: String,

        /// The time, such as 2027-01-31T09:00:00Z or 2027-01-31T09:00:00+01:00
        #[arg(value_parser = parse_time)]
        time: Timestamp,
    },
    /// Move the clock forward
    Advance {
        /// The tenant, such as acme/staging
        tenant: String,

        /// How far: a number and s, m, h, d or w, such as 30d
        #[arg(value_parser = parse_duration)]
        duration: u32,
    },
    /// Return to the real time, if nothing has happened after it
    Reset {
        /// The tenant, such as acme/staging
        tenant: String,
    },
}

pub(super) async fn run(command: Command, context: &Context) -> CommandResult {
    let (tenant, target) = match command {
        Command::Set { tenant, time } => (tenant, ClockTarget::At(time)),
        Command::Advance { tenant, duration } => (tenant, ClockTarget::Forward { seconds: duration }),
        Command::Reset { tenant } => (tenant, ClockTarget::Real),
    };
    let service = context.open_as(DatabaseClient::Command).await?;
    let served = find_tenant(&service, &tenant)?;
    let name = served.name();
    match set_clock(&service, &acting(&service, &served), target).await? {
        Execution::Executed(ClockOutcome::Set { .. }) if target == ClockTarget::Real => {
            print(format_args!("{name} has the real time again\n"))
        }
        Execution::Executed(ClockOutcome::Set { now }) => {
            print(format_args!("the time of {name} is {now}\n"))
        }
        Execution::Executed(refused) => Err(refusal(&name, refused)),
        // A command has no key, so it is neither repeated nor refused for its key.
        _ => Err(Failure::input("the clock was not set")),
    }
}

fn refusal(name: &TenantName, outcome: ClockOutcome) -> Failure {
    Failure::input(match outcome {
        ClockOutcome::NotStaging => {
            format!("{name} is a production tenant: only a staging tenant can have a virtual clock")
        }
        ClockOutcome::GoesBack { now } => {
            format!("TIME: a clock never goes back, and the time of {name} is already {now}")
        }
        ClockOutcome::TooFar => "a virtual clock is at most 100 years ahead of the real time".to_owned(),
        ClockOutcome::HasLaterEvents => format!(
            "{name} has rows that are dated after the real time, so its clock cannot go back: \
             add another staging tenant and try again there"
        ),
        ClockOutcome::Set { now } => format!("the time of {name} is {now}"),
    })
}

fn parse_duration(text: &str) -> Result<u32, &'static str> {
    parse_seconds(text)
        .ok_or("must be a whole number above 0 with s, m, h, d or w, such as 30d, at most 49710d")
}

//! `pointbook campaign put`: writes campaigns from files. It checks all files before it writes the first campaign.

use std::path::PathBuf;

use clap::Args;
use pointbook_domain::Timestamp;
use pointbook_exchange::campaigns::{CampaignFile, read_campaigns};
use pointbook_points::campaigns::manage::{CampaignOutcome, WrittenVersion, put_campaign};

use super::super::arguments::parse_time;
use super::super::{CommandResult, Context, DatabaseClient, Failure, acting, print, say};
use super::open;

/// Shown below the arguments.
const AFTER_HELP: &str = "\
The command checks all files first. If one has a fault, it names every fault and writes nothing.
A definition that a campaign has already changes nothing, so you can put all files of a repository again.
A draft gives no bonus until `pointbook campaign schedule` starts it.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Arguments {
    /// The files, each with one definition as JSON; - reads the standard input
    #[arg(required = true, value_name = "FILE")]
    file: Vec<PathBuf>,

    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// When new versions take over, such as 2027-01-31T09:00:00Z [default: a second from now, the earliest time]
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    at: Option<Timestamp>,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let Arguments { file: files, tenant, at } = arguments;
    let (service, served) = open(context, &tenant, DatabaseClient::Command).await?;
    let campaigns = read_campaigns(&files, &served.tenant.locale).map_err(|mut faults| {
        faults.push("nothing was written".to_owned());
        Failure::inputs(faults)
    })?;
    let mut refused = Vec::new();
    for CampaignFile { name: file, campaign } in campaigns {
        let execution = put_campaign(&acting(&service, &served), campaign, at).await?;
        match execution.without_key()? {
            CampaignOutcome::Created(written) => tell(&file, "created as a draft", &written)?,
            CampaignOutcome::Written(written) => {
                let (version, from) = (written.row.version, written.row.valid_from);
                tell(&file, &format!("version {version} takes over at {from}"), &written)?;
            }
            CampaignOutcome::Unchanged(written) => tell(&file, "unchanged", &written)?,
            // A put creates what is not there.
            CampaignOutcome::NotFound => refused.push(format!("{file}: the campaign was not written")),
            CampaignOutcome::Refused(refusal) => refused.push(format!("{file}: {refusal}")),
        }
    }
    if refused.is_empty() { Ok(()) } else { Err(Failure::inputs(refused)) }
}

fn tell(file: &str, result: &str, written: &WrittenVersion) -> CommandResult {
    say_warnings(file, written);
    print(format_args!("{file}: {}: {result}\n", written.row.campaign_id))
}

/// Prints what an operator should know about a definition.
pub(super) fn say_warnings(of: &str, written: &WrittenVersion) {
    for warning in &written.warnings {
        say(format_args!("{of}: warning: {}", warning.message));
    }
}

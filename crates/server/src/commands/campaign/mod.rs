//! `pointbook campaign`: the rules that give bonus points for activities.

mod back_test;
mod put;

use std::sync::Arc;

use clap::{Args, Subcommand};
use pointbook_campaigns::CampaignId;
use pointbook_domain::Timestamp;
use pointbook_domain::json::Json;
use pointbook_points::campaigns::manage::{
    CampaignDetail, CampaignOutcome, CampaignStep, campaign, campaigns, step_campaign,
};
use pointbook_points::campaigns::view::CampaignView;
use pointbook_store::{ServedTenant, Service};
use serde_json::{Value, json};

use super::arguments::parse_time;
use super::{
    CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, print, print_list, say, visible,
};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// List the campaigns by id, with their states
    List {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// List archived campaigns too
        #[arg(long)]
        archived: bool,

        /// Print JSON, with the definitions
        #[arg(long)]
        json: bool,
    },
    /// Print the newest definition of a campaign as JSON, as `campaign put` takes it
    Show(Chosen),
    /// List the versions of a campaign, the oldest first, with their authors
    Versions {
        #[command(flatten)]
        chosen: Chosen,

        /// Print JSON, with the definitions
        #[arg(long)]
        json: bool,
    },
    /// Write campaigns from files: a new campaign is a draft, a changed one gets a new version
    Put(put::Arguments),
    /// Start a draft: it gives bonuses from its beginning on
    Schedule(StepArguments),
    /// Pause a campaign: it gives no bonus to activities that happen during the pause
    Pause(StepArguments),
    /// Continue a paused campaign
    Resume(StepArguments),
    /// End a campaign for ever
    End(StepArguments),
    /// Leave a draft or an ended campaign out of lists, for ever
    Archive(StepArguments),
    /// Compute what a campaign would have given for recorded activities, without changing anything
    BackTest(back_test::Arguments),
}

/// One campaign.
#[derive(Debug, Args)]
pub(crate) struct Chosen {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long)]
    tenant: String,

    /// The id of the campaign, as `campaign list` shows it
    #[arg(value_parser = |text: &str| CampaignId::new(text))]
    id: CampaignId,
}

#[derive(Debug, Args)]
pub(crate) struct StepArguments {
    #[command(flatten)]
    chosen: Chosen,

    /// When the state changes, such as 2027-01-31T09:00:00Z [default: a second from now]
    ///
    /// Only `schedule` takes a time in the past. The campaign then gives bonuses for activities since that time that are
    /// recorded from now on.
    #[arg(long, value_name = "TIME", value_parser = parse_time)]
    at: Option<Timestamp>,
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::List { tenant, archived, json } => list(context, &tenant, archived, json).await,
        Command::Show(chosen) => show(context, &chosen).await,
        Command::Versions { chosen, json } => list_versions(context, &chosen, json).await,
        Command::Put(arguments) => put::run(arguments, context).await,
        Command::Schedule(arguments) => step(context, CampaignStep::Schedule, arguments).await,
        Command::Pause(arguments) => step(context, CampaignStep::Pause, arguments).await,
        Command::Resume(arguments) => step(context, CampaignStep::Resume, arguments).await,
        Command::End(arguments) => step(context, CampaignStep::End, arguments).await,
        Command::Archive(arguments) => step(context, CampaignStep::Archive, arguments).await,
        Command::BackTest(arguments) => back_test::run(arguments, context).await,
    }
}

async fn list(context: &Context, tenant: &str, archived: bool, json: bool) -> CommandResult {
    let (service, served) = open(context, tenant, DatabaseClient::ReadOnly).await?;
    let found = campaigns(&served, service.now_of(&served), archived).await?;
    if found.is_empty() {
        let others = if archived { "" } else { ", or only archived ones" };
        let name = served.name();
        say(format_args!("{name} has no campaigns{others}: write one with `pointbook campaign put`"));
    }
    let titles = ["ID", "STATE", "VERSION", "FROM", "TITLE"];
    let to_json = |summary: &_| json!(CampaignView::from(summary));
    print_list(&found, json, to_json, titles, |summary| {
        [
            summary.row.campaign_id.clone(),
            summary.state.as_str().to_owned(),
            summary.row.version.to_string(),
            summary.row.valid_from.to_string(),
            visible(summary.version.campaign.title(None, &served.tenant.locale)),
        ]
    })
}

/// Prints the definition of the newest version, which `put` compares with.
async fn show(context: &Context, chosen: &Chosen) -> CommandResult {
    let detail = find(context, chosen).await?;
    let newest = detail.versions.last().unwrap_or(&detail.summary.row);
    let trouble = |error: serde_json::Error| Failure::trouble("cannot read the stored definition", &error);
    // `Json` keeps the documented order of the members.
    let definition = Json::parse(newest.definition.as_bytes()).map_err(trouble)?;
    let definition = serde_json::to_string_pretty(&definition).map_err(trouble)?;
    print(format_args!("{definition}\n"))
}

async fn list_versions(context: &Context, chosen: &Chosen, json: bool) -> CommandResult {
    let versions = find(context, chosen).await?.versions;
    let titles = ["VERSION", "STATE", "FROM", "CREATED", "BY"];
    print_list(
        &versions,
        json,
        |row| {
            json!({
                "version": row.version,
                "state": row.state,
                "valid_from": row.valid_from.to_string(),
                "created_at": row.created_at.to_string(),
                "created_by": row.created_by,
                "definition": serde_json::from_str::<Value>(&row.definition).unwrap_or_default(),
            })
        },
        titles,
        |row| {
            let times = [row.valid_from, row.created_at].map(|time| time.to_string());
            let [from, created] = times;
            [row.version.to_string(), row.state.clone(), from, created, visible(&row.created_by)]
        },
    )
}

async fn step(context: &Context, step: CampaignStep, arguments: StepArguments) -> CommandResult {
    let StepArguments { chosen: Chosen { tenant, id }, at } = arguments;
    let (service, served) = open(context, &tenant, DatabaseClient::Command).await?;
    let execution = step_campaign(&acting(&service, &served), id.clone(), step, at).await?;
    match execution.without_key()? {
        CampaignOutcome::Created(written)
        | CampaignOutcome::Written(written)
        | CampaignOutcome::Unchanged(written) => {
            put::say_warnings(id.as_str(), &written);
            let (version, state, from) =
                (written.row.version, written.state.as_str(), written.row.valid_from);
            print(format_args!("{id}: version {version} ({state}) takes over at {from}\n"))
        }
        CampaignOutcome::NotFound => Err(unknown(&served, &id)),
        CampaignOutcome::Refused(refusal) => Err(Failure::input(format!("{id}: {refusal}"))),
    }
}

async fn find(context: &Context, Chosen { tenant, id }: &Chosen) -> Result<CampaignDetail, Failure> {
    let (service, served) = open(context, tenant, DatabaseClient::ReadOnly).await?;
    let found = campaign(&served, id, service.now_of(&served)).await?;
    found.ok_or_else(|| unknown(&served, id))
}

async fn open(
    context: &Context,
    tenant: &str,
    client: DatabaseClient,
) -> Result<(Arc<Service>, Arc<ServedTenant>), Failure> {
    let service = context.open_as(client).await?;
    let served = find_tenant(&service, tenant)?;
    Ok((service, served))
}

fn unknown(served: &ServedTenant, id: &CampaignId) -> Failure {
    say(format_args!("{} has no campaign {id}", served.name()));
    Failure::found_wrong()
}

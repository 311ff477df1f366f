//! `pointbook events`: the feed of a tenant.

use std::time::Duration;

use clap::{Args, Subcommand};
use pointbook_domain::{Cursor, EventType, UserId};
use pointbook_events::feed::view::EventView;
use pointbook_events::feed::{EventFilter, FeedError, read_events, restart_feed};
use pointbook_store::ServedTenant;

use super::{CommandResult, Context, DatabaseClient, Failure, acting, find_tenant, find_tenants, print};

/// How many events are in memory at a time.
const EVENTS_PER_READ: u32 = 1_000;

/// How long one read waits for an event.
const WAIT: Duration = Duration::from_secs(30);

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print the events as JSON, one per line, the oldest first, and go on until it is interrupted
    Tail {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(long)]
        tenant: String,

        /// Only events after this cursor, such as 1-41 [default: from the oldest event on]
        #[arg(long, value_name = "CURSOR", value_parser = parse_cursor)]
        after: Option<Cursor>,

        /// Only events of these types, with commas, such as transaction.recorded,order.placed
        #[arg(long, value_name = "TYPES", value_delimiter = ',', value_parser = parse_type)]
        types: Vec<EventType>,

        /// Only events about this user
        #[arg(long, value_name = "ID", value_parser = |text: &str| UserId::new(text))]
        user: Option<UserId>,

        /// End at the newest event
        #[arg(long)]
        once: bool,
    },
    /// Begin a new generation of the feed after a restore. Cursors of earlier generations get 410
    Restart(RestartArguments),
}

#[derive(Debug, Args)]
#[group(id = "tenants", required = true)]
pub(crate) struct RestartArguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(long, group = "tenants")]
    tenant: Option<String>,

    /// All tenants of the database
    #[arg(long, group = "tenants")]
    all: bool,
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Tail { tenant, after, types, user, once } => {
            let service = context.open_as(DatabaseClient::Command).await?;
            let served = find_tenant(&service, &tenant)?;
            tail(&served, &EventFilter { types, user_id: user }, after, once).await
        }
        Command::Restart(arguments) => restart(arguments, context).await,
    }
}

async fn restart(arguments: RestartArguments, context: &Context) -> CommandResult {
    let service = context.open_as(DatabaseClient::Command).await?;
    for served in find_tenants(&service, arguments.tenant.as_deref())? {
        let begin = restart_feed(&acting(&service, &served)).await?;
        print(format_args!("{}: readers begin after {begin}\n", served.name()))?;
    }
    Ok(())
}

async fn tail(
    served: &ServedTenant,
    filter: &EventFilter,
    mut after: Option<Cursor>,
    once: bool,
) -> CommandResult {
    let wait = if once { Duration::ZERO } else { WAIT };
    loop {
        let page = read_events(served, filter, after, EVENTS_PER_READ, wait).await.map_err(refused)?;
        for event in &page.events {
            let line = serde_json::to_string(&EventView::from(event));
            let line = line.map_err(|error| Failure::failed(error.to_string()))?;
            print(format_args!("{line}\n"))?;
        }
        if once && page.cursor == page.feed.end() {
            return Ok(());
        }
        after = Some(page.cursor);
    }
}

fn refused(error: FeedError) -> Failure {
    match error {
        FeedError::Gone(feed) => Failure::input(format!(
            "the events after this cursor are gone: begin with --after {}",
            feed.begin()
        )),
        FeedError::Store(error) => error.into(),
    }
}

fn parse_cursor(text: &str) -> Result<Cursor, String> {
    Cursor::parse(text).ok_or_else(|| "a cursor is two numbers, such as 1-41".to_owned())
}

fn parse_type(text: &str) -> Result<EventType, String> {
    let known = || EventType::ALL.iter().map(|kind| kind.as_str()).collect::<Vec<_>>().join(", ");
    EventType::parse(text).ok_or_else(|| format!("there is no type {text:?}; the types are {}", known()))
}

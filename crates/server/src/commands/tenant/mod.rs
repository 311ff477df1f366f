//! `pointbook tenant`: adds, lists, shows, changes and removes tenants.

mod change;
mod clock;

use std::sync::Arc;
use std::time::Duration;

use clap::Subcommand;
use pointbook_domain::{Tenant, Timestamp};
use pointbook_store::ServedTenant;
use pointbook_store::tenants::manage::{count_rows, remove_tenant, stop_serving};
use serde_json::{Map, Value, json};

use super::{CommandResult, Context, DatabaseClient, Failure, find_tenant, print, print_list};

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Add a tenant
    Add(change::AddArguments),
    /// List all tenants
    List {
        /// Print JSON, with all settings
        #[arg(long)]
        json: bool,
    },
    /// Show the fields and settings of a tenant
    Show {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        tenant: String,

        /// Print only the value of this field or setting, such as `base_url` or texts.de
        key: Option<String>,

        /// Print JSON, with all settings
        #[arg(long, conflicts_with = "key")]
        json: bool,
    },
    /// Change a tenant; running servers apply the change within a second
    Set(change::SetArguments),
    /// Set, advance or remove the virtual clock of a staging tenant; running servers follow within a second
    Clock {
        #[command(subcommand)]
        command: clock::Command,
    },
    /// Remove a tenant and all its data for ever; running servers stop serving it within a second
    Remove {
        /// The tenant: SLUG or SLUG/ENVIRONMENT
        #[arg(value_name = "TENANT")]
        tenant: String,

        /// Remove the tenant; without this option, the command only prints what it would remove
        #[arg(long)]
        yes: bool,
    },
}

pub(crate) async fn run(command: Command, context: &Context) -> CommandResult {
    match command {
        Command::Add(arguments) => change::add(arguments, context).await,
        Command::List { json } => {
            let service = context.open_as(DatabaseClient::ReadOnly).await?;
            let titles = ["TENANT", "BASE URL", "LOCALE", "TIME ZONE", "NAME"];
            let now = service.clock.now();
            print_list(service.directory().tenants(), json, |served| to_json(served, now), titles, to_row)
        }
        Command::Show { tenant, key, json } => show(&tenant, key.as_deref(), json, context).await,
        Command::Set(arguments) => change::set(arguments, context).await,
        Command::Clock { command } => clock::run(command, context).await,
        Command::Remove { tenant, yes } => remove(&tenant, yes, context).await,
    }
}

fn to_row(served: &Arc<ServedTenant>) -> [String; 5] {
    let tenant = &served.tenant;
    [
        served.name().to_string(),
        tenant.base_url.to_string(),
        tenant.locale.to_string(),
        tenant.settings.time_zone.to_string(),
        tenant.name.clone(),
    ]
}

/// The time of a tenant with a virtual clock.
fn virtual_now(tenant: &Tenant, real_now: Timestamp) -> Option<String> {
    (!tenant.clock.is_none()).then(|| tenant.now(real_now).to_string())
}

fn to_json(served: &Arc<ServedTenant>, real_now: Timestamp) -> Value {
    let tenant = &served.tenant;
    let settings = tenant.settings.entries().into_iter();
    let settings: Map<String, Value> = settings.map(|(key, value)| (key, value.into())).collect();
    json!({
        "tenant": served.name().to_string(),
        "id": tenant.id.to_string(),
        "slug": tenant.slug.as_str(),
        "environment": tenant.environment.as_str(),
        "base_url": tenant.base_url.as_str(),
        "name": tenant.name,
        "locale": tenant.locale.as_str(),
        "created_at": tenant.created_at.to_string(),
        "clock": virtual_now(tenant, real_now),
        "settings": settings,
    })
}

async fn show(name: &str, key: Option<&str>, json: bool, context: &Context) -> CommandResult {
    let service = context.open_as(DatabaseClient::ReadOnly).await?;
    let served = find_tenant(&service, name)?;
    if json {
        return print(format_args!("{:#}\n", to_json(&served, service.clock.now())));
    }
    let entries = entries(&served, service.clock.now());
    let Some(wanted) = key else {
        return print(entries.iter().map(|(key, value)| line(key, value)).collect::<String>());
    };
    let value = entries.iter().find_map(|(key, value)| (key == wanted).then_some(value));
    let value = value.ok_or_else(|| unknown_key(name, wanted, &entries))?;
    print(format_args!("{}\n", value.trim_end_matches('\n')))
}

fn unknown_key(name: &str, wanted: &str, entries: &[(String, String)]) -> Failure {
    let known: Vec<_> = entries.iter().map(|(key, _)| key.as_str()).collect();
    Failure::input(format!("{name} has no field or setting {wanted:?}: it has {}", known.join(", ")))
}

fn entries(served: &ServedTenant, real_now: Timestamp) -> Vec<(String, String)> {
    let tenant = &served.tenant;
    let fields = [
        ("tenant", served.name().to_string()),
        ("id", tenant.id.to_string()),
        ("base_url", tenant.base_url.to_string()),
        ("name", tenant.name.clone()),
        ("locale", tenant.locale.to_string()),
        ("created_at", tenant.created_at.to_string()),
        ("clock", virtual_now(tenant, real_now).unwrap_or_else(|| "real".to_owned())),
    ];
    let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
    fields.chain(tenant.settings.entries()).collect()
}

/// Of a value with several lines, `show` prints only the number of lines, unless the command names the key.
fn line(key: &str, value: &str) -> String {
    match value.lines().count() {
        0 | 1 => format!("{key}={value}\n"),
        lines => format!("{key}: {lines} lines\n"),
    }
}

/// The tables whose row counts `remove` prints.
const SHOWN: [&str; 5] = ["users", "transactions", "orders", "products", "tokens"];

/// The time until every server has read the tenants again and has finished most of its running requests.
const SERVERS_LOOK_WITHIN: Duration = Duration::from_secs(2);

async fn remove(name: &str, yes: bool, context: &Context) -> CommandResult {
    let service = context.open_as(DatabaseClient::Command).await?;
    let served = find_tenant(&service, name)?;
    if !service.database.may_remove_tenants().await? {
        return Err(Failure::input(
            "this database role may not remove tenants: run the command as the owner of the tables",
        ));
    }
    let (name, base_url) = (served.name(), &served.tenant.base_url);
    print(format_args!("tenant {name} at {base_url}\n"))?;
    for (table, count) in count_rows(&*service.database, &served.tenant).await? {
        if SHOWN.contains(&table) {
            print(format_args!("{table}: {count}\n"))?;
        }
    }
    if !yes {
        return Err(Failure::input(format!("nothing was removed: add --yes to remove {name} for ever")));
    }
    let stopped = stop_serving(&service, &served).await;
    stopped.map_err(|error| change::refusal(&service, error, &name, base_url))?;
    tokio::time::sleep(SERVERS_LOOK_WITHIN).await;
    remove_tenant(&service, &served).await?;
    print(format_args!("removed {name}\n"))
}

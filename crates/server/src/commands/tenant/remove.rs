//! `pointbook tenant remove`.

use std::time::Duration;

use clap::Args;
use pointbook_app::remove_tenant::{count_rows, remove_tenant, stop_serving};
use pointbook_app::{ServedTenant, Service};

use super::super::{CommandResult, Context, Failure, Verdict, find_tenant, print};
use super::fields::refusal;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    #[arg(value_name = "TENANT")]
    tenant: String,

    /// Remove it; without this, the command only says what it would remove
    #[arg(long)]
    yes: bool,
}

/// The tables that people know, and what they call their rows.
const SHOWN: [&str; 6] = ["users", "transactions", "orders", "products", "categories", "tokens"];

/// Until every server has looked at the tenants again, and has answered most of what it had begun.
const SERVERS_LOOK_WITHIN: Duration = Duration::from_secs(2);

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    if !service.database.may_remove_tenants().await? {
        return Err(Failure::input(
            "this role of the database may not remove tenants: run the command as the owner of the tables",
        ));
    }
    preview(&service, &served).await?;
    let name = served.name();
    if !arguments.yes {
        return Err(Failure::input(format!("nothing was removed: add --yes to remove {name} for ever")));
    }
    let base_url = served.tenant.base_url.clone();
    stop_serving(&service, &served).await.map_err(|error| refusal(&service, error, &name, &base_url))?;
    tokio::time::sleep(SERVERS_LOOK_WITHIN).await;
    remove_tenant(&service, &served).await?;
    print(format_args!("removed {name}\n"))?;
    Ok(Verdict::Fine)
}

async fn preview(service: &Service, served: &ServedTenant) -> Result<(), Failure> {
    print(format_args!("tenant {} at {}\n", served.name(), served.tenant.base_url))?;
    for (table, count) in count_rows(&*service.database, &served.tenant).await? {
        if SHOWN.contains(&table) {
            print(format_args!("{table}: {count}\n"))?;
        }
    }
    Ok(())
}

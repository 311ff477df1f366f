//! `pointbook tenant list`.

use clap::Args;
use pointbook_app::ServedTenant;
use serde_json::{Map, Value, json};

use super::super::table::align;
use super::super::{CommandResult, Context, Verdict, print};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print JSON, with all settings
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let service = context.open_read_only().await?;
    let directory = service.directory();
    let text = if arguments.json {
        let tenants: Vec<Value> = directory.tenants().iter().map(|served| to_json(served)).collect();
        format!("{:#}\n", Value::from(tenants))
    } else {
        let head = ["TENANT", "BASE URL", "LOCALE", "NAME"].map(str::to_owned);
        let rows = directory.tenants().iter().map(|served| to_row(served));
        align(&std::iter::once(head).chain(rows).collect::<Vec<_>>())
    };
    print(text)?;
    Ok(Verdict::Fine)
}

fn to_row(served: &ServedTenant) -> [String; 4] {
    let tenant = &served.tenant;
    [served.name().to_string(), tenant.base_url.to_string(), tenant.locale.to_string(), tenant.name.clone()]
}

fn to_json(served: &ServedTenant) -> Value {
    let tenant = &served.tenant;
    let settings = tenant.settings.entries().into_iter();
    let settings: Map<String, Value> = settings.map(|(key, value)| (key, value.into())).collect();
    json!({
        "tenant": served.name().to_string(),
        "slug": tenant.slug.as_str(),
        "environment": tenant.environment.as_str(),
        "base_url": tenant.base_url.as_str(),
        "name": tenant.name,
        "locale": tenant.locale.as_str(),
        "created_at": tenant.created_at.to_string(),
        "settings": settings,
    })
}

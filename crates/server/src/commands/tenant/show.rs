//! `pointbook tenant show`.

use clap::Args;
use pointbook_app::ServedTenant;

use super::super::{CommandResult, Context, Failure, Verdict, find_tenant, print};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    tenant: String,

    /// Print the value of this field or setting alone, such as `base_url` or texts.de
    key: Option<String>,
}

pub(super) async fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let service = context.open_read_only().await?;
    let entries = entries(&*find_tenant(&service, &arguments.tenant)?);
    let text = match &arguments.key {
        None => entries.iter().map(|(key, value)| line(key, value)).collect(),
        Some(wanted) => match entries.into_iter().find(|(key, _)| key == wanted) {
            Some((_, value)) => format!("{}\n", value.trim_end_matches('\n')),
            None => return Err(Failure::input(format!("{} has no {wanted:?}", arguments.tenant))),
        },
    };
    print(text)?;
    Ok(Verdict::Fine)
}

fn entries(served: &ServedTenant) -> Vec<(String, String)> {
    let tenant = &served.tenant;
    let fields = [
        ("tenant", served.name().to_string()),
        ("base_url", tenant.base_url.to_string()),
        ("name", tenant.name.clone()),
        ("locale", tenant.locale.to_string()),
        ("created_at", tenant.created_at.to_string()),
    ];
    let fields = fields.into_iter().map(|(key, value)| (key.to_owned(), value));
    fields.chain(tenant.settings.entries()).collect()
}

/// A value of several lines is counted here and printed alone when asked for.
fn line(key: &str, value: &str) -> String {
    match value.lines().count() {
        0 | 1 => format!("{key}={value}\n"),
        lines => format!("{key}: {lines} lines\n"),
    }
}

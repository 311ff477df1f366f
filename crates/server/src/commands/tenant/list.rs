//! `pointbook tenant list`.

use std::fmt::Write as _;

use clap::Args;
use pointbook_app::ServedTenant;
use serde_json::{Map, Value, json};

use super::super::{CommandResult, Context, Verdict, print};

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Print JSON, with all settings
    #[arg(long)]
    json: bool,
}

pub(super) async fn run(arguments: &Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
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

/// Pads every column but the last to its widest cell.
fn align<const COLUMNS: usize>(rows: &[[String; COLUMNS]]) -> String {
    let mut widths = [0; COLUMNS];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (width, cell) in widths.iter().zip(row) {
            // Writing to a string cannot fail.
            let _ = write!(line, "{cell:<width$}  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::align;

    #[test]
    fn columns_begin_below_one_another() {
        let rows = [["a", "bb"], ["ccc", "d"]].map(|row| row.map(str::to_owned));
        assert_eq!(align(&rows), "a    bb\nccc  d\n");
    }
}

//! `pointbook tenant set`.

use clap::Args;
use pointbook_app::change_tenant;
use pointbook_domain::{BaseUrl, Locale, Tenant};

use super::super::{CommandResult, Context, Failure, Verdict, find_tenant, say};
use super::fields::{Problems, parse_name, refusal, say_unknown_locale, set_all};

/// Shown below the arguments.
const AFTER_HELP: &str = "\
An empty value restores the default: `pointbook tenant set acme cors=`.
An activity type that activity_types no longer names cannot be recorded any more; recorded transactions keep it.
texts.LOCALE takes display texts in Fluent: `pointbook tenant set acme texts.de=@de.ftl`.";

/// The arguments.
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub struct Arguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    tenant: String,

    /// Settings; `pointbook tenant show` lists them
    #[arg(value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// Where clients find it from now on
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// Name for people
    #[arg(long)]
    name: Option<String>,

    /// Language of display texts
    #[arg(long, value_name = "LOCALE")]
    locale: Option<String>,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let service = context.open_once().await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let changed = change(served.tenant.clone(), arguments)?;
    if changed == served.tenant {
        say(format_args!("{} is as it was", served.name()));
        return Ok(Verdict::Fine);
    }
    if changed.locale != served.tenant.locale {
        say_unknown_locale(&changed.locale, &changed.settings);
    }
    change_tenant(&service, &changed)
        .await
        .map_err(|error| refusal(&service, error, &served.name(), &changed.base_url))?;
    say(format_args!("changed {}", served.name()));
    Ok(Verdict::Fine)
}

fn change(mut tenant: Tenant, arguments: Arguments) -> Result<Tenant, Failure> {
    let Arguments { tenant: _, settings, base_url, name, locale } = arguments;
    if settings.is_empty() && base_url.is_none() && name.is_none() && locale.is_none() {
        return Err(Failure::input(
            "nothing to change is given: add KEY=VALUE, --base-url, --name or --locale",
        ));
    }
    let mut problems = Problems::default();
    if let Some(text) = base_url {
        tenant.base_url = problems.take("--base-url", BaseUrl::parse(&text)).unwrap_or(tenant.base_url);
    }
    if let Some(text) = name {
        tenant.name = problems.take("--name", parse_name(text)).unwrap_or(tenant.name);
    }
    if let Some(text) = locale {
        tenant.locale = problems.take("--locale", Locale::new(&text)).unwrap_or(tenant.locale);
    }
    set_all(&mut tenant.settings, &settings, &mut problems);
    problems.check()?;
    Ok(tenant)
}

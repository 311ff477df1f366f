//! `pointbook tenant add`.

use clap::Args;
use pointbook_app::{NewTenant, add_tenant};
use pointbook_domain::{BaseUrl, Environment, Locale, Slug, TenantName, TenantSettings};

use super::super::{CommandResult, Context, Failure, Verdict, say};
use super::fields::{Problems, parse_name, refusal, say_unknown_locale, set_all};
use crate::sources::UuidIds;

/// The arguments.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Short name: a-z, 0-9 and -
    slug: String,

    /// Which environment this is; each has its own base URL and data
    #[arg(long, value_name = "production|staging")]
    environment: String,

    /// Where clients find it, such as `https://acme.example/api`
    #[arg(long, value_name = "URL")]
    base_url: String,

    /// Name for people [default: the slug]
    #[arg(long)]
    name: Option<String>,

    /// Language of display texts, such as en or de-AT
    #[arg(long, value_name = "LOCALE", default_value = "en")]
    locale: String,

    /// A setting; may be given again. `pointbook tenant show` lists them
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

pub(super) async fn run(arguments: Arguments, context: &Context) -> CommandResult {
    let new = read(arguments)?;
    let service = context.open_or_create().await?;
    say_unknown_locale(&new.locale, &new.settings);
    let (name, base_url) = (new.name.clone(), new.base_url.clone());
    add_tenant(&service, new, &UuidIds).await.map_err(|error| refusal(&service, error, &name, &base_url))?;
    say(format_args!("added {name} at {base_url}, in {}", context.database()?));
    Ok(Verdict::Fine)
}

fn read(arguments: Arguments) -> Result<NewTenant, Failure> {
    let Arguments { slug, environment, base_url, name, locale, settings: pairs } = arguments;
    let mut problems = Problems::default();
    let title = problems.take("--name", parse_name(name.unwrap_or_else(|| slug.clone())));
    let slug = problems.take(&slug, Slug::new(&slug));
    let environment = problems.take("--environment", Environment::parse(&environment));
    let base_url = problems.take("--base-url", BaseUrl::parse(&base_url));
    let locale = problems.take("--locale", Locale::new(&locale));
    let mut settings = TenantSettings::default();
    set_all(&mut settings, &pairs, &mut problems);
    problems.check()?;
    match (title, slug, environment, base_url, locale) {
        (Some(title), Some(slug), Some(environment), Some(base_url), Some(locale)) => {
            Ok(NewTenant { name: TenantName { slug, environment }, base_url, title, locale, settings })
        }
        _ => Err(Failure::input("a field is missing")),
    }
}

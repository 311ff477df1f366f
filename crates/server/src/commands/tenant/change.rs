//! `pointbook tenant add` and `pointbook tenant set`. Both report all problems of the arguments at once.

use std::fmt::Display;

use clap::Args;
use pointbook_domain::texts::shipped_languages;
use pointbook_domain::{BaseUrl, Environment, Locale, Slug, Tenant, TenantName, TenantSettings};
use pointbook_store::ports::InsertTenantError;
use pointbook_store::tenants::check_settings::{check_settings, parse_tenant_name};
use pointbook_store::tenants::manage::{NewTenant, add_tenant, change_tenant};
use pointbook_store::{Actor, Service};

use super::super::{CommandResult, Context, DatabaseClient, Failure, find_tenant, say};
use crate::secret_file::read_text;
use crate::sources::{UuidIds, command_line};

/// The maximum size of a file with display texts, in bytes. The shipped files have about 2,000.
const MAX_TEXTS_BYTES: u64 = 1024 * 1024;

#[derive(Debug, Args)]
pub(crate) struct AddArguments {
    /// The short name: a-z, 0-9 and -
    slug: String,

    /// The environment; each has its own base URL and data
    #[arg(long, value_name = "production|staging")]
    environment: String,

    /// The base URL for clients, such as `https://acme.example/api`
    #[arg(long, value_name = "URL")]
    base_url: String,

    /// The display name [default: the slug]
    #[arg(long)]
    name: Option<String>,

    /// The language of display texts, such as en or de-AT
    #[arg(long, value_name = "LOCALE", default_value = "en")]
    locale: String,

    /// The time zone of days in rules and reports, such as Europe/Berlin [default: UTC]
    #[arg(long, value_name = "NAME")]
    time_zone: Option<String>,

    /// A setting; may be repeated. `pointbook tenant show` lists all settings
    #[arg(long = "set", value_name = "KEY=VALUE")]
    settings: Vec<String>,
}

pub(super) async fn add(arguments: AddArguments, context: &Context) -> CommandResult {
    let new = read_new(arguments)?;
    let service = context.open_as(DatabaseClient::NewDatabase).await?;
    say_unknown_locale(&new.locale, &new.settings);
    let (name, base_url) = (new.name.clone(), new.base_url.clone());
    add_tenant(&service, new, command_line(), &UuidIds)
        .await
        .map_err(|error| refusal(&service, error, &name, &base_url))?;
    say(format_args!("added {name} at {base_url}, in {}", context.database()?));
    Ok(())
}

fn read_new(arguments: AddArguments) -> Result<NewTenant, Failure> {
    let AddArguments { slug, environment, base_url, name, locale, time_zone, settings: pairs } = arguments;
    let mut problems = Problems::default();
    let title = problems.take("--name", parse_tenant_name(name.unwrap_or_else(|| slug.clone())));
    let slug = problems.take(&slug, Slug::new(&slug));
    let environment = problems.take("--environment", Environment::parse(&environment));
    let base_url = problems.take("--base-url", BaseUrl::parse(&base_url));
    let locale = problems.take("--locale", Locale::new(&locale));
    let mut settings = TenantSettings::default();
    set_all(&mut settings, &pairs, time_zone, &mut problems);
    match (title, slug, environment, base_url, locale) {
        (Some(title), Some(slug), Some(environment), Some(base_url), Some(locale))
            if problems.0.is_empty() =>
        {
            Ok(NewTenant { name: TenantName { slug, environment }, base_url, title, locale, settings })
        }
        _ => Err(Failure::inputs(problems.0)),
    }
}

/// Shown below the arguments.
const AFTER_HELP: &str = "\
An empty value restores the default: `pointbook tenant set acme cors=`.
The server refuses new activities of a type that you remove from activity_types; recorded transactions keep their type.
texts.LOCALE takes display texts in the Fluent format: `pointbook tenant set acme texts.de=@de.ftl`.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct SetArguments {
    /// The tenant: SLUG or SLUG/ENVIRONMENT
    tenant: String,

    /// The settings to change; `pointbook tenant show` lists all settings
    #[arg(value_name = "KEY=VALUE")]
    settings: Vec<String>,

    /// The new base URL
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,

    /// The new display name
    #[arg(long)]
    name: Option<String>,

    /// The new language of display texts
    #[arg(long, value_name = "LOCALE")]
    locale: Option<String>,

    /// The new time zone of days in rules and reports, such as Europe/Berlin
    #[arg(long, value_name = "NAME")]
    time_zone: Option<String>,
}

pub(super) async fn set(arguments: SetArguments, context: &Context) -> CommandResult {
    let service = context.open_as(DatabaseClient::Command).await?;
    let served = find_tenant(&service, &arguments.tenant)?;
    let changed = change(served.tenant.clone(), arguments)?;
    if changed == served.tenant {
        say(format_args!("{} already has these settings", served.name()));
        return Ok(());
    }
    if changed.locale != served.tenant.locale {
        say_unknown_locale(&changed.locale, &changed.settings);
    }
    change_tenant(&service, &changed, (Actor::CommandLine, command_line()))
        .await
        .map_err(|error| refusal(&service, error, &served.name(), &changed.base_url))?;
    say(format_args!("changed {}", served.name()));
    Ok(())
}

fn change(mut tenant: Tenant, arguments: SetArguments) -> Result<Tenant, Failure> {
    let SetArguments { tenant: _, settings, base_url, name, locale, time_zone } = arguments;
    if settings.is_empty() && [&base_url, &name, &locale, &time_zone].iter().all(|given| given.is_none()) {
        return Err(Failure::input(
            "nothing to change: give KEY=VALUE, --base-url, --name, --locale or --time-zone",
        ));
    }
    let mut problems = Problems::default();
    if let Some(text) = base_url {
        tenant.base_url = problems.take("--base-url", BaseUrl::parse(&text)).unwrap_or(tenant.base_url);
    }
    if let Some(text) = name {
        tenant.name = problems.take("--name", parse_tenant_name(text)).unwrap_or(tenant.name);
    }
    if let Some(text) = locale {
        tenant.locale = problems.take("--locale", Locale::new(&text)).unwrap_or(tenant.locale);
    }
    set_all(&mut tenant.settings, &settings, time_zone, &mut problems);
    if problems.0.is_empty() { Ok(tenant) } else { Err(Failure::inputs(problems.0)) }
}

#[derive(Debug, Default)]
struct Problems(Vec<String>);

impl Problems {
    /// Returns the value, or keeps the problem with the name of its argument.
    fn take<T>(&mut self, argument: &str, read: Result<T, impl Display>) -> Option<T> {
        read.map_err(|problem| self.0.push(format!("{argument}: {problem}"))).ok()
    }
}

/// Warns that a locale has no display texts, unless the tenant has its own.
fn say_unknown_locale(locale: &Locale, settings: &TenantSettings) {
    let language = |text: &str| text.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let own = language(locale.as_str());
    let is_known = shipped_languages().any(|known| known == own)
        || settings.texts.keys().any(|known| language(known.as_str()) == own);
    if !is_known {
        say(format_args!(
            "there are no display texts for {locale}, so users see English ones: add your own with texts.{locale}=@FILE, \
             or use one of {}",
            shipped_languages().collect::<Vec<_>>().join(", ")
        ));
    }
}

/// Sets every `KEY=VALUE` and the time zone. Checks texts last, because they depend on the activity types.
fn set_all(
    settings: &mut TenantSettings,
    pairs: &[String],
    time_zone: Option<String>,
    problems: &mut Problems,
) {
    let before = settings.clone();
    let time_zone = time_zone.map(|name| format!("time_zone={name}"));
    for pair in pairs.iter().chain(&time_zone) {
        let set = pair
            .split_once('=')
            .ok_or_else(|| format!("a setting must be KEY=VALUE, got {pair:?}"))
            .and_then(|(key, value)| set_one(settings, key, value));
        problems.0.extend(set.err());
    }
    let checked = check_settings(&before, settings);
    problems.0.extend(checked.into_iter().map(|(key, problem)| format!("{key}: {problem}")));
}

fn set_one(settings: &mut TenantSettings, key: &str, value: &str) -> Result<(), String> {
    let value = match value.strip_prefix('@') {
        Some(path) if key.starts_with("texts.") => {
            read_text(path.as_ref(), MAX_TEXTS_BYTES).map_err(|problem| format!("{key}: {problem}"))?
        }
        _ => value.to_owned(),
    };
    settings.set(key, &value).map_err(|problem| match key {
        "name" | "locale" | "base_url" => format!("{problem}: set it with --{}", key.replace('_', "-")),
        _ => problem.to_string(),
    })
}

/// The failure names the tenant that already has the name or the base URL.
pub(super) fn refusal(
    service: &Service,
    error: InsertTenantError,
    name: &TenantName,
    base_url: &BaseUrl,
) -> Failure {
    match error {
        InsertTenantError::NameTaken => Failure::input(format!(
            "the tenant {name} exists already: change it with `pointbook tenant set {name}`"
        )),
        InsertTenantError::BaseUrlTaken => {
            let directory = service.directory();
            let tenants = directory.tenants();
            let owner = tenants.iter().find(|served| served.tenant.base_url == *base_url);
            let owner = owner.map_or_else(|| "another tenant".to_owned(), |served| served.name().to_string());
            Failure::input(format!("--base-url {base_url}: {owner} has this base URL already"))
        }
        InsertTenantError::Store(error) => error.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems_of(pairs: &[&str]) -> (TenantSettings, Vec<String>) {
        let (mut settings, mut problems) = (TenantSettings::default(), Problems::default());
        let pairs: Vec<String> = pairs.iter().map(|&pair| pair.to_owned()).collect();
        set_all(&mut settings, &pairs, None, &mut problems);
        (settings, problems.0)
    }

    #[test]
    fn every_invalid_setting_is_reported() {
        let (settings, problems) =
            problems_of(&["page_size_max=0", "hide_sold_out=true", "colour=red", "cors"]);
        assert!(settings.hide_sold_out);
        assert_eq!(problems.len(), 3);
        for (problem, part) in problems.iter().zip(["page_size_max", "colour", "KEY=VALUE"]) {
            assert!(problem.contains(part), "{problem}");
        }
    }

    #[test]
    fn texts_may_use_activity_types_of_the_same_command() {
        let (_, problems) = problems_of(&["texts.en=checkin-title = Check-in", "activity_types=checkin"]);
        assert_eq!(problems, Vec::<String>::new());
        let (_, problems) = problems_of(&["texts.en=checkin-title = Check-in"]);
        assert!(problems[0].starts_with("texts.en: line 1: "), "{problems:?}");
    }

    #[test]
    fn a_default_page_size_is_at_most_the_largest_one() {
        let too_large = ["page_size_default: must be at most page_size_max, which is 5"];
        assert_eq!(problems_of(&["page_size_max=5"]).1, too_large);
        assert_eq!(problems_of(&["page_size_default=6", "page_size_max=5"]).1, too_large);
        assert_eq!(problems_of(&["page_size_default=5", "page_size_max=5"]).1, Vec::<String>::new());
    }

    #[test]
    fn a_time_zone_must_exist() {
        let (settings, problems) = problems_of(&["time_zone=europe/berlin"]);
        assert_eq!((settings.time_zone.as_str(), problems.len()), ("Europe/Berlin", 0));
        let (_, problems) = problems_of(&["time_zone=Europe/Berln"]);
        assert_eq!(
            problems,
            [
                "time_zone: there is no time zone \"Europe/Berln\": use an IANA name such as Europe/Berlin or UTC"
            ]
        );
    }

    #[test]
    fn missing_file_of_texts_is_refused() {
        let (settings, problems) = problems_of(&["texts.de=@no-such-file.ftl"]);
        assert!(settings.texts.is_empty());
        assert!(problems[0].contains("no-such-file.ftl"), "{problems:?}");
    }
}

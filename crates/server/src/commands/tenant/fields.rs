//! Reading a tenant's fields from arguments: every problem is kept, so that all are named at once.

use std::fmt::Display;
use std::fs;
use std::io::Read;

use pointbook_app::Service;
use pointbook_app::ports::InsertTenantError;
use pointbook_domain::{BaseUrl, Locale, TenantName, TenantSettings};
use pointbook_http::texts::{check_source, shipped_languages};

use super::super::{Failure, say};

/// The longest name for people, in characters.
const MAX_NAME_CHARS: usize = 255;

/// The largest file of display texts, in bytes; the shipped ones have some 2,000.
const MAX_TEXTS_BYTES: u64 = 1024 * 1024;

/// What is wrong with the arguments so far.
#[derive(Debug, Default)]
pub(super) struct Problems(Vec<String>);

impl Problems {
    /// Takes the value, or keeps the problem under the name of its argument.
    pub(super) fn take<T>(&mut self, argument: &str, read: Result<T, impl Display>) -> Option<T> {
        read.map_err(|problem| self.0.push(format!("{argument}: {problem}"))).ok()
    }

    /// Fails with all problems, if there are any.
    pub(super) fn check(self) -> Result<(), Failure> {
        if self.0.is_empty() { Ok(()) } else { Err(Failure::inputs(self.0)) }
    }
}

/// Says that a locale has no display texts, unless the tenant brings its own.
pub(super) fn say_unknown_locale(locale: &Locale, settings: &TenantSettings) {
    let language = |text: &str| text.split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    let own = language(locale.as_str());
    let is_known = shipped_languages().any(|known| known == own)
        || settings.texts.keys().any(|known| language(known.as_str()) == own);
    if !is_known {
        say(format_args!(
            "there are no display texts in {locale}, so English ones are shown: add your own with texts.{locale}=@FILE, or \
             use one of {}",
            shipped_languages().collect::<Vec<_>>().join(", ")
        ));
    }
}

/// Takes a name for people.
pub(super) fn parse_name(text: String) -> Result<String, String> {
    let length = text.chars().count();
    if (1..=MAX_NAME_CHARS).contains(&length) && !text.chars().any(char::is_control) {
        Ok(text)
    } else {
        Err(format!("a name has 1 to {MAX_NAME_CHARS} characters on one line"))
    }
}

/// Sets every `KEY=VALUE`, then checks all texts together: which there may be depends on the
/// activity types. What is refused is kept with the problems.
pub(super) fn set_all(settings: &mut TenantSettings, pairs: &[String], problems: &mut Problems) {
    for pair in pairs {
        let set = pair
            .split_once('=')
            .ok_or_else(|| format!("{pair:?} is no setting: give KEY=VALUE"))
            .and_then(|(key, value)| set_one(settings, key, value));
        problems.0.extend(set.err());
    }
    for (locale, source) in &settings.texts {
        let checked = check_source(source, &settings.activity_types);
        problems.take(&format!("texts.{locale}"), checked);
    }
}

fn set_one(settings: &mut TenantSettings, key: &str, value: &str) -> Result<(), String> {
    let value = match value.strip_prefix('@') {
        Some(path) if key.starts_with("texts.") => {
            read_texts(path).map_err(|problem| format!("{key}: {problem}"))?
        }
        _ => value.to_owned(),
    };
    settings.set(key, &value).map_err(|problem| match key {
        "name" | "locale" | "base_url" => format!("{problem}: set it with --{}", key.replace('_', "-")),
        _ => problem.to_string(),
    })
}

fn read_texts(path: &str) -> Result<String, String> {
    let problem = |error: std::io::Error| format!("cannot read {path}: {error}");
    let file = fs::File::open(path).map_err(problem)?;
    let mut text = String::new();
    file.take(MAX_TEXTS_BYTES + 1).read_to_string(&mut text).map_err(problem)?;
    if text.len() as u64 > MAX_TEXTS_BYTES {
        return Err(format!("{path} has more than {MAX_TEXTS_BYTES} bytes"));
    }
    Ok(text)
}

/// What the store refused, with the tenant that stands in the way.
pub(super) fn refusal(
    service: &Service,
    error: InsertTenantError,
    name: &TenantName,
    base_url: &BaseUrl,
) -> Failure {
    match error {
        InsertTenantError::NameTaken => Failure::input(format!(
            "there is a tenant {name} already: change it with `pointbook tenant set {name}`"
        )),
        InsertTenantError::BaseUrlTaken => {
            let directory = service.directory();
            let tenants = directory.tenants();
            let owner = tenants.iter().find(|served| served.tenant.base_url == *base_url);
            let owner = owner.map_or_else(|| "another tenant".to_owned(), |served| served.name().to_string());
            Failure::input(format!("--base-url {base_url}: {owner} answers there already"))
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
        set_all(&mut settings, &pairs, &mut problems);
        (settings, problems.0)
    }

    #[test]
    fn every_refused_setting_is_named() {
        let (settings, problems) =
            problems_of(&["page_size_max=0", "hide_sold_out=true", "colour=red", "cors"]);
        assert!(settings.hide_sold_out);
        assert_eq!(problems.len(), 3);
        for (problem, part) in problems.iter().zip(["page_size_max", "colour", "KEY=VALUE"]) {
            assert!(problem.contains(part), "{problem}");
        }
    }

    #[test]
    fn texts_may_speak_of_the_types_that_are_given_with_them() {
        let (_, problems) = problems_of(&["texts.en=checkin-title = Check-in", "activity_types=checkin"]);
        assert_eq!(problems, Vec::<String>::new());
        let (_, problems) = problems_of(&["texts.en=checkin-title = Check-in"]);
        assert!(problems[0].starts_with("texts.en: line 1: "), "{problems:?}");
    }

    #[test]
    fn texts_of_a_missing_file_are_refused() {
        let (settings, problems) = problems_of(&["texts.de=@no-such-file.ftl"]);
        assert!(settings.texts.is_empty());
        assert!(problems[0].contains("no-such-file.ftl"), "{problems:?}");
    }

    #[test]
    fn a_name_is_one_line() {
        assert!(parse_name("Müller & Söhne".to_owned()).is_ok());
        assert!(parse_name(String::new()).is_err());
        assert!(parse_name("a\nb".to_owned()).is_err());
    }
}

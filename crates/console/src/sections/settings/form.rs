//! The form with all settings.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use maud::{Markup, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::{checked_field, form};
use pointbook_domain::settings::SettingRule;
use pointbook_domain::{Feb29, Tenant, TenantSettings};
use pointbook_http::pages::{Form, PageError, Words};
use sha2::{Digest, Sha256};

pub(crate) const SECTION: &str = "/settings";

/// Before the names of the fields of settings.
const PREFIX: &str = "set.";

/// Settings with own pages.
const TEXTS: &str = "texts.";

/// The sections of the form: the id of the heading, and the names of its settings. All others are in the last section, which is closed:
/// most programmes never change them.
const SECTIONS: [(&str, &[&str]); 4] = [
    ("settings-general", &["name", "locale", "time_zone"]),
    (
        "settings-shop",
        &[
            "shop",
            "members_cancel_orders",
            "hide_sold_out",
            "low_stock_threshold",
            "new_product_days",
            "popular_most_ordered",
        ],
    ),
    ("settings-points", &["activity_types", "support_reversal_points"]),
    (
        "settings-campaigns",
        &["campaign_ceiling_factor", "campaign_max_age_days", "campaign_birth_date_days", "campaign_feb29"],
    ),
];

/// What was typed for each setting, and the mistakes.
pub(super) struct Typed {
    pub(super) name: String,
    pub(super) locale: String,
    pub(super) settings: Vec<(String, String)>,
    /// The version of the settings that the form shows.
    pub(super) seen: String,
    /// Whether the settings changed since then.
    pub(super) is_late: bool,
    /// By the name of the setting, or `name` and `locale`.
    pub(super) mistakes: BTreeMap<String, SettingRule>,
}

/// All settings but texts.
fn entries(settings: &TenantSettings) -> impl Iterator<Item = (String, String)> {
    settings.entries().into_iter().filter(|(key, _)| !key.starts_with(TEXTS))
}

/// Another value when another form changed the settings meanwhile.
pub(super) fn version(tenant: &Tenant) -> String {
    let all = format!("{}\n{}\n{:?}", tenant.name, tenant.locale, tenant.settings.entries());
    HEXLOWER.encode(&Sha256::digest(all))
}

/// The id of the sentence that says what a setting does.
fn text_of(key: &str) -> String {
    format!("setting-{}", key.replace('_', "-"))
}

impl Typed {
    pub(super) fn of_tenant(tenant: &Tenant) -> Self {
        Self {
            name: tenant.name.clone(),
            locale: tenant.locale.to_string(),
            settings: entries(&tenant.settings).collect(),
            seen: version(tenant),
            is_late: false,
            mistakes: BTreeMap::new(),
        }
    }

    /// # Errors
    /// [`PageError::BadRequest`] when a field is missing.
    pub(super) fn of_form(sent: &Form) -> Result<Self, PageError> {
        let text = |name: &str| sent.field(name).map(|text| text.trim().to_owned());
        let setting = |(key, _)| text(&format!("{PREFIX}{key}")).map(|value| (key, value));
        let settings: Result<_, _> = entries(&TenantSettings::default()).map(setting).collect();
        let (name, locale, seen) = (text("name")?, text("locale")?, text("seen")?);
        Ok(Self { name, locale, settings: settings?, seen, is_late: false, mistakes: BTreeMap::new() })
    }

    /// # Errors
    /// [`PageError::SignedOut`] without a session.
    pub(super) fn form(&self, visit: &Visit<'_>) -> Result<Markup, PageError> {
        let defaults: BTreeMap<_, _> = entries(&TenantSettings::default()).collect();
        let fields = html! {
            input type="hidden" name="seen" value=(self.seen);
            (self.elsewhere(visit, &defaults))
            @for (heading, keys) in SECTIONS {
                section .card #(heading) {
                    h2 { (visit.words.say(heading)) }
                    @for key in keys { (self.entry(visit, key, &defaults)) }
                }
            }
            (self.advanced(visit, &defaults))
        };
        form(visit, &visit.path(SECTION), "settings-save", html! { div .settings { (fields) } })
    }

    /// The settings of no other section. Open when one of them has a mistake.
    fn advanced(&self, visit: &Visit<'_>, defaults: &BTreeMap<String, String>) -> Markup {
        let is_elsewhere = |key: &str| SECTIONS.iter().any(|(_, keys)| keys.contains(&key));
        let keys: Vec<&str> =
            self.settings.iter().map(|(key, _)| key.as_str()).filter(|key| !is_elsewhere(key)).collect();
        let is_changed = |key: &&&str| self.value(key) != defaults.get(**key).map(String::as_str);
        let counts = [("count", keys.len()), ("changed", keys.iter().filter(is_changed).count())];
        let summary = counts.map(|(name, count)| (name, count.to_string()));
        html! {
            details .card #settings-advanced open[keys.iter().any(|key| self.mistakes.contains_key(*key))] {
                summary { strong { (visit.words.say("settings-advanced")) } " " span .quiet { (visit.words.with_all("settings-advanced-count", summary)) } }
                @for key in keys { (self.entry(visit, key, defaults)) }
            }
        }
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    fn entry(&self, visit: &Visit<'_>, key: &str, defaults: &BTreeMap<String, String>) -> Markup {
        let field = match key {
            "name" => html! { input name="name" value=(self.name) maxlength="255" required; },
            "locale" => html! { input name="locale" value=(self.locale) required; },
            _ => input(visit, key, self.value(key).unwrap_or_default(), defaults),
        };
        self.field(visit, key, &field, defaults.get(key))
    }

    /// A setting with what it does, its default and the mistake in it.
    fn field(&self, visit: &Visit<'_>, key: &str, input: &Markup, default: Option<&String>) -> Markup {
        let words = visit.words;
        let mistake = self.mistakes.get(key).map(|rule| rule_text(words, rule));
        let default = default.map(|default| if default.is_empty() { "–" } else { default.as_str() });
        html! {
            div .setting {
                (checked_field(visit, &text_of(key), mistake.as_deref(), input))
                p .quiet {
                    code { (key) }
                    @if let Some(default) = default { " · " (words.say("setting-default")) " " code { (default) } }
                }
            }
        }
    }

    /// Mistakes that have no field in this form: texts that need an activity type, and another change meanwhile.
    fn elsewhere(&self, visit: &Visit<'_>, defaults: &BTreeMap<String, String>) -> Markup {
        let words = visit.words;
        let is_here = |key: &str| ["name", "locale"].contains(&key) || defaults.contains_key(key);
        html! {
            @if self.is_late { p .notice role="alert" { (words.say("settings-changed-meanwhile")) } }
            @for (key, rule) in self.mistakes.iter().filter(|(key, _)| !is_here(key)) {
                p .notice role="alert" { code { (key) } " " (rule_text(words, rule)) }
            }
        }
    }
}

/// What a setting must be.
pub(super) fn rule_text(words: &Words, rule: &SettingRule) -> String {
    words.with_all(&format!("setting-rule-{}", rule.kind()), rule.parts())
}

/// The input of a setting: a choice where there are few values.
fn input(visit: &Visit<'_>, key: &str, value: &str, defaults: &BTreeMap<String, String>) -> Markup {
    let name = format!("{PREFIX}{key}");
    let default = defaults.get(key).map_or("", String::as_str);
    let days = [Feb29::Feb28, Feb29::March1].map(Feb29::as_str);
    let options: &[&str] = match default {
        "true" | "false" => &["true", "false"],
        day if days.contains(&day) => &days,
        _ => &[],
    };
    let is_number = default.parse::<u32>().is_ok();
    html! {
        @if options.is_empty() {
            input name=(name) value=(value) inputmode=[is_number.then_some("numeric")] placeholder=(default);
        } @else {
            select name=(name) {
                @for option in options {
                    option value=(option) selected[*option == value] { (visit.words.say(&format!("setting-value-{option}"))) }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;

    use super::*;

    #[test]
    fn each_setting_has_a_sentence_in_each_language() {
        for (key, _) in entries(&TenantSettings::default()) {
            let line = format!("\n{} = ", text_of(&key));
            assert!(SOURCES.iter().all(|(_, source)| source.contains(&line)), "{key}");
        }
    }

    #[test]
    fn each_section_has_settings_that_exist() {
        let settings = TenantSettings::default();
        let mut known: Vec<String> = entries(&settings).map(|(key, _)| key).collect();
        known.extend(["name", "locale"].map(str::to_owned));
        for (heading, keys) in SECTIONS {
            assert!(keys.iter().all(|key| known.iter().any(|known| known == key)), "{heading}");
        }
    }

    #[test]
    fn each_rule_has_a_sentence_in_each_language() {
        for (kind, _) in SettingRule::KINDS {
            let line = format!("\nsetting-rule-{kind} = ");
            assert!(SOURCES.iter().all(|(_, source)| source.contains(&line)), "{kind}");
        }
    }
}

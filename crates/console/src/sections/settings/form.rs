//! The form with all settings.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use maud::{Markup, Render, html};
use pointbook_access::console_kit::Visit;
use pointbook_access::console_kit::components::mistake;
use pointbook_access::console_kit::sheet::save_bar;
use pointbook_domain::settings::{ExpiryType, SettingRule};
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{Feb29, Tenant, TenantSettings};
use pointbook_http::pages::{Form, PageError, Words, form_token, languages};
use sha2::{Digest, Sha256};

use super::{brand, logo};

pub(crate) const SECTION: &str = "/settings";

/// Before the names of the fields of settings.
const PREFIX: &str = "set.";

/// Settings with a page or a form of their own.
const TEXTS: &str = "texts.";
const LOGO: &str = "logo";

/// The field with the language of the tenant.
const LOCALE: &str = "locale";

/// The HTML id of the names of time zones.
const ZONES: &str = "zones";

/// Before the language of a line of welcome.
const WELCOME: &str = "welcome.";

/// The sections of the form: the id of the heading, and the names of its settings. All others are in the last section, which is closed:
/// most programmes never change them.
const SECTIONS: [(&str, &[&str]); 6] = [
    ("settings-general", &["name", "locale", "time_zone"]),
    ("settings-brand", &[brand::COLOR]),
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
    ("settings-points", &["activity_types", "support_reversal_points", "returns_may_overdraw"]),
    (
        "settings-expiry",
        &[
            "points_expire",
            "points_expire_as",
            "refund_grace_days",
            "expiry_notice_days",
            "points_active_types",
        ],
    ),
    (
        "settings-campaigns",
        &["campaign_ceiling_factor", "campaign_max_age_days", "campaign_birth_date_days", "campaign_feb29"],
    ),
];

const ADVANCED: &str = "settings-advanced";

/// The units of numbers whose names do not say them.
const UNITS: [(&str, &str); 10] = [
    ("refund_grace_days", "unit-days"),
    ("low_stock_threshold", "unit-pieces"),
    ("new_product_days", "unit-days"),
    ("popular_most_ordered", "unit-products"),
    ("support_reversal_points", "unit-points"),
    ("campaign_ceiling_factor", "unit-times"),
    ("campaign_max_age_days", "unit-days"),
    ("campaign_birth_date_days", "unit-days"),
    ("audit_log_days", "unit-days"),
    ("event_days", "unit-days"),
];

/// The HTML id of the policies that people choose from.
const POLICIES: &str = "policies";

/// The policies that people choose from, with the texts that say what they mean.
const COMMON_POLICIES: [(&str, &str); 5] = [
    ("never", "policy-never"),
    ("after:24-months:month", "policy-after-24-months-month"),
    ("after:12-months:month", "policy-after-12-months-month"),
    ("year-end:1", "policy-year-end-1"),
    ("inactivity:12-months", "policy-inactivity-12-months"),
];

/// The settings with few values, which people choose from a list.
const CHOICES: [(&str, &[&str]); 2] = [
    ("campaign_feb29", &[Feb29::Feb28.as_str(), Feb29::March1.as_str()]),
    ("points_expire_as", &["", ExpiryType::Expiry.as_str(), ExpiryType::Order.as_str()]),
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
    /// The id of what is wrong with a picture that was sent as the logo.
    pub(super) logo: Option<&'static str>,
}

/// The settings of the form, and the line of welcome in each language of the shop.
fn entries(settings: &TenantSettings) -> Vec<(String, String)> {
    let has_own_form = |key: &str| key.starts_with(TEXTS) || key.starts_with(WELCOME) || key == LOGO;
    let all = settings.entries();
    let lines: Vec<_> = languages()
        .map(|tag| {
            let key = format!("{WELCOME}{tag}");
            let line = all.iter().find(|(known, _)| *known == key).map(|(_, line)| line.clone());
            (key, line.unwrap_or_default())
        })
        .collect();
    all.into_iter().filter(|(key, _)| !has_own_form(key)).chain(lines).collect()
}

/// Another value when another form changed the settings meanwhile.
pub(super) fn version(tenant: &Tenant) -> String {
    let all = format!("{}\n{}\n{:?}", tenant.name, tenant.locale, tenant.settings.entries());
    HEXLOWER.encode(&Sha256::digest(all))
}

/// The id of the name of a setting. With `-hint`, that of the sentence that says what it does.
fn text_of(key: &str) -> String {
    format!("setting-{}", key.replace('_', "-"))
}

impl Typed {
    pub(super) fn of_tenant(tenant: &Tenant) -> Self {
        Self {
            name: tenant.name.clone(),
            locale: tenant.locale.to_string(),
            settings: entries(&tenant.settings),
            seen: version(tenant),
            is_late: false,
            mistakes: BTreeMap::new(),
            logo: None,
        }
    }

    /// A switch that is off sends nothing.
    ///
    /// # Errors
    /// [`PageError::BadRequest`] when a field is missing.
    pub(super) fn of_form(sent: &Form) -> Result<Self, PageError> {
        let text = |name: &str| sent.field(name).map(|text| text.trim().to_owned());
        let setting = |(key, default): (String, String)| {
            let name = format!("{PREFIX}{key}");
            let value = match (is_switch(&default), key.as_str()) {
                (true, _) => sent.optional(&name).unwrap_or("false").to_owned(),
                (false, brand::COLOR) => brand::stored(text(&name)?),
                (false, _) => text(&name)?,
            };
            Ok((key, value))
        };
        let settings: Result<_, PageError> =
            entries(&TenantSettings::default()).into_iter().map(setting).collect();
        let (name, locale, seen) = (text("name")?, text("locale")?, text("seen")?);
        let (settings, mistakes) = (settings?, BTreeMap::new());
        Ok(Self { name, locale, settings, seen, is_late: false, mistakes, logo: None })
    }

    /// `changed_elsewhere` is what no field of the form changes.
    ///
    /// # Errors
    /// [`PageError::SignedOut`] without a session.
    pub(super) fn form(&self, visit: &Visit<'_>, changed_elsewhere: &Markup) -> Result<Markup, PageError> {
        let defaults: BTreeMap<_, _> = entries(&TenantSettings::default()).into_iter().collect();
        let (words, token) = (visit.words, &visit.signed_in()?.form_token);
        let save = html! { button .primary { (words.say("settings-save")) } };
        Ok(html! {
            (self.elsewhere(visit, &defaults))
            form method="post" action=(visit.path(SECTION)) enctype="multipart/form-data" {
                (form_token(token))
                input type="hidden" name="seen" value=(self.seen);
                @for (heading, keys) in SECTIONS {
                    section .card #(heading) {
                        h2 { (words.say(heading)) }
                        @if heading == brand::SECTION { (logo::fields(visit, self.logo)) }
                        @for key in keys { (self.entry(visit, key, &defaults, false)) }
                        @if heading == brand::SECTION {
                            (self.welcome(visit))
                            (brand::preview(visit, self.value(brand::COLOR)))
                        }
                    }
                }
                datalist #(ZONES) { @for zone in Zone::names() { option value=(zone) {} } }
                datalist #(POLICIES) { @for (policy, text) in COMMON_POLICIES { option value=(policy) { (words.say(text)) } } }
                (self.advanced(visit, &defaults))
                (changed_elsewhere)
                (save_bar(visit, &html! { (words.say("settings-save-hint")) }, &save))
            }
        })
    }

    /// Links to the sections.
    pub(super) fn sections(visit: &Visit<'_>) -> Markup {
        let headings = SECTIONS.iter().map(|(heading, _)| *heading).chain([ADVANCED]);
        html! {
            nav .beside aria-label=(visit.words.say("settings-sections")) {
                @for heading in headings { a href={ "#" (heading) } { (visit.words.say(heading)) } }
            }
        }
    }

    /// The settings of no other section. Open when one of them has a mistake.
    fn advanced(&self, visit: &Visit<'_>, defaults: &BTreeMap<String, String>) -> Markup {
        let is_elsewhere =
            |key: &str| key.starts_with(WELCOME) || SECTIONS.iter().any(|(_, keys)| keys.contains(&key));
        let keys: Vec<&str> =
            self.settings.iter().map(|(key, _)| key.as_str()).filter(|key| !is_elsewhere(key)).collect();
        let is_changed = |key: &&&str| self.value(key) != defaults.get(**key).map(String::as_str);
        let counts = [("count", keys.len()), ("changed", keys.iter().filter(is_changed).count())];
        let summary = counts.map(|(name, count)| (name, count.to_string()));
        html! {
            details .card #(ADVANCED) open[keys.iter().any(|key| self.mistakes.contains_key(*key))] {
                summary { strong { (visit.words.say(ADVANCED)) } " " span .quiet { (visit.words.with_all("settings-advanced-count", summary)) } }
                @for key in keys { (self.entry(visit, key, defaults, true)) }
            }
        }
    }

    fn value(&self, key: &str) -> Option<&str> {
        self.settings.iter().find(|(known, _)| known == key).map(|(_, value)| value.as_str())
    }

    /// A setting: its name and what it does, and its value. `with_key` shows the name that the command line has for it.
    fn entry(
        &self,
        visit: &Visit<'_>,
        key: &str,
        defaults: &BTreeMap<String, String>,
        with_key: bool,
    ) -> Markup {
        let words = visit.words;
        let value = match key {
            "name" => self.name.as_str(),
            LOCALE => self.locale.as_str(),
            _ => self.value(key).unwrap_or_default(),
        };
        let default = defaults.get(key).map(String::as_str);
        let shown = default.filter(|default| with_key || (*default != value && !is_switch(default)));
        html! {
            div .setting {
                div {
                    label for=(key) { (words.say(&text_of(key))) }
                    p .quiet id={ (key) "-hint" } {
                        (words.say(&format!("{}-hint", text_of(key))))
                        @if let Some(default) = shown.filter(|default| !default.is_empty()) {
                            " " (words.say("setting-default")) " " code { (default) }
                        }
                        @if with_key { " · " code { (key) } }
                        @if key == brand::COLOR { (brand::contrast_of(words, value)) }
                    }
                }
                div {
                    (input(visit, key, value, default))
                    @if let Some(rule) = self.mistakes.get(key) { (mistake(&rule_text(words, rule))) }
                }
            }
        }
    }

    /// The line of welcome, with a field for each language of the shop.
    fn welcome(&self, visit: &Visit<'_>) -> Markup {
        let words = visit.words;
        html! {
            fieldset .setting aria-describedby="welcome-hint" {
                div {
                    legend { (words.say("setting-welcome")) }
                    p .quiet #welcome-hint { (words.say("setting-welcome-hint")) }
                }
                div .lines {
                    @for tag in languages() {
                        @let key = format!("{WELCOME}{tag}");
                        label { span { code { (tag) } }
                            input name={ (PREFIX) (key) } lang=(tag) value=(self.value(&key).unwrap_or_default()) maxlength="255"; }
                        @if let Some(rule) = self.mistakes.get(&key) { (mistake(&rule_text(words, rule))) }
                    }
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

/// What a language of the pages calls itself.
fn own_name(tag: &str) -> &str {
    match tag {
        "en" => "English",
        "de" => "Deutsch",
        "ja" => "日本語",
        "tr" => "Türkçe",
        other => other,
    }
}

/// What a setting must be.
pub(super) fn rule_text(words: &Words, rule: &SettingRule) -> String {
    words.with_all(&format!("setting-rule-{}", rule.kind()), rule.parts())
}

fn is_switch(default: &str) -> bool {
    ["true", "false"].contains(&default)
}

/// The input of a setting: a switch, a choice where there are few values, a number with its unit, or a line.
fn input(visit: &Visit<'_>, key: &str, value: &str, default: Option<&str>) -> impl Render {
    let words = visit.words;
    let name = if default.is_some() { format!("{PREFIX}{key}") } else { key.to_owned() };
    let default = default.unwrap_or_default();
    let choices = CHOICES.iter().find(|(known, _)| *known == key).map(|(_, values)| *values);
    let suggested = [("time_zone", ZONES), ("points_expire", POLICIES)];
    let suggested = suggested.iter().find(|(known, _)| *known == key).map(|(_, list)| *list);
    let hint = format!("{key}-hint");
    let unit = UNITS.iter().find(|(known, _)| *known == key).map(|(_, unit)| words.say(unit));
    let is_number = default.parse::<u32>().is_ok();
    html! {
        @if is_switch(default) {
            input .switch id=(key) type="checkbox" role="switch" name=(name) value="true" checked[value == "true"] aria-describedby=(hint);
        } @else if key == brand::COLOR {
            (brand::input(words, key, &name, value))
        } @else if key == LOCALE {
            select id=(key) name=(name) aria-describedby=(hint) {
                @for tag in languages() { option value=(tag) lang=(tag) selected[tag == value] { (own_name(tag)) } }
                // The command line takes any other one, too.
                @if !languages().any(|tag| tag == value) { option value=(value) selected { (value) } }
            }
        } @else if let Some(choices) = choices {
            select id=(key) name=(name) aria-describedby=(hint) {
                @for choice in choices {
                    @let text = if choice.is_empty() { "none" } else { choice };
                    option value=(choice) selected[*choice == value] { (words.say(&format!("setting-value-{text}"))) }
                }
            }
        } @else {
            span .with-unit {
                input id=(key) name=(name) value=(value) inputmode=[is_number.then_some("numeric")] placeholder=(default)
                    list=[suggested] required[key == "name"] maxlength=[(key == "name").then_some("255")] aria-describedby=(hint);
                @if let Some(unit) = unit { span aria-hidden="true" { (unit) } }
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
            // The lines of welcome share one.
            let name = text_of(key.split('.').next().unwrap_or_default());
            for id in [name.clone(), format!("{name}-hint")] {
                let line = format!("\n{id} = ");
                assert!(SOURCES.iter().all(|(_, source)| source.contains(&line)), "{id}");
            }
        }
    }

    #[test]
    fn each_section_has_settings_that_exist() {
        let settings = TenantSettings::default();
        let mut known: Vec<String> = entries(&settings).into_iter().map(|(key, _)| key).collect();
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

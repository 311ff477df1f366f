//! The settings of a tenant. Every setting has a default, a name and a text form. The command line and the stores use the same
//! names and forms.

mod color;
mod rule;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use self::text::{
    join, parse_activity_types, parse_audit_log_days, parse_bool, parse_campaign_days, parse_color,
    parse_cors, parse_event_days, parse_expiry_type, parse_feb29, parse_line, parse_locales, parse_logo,
    parse_most_ordered, parse_notice_days, parse_number, parse_policy, parse_size, parse_time_zone,
    write_cors, write_locales, write_notice_days,
};
use crate::activity::{EXPIRY, ORDER};
use crate::expiry::ExpiryPolicy;
use crate::{ActivityType, Locale, PageSize, TimeZoneName};

pub use self::color::Color;
pub use self::rule::SettingRule;
pub use self::text::{MAX_PAGE_SIZE, MAX_POPULAR_MOST_ORDERED};

/// How many days an order makes its product popular.
pub const POPULAR_PERIOD_DAYS: u32 = 90;

#[expect(clippy::struct_excessive_bools, reason = "each is a setting of its own")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantSettings {
    /// Items per page when `page[size]` is absent.
    pub page_size_default: PageSize,
    /// The largest page size. A larger `page[size]` counts as this one.
    pub page_size_max: PageSize,
    /// Days per page of the point history.
    pub history_days_per_page: PageSize,
    /// A product is new for this many days after its publication.
    pub new_product_days: u32,
    /// Stock is low at this many pieces or fewer.
    pub low_stock_threshold: u32,
    pub hide_sold_out: bool,
    /// How many products are popular because of their orders in the last [`POPULAR_PERIOD_DAYS`], besides the marked ones.
    pub popular_most_ordered: u32,
    /// The zone of the days of rules, expiry and reports.
    pub time_zone: TimeZoneName,
    /// Whether the server has pages for members at `/shop`.
    pub shop: bool,
    /// The colour of the shop. `None` for that of pointbook.
    pub brand_color: Option<Color>,
    /// The URL of the logo.
    pub logo: Option<String>,
    /// Whether members may cancel their orders before the back office sends them.
    pub members_cancel_orders: bool,
    /// Which web origins may read responses.
    pub cors: CorsPolicy,
    /// GET and HEAD requests per minute and user; 0 for no limit.
    pub rate_limit_reads_per_minute: u32,
    /// All other requests per minute and user; 0 for no limit.
    pub rate_limit_writes_per_minute: u32,
    /// How many days the audit log keeps an entry.
    pub audit_log_days: u32,
    /// How many days the feed keeps an event.
    pub event_days: u32,
    /// When members who were born on 29 February have their birthday in other years.
    pub campaign_feb29: Feb29,
    /// For how many days a birth date must have been set before a campaign pays for the birthday; 0 for no limit.
    pub campaign_birth_date_days: u32,
    /// All bonuses of campaigns for one activity together have at most this many times its base points; 0 for no limit.
    pub campaign_ceiling_factor: u32,
    /// How many days old an activity may be to earn bonuses of campaigns; 0 for no limit.
    pub campaign_max_age_days: u32,
    /// The most points that an operator of the role support may reverse of a row; 0 for no limit.
    pub support_reversal_points: u32,
    /// When points end.
    pub points_expire: ExpiryPolicy,
    /// The type of the rows in which points end. A policy with an end needs it.
    pub points_expire_as: Option<ExpiryType>,
    /// The types of activities that keep points alive under a policy of inactivity. Empty for all.
    pub points_active_types: Vec<ActivityType>,
    /// How many days points have that come back after their last day; 0 for none.
    pub refund_grace_days: u32,
    /// How many days before points end the feed says so, the most first.
    pub expiry_notice_days: Vec<u32>,
    /// Whether a reversal may take points that the user has spent already.
    pub returns_may_overdraw: bool,
    /// Activity types beyond the documented ones.
    pub activity_types: Vec<ActivityType>,
    /// The locales that clients may choose. Empty for all locales with texts.
    pub locales: Option<Vec<Locale>>,
    /// The line below the heading of the shop, by locale.
    pub welcome: BTreeMap<Locale, String>,
    /// The tenant's own display texts, as Fluent source, by locale.
    pub texts: BTreeMap<Locale, String>,
}

impl Default for TenantSettings {
    fn default() -> Self {
        Self {
            page_size_default: PageSize::DEFAULT,
            page_size_max: page_size(100),
            history_days_per_page: PageSize::DEFAULT,
            new_product_days: 30,
            low_stock_threshold: 5,
            hide_sold_out: false,
            popular_most_ordered: 10,
            time_zone: TimeZoneName::utc(),
            shop: false,
            brand_color: None,
            logo: None,
            members_cancel_orders: false,
            cors: CorsPolicy::AnyOrigin,
            rate_limit_reads_per_minute: 1_200,
            rate_limit_writes_per_minute: 120,
            audit_log_days: 400,
            event_days: 90,
            campaign_feb29: Feb29::Feb28,
            campaign_birth_date_days: 30,
            campaign_ceiling_factor: 10,
            campaign_max_age_days: 7,
            support_reversal_points: 10_000,
            points_expire: ExpiryPolicy::Never,
            points_expire_as: None,
            points_active_types: Vec::new(),
            refund_grace_days: 30,
            expiry_notice_days: vec![30, 7, 1],
            returns_may_overdraw: false,
            activity_types: Vec::new(),
            locales: None,
            welcome: BTreeMap::new(),
            texts: BTreeMap::new(),
        }
    }
}

fn page_size(items: u32) -> PageSize {
    PageSize::new(items).unwrap_or(PageSize::DEFAULT)
}

/// When members who were born on 29 February have their birthday in other years.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Feb29 {
    Feb28,
    March1,
}

impl Feb29 {
    /// `02-28` or `03-01`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Feb28 => "02-28",
            Self::March1 => "03-01",
        }
    }
}

/// The type of the rows in which points end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExpiryType {
    /// A type that the tenant declares.
    Expiry,
    /// The documented type with negative points.
    Order,
}

impl ExpiryType {
    /// `expiry` or `order`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Expiry => EXPIRY,
            Self::Order => ORDER,
        }
    }
}

/// Which web origins may read a tenant's responses, always without credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorsPolicy {
    Off,
    /// `Access-Control-Allow-Origin: *`.
    AnyOrigin,
    /// These origins, in the form that browsers send.
    Origins(Vec<String>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingError {
    /// The setting does not exist.
    Unknown { key: String },
    /// The value has a wrong form.
    Value { key: String, rule: SettingRule },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { key } if key == FORMER_RATE_LIMIT => write!(
                f,
                "there is no setting {key:?} any more; set rate_limit_reads_per_minute and \
                 rate_limit_writes_per_minute instead, each to 0 for no limit"
            ),
            Self::Unknown { key } => {
                let names = SETTINGS.map(|setting| setting.name).join(", ");
                write!(
                    f,
                    "there is no setting {key:?}; the settings are {names}, welcome.LOCALE and texts.LOCALE"
                )
            }
            Self::Value { key, rule } => write!(f, "{key} {rule}"),
        }
    }
}

impl std::error::Error for SettingError {}

/// A setting. What it means is Markdown of `docs/operating/tenants.md`.
struct Setting {
    name: &'static str,
    meaning: &'static str,
    /// Its text form.
    get: fn(&TenantSettings) -> String,
    set: fn(&mut TenantSettings, &str) -> Result<(), SettingRule>,
}

macro_rules! settings {
    ($($(#[doc = $meaning:literal])+ $name:ident, $parse:expr $(, |$all:ident| $text:expr)?;)*) => {
        [$(Setting {
            name: stringify!($name),
            meaning: concat!($($meaning),+),
            get: settings!(@get $name $(, |$all| $text)?),
            set: |all, text| $parse(text).map(|value| all.$name = value),
        }),*]
    };
    (@get $name:ident) => { |all| all.$name.to_string() };
    (@get $name:ident, |$all:ident| $text:expr) => { |$all| $text };
}

/// All settings but `welcome.LOCALE` and `texts.LOCALE`.
const SETTINGS: [Setting; 30] = settings! {
    /// products per page when `page[size]` is absent, 1 to `page_size_max`
    page_size_default, parse_size;
    /// the largest page served, 1 to 1000; a larger `page[size]` gets this many
    page_size_max, parse_size;
    /// days per page of the point history, 1 to 1000
    history_days_per_page, parse_size;
    /// for how many days after its publication a product is new
    new_product_days, parse_number;
    /// stock is low at this many pieces or fewer, unless sold out
    low_stock_threshold, parse_number;
    /// whether sold-out products leave the list
    hide_sold_out, parse_bool;
    /// how many products are popular because they were ordered most in the last 90 days, beside those marked so, 0 to
    /// 1000
    popular_most_ordered, parse_most_ordered;
    /// the zone of the days of rules, expiry and reports, an IANA name such as `Europe/Berlin`; also `--time-zone`
    /// ([Time](time.md))
    time_zone, parse_time_zone;
    /// whether the server has [pages for members](shop.md) at `/shop/SLUG`
    shop, parse_bool;
    /// the colour of the [shop](shop.md#brand), as `#rrggbb`; empty for that of pointbook
    brand_color, parse_color, |all| all.brand_color.as_ref().map_or_else(String::new, Color::to_string);
    /// the URL of a square picture, which is the logo in the [shop](shop.md#brand)
    logo, parse_logo, |all| all.logo.clone().unwrap_or_default();
    /// whether members may cancel an order before the back office sends it, in the shop and with `POST
    /// /v1/store/orders/{orderId}/cancel`
    members_cancel_orders, parse_bool;
    /// which web origins may read responses: `any`, `off`, or a list with commas, where `http://localhost:*` has any
    /// port; never with cookies
    cors, parse_cors, |all| write_cors(&all.cors);
    /// `GET` and `HEAD` requests per user and minute of the clock, counted by each process; then 429; `0` for no
    /// limit
    rate_limit_reads_per_minute, parse_number;
    /// all other requests of a user, in the same way, but for signing out; `0` for no limit
    rate_limit_writes_per_minute, parse_number;
    /// how many days the [audit log](audit-log.md) keeps an entry, 30 to 36500
    audit_log_days, parse_audit_log_days;
    /// how many days the [feed](events.md) keeps an event, 1 to 3650
    event_days, parse_event_days;
    /// when users who were born on 29 February have their birthday in other years: `02-28` or `03-01`
    /// ([birthdays](../campaigns/time-and-rounding.md#birthdays))
    campaign_feb29, parse_feb29, |all| all.campaign_feb29.as_str().to_owned();
    /// how many days before the activity a birth date must have been set, so that a campaign pays for the birthday,
    /// up to 36500; `0` for no wait
    campaign_birth_date_days, parse_campaign_days;
    /// all awards of campaigns for one activity have together at most this many times its base points; `0` for no
    /// ceiling
    campaign_ceiling_factor, parse_number;
    /// how many days old an activity may be to get bonuses of campaigns ([late
    /// activities](../campaigns/time-and-rounding.md#late-activities)), up to 36500; `0` for no limit
    campaign_max_age_days, parse_campaign_days;
    /// the most points that an operator with the role support may reverse of a row in the [console](console.md); `0`
    /// for no limit
    support_reversal_points, parse_number;
    /// when points end: `never`, `after:24-months:month` (after so many months or days, until the end of the day, month,
    /// quarter or year), `year-end:1` (with the year after that of earning), or `inactivity:12-months` ([points that
    /// end](expiry.md))
    points_expire, parse_policy;
    /// the type of the rows in which points end: `expiry`, which `activity_types` must have, or `order`; points that end
    /// need one of them
    points_expire_as, parse_expiry_type, |all| all.points_expire_as.map_or("", ExpiryType::as_str).to_owned();
    /// types of activities that keep all points of a user alive under `inactivity`, with commas; empty for all types
    points_active_types, parse_activity_types, |all| join(&all.points_active_types);
    /// how many days points have that come back with an order after their last day, up to 36500; `0` ends them at once
    refund_grace_days, parse_campaign_days;
    /// how many days before points end the [feed](events.md) has an event for it, up to 5 numbers from 1 to 365 with
    /// commas, or `off`
    expiry_notice_days, parse_notice_days, |all| write_notice_days(&all.expiry_notice_days);
    /// whether a [return](../back-office.md#returns-and-reversals) may take points that the user has spent already: the balance falls below 0, and new
    /// points pay that first
    returns_may_overdraw, parse_bool;
    /// types beyond `code`, `video`, `quiz`, `order`, with commas: 1 to 32 of `a-z`, `0-9`, `_`, `-`; recorded
    /// transactions keep a type that is taken away
    activity_types, parse_activity_types, |all| join(&all.activity_types);
    /// languages that clients may ask for, with commas; the console has all of its languages
    locales, parse_locales, |all| write_locales(all.locales.as_deref());
};

/// The former setting: one limit for all requests.
const FORMER_RATE_LIMIT: &str = "rate_limit_per_minute";

const WELCOME_PREFIX: &str = "welcome.";
const TEXTS_PREFIX: &str = "texts.";

/// What settings with these prefixes mean.
const WELCOME: &str = "the line below the heading of the [shop](shop.md#brand), in this language";
const TEXTS: &str = "display texts of your own in [Fluent](https://projectfluent.org), or `@FILE` with them";

impl TenantSettings {
    /// Sets one setting from its text form. An empty text restores the default.
    ///
    /// # Errors
    /// [`SettingError`] names the setting and the rule. Then nothing changes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        if let Some(locale) = key.strip_prefix(WELCOME_PREFIX) {
            return self.set_welcome(locale, value).map_err(|rule| invalid(key, rule));
        }
        if let Some(locale) = key.strip_prefix(TEXTS_PREFIX) {
            return self.set_texts(locale, value).map_err(|rule| invalid(key, rule));
        }
        let Some(setting) = SETTINGS.iter().find(|setting| setting.name == key) else {
            return Err(SettingError::Unknown { key: key.to_owned() });
        };
        let value = if value.is_empty() { &(setting.get)(&Self::default()) } else { value };
        (setting.set)(self, value).map_err(|rule| invalid(key, rule))
    }

    fn set_welcome(&mut self, locale: &str, line: &str) -> Result<(), SettingRule> {
        let locale = Locale::new(locale).map_err(|_| SettingRule::NotALocale)?;
        if line.is_empty() {
            self.welcome.remove(&locale);
        } else {
            self.welcome.insert(locale, parse_line(line)?);
        }
        Ok(())
    }

    fn set_texts(&mut self, locale: &str, source: &str) -> Result<(), SettingRule> {
        let locale = Locale::new(locale).map_err(|_| SettingRule::TextsLocale)?;
        if source.is_empty() {
            self.texts.remove(&locale);
        } else {
            self.texts.insert(locale, source.to_owned());
        }
        Ok(())
    }

    /// All settings in their text form, those of locales last.
    pub fn entries(&self) -> Vec<(String, String)> {
        let known = SETTINGS.iter().map(|setting| (setting.name.to_owned(), (setting.get)(self)));
        let of_locales = |prefix: &'static str, texts: &'_ BTreeMap<Locale, String>| {
            let named = texts.iter().map(|(locale, text)| (format!("{prefix}{locale}"), text.clone()));
            named.collect::<Vec<_>>()
        };
        let welcome = of_locales(WELCOME_PREFIX, &self.welcome);
        known.chain(welcome).chain(of_locales(TEXTS_PREFIX, &self.texts)).collect()
    }

    /// The name of each setting, its default, and what it means as Markdown.
    pub fn explained() -> impl Iterator<Item = (&'static str, String, &'static str)> {
        let default = Self::default();
        let known = SETTINGS.iter().map(move |one| (one.name, (one.get)(&default), one.meaning));
        let of_locales = [("welcome.LOCALE", WELCOME), ("texts.LOCALE", TEXTS)];
        known.chain(of_locales.map(|(name, meaning)| (name, String::new(), meaning)))
    }

    /// Whether the tenant records activities of this type.
    pub fn knows_activity_type(&self, kind: &ActivityType) -> bool {
        kind.is_documented() || self.activity_types.contains(kind)
    }
}

fn invalid(key: &str, rule: SettingRule) -> SettingError {
    SettingError::Value { key: key.to_owned(), rule }
}

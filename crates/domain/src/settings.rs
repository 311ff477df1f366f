//! The settings of a tenant. Every setting has a default, a name and a text form. The command line and the stores use the same
//! names and forms.

mod rule;
#[cfg(test)]
mod tests;
mod text;

use std::collections::BTreeMap;
use std::fmt;

use self::text::{
    join, parse_activity_types, parse_audit_log_days, parse_bool, parse_campaign_days, parse_cors,
    parse_event_days, parse_feb29, parse_locales, parse_most_ordered, parse_number, parse_size,
    parse_time_zone, write_cors, write_locales,
};
use crate::{ActivityType, Locale, PageSize, TimeZoneName};

pub use self::rule::SettingRule;
pub use self::text::{MAX_PAGE_SIZE, MAX_POPULAR_MOST_ORDERED};

/// How many days an order makes its product popular.
pub const POPULAR_PERIOD_DAYS: u32 = 90;

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
    /// The most points that an operator of the role support may reverse at a time; 0 for no limit.
    pub support_reversal_points: u32,
    /// Activity types beyond the documented ones.
    pub activity_types: Vec<ActivityType>,
    /// The locales that clients may choose. Empty for all locales with texts.
    pub locales: Option<Vec<Locale>>,
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
            activity_types: Vec::new(),
            locales: None,
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
                let names = SETTINGS.map(|(name, ..)| name).join(", ");
                write!(f, "there is no setting {key:?}; the settings are {names} and texts.LOCALE")
            }
            Self::Value { key, rule } => write!(f, "{key} {rule}"),
        }
    }
}

impl std::error::Error for SettingError {}

/// A setting: its name, its text form, and the function that sets the field.
type Setting =
    (&'static str, fn(&TenantSettings) -> String, fn(&mut TenantSettings, &str) -> Result<(), SettingRule>);

macro_rules! setting {
    ($name:ident, $parse:expr) => {
        setting!($name, $parse, |all| all.$name.to_string())
    };
    ($name:ident, $parse:expr, |$all:ident| $text:expr) => {
        (stringify!($name), |$all| $text, |all, text| $parse(text).map(|value| all.$name = value))
    };
}

/// All settings but `texts.LOCALE`.
const SETTINGS: [Setting; 22] = [
    setting!(page_size_default, parse_size),
    setting!(page_size_max, parse_size),
    setting!(history_days_per_page, parse_size),
    setting!(new_product_days, parse_number),
    setting!(low_stock_threshold, parse_number),
    setting!(hide_sold_out, parse_bool),
    setting!(popular_most_ordered, parse_most_ordered),
    setting!(time_zone, parse_time_zone),
    setting!(shop, parse_bool),
    setting!(members_cancel_orders, parse_bool),
    setting!(cors, parse_cors, |all| write_cors(&all.cors)),
    setting!(rate_limit_reads_per_minute, parse_number),
    setting!(rate_limit_writes_per_minute, parse_number),
    setting!(audit_log_days, parse_audit_log_days),
    setting!(event_days, parse_event_days),
    setting!(campaign_feb29, parse_feb29, |all| all.campaign_feb29.as_str().to_owned()),
    setting!(campaign_birth_date_days, parse_campaign_days),
    setting!(campaign_ceiling_factor, parse_number),
    setting!(campaign_max_age_days, parse_campaign_days),
    setting!(support_reversal_points, parse_number),
    setting!(activity_types, parse_activity_types, |all| join(&all.activity_types)),
    setting!(locales, parse_locales, |all| write_locales(all.locales.as_deref())),
];

/// The former setting: one limit for all requests.
const FORMER_RATE_LIMIT: &str = "rate_limit_per_minute";

const TEXTS_PREFIX: &str = "texts.";

impl TenantSettings {
    /// Sets one setting from its text form. An empty text restores the default.
    ///
    /// # Errors
    /// [`SettingError`] names the setting and the rule. Then nothing changes.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        if let Some(locale) = key.strip_prefix(TEXTS_PREFIX) {
            return self.set_texts(locale, value).map_err(|rule| invalid(key, rule));
        }
        let Some((_, get, set)) = SETTINGS.iter().find(|(name, ..)| *name == key) else {
            return Err(SettingError::Unknown { key: key.to_owned() });
        };
        let value = if value.is_empty() { &get(&Self::default()) } else { value };
        set(self, value).map_err(|rule| invalid(key, rule))
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

    /// All settings in their text form, own texts last.
    pub fn entries(&self) -> Vec<(String, String)> {
        let known = SETTINGS.iter().map(|(key, get, _)| ((*key).to_owned(), get(self)));
        let texts =
            self.texts.iter().map(|(locale, source)| (format!("{TEXTS_PREFIX}{locale}"), source.clone()));
        known.chain(texts).collect()
    }

    /// Whether the tenant records activities of this type.
    pub fn knows_activity_type(&self, kind: &ActivityType) -> bool {
        kind.is_documented() || self.activity_types.contains(kind)
    }
}

fn invalid(key: &str, rule: SettingRule) -> SettingError {
    SettingError::Value { key: key.to_owned(), rule }
}

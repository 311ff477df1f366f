//! What an operator can set per tenant. Every setting has a default, a name and a text form; the
//! command line and the stores use the same names and forms.

mod text;

use std::collections::BTreeMap;
use std::fmt;

use self::text::{join, parse_bool, parse_cors, parse_list, parse_most_ordered, parse_number, parse_size};
use crate::{ActivityType, Locale, PageSize};

pub use self::text::{MAX_PAGE_SIZE, MAX_POPULAR_MOST_ORDERED};

/// For how many days an order makes its product popular.
pub const POPULAR_PERIOD_DAYS: u32 = 90;

/// The settings of one tenant in one environment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TenantSettings {
    /// Items per page when `page[size]` is absent.
    pub page_size_default: PageSize,
    /// The largest page served; a larger `page[size]` gets this many.
    pub page_size_max: PageSize,
    /// Days per page of the point history.
    pub history_days_per_page: PageSize,
    /// A product is new for this many days after its publication.
    pub new_product_days: u32,
    /// Stock is low at this many pieces or fewer.
    pub low_stock_threshold: u32,
    /// Whether sold-out products leave the list.
    pub hide_sold_out: bool,
    /// So many products are popular because they were ordered most in the last
    /// [`POPULAR_PERIOD_DAYS`], beside those that are marked so.
    pub popular_most_ordered: u32,
    /// Which web origins may read answers.
    pub cors: CorsPolicy,
    /// GET and HEAD requests per minute and user; 0 for no limit.
    pub rate_limit_reads_per_minute: u32,
    /// All other requests per minute and user; 0 for no limit.
    pub rate_limit_writes_per_minute: u32,
    /// Activity types beyond the documented ones.
    pub activity_types: Vec<ActivityType>,
    /// The locales clients may ask for; none for all that there are texts for.
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
            cors: CorsPolicy::AnyOrigin,
            rate_limit_reads_per_minute: 1_200,
            rate_limit_writes_per_minute: 120,
            activity_types: Vec::new(),
            locales: None,
            texts: BTreeMap::new(),
        }
    }
}

fn page_size(items: u32) -> PageSize {
    PageSize::new(items).unwrap_or(PageSize::DEFAULT)
}

/// Which web origins may read a tenant's answers. Never with credentials.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CorsPolicy {
    /// No CORS headers at all.
    Off,
    /// `Access-Control-Allow-Origin: *`.
    AnyOrigin,
    /// These origins, as browsers write them.
    Origins(Vec<String>),
}

/// A setting that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingError {
    /// There is no setting of this name.
    Unknown {
        /// The name given.
        key: String,
    },
    /// The value does not have the form asked for.
    Value { key: String, rule: String },
}

impl fmt::Display for SettingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown { key } if key == FORMER_RATE_LIMIT => {
                write!(
                    f,
                    "there is no setting {key:?} any more; set rate_limit_reads_per_minute and \
                     rate_limit_writes_per_minute instead, each to 0 for no limit"
                )
            }
            Self::Unknown { key } => {
                write!(
                    f,
                    "there is no setting {key:?}; the settings are {} and texts.LOCALE",
                    KEYS.join(", ")
                )
            }
            Self::Value { key, rule } => write!(f, "{key} {rule}"),
        }
    }
}

impl std::error::Error for SettingError {}

/// The names of all settings but `texts.LOCALE`.
pub const KEYS: [&str; 12] = [
    "page_size_default",
    "page_size_max",
    "history_days_per_page",
    "new_product_days",
    "low_stock_threshold",
    "hide_sold_out",
    "popular_most_ordered",
    "cors",
    "rate_limit_reads_per_minute",
    "rate_limit_writes_per_minute",
    "activity_types",
    "locales",
];

/// The former setting: one limit for all requests.
const FORMER_RATE_LIMIT: &str = "rate_limit_per_minute";

const TEXTS_PREFIX: &str = "texts.";

impl TenantSettings {
    /// Sets one setting from its text form; an empty text restores the default.
    ///
    /// # Errors
    /// [`SettingError`] names the setting and the rule; nothing is changed then.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), SettingError> {
        if let Some(locale) = key.strip_prefix(TEXTS_PREFIX) {
            return self.set_texts(locale, value).map_err(|rule| invalid(key, rule));
        }
        if !KEYS.contains(&key) {
            return Err(SettingError::Unknown { key: key.to_owned() });
        }
        let default;
        let value = if value.is_empty() {
            default = Self::default().get(key);
            &default
        } else {
            value
        };
        self.set_known(key, value).map_err(|rule| invalid(key, rule))
    }

    fn set_known(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "page_size_default" => self.page_size_default = parse_size(value)?,
            "page_size_max" => self.page_size_max = parse_size(value)?,
            "history_days_per_page" => self.history_days_per_page = parse_size(value)?,
            "new_product_days" => self.new_product_days = parse_number(value)?,
            "low_stock_threshold" => self.low_stock_threshold = parse_number(value)?,
            "hide_sold_out" => self.hide_sold_out = parse_bool(value)?,
            "popular_most_ordered" => self.popular_most_ordered = parse_most_ordered(value)?,
            "cors" => self.cors = parse_cors(value)?,
            "rate_limit_reads_per_minute" => self.rate_limit_reads_per_minute = parse_number(value)?,
            "rate_limit_writes_per_minute" => self.rate_limit_writes_per_minute = parse_number(value)?,
            "activity_types" => self.activity_types = parse_list(value, ActivityType::new)?,
            _ => self.locales = if value == "all" { None } else { Some(parse_list(value, Locale::new)?) },
        }
        Ok(())
    }

    fn set_texts(&mut self, locale: &str, source: &str) -> Result<(), String> {
        let locale = Locale::new(locale).map_err(|error| format!("is refused: {error}"))?;
        if source.is_empty() {
            self.texts.remove(&locale);
        } else {
            self.texts.insert(locale, source.to_owned());
        }
        Ok(())
    }

    /// All settings in their text form, in the order of [`KEYS`], own texts last.
    pub fn entries(&self) -> Vec<(String, String)> {
        let known = KEYS.iter().map(|key| ((*key).to_owned(), self.get(key)));
        let texts =
            self.texts.iter().map(|(locale, source)| (format!("{TEXTS_PREFIX}{locale}"), source.clone()));
        known.chain(texts).collect()
    }

    fn get(&self, key: &str) -> String {
        match key {
            "page_size_default" => self.page_size_default.to_string(),
            "page_size_max" => self.page_size_max.to_string(),
            "history_days_per_page" => self.history_days_per_page.to_string(),
            "new_product_days" => self.new_product_days.to_string(),
            "low_stock_threshold" => self.low_stock_threshold.to_string(),
            "hide_sold_out" => self.hide_sold_out.to_string(),
            "popular_most_ordered" => self.popular_most_ordered.to_string(),
            "cors" => match &self.cors {
                CorsPolicy::Off => "off".to_owned(),
                CorsPolicy::AnyOrigin => "any".to_owned(),
                CorsPolicy::Origins(origins) => origins.join(","),
            },
            "rate_limit_reads_per_minute" => self.rate_limit_reads_per_minute.to_string(),
            "rate_limit_writes_per_minute" => self.rate_limit_writes_per_minute.to_string(),
            "activity_types" => join(&self.activity_types),
            _ => self.locales.as_ref().map_or_else(|| "all".to_owned(), |locales| join(locales)),
        }
    }

    /// Whether the tenant records activities of this type.
    pub fn knows_activity_type(&self, kind: &ActivityType) -> bool {
        kind.is_documented() || self.activity_types.contains(kind)
    }
}

fn invalid(key: &str, rule: String) -> SettingError {
    SettingError::Value { key: key.to_owned(), rule }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_survives_its_text_form() {
        let mut given = TenantSettings::default();
        for (key, value) in [
            ("page_size_default", "20"),
            ("page_size_max", "50"),
            ("history_days_per_page", "7"),
            ("new_product_days", "14"),
            ("low_stock_threshold", "3"),
            ("hide_sold_out", "true"),
            ("popular_most_ordered", "25"),
            ("cors", "https://shop.example,http://localhost:3000"),
            ("rate_limit_reads_per_minute", "600"),
            ("rate_limit_writes_per_minute", "0"),
            ("activity_types", "checkin,survey"),
            ("locales", "en,de"),
            ("texts.de", "code-title = Scan"),
        ] {
            given.set(key, value).unwrap();
        }
        let mut read = TenantSettings::default();
        for (key, value) in given.entries() {
            read.set(&key, &value).unwrap();
        }
        assert_eq!(read, given);
        assert_eq!(given.entries().len(), KEYS.len() + 1);
    }

    #[test]
    fn an_empty_text_restores_the_default() {
        let mut settings = TenantSettings::default();
        for (key, value) in
            [("page_size_max", "7"), ("cors", "off"), ("locales", "en"), ("texts.en", "a = b")]
        {
            settings.set(key, value).unwrap();
            settings.set(key, "").unwrap();
        }
        assert_eq!(settings, TenantSettings::default());
    }

    #[test]
    fn up_to_1000_products_are_popular_by_their_orders() {
        let mut settings = TenantSettings::default();
        for good in ["0", "1000"] {
            settings.set("popular_most_ordered", good).unwrap();
            assert_eq!(settings.popular_most_ordered.to_string(), good);
        }
        for bad in ["1001", "-1", "all"] {
            let error = settings.set("popular_most_ordered", bad).unwrap_err();
            assert_eq!(error.to_string(), "popular_most_ordered must be an integer from 0 to 1000");
        }
    }

    #[test]
    fn the_former_rate_limit_names_what_replaces_it() {
        let error = TenantSettings::default().set("rate_limit_per_minute", "60").unwrap_err();
        assert_eq!(
            error.to_string(),
            "there is no setting \"rate_limit_per_minute\" any more; set rate_limit_reads_per_minute and \
             rate_limit_writes_per_minute instead, each to 0 for no limit"
        );
    }

    #[test]
    fn a_bad_value_names_its_setting_and_changes_nothing() {
        let mut settings = TenantSettings::default();
        let error = settings.set("page_size_max", "0").unwrap_err();
        assert_eq!(error.to_string(), "page_size_max must be an integer from 1 to 1000");
        assert!(settings.set("activity_types", "ok,Not Ok").is_err());
        assert!(settings.set("page_sise", "1").unwrap_err().to_string().contains("page_size_default"));
        assert_eq!(settings, TenantSettings::default());
    }
}

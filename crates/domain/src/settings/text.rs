//! The text forms of settings.

use std::collections::BTreeSet;

use super::rule::SettingRule;
use crate::expiry::ExpiryPolicy;
use crate::settings::Color;
use crate::settings::ExpiryType;
use crate::web_url::is_web_url;
use crate::{ActivityType, CorsPolicy, Feb29, Locale, PageSize, TimeZoneName};

/// The largest page size that an operator can allow, in items. It bounds the size of a response.
pub const MAX_PAGE_SIZE: u32 = 1_000;

/// An audit log that forgets within days proves nothing.
const MIN_AUDIT_LOG_DAYS: u32 = 30;
/// A reader that was away for longer begins with an export.
const MAX_EVENT_DAYS: u32 = 3_650;
/// A century.
const MAX_AUDIT_LOG_DAYS: u32 = 36_500;

/// A century too: more would reach before the first time.
const MAX_CAMPAIGN_DAYS: u32 = 36_500;

/// The longest time before points end at which the feed says so.
const MAX_NOTICE_DAYS: u32 = 365;
/// Each notice is an event for each user.
const MAX_NOTICES: usize = 5;

/// The most products that are popular because of their orders. It bounds the cost of the count.
pub const MAX_POPULAR_MOST_ORDERED: u32 = 1_000;

/// The longest URL of a logo, in bytes.
const MAX_LOGO_BYTES: usize = 2_048;

/// The longest line of welcome, in characters.
const MAX_LINE_CHARS: usize = 255;

pub(super) fn parse_color(value: &str) -> Result<Option<Color>, SettingRule> {
    let color = Color::parse(value).ok_or_else(|| SettingRule::NotAColor { got: value.to_owned() });
    if value.is_empty() { Ok(None) } else { color.map(Some) }
}

pub(super) fn parse_logo(value: &str) -> Result<Option<String>, SettingRule> {
    let is_fit = value.len() <= MAX_LOGO_BYTES && is_web_url(value);
    match value {
        "" => Ok(None),
        _ if is_fit => Ok(Some(value.to_owned())),
        _ => Err(SettingRule::NotAUrl { bytes: MAX_LOGO_BYTES }),
    }
}

pub(super) fn parse_line(value: &str) -> Result<String, SettingRule> {
    let is_line = value.chars().count() <= MAX_LINE_CHARS && !value.chars().any(char::is_control);
    if is_line { Ok(value.to_owned()) } else { Err(SettingRule::NotALine { chars: MAX_LINE_CHARS }) }
}

pub(super) fn parse_size(value: &str) -> Result<PageSize, SettingRule> {
    parse_integer(value, 1, MAX_PAGE_SIZE).map(|items| PageSize::new(items).unwrap_or(PageSize::DEFAULT))
}

pub(super) fn parse_number(value: &str) -> Result<u32, SettingRule> {
    parse_integer(value, 0, u32::MAX)
}

pub(super) fn parse_most_ordered(value: &str) -> Result<u32, SettingRule> {
    parse_integer(value, 0, MAX_POPULAR_MOST_ORDERED)
}

pub(super) fn parse_audit_log_days(value: &str) -> Result<u32, SettingRule> {
    parse_integer(value, MIN_AUDIT_LOG_DAYS, MAX_AUDIT_LOG_DAYS)
}

pub(super) fn parse_event_days(value: &str) -> Result<u32, SettingRule> {
    parse_integer(value, 1, MAX_EVENT_DAYS)
}

pub(super) fn parse_campaign_days(value: &str) -> Result<u32, SettingRule> {
    parse_integer(value, 0, MAX_CAMPAIGN_DAYS)
}

fn parse_integer(value: &str, min: u32, max: u32) -> Result<u32, SettingRule> {
    let number = value.parse().ok().filter(|number| (min..=max).contains(number));
    number.ok_or(SettingRule::OutOfRange { min, max })
}

pub(super) fn parse_policy(value: &str) -> Result<ExpiryPolicy, SettingRule> {
    ExpiryPolicy::parse(value).ok_or_else(|| SettingRule::NotAPolicy { got: value.to_owned() })
}

/// No text is no type.
pub(super) fn parse_expiry_type(value: &str) -> Result<Option<ExpiryType>, SettingRule> {
    let known = [ExpiryType::Expiry, ExpiryType::Order].into_iter().find(|known| known.as_str() == value);
    let refused = SettingRule::NotAnExpiryType { got: value.to_owned() };
    if value.is_empty() { Ok(None) } else { known.map(Some).ok_or(refused) }
}

/// The most days come first, and each number once.
pub(super) fn parse_notice_days(value: &str) -> Result<Vec<u32>, SettingRule> {
    if value == "off" {
        return Ok(Vec::new());
    }
    let number = |part: &str| part.trim().parse().ok().filter(|days| (1..=MAX_NOTICE_DAYS).contains(days));
    let days: Option<BTreeSet<u32>> = value.split(',').map(number).collect();
    let days = days.filter(|days| days.len() <= MAX_NOTICES);
    let refused =
        SettingRule::NotNoticeDays { most: MAX_NOTICES, max: MAX_NOTICE_DAYS, got: value.to_owned() };
    days.map(|days| days.into_iter().rev().collect()).ok_or(refused)
}

pub(super) fn write_notice_days(days: &[u32]) -> String {
    if days.is_empty() { "off".to_owned() } else { join(days) }
}

pub(super) fn parse_feb29(value: &str) -> Result<Feb29, SettingRule> {
    let known = [Feb29::Feb28, Feb29::March1].into_iter().find(|day| day.as_str() == value);
    known.ok_or_else(|| SettingRule::NotALeapBirthday { got: value.to_owned() })
}

pub(super) fn parse_bool(value: &str) -> Result<bool, SettingRule> {
    value.parse().map_err(|_| SettingRule::NotBoolean)
}

/// Checks only the form of the name: a stored name stays readable when the zone data of this version lack it.
pub(super) fn parse_time_zone(value: &str) -> Result<TimeZoneName, SettingRule> {
    TimeZoneName::new(value).map_err(|_| SettingRule::NotAZone { got: value.to_owned() })
}

pub(super) fn parse_cors(value: &str) -> Result<CorsPolicy, SettingRule> {
    match value {
        "off" => Ok(CorsPolicy::Off),
        "any" => Ok(CorsPolicy::AnyOrigin),
        _ => parse_list(value, parse_origin, |part| SettingRule::BadOrigin { part }).map(CorsPolicy::Origins),
    }
}

pub(super) fn write_cors(cors: &CorsPolicy) -> String {
    match cors {
        CorsPolicy::Off => "off".to_owned(),
        CorsPolicy::AnyOrigin => "any".to_owned(),
        CorsPolicy::Origins(origins) => join(origins),
    }
}

pub(super) fn parse_activity_types(value: &str) -> Result<Vec<ActivityType>, SettingRule> {
    parse_list(value, |part| ActivityType::new(part).ok(), |part| SettingRule::BadType { part })
}

pub(super) fn parse_locales(value: &str) -> Result<Option<Vec<Locale>>, SettingRule> {
    if value == "all" {
        return Ok(None);
    }
    parse_list(value, |part| Locale::new(part).ok(), |part| SettingRule::BadLocale { part }).map(Some)
}

pub(super) fn write_locales(locales: Option<&[Locale]>) -> String {
    locales.map_or_else(|| "all".to_owned(), join)
}

fn parse_origin(origin: &str) -> Option<String> {
    let host = origin.strip_prefix("https://").or_else(|| origin.strip_prefix("http://"))?;
    let is_host = !host.is_empty() && host.bytes().all(|b| b.is_ascii_graphic() && b != b'/');
    is_host.then(|| origin.to_owned())
}

fn parse_list<T>(
    value: &str,
    parse: impl Fn(&str) -> Option<T>,
    rule: fn(String) -> SettingRule,
) -> Result<Vec<T>, SettingRule> {
    let parts = value.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| parse(part).ok_or_else(|| rule(part.to_owned()))).collect()
}

pub(super) fn join(items: &[impl ToString]) -> String {
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

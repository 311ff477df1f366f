//! What the settings of a tenant must meet together, at the command line and in the console.

use pointbook_domain::expiry::ExpiryPolicy;
use pointbook_domain::settings::{ExpiryType, SettingRule};
use pointbook_domain::texts::check_source;
use pointbook_domain::zones::time_zone::Zone;
use pointbook_domain::{ActivityType, TenantSettings};

/// The maximum length of a display name, in characters.
const MAX_NAME_CHARS: usize = 255;

/// Reads the display name of a tenant.
///
/// # Errors
/// The rule that it breaks.
pub fn parse_tenant_name(text: String) -> Result<String, SettingRule> {
    let length = text.chars().count();
    if (1..=MAX_NAME_CHARS).contains(&length) && !text.chars().any(char::is_control) {
        Ok(text)
    } else {
        Err(SettingRule::NotALine { chars: MAX_NAME_CHARS })
    }
}

/// Checks what no setting tells alone: a default page size is at most the largest one, the time zone needs the zone data, and
/// texts depend on the activity types, and points end as rows of a type. The time zone gets the spelling of the zone data. Returns the name of each setting with
/// a problem, and the rule.
///
/// Older versions stored page sizes without the check. They hinder no change of other settings.
pub fn check_settings(before: &TenantSettings, settings: &mut TenantSettings) -> Vec<(String, SettingRule)> {
    let mut problems = Vec::new();
    let sizes = |of: &TenantSettings| (of.page_size_default, of.page_size_max);
    let (default, max) = sizes(settings);
    if default > max && sizes(before) != (default, max) {
        problems.push(("page_size_default".to_owned(), SettingRule::AboveMax { max: max.get() }));
    }
    if let Ok(zone) = Zone::find(&settings.time_zone) {
        settings.time_zone = zone.name();
    } else {
        let got = settings.time_zone.to_string();
        problems.push(("time_zone".to_owned(), SettingRule::UnknownZone { got }));
    }
    let expiry_type = settings.points_expire_as;
    if settings.points_expire != ExpiryPolicy::Never && expiry_type.is_none() {
        problems.push(("points_expire_as".to_owned(), SettingRule::NoExpiryType));
    }
    let is_own = |kind: &ActivityType| kind.as_str() == ExpiryType::Expiry.as_str();
    if expiry_type == Some(ExpiryType::Expiry) && !settings.activity_types.iter().any(is_own) {
        problems.push(("activity_types".to_owned(), SettingRule::NoTypeExpiry));
    }
    if let Some(kind) = settings.points_active_types.iter().find(|kind| !settings.knows_activity_type(kind)) {
        let rule = SettingRule::UndeclaredType { part: kind.to_string() };
        problems.push(("points_active_types".to_owned(), rule));
    }
    for (locale, source) in &settings.texts {
        if let Err(rule) = check_source(source, &settings.activity_types) {
            problems.push((format!("texts.{locale}"), rule));
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_line() {
        assert!(parse_tenant_name("Müller & Söhne".to_owned()).is_ok());
        assert!(parse_tenant_name(String::new()).is_err());
        assert!(parse_tenant_name("a\nb".to_owned()).is_err());
    }

    #[test]
    fn problems_are_those_of_their_settings() {
        let mut settings = TenantSettings::default();
        settings.set("time_zone", "Europe/Berln").unwrap();
        settings.set("texts.en", "checkin-title = Check-in").unwrap();
        let names: Vec<_> = check_settings(&TenantSettings::default(), &mut settings)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        assert_eq!(names, ["time_zone", "texts.en"]);
    }

    #[test]
    fn points_end_as_rows_of_a_type_that_the_tenant_chose() {
        let problems = |given: &[(&str, &str)]| {
            let mut settings = TenantSettings::default();
            for (key, value) in given {
                settings.set(key, value).unwrap();
            }
            check_settings(&TenantSettings::default(), &mut settings)
        };
        let policy = ("points_expire", "year-end:1");
        assert_eq!(problems(&[policy]), [("points_expire_as".to_owned(), SettingRule::NoExpiryType)]);
        assert_eq!(problems(&[policy, ("points_expire_as", "order")]), []);
        let own = [policy, ("points_expire_as", "expiry")];
        assert_eq!(problems(&own), [("activity_types".to_owned(), SettingRule::NoTypeExpiry)]);
        assert_eq!(problems(&[own[0], own[1], ("activity_types", "visit,expiry")]), []);
        let undeclared = SettingRule::UndeclaredType { part: "visits".to_owned() };
        let active = ("points_active_types", "code,visits");
        assert_eq!(problems(&[active]), [(active.0.to_owned(), undeclared)]);
        assert_eq!(problems(&[active, ("activity_types", "visits")]), []);
    }

    #[test]
    fn stored_page_sizes_hinder_no_change_of_other_settings() {
        let mut stored = TenantSettings::default();
        stored.set("page_size_max", "5").unwrap();
        let mut after = stored.clone();
        after.set("low_stock_threshold", "9").unwrap();
        assert_eq!(check_settings(&stored, &mut after), []);
        after.set("page_size_default", "6").unwrap();
        let above = ("page_size_default".to_owned(), SettingRule::AboveMax { max: 5 });
        assert_eq!(check_settings(&stored, &mut after), [above]);
    }
}

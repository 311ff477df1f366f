//! What the settings of a tenant must meet together, at the command line and in the console.

use pointbook_app::Zone;
use pointbook_domain::TenantSettings;
use pointbook_domain::settings::SettingRule;
use pointbook_texts::check_source;

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

/// Checks what no setting tells alone: the time zone needs the zone data, and texts depend on the activity types. The time zone
/// gets the spelling of the zone data. Returns the name of each setting with a problem, and the rule.
pub fn check_settings(settings: &mut TenantSettings) -> Vec<(String, SettingRule)> {
    let mut problems = Vec::new();
    if let Ok(zone) = Zone::find(&settings.time_zone) {
        settings.time_zone = zone.name();
    } else {
        let got = settings.time_zone.to_string();
        problems.push(("time_zone".to_owned(), SettingRule::UnknownZone { got }));
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
        let names: Vec<_> = check_settings(&mut settings).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["time_zone", "texts.en"]);
    }
}

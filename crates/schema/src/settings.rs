//! The settings of a tenant as every store keeps them: JSON of their names and text forms, so that a new
//! one needs no migration.

use std::collections::BTreeMap;

use pointbook_domain::TenantSettings;
use pointbook_domain::settings::SettingError;

/// Stored settings that this program does not know: a newer one wrote them, and finds them again.
#[derive(Debug, Default)]
pub struct UnknownSettings(BTreeMap<String, String>);

/// Reads settings. Those that this program does not know are set aside, so that it still starts
/// after a newer one.
///
/// # Errors
/// What is wrong with the text, or with the value of a setting.
pub fn settings_from_json(json: &str) -> Result<(TenantSettings, UnknownSettings), String> {
    let stored: BTreeMap<String, String> = serde_json::from_str(json).map_err(|error| error.to_string())?;
    let (mut settings, mut unknown) = (TenantSettings::default(), UnknownSettings::default());
    for (key, value) in stored {
        match settings.set(&key, &value) {
            Ok(()) => {}
            Err(SettingError::Unknown { key }) => {
                unknown.0.insert(key, value);
            }
            Err(error @ SettingError::Value { .. }) => return Err(error.to_string()),
        }
    }
    Ok((settings, unknown))
}

/// Settings as they are stored, beside those that this program does not know.
pub fn settings_to_json(settings: &TenantSettings, unknown: &UnknownSettings) -> String {
    let mut stored = unknown.0.clone();
    stored.extend(settings.entries());
    stored.into_iter().collect::<serde_json::Value>().to_string()
}

//! The stored form of a tenant's settings: a JSON object from names to strings. A new setting needs no migration.

use std::collections::BTreeMap;

use pointbook_domain::TenantSettings;
use pointbook_domain::settings::SettingError;

/// Stored settings that this version does not know. They are kept for the newer version that wrote them.
#[derive(Debug, Default)]
pub(crate) struct UnknownSettings(BTreeMap<String, String>);

/// Reads settings. Unknown ones are returned separately, so that this version still starts after a newer one.
///
/// # Errors
/// When the JSON or the value of a setting is invalid.
pub(crate) fn settings_from_json(json: &str) -> Result<(TenantSettings, UnknownSettings), String> {
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

/// Encodes settings, together with those that this version does not know.
pub(crate) fn settings_to_json(settings: &TenantSettings, unknown: &UnknownSettings) -> String {
    let mut stored = unknown.0.clone();
    stored.extend(settings.entries());
    stored.into_iter().collect::<serde_json::Value>().to_string()
}

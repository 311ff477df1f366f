//! Settings as they are stored: JSON of their names and text forms, so that a new one needs no
//! migration.

use std::collections::BTreeMap;

use pointbook_domain::TenantSettings;
use pointbook_domain::settings::SettingError;

use crate::error::Outcome;
use crate::row::to_json;

/// Stored settings that this program does not know: a newer one wrote them, and finds them again.
#[derive(Default)]
pub(super) struct UnknownSettings(BTreeMap<String, String>);

/// Reads settings. Those that this program does not know are set aside, so that it still starts
/// after a newer one.
pub(super) fn from_json(json: &str) -> Result<(TenantSettings, UnknownSettings), String> {
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

/// Writes settings, beside those that this program does not know.
pub(super) fn to_stored(settings: &TenantSettings, unknown: &UnknownSettings) -> Outcome<String> {
    let mut stored = unknown.0.clone();
    stored.extend(settings.entries());
    to_json(&stored)
}

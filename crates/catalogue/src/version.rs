//! The version of a catalogue. Every commit that customers may see raises it by one, and gives it to the products that it changes. Instances
//! read it to notice changes, so versions are committed in order.

use pointbook_store::commands::{CommandError, Facts};
use pointbook_store::ports::CatalogueVersion;
use pointbook_store::schema::rows::CatalogueState;

/// # Errors
/// When the command did not need it.
pub(crate) fn state(facts: &Facts) -> Result<&CatalogueState, CommandError> {
    facts.get::<CatalogueState>(&())?.ok_or_else(missing)
}

/// Raises the version, unless a command of the same commit did. Returns the new version.
///
/// # Errors
/// As [`state`].
pub(crate) fn raise(facts: &mut Facts) -> Result<u64, CommandError> {
    let version = stored(facts)? + 1;
    let raised = CatalogueState { version, ..state(facts)?.clone() };
    facts.put(raised)?;
    Ok(version)
}

/// The stored version. `None` when a command of the same commit raises it.
///
/// # Errors
/// As [`state`].
pub(crate) fn unchanged(facts: &Facts) -> Result<Option<CatalogueVersion>, CommandError> {
    let stored = stored(facts)?;
    Ok((state(facts)?.version == stored).then_some(CatalogueVersion(stored)))
}

fn stored(facts: &Facts) -> Result<u64, CommandError> {
    Ok(facts.stored::<CatalogueState>(&())?.ok_or_else(missing)?.version)
}

fn missing() -> CommandError {
    CommandError::Corrupt("table catalogue_versions: no such row".to_owned())
}

//! Fluent resources and bundles, as this service sets them up.

use std::borrow::Cow;
use std::sync::Arc;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentError, FluentResource};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

/// The texts of one language.
pub(super) type Bundle = FluentBundle<Arc<FluentResource>>;

/// What the id of a type's title ends in.
pub(super) const TITLE: &str = "-title";

/// What the id of a type's counted summary ends in.
pub(super) const COUNT: &str = "-count";

/// Reads Fluent source. A message with a mistake is left out; [`super::check_source`] names it.
pub(super) fn resource(source: &str) -> Arc<FluentResource> {
    Arc::new(FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource))
}

/// A bundle of resources, the later over the earlier.
pub(super) fn bundle(language: &LanguageIdentifier, resources: &[Arc<FluentResource>]) -> Bundle {
    let mut bundle = Bundle::new_concurrent(vec![language.clone()]);
    // The isolation marks are for texts that mix directions; these only hold numbers.
    bundle.set_use_isolating(false);
    // Fails only where `NUMBER` is there already, and a new bundle is empty.
    if bundle.add_builtins().is_err() {
        tracing::error!("fluent functions missing");
    }
    for resource in resources {
        bundle.add_resource_overriding(resource.clone());
    }
    bundle
}

/// The ids of the messages in a resource.
pub(super) fn message_ids(resource: &FluentResource) -> impl Iterator<Item = &str> {
    resource.entries().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message.id.name),
        _ => None,
    })
}

/// A message, and what went wrong in formatting it; none when the bundle has no text for the id.
pub(super) fn format<'b>(
    bundle: &'b Bundle,
    id: &str,
    count: Option<usize>,
    errors: &mut Vec<FluentError>,
) -> Option<Cow<'b, str>> {
    let pattern = bundle.get_message(id)?.value()?;
    let mut arguments = FluentArgs::new();
    if let Some(count) = count {
        arguments.set("count", count);
    }
    Some(Cow::Owned(bundle.format_pattern(pattern, Some(&arguments), errors).into_owned()))
}

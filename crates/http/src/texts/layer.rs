//! Fluent resources and bundles, as this service sets them up.

use std::sync::Arc;

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentError, FluentResource};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

/// What the id of a type's title ends in.
pub(super) const TITLE: &str = "-title";

/// What the id of a type's counted summary ends in.
pub(super) const COUNT: &str = "-count";

/// The one summary that tells refunds apart.
pub(super) const ORDER_COUNT: &str = "order-count";

/// How many activities a group has, as people count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// All of them, but no refunds.
    pub count: usize,
    /// Refunds of orders.
    pub refunds: usize,
}

impl From<usize> for Tally {
    /// Without refunds.
    fn from(count: usize) -> Self {
        Self { count, refunds: 0 }
    }
}

/// Reads Fluent source. A message with a mistake is left out; [`super::check_source`] names it.
pub(super) fn resource(source: &str) -> Arc<FluentResource> {
    Arc::new(FluentResource::try_new(source.to_owned()).unwrap_or_else(|(resource, _)| resource))
}

/// The texts of one language.
pub(super) struct Layer {
    bundle: FluentBundle<Arc<FluentResource>>,
    type_names: Vec<String>,
}

impl Layer {
    /// Resources, the later over the earlier.
    pub(super) fn new(language: &LanguageIdentifier, resources: &[Arc<FluentResource>]) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.clone()]);
        // The isolation marks are for texts that mix directions; these only hold numbers.
        bundle.set_use_isolating(false);
        // Fails only where `NUMBER` is there already, and a new bundle is empty.
        if bundle.add_builtins().is_err() {
            tracing::error!("fluent functions missing");
        }
        for resource in resources {
            bundle.add_resource_overriding(resource.clone());
        }
        let ids = resources.iter().flat_map(|resource| message_ids(resource));
        let type_names = ids.filter_map(type_name).map(str::to_owned).collect();
        Self { bundle, type_names }
    }

    /// The activity types that it has a text for.
    pub(super) fn type_names(&self) -> &[String] {
        &self.type_names
    }

    /// A message, and what went wrong in formatting it; none when there is no text for the id.
    pub(super) fn format(
        &self,
        id: &str,
        tally: Option<Tally>,
        errors: &mut Vec<FluentError>,
    ) -> Option<String> {
        let pattern = self.bundle.get_message(id)?.value()?;
        let mut arguments = FluentArgs::new();
        if let Some(Tally { count, refunds }) = tally {
            arguments.set("count", count);
            if id == ORDER_COUNT {
                arguments.set("refunds", refunds);
            }
        }
        Some(self.bundle.format_pattern(pattern, Some(&arguments), errors).into_owned())
    }
}

/// The type that a message is about, if it is called as such messages are.
pub(super) fn type_name(id: &str) -> Option<&str> {
    id.strip_suffix(TITLE).or_else(|| id.strip_suffix(COUNT))
}

pub(super) fn message_ids(resource: &FluentResource) -> impl Iterator<Item = &str> {
    resource.entries().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message.id.name),
        _ => None,
    })
}

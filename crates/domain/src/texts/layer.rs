//! Fluent resources and bundles, as this service configures them.

use fluent_bundle::concurrent::FluentBundle;
use fluent_bundle::{FluentArgs, FluentError, FluentResource};
use fluent_syntax::ast::Entry;
use unic_langid::LanguageIdentifier;

pub(super) const TITLE: &str = "-title";

pub(super) const COUNT: &str = "-count";

/// The only summary that mentions refunds.
pub(super) const ORDER_COUNT: &str = "order-count";

/// The number of activities in a group, as people count them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tally {
    /// Without refunds of orders.
    pub count: usize,
    pub refunds: usize,
}

impl From<usize> for Tally {
    fn from(count: usize) -> Self {
        Self { count, refunds: 0 }
    }
}

pub(super) struct Layer {
    bundle: FluentBundle<FluentResource>,
    /// The activity types that it has texts for.
    pub(super) type_names: Vec<String>,
}

impl Layer {
    /// Fluent sources. A later one overrides an earlier one. A message with a mistake is left out; [`super::check_source`]
    /// reports it.
    pub(super) fn new(language: &LanguageIdentifier, sources: &[&str]) -> Self {
        let mut bundle = FluentBundle::new_concurrent(vec![language.clone()]);
        // Isolation marks are for texts of mixed direction. These texts only contain numbers.
        bundle.set_use_isolating(false);
        // Fails only if `NUMBER` exists, and a new bundle is empty.
        if bundle.add_builtins().is_err() {
            tracing::error!("fluent functions missing");
        }
        let mut type_names = Vec::new();
        for source in sources {
            let read = FluentResource::try_new((*source).to_owned());
            let resource = read.unwrap_or_else(|(resource, _)| resource);
            type_names.extend(message_ids(&resource).filter_map(type_name).map(str::to_owned));
            bundle.add_resource_overriding(resource);
        }
        Self { bundle, type_names }
    }

    /// A message, and the errors of formatting it. `None` without a text for the id.
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

/// The activity type of a message, from its name.
pub(super) fn type_name(id: &str) -> Option<&str> {
    id.strip_suffix(TITLE).or_else(|| id.strip_suffix(COUNT))
}

pub(super) fn message_ids(resource: &FluentResource) -> impl Iterator<Item = &str> {
    resource.entries().filter_map(|entry| match entry {
        Entry::Message(message) => Some(message.id.name),
        _ => None,
    })
}

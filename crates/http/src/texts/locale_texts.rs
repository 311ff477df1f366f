use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use pointbook_domain::ActivityType;
use pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES;

use super::layer::{COUNT, Layer, TITLE, Tally};

/// Summaries of up to this many activities are kept ready; a day with more formats its own.
const MAX_READY_COUNT: usize = 24;

/// The type whose texts serve all types that have none.
const GENERIC: &str = "activity";

/// The texts of one language.
pub struct LocaleTexts {
    /// Where a message is looked up, in order.
    chain: Vec<Arc<Layer>>,
    types: HashMap<Box<str>, TypeTexts>,
    generic: TypeTexts,
}

/// What is kept ready of one activity type.
struct TypeTexts {
    title: Box<str>,
    /// By count, from 0, without refunds.
    counts: Vec<Box<str>>,
}

impl LocaleTexts {
    /// Texts for the documented types and those that the layers name.
    pub(super) fn new(chain: Vec<Arc<Layer>>) -> Self {
        let named = chain.iter().flat_map(|layer| &layer.type_names).map(String::as_str);
        let all: BTreeSet<&str> = DOCUMENTED_ACTIVITY_TYPES.into_iter().chain(named).collect();
        let types = all.into_iter().map(|name| (name.into(), type_texts(&chain, name))).collect();
        let generic = type_texts(&chain, GENERIC);
        Self { chain, types, generic }
    }

    /// The texts of one type, to be looked up once for all of its groups.
    pub fn of<'t>(&'t self, kind: &'t ActivityType) -> KindTexts<'t> {
        let ready = self.types.get(kind.as_str()).unwrap_or(&self.generic);
        KindTexts { chain: &self.chain, name: kind.as_str(), ready }
    }

    pub(super) fn chain(&self) -> &[Arc<Layer>] {
        &self.chain
    }
}

/// The texts of one type in one language.
#[derive(Clone, Copy)]
pub struct KindTexts<'t> {
    chain: &'t [Arc<Layer>],
    name: &'t str,
    ready: &'t TypeTexts,
}

impl<'t> KindTexts<'t> {
    /// The title of a group.
    pub fn title(&self) -> &'t str {
        &self.ready.title
    }

    /// The summary of a group of so many activities.
    pub fn count(&self, tally: impl Into<Tally>) -> Cow<'t, str> {
        let tally = tally.into();
        match self.ready.counts.get(tally.count).filter(|_| tally.refunds == 0) {
            Some(ready) => Cow::Borrowed(ready),
            None => Cow::Owned(message(self.chain, self.name, COUNT, Some(tally))),
        }
    }
}

fn type_texts(chain: &[Arc<Layer>], name: &str) -> TypeTexts {
    let summary = |count| message(chain, name, COUNT, Some(Tally::from(count))).into();
    TypeTexts {
        title: message(chain, name, TITLE, None).into(),
        counts: (0..=MAX_READY_COUNT).map(summary).collect(),
    }
}

/// A type's own message wherever the chain has it, or else the generic one. A mistake in a tenant's
/// message shows in its text, as Fluent has it, and never fails a request.
fn message(chain: &[Arc<Layer>], name: &str, suffix: &str, tally: Option<Tally>) -> String {
    let find = |name: &str| {
        let id = format!("{name}{suffix}");
        chain.iter().find_map(|layer| layer.format(&id, tally, &mut Vec::new()))
    };
    find(name).or_else(|| find(GENERIC)).unwrap_or_default()
}

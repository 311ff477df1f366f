use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use super::layer::{COUNT, Layer, TITLE, Tally};
use crate::ActivityType;
use crate::activity::DOCUMENTED_ACTIVITY_TYPES;

/// Summaries of up to this many activities are prepared. A larger group formats its own.
const MAX_READY_COUNT: usize = 24;

/// The type whose texts serve all types without texts.
const GENERIC: &str = "activity";

pub struct LocaleTexts {
    chain: Chain,
    kinds: HashMap<Box<str>, KindTexts>,
    generic: KindTexts,
}

/// The bundles to search for a message, in order.
pub(super) type Chain = Arc<[Arc<Layer>]>;

/// The texts of one activity type in one language.
pub struct KindTexts {
    chain: Chain,
    name: Box<str>,
    title: Box<str>,
    /// By count, from 0, without refunds.
    counts: Vec<Box<str>>,
}

impl LocaleTexts {
    /// Texts for the documented types and for those of the layers.
    pub(super) fn new(chain: Vec<Arc<Layer>>) -> Self {
        let chain: Chain = chain.into();
        let named = chain.iter().flat_map(|layer| &layer.type_names).map(String::as_str);
        let all: BTreeSet<&str> = DOCUMENTED_ACTIVITY_TYPES.into_iter().chain(named).collect();
        let kinds = all.into_iter().map(|name| (name.into(), KindTexts::new(&chain, name))).collect();
        let generic = KindTexts::new(&chain, GENERIC);
        Self { chain, kinds, generic }
    }

    /// The texts of one type, found once for all of its groups.
    pub fn of(&self, kind: &ActivityType) -> &KindTexts {
        self.kinds.get(kind.as_str()).unwrap_or(&self.generic)
    }

    pub(super) fn chain(&self) -> &[Arc<Layer>] {
        &self.chain
    }
}

impl KindTexts {
    fn new(chain: &Chain, name: &str) -> Self {
        let text = |suffix, tally| message(chain, name, suffix, tally).into();
        Self {
            chain: chain.clone(),
            name: name.into(),
            title: text(TITLE, None),
            counts: (0..=MAX_READY_COUNT).map(|count| text(COUNT, Some(count.into()))).collect(),
        }
    }

    pub fn title(&self) -> &str {
        &self.title
    }

    /// The summary of a group with this many activities.
    pub fn count(&self, tally: impl Into<Tally>) -> Cow<'_, str> {
        let tally = tally.into();
        match self.counts.get(tally.count).filter(|_| tally.refunds == 0) {
            Some(ready) => Cow::Borrowed(ready),
            None => Cow::Owned(message(&self.chain, &self.name, COUNT, Some(tally))),
        }
    }
}

/// A type's own message from any bundle, otherwise the generic one. A mistake in a tenant's message appears in its text, as
/// Fluent renders it, and never fails a request.
fn message(chain: &[Arc<Layer>], name: &str, suffix: &str, tally: Option<Tally>) -> String {
    let find = |name: &str| {
        let id = format!("{name}{suffix}");
        chain.iter().find_map(|layer| layer.format(&id, tally, &mut Vec::new()))
    };
    find(name).or_else(|| find(GENERIC)).unwrap_or_default()
}

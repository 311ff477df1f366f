//! The names of activity types and of bonus kinds.

use std::borrow::Cow;

use pointbook_domain::activity::DOCUMENTED_ACTIVITY_TYPES;
use pointbook_http::pages::Words;

/// The bonus kinds that the interface names.
const DOCUMENTED_BONUS_KINDS: [&str; 2] = ["birthday", "campaign"];

/// A documented type in the language of the page. A tenant's own type as the tenant wrote it.
pub fn activity_type<'w>(kind: &'w str, words: &'w Words) -> Cow<'w, str> {
    named("activity-type", kind, &DOCUMENTED_ACTIVITY_TYPES, words)
}

/// A documented kind in the language of the page. Any other kind as its campaign or the back office wrote it.
pub fn bonus_kind<'w>(kind: &'w str, words: &'w Words) -> Cow<'w, str> {
    named("bonus-kind", kind, &DOCUMENTED_BONUS_KINDS, words)
}

fn named<'w>(prefix: &str, kind: &'w str, documented: &[&str], words: &'w Words) -> Cow<'w, str> {
    if documented.contains(&kind) { words.say(&format!("{prefix}-{kind}")) } else { kind.into() }
}

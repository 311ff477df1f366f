//! The keys of requests that were executed before.

use std::collections::BTreeMap;

use pointbook_domain::Timestamp;

use super::super::changes::{KeptResponse, KeyUse};
use super::Facts;
use crate::ports::{NewAnswer, RequestKey, StoredAnswer};

/// What is stored of an executed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// The SHA-256 of the request.
    pub fingerprint: [u8; 32],
    /// The response that it got.
    pub answer: StoredAnswer,
}

/// What is known of a key.
pub(in crate::commands) enum KeyState<'f> {
    NotLoaded,
    /// No request with this key was executed.
    Free,
    /// It is free, and its principal has as many keys as may be kept.
    Full,
    /// A request with this key was executed before.
    Stored(&'f StoredKey),
    /// A command that was decided on these facts has the key.
    UsedNow,
}

#[derive(Debug)]
enum KeyFact {
    Free,
    Full,
    Stored(StoredKey),
    UsedNow,
}

/// By principal and key.
#[derive(Debug, Default)]
pub(super) struct Keys {
    known: BTreeMap<(String, String), KeyFact>,
    responses: Vec<KeptResponse>,
    uses: Vec<KeyUse>,
}

impl Keys {
    pub(super) fn into_changes(self) -> (Vec<KeptResponse>, Vec<KeyUse>) {
        (self.responses, self.uses)
    }

    fn set_used(&mut self, key: &RequestKey) {
        self.known.insert(name_of(key), KeyFact::UsedNow);
    }
}

impl Facts {
    /// What is stored under a key, and whether the principal has as many keys as may be kept.
    pub fn put_key(&mut self, key: &RequestKey, stored: Option<StoredKey>, is_full: bool) {
        let fact = match stored {
            Some(stored) => KeyFact::Stored(stored),
            None if is_full => KeyFact::Full,
            None => KeyFact::Free,
        };
        self.keys.known.entry(name_of(key)).or_insert(fact);
    }

    /// Whether a request with this key was executed before.
    pub fn has_stored_key(&self, key: &RequestKey) -> bool {
        matches!(self.key(key), KeyState::Stored(_))
    }

    pub(in crate::commands) fn key(&self, key: &RequestKey) -> KeyState<'_> {
        match self.keys.known.get(&name_of(key)) {
            None => KeyState::NotLoaded,
            Some(KeyFact::Free) => KeyState::Free,
            Some(KeyFact::Full) => KeyState::Full,
            Some(KeyFact::Stored(stored)) => KeyState::Stored(stored),
            Some(KeyFact::UsedNow) => KeyState::UsedNow,
        }
    }

    pub(in crate::commands) fn keep_response(
        &mut self,
        key: &RequestKey,
        now: Timestamp,
        response: NewAnswer,
    ) {
        self.keys.set_used(key);
        self.keys.responses.push(KeptResponse { key: key.clone(), now, response });
    }

    pub(in crate::commands) fn use_key(&mut self, key: &RequestKey, now: Timestamp) {
        self.keys.set_used(key);
        self.keys.uses.push(KeyUse { key: key.clone(), now });
    }
}

fn name_of(key: &RequestKey) -> (String, String) {
    (key.principal.clone(), key.key.clone())
}

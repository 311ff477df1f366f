//! JSON objects that may have mistakes: each value is the text of a JSON value.

/// The members of an object, in their order.
pub(super) struct Members {
    members: Vec<(String, String)>,
    /// The time of the server, in seconds since 1970.
    pub(super) now: i64,
}

impl Members {
    pub(super) fn new(now: i64, members: &[(&str, String)]) -> Self {
        let members = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
        Self { members, now }
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.members.retain(|(known, _)| known != name);
    }

    /// Replaces all members with this name.
    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        self.remove(name);
        self.add(name, value);
    }

    /// Adds a member, also when there is one with the name.
    pub(super) fn add(&mut self, name: &str, value: impl Into<String>) {
        self.members.push((name.to_owned(), value.into()));
    }

    pub(super) fn to_json(&self) -> String {
        let members = self.members.iter().map(|(name, value)| format!("{}:{value}", text(name)));
        format!("{{{}}}", members.collect::<Vec<_>>().join(","))
    }
}

/// A JSON string.
pub(super) fn text(value: &str) -> String {
    serde_json::Value::from(value).to_string()
}

//! The members of a JSON object that another server sent.

use pointbook_domain::json::Json;

/// An object in which each member is there once.
#[derive(Debug)]
pub(crate) struct Members(Vec<(String, Json)>);

impl Members {
    /// `None` for anything but an object, and for one that repeats a member: two readers could read it differently.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let Ok(Json::Object(members)) = Json::parse(bytes) else { return None };
        let mut names: Vec<_> = members.iter().map(|(name, _)| name).collect();
        names.sort_unstable();
        let is_unique = !names.windows(2).any(|pair| matches!(pair, [one, next] if one == next));
        is_unique.then_some(Self(members))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// A string that is not empty.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Json::Text(text)) if !text.is_empty() => Some(text),
            _ => None,
        }
    }

    pub(crate) fn integer(&self, name: &str) -> Option<i64> {
        match self.get(name) {
            Some(Json::Integer(number)) => Some(*number),
            _ => None,
        }
    }

    pub(crate) fn is_true(&self, name: &str) -> bool {
        self.get(name) == Some(&Json::Bool(true))
    }

    /// Whether a list of strings has this one; `missing` when the member is not there.
    pub(crate) fn lists(&self, name: &str, text: &str, missing: bool) -> bool {
        match self.get(name) {
            None => missing,
            Some(Json::List(items)) => {
                items.iter().any(|item| matches!(item, Json::Text(found) if found == text))
            }
            Some(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_has_each_member_once() {
        let members = Members::parse(br#"{"a":"x","b":1,"c":true,"d":["x"],"e":""}"#).unwrap();
        assert_eq!((members.text("a"), members.text("b"), members.text("e")), (Some("x"), None, None));
        assert_eq!((members.integer("b"), members.integer("a")), (Some(1), None));
        assert!(members.is_true("c") && !members.is_true("a") && !members.is_true("z"));
        assert!(members.lists("d", "x", false) && !members.lists("d", "y", true));
        assert!(members.lists("z", "x", true) && !members.lists("a", "x", true));
        for bad in ["[]", "", "{", r#"{"a":1,"a":1}"#, r#"{"a":1,"b":2,"\u0061":1}"#, "{}x"] {
            assert!(Members::parse(bad.as_bytes()).is_none(), "{bad}");
        }
    }
}

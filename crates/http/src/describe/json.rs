//! JSON that keeps the order of members, for people who read it.

use pointbook_domain::json::Json;

/// An object in the making.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Members(Vec<(String, Json)>);

impl Members {
    pub fn with(mut self, name: &str, value: impl IntoJson) -> Self {
        self.set(name, value);
        self
    }

    /// Adds a member at the end, or replaces the value of the member with this name.
    pub fn set(&mut self, name: &str, value: impl IntoJson) {
        let value = value.into_json();
        match self.0.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// Changes a member that is an object. A missing one is created empty.
    pub fn within(&mut self, name: &str, change: impl FnOnce(&mut Self)) {
        let mut inner = match self.get(name) {
            Some(Json::Object(members)) => Self(members.clone()),
            _ => Self::default(),
        };
        change(&mut inner);
        self.set(name, inner);
    }
}

impl<N: Into<String>, V: IntoJson> FromIterator<(N, V)> for Members {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(members: I) -> Self {
        Self(members.into_iter().map(|(name, value)| (name.into(), value.into_json())).collect())
    }
}

/// A value that the document can contain.
pub trait IntoJson {
    fn into_json(self) -> Json;
}

macro_rules! into_json {
    ($($type:ty: $into_json:expr;)*) => {
        $(impl IntoJson for $type {
            fn into_json(self) -> Json {
                $into_json(self)
            }
        })*
    };
}

into_json! {
    Json: |json| json;
    Members: |members: Members| Json::Object(members.0);
    &str: |text: &str| Json::Text(text.to_owned());
    String: Json::Text;
    bool: Json::Bool;
    i64: Json::Integer;
    usize: |number| Json::Integer(i64::try_from(number).unwrap_or(i64::MAX));
}

impl<T: IntoJson> IntoJson for Vec<T> {
    fn into_json(self) -> Json {
        Json::List(self.into_iter().map(IntoJson::into_json).collect())
    }
}

impl<T: IntoJson, const N: usize> IntoJson for [T; N] {
    fn into_json(self) -> Json {
        Vec::from(self).into_json()
    }
}

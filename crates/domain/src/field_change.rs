//! A change of an optional field.

/// What becomes of a stored field.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum FieldChange<T> {
    /// It stays as it is.
    #[default]
    Keep,
    /// It has this value from now on; none clears it.
    Set(Option<T>),
}

impl<T: Clone> FieldChange<T> {
    pub fn applied_to(&self, before: Option<&T>) -> Option<T> {
        match self {
            Self::Keep => before.cloned(),
            Self::Set(value) => value.clone(),
        }
    }
}

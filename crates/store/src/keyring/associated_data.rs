/// The place that a sealed value belongs to. The value opens only with the same purpose and the same parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssociatedData(Vec<u8>);

impl AssociatedData {
    /// A purpose ends in a version and a line feed, such as `pointbook-data-key-1\n`.
    pub fn new(purpose: &str) -> Self {
        Self(Vec::new()).with(purpose)
    }

    /// Adds a part, such as the id of a row. Each part follows its length, so that `a`, `bc` differs from `ab`, `c`.
    #[must_use]
    pub fn with(mut self, part: &str) -> Self {
        self.0.extend((part.len() as u64).to_le_bytes());
        self.0.extend(part.as_bytes());
        self
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_with_the_same_letters_differ() {
        let parts =
            |parts: &[&str]| parts.iter().fold(AssociatedData::new("p"), |data, part| data.with(part));
        assert_eq!(parts(&["ab", "c"]), parts(&["ab", "c"]));
        for other in [&["a", "bc"][..], &["abc"], &["ab", "c", ""], &["c", "ab"]] {
            assert_ne!(parts(&["ab", "c"]), parts(other), "{other:?}");
        }
        assert_ne!(AssociatedData::new("p"), AssociatedData::new("q"));
    }
}

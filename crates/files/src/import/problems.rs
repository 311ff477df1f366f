//! What is wrong with a row or a tree: all of it, each with the place where it is.

use std::fmt;

use pointbook_app::limits::MAX_TOLD_PROBLEMS;

/// How much of a name that came with the input is told, in characters.
const MAX_QUOTED_CHARS: usize = 60;

/// Everything that is wrong, in the order found: where, such as `bonus_breakdown[0].points`, or nothing for the whole;
/// and the rule that is broken.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<(String, String)>);

impl Problems {
    pub(super) fn add(&mut self, path: impl Into<String>, rule: impl fmt::Display) {
        self.0.push((path.into(), rule.to_string()));
    }

    /// Adds the problems of what stands at `place`.
    pub(super) fn add_within(&mut self, place: &str, inner: Self) {
        for (path, rule) in inner.0 {
            let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
            self.add(format!("{place}{joint}{path}"), rule);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn are_of(&self, name: &str) -> bool {
        self.0.iter().any(|(path, _)| path == name)
    }
}

impl From<String> for Problems {
    /// One problem of the whole.
    fn from(rule: String) -> Self {
        Self(vec![(String::new(), rule)])
    }
}

impl fmt::Display for Problems {
    /// Joined by `; `, and cut where there are too many to read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = self
            .0
            .iter()
            .take(MAX_TOLD_PROBLEMS)
            .map(|(path, rule)| if path.is_empty() { rule.clone() } else { format!("{path}: {rule}") });
        f.write_str(&told.collect::<Vec<_>>().join("; "))?;
        match self.0.len().saturating_sub(MAX_TOLD_PROBLEMS) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// What the parser of JSON says of a text that stands in one line of the input: its own count of lines says nothing there.
pub(super) fn within_line(error: impl fmt::Display) -> String {
    error.to_string().replace(" at line 1 column ", " at character ")
}

/// A name from the input in quotes, shortened so that a message stays one.
pub(super) fn quoted(name: &str) -> String {
    let mut short: String = name.chars().take(MAX_QUOTED_CHARS).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    format!("{short:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_tells_its_whole_path() {
        let mut outer = Problems::default();
        for (place, path, rule) in [
            ("bonuses", "[2].points", "is missing"),
            ("bonuses", "", "must be a list"),
            ("[0]", "label", "is missing"),
        ] {
            let mut inner = Problems::default();
            inner.add(path, rule);
            outer.add_within(place, inner);
        }
        assert_eq!(
            outer.to_string(),
            "bonuses[2].points: is missing; bonuses: must be a list; [0].label: is missing"
        );
    }

    #[test]
    fn too_many_problems_are_counted() {
        let mut problems = Problems::default();
        (0..MAX_TOLD_PROBLEMS + 3).for_each(|_| problems.add("a", "is bad"));
        assert!(problems.to_string().ends_with("a: is bad; and 3 more"));
    }
}

//! What is wrong with a row or a tree: all of it, each with the place where it is.

use std::fmt;

use pointbook_app::limits::MAX_TOLD_PROBLEMS;

use super::limits::MAX_QUOTED_CHARS;

/// One thing that is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where: `regular_price`, `bonus_breakdown[0].points`, or empty for the whole.
    pub path: String,
    /// The rule that is broken.
    pub rule: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.path.is_empty() { f.write_str(&self.rule) } else { write!(f, "{}: {}", self.path, self.rule) }
    }
}

/// Everything that is wrong, in the order found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<Problem>);

impl Problems {
    /// One problem at this place.
    pub(super) fn one(path: impl Into<String>, rule: impl fmt::Display) -> Self {
        let mut problems = Self::default();
        problems.add(path, rule);
        problems
    }

    pub(super) fn add(&mut self, path: impl Into<String>, rule: impl fmt::Display) {
        let (path, rule) = (path.into(), rule.to_string());
        self.0.push(Problem { path, rule });
    }

    /// Adds the problems of what stands at `place`.
    pub(super) fn add_within(&mut self, place: &str, inner: Self) {
        for Problem { path, rule } in inner.0 {
            let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
            self.add(format!("{place}{joint}{path}"), rule);
        }
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Problem> {
        self.0.iter()
    }
}

impl fmt::Display for Problems {
    /// Joined by `; `, and cut where there are too many to read.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, problem) in self.0.iter().take(MAX_TOLD_PROBLEMS).enumerate() {
            let joint = if place == 0 { "" } else { "; " };
            write!(f, "{joint}{problem}")?;
        }
        match self.0.len().saturating_sub(MAX_TOLD_PROBLEMS) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

impl std::error::Error for Problems {}

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
        outer.add_within("bonuses", Problems::one("[2].points", "is missing"));
        outer.add_within("bonuses", Problems::one("", "must be a list"));
        outer.add_within("[0]", Problems::one("label", "is missing"));
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

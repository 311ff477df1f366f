//! All problems of a row or a tree, each with its path.

use std::fmt;

use pointbook_store::limits::MAX_TOLD_PROBLEMS;

use super::Rule;

/// How many characters of a name from the input a message quotes.
const MAX_QUOTED_CHARS: usize = 60;

/// The problems in the order found. Each has a path, such as `bonus_breakdown[0].points`, and the broken rule. The path
/// is empty when the problem concerns the whole row or tree.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Problems(Vec<(String, Rule)>);

impl Problems {
    pub(super) fn add(&mut self, path: impl Into<String>, rule: impl Into<Rule>) {
        self.0.push((path.into(), rule.into()));
    }

    /// Adds the problems of the value at the path `outer`.
    pub(super) fn add_within(&mut self, outer: &str, inner: Self) {
        for (path, rule) in inner.0 {
            let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
            self.add(format!("{outer}{joint}{path}"), rule);
        }
    }

    /// The path and the broken rule of each.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Rule)> {
        self.0.iter().map(|(path, rule)| (&**path, rule))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn has_path(&self, name: &str) -> bool {
        self.0.iter().any(|(path, _)| path == name)
    }
}

impl From<Rule> for Problems {
    /// One problem with an empty path.
    fn from(rule: Rule) -> Self {
        Self(vec![(String::new(), rule)])
    }
}

impl fmt::Display for Problems {
    /// Joins the problems with `; `. Counts those beyond [`MAX_TOLD_PROBLEMS`] instead of listing them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let listed =
            self.0.iter().take(MAX_TOLD_PROBLEMS).map(|(path, rule)| {
                if path.is_empty() { rule.to_string() } else { format!("{path}: {rule}") }
            });
        f.write_str(&listed.collect::<Vec<_>>().join("; "))?;
        match self.0.len().saturating_sub(MAX_TOLD_PROBLEMS) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}

/// The message of the JSON parser for a string of one line. The parser's line number is always 1, so it is dropped.
pub(super) fn within_line(error: &impl fmt::Display) -> String {
    error.to_string().replace(" at line 1 column ", " at character ")
}

/// A name from the input in quotes, shortened so that the message stays readable.
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
    fn nested_problem_has_full_path() {
        let mut outer = Problems::default();
        for (outer_path, path, rule) in [
            ("bonuses", "[2].points", Rule::Required),
            ("bonuses", "", Rule::NotAList),
            ("[0]", "label", Rule::Required),
        ] {
            let mut inner = Problems::default();
            inner.add(path, rule);
            outer.add_within(outer_path, inner);
        }
        assert_eq!(
            outer.to_string(),
            "bonuses[2].points: is required; bonuses: must be a list; [0].label: is required"
        );
    }

    #[test]
    fn problems_beyond_maximum_are_counted() {
        let mut problems = Problems::default();
        (0..MAX_TOLD_PROBLEMS + 3).for_each(|_| problems.add("a", Rule::Empty));
        assert!(problems.to_string().ends_with("a: must not be empty; and 3 more"));
    }
}

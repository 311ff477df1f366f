//! The columns of each kind of file, and what they mean.

use maud::{Markup, html};
use pointbook_console_kit::components::table;
use pointbook_console_kit::visit::Visit;
use pointbook_files::import::{self, Kind};

/// A closed table of the columns of a file, or of the members of a category.
pub(crate) fn columns(visit: &Visit<'_>, kind: Kind) -> Markup {
    let (words, columns) = (visit.words, import::columns(kind));
    let row = |name: &&str| {
        let is_required = if columns.required.contains(name) { "import-yes" } else { "import-no" };
        let meaning = words.say(&meaning_text(kind, name));
        vec![html! { code { (name) } }, html! { (words.say(is_required)) }, html! { (meaning) }]
    };
    let rows: Vec<Vec<Markup>> = columns.known.iter().map(row).collect();
    let title = if kind == Kind::Categories { "import-fields" } else { "import-columns" };
    html! {
        details {
            summary { (words.say(title)) }
            (table(visit, &[title, "import-column-required", "import-column-meaning"], &rows))
        }
    }
}

/// The id of the text that says what a column means.
fn meaning_text(kind: Kind, column: &str) -> String {
    format!("import-{kind}-column-{}", column.replace('_', "-"))
}

#[cfg(test)]
mod tests {
    use pointbook_console_kit::shared::SOURCES;
    use pointbook_page_kit::Languages;

    use super::*;
    use crate::place::KINDS;

    /// Another test proves that all languages have the same texts.
    #[test]
    fn every_column_has_a_meaning() {
        let languages = Languages::new(SOURCES);
        for (kind, _) in KINDS {
            for column in import::columns(kind).known {
                assert!(!languages.english().say(&meaning_text(kind, column)).is_empty(), "{kind} {column}");
            }
        }
    }
}

//! The columns of each kind of file, and what they mean.

use maud::{Markup, html};
use pointbook_access::console_kit::Visit;

use crate::import;
use crate::import::{Kind, meaning_text};

/// A closed list of the columns of a file, or of the members of a category. Required ones say so.
pub(crate) fn columns(visit: &Visit<'_>, kind: Kind) -> Markup {
    let (words, columns) = (visit.words, import::columns(kind));
    let title = if kind == Kind::Categories { "import-fields" } else { "import-columns" };
    html! {
        details {
            summary { (words.say(title)) }
            dl .columns {
                @for name in columns.known {
                    div {
                        dt {
                            code { (name) }
                            @if columns.required.contains(name) { " · " (words.say("import-column-required")) }
                        }
                        dd { (words.say(&meaning_text(kind, name))) }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;
    use pointbook_http::pages::Languages;

    use super::*;
    use crate::console::paths::KINDS;

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

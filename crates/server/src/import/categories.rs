//! The category tree: replaced whole, or not at all.

use std::io::Read;

use pointbook_app::json::Json;
use pointbook_app::limits::{MAX_CATEGORIES, MAX_TITLE_CHARS};
use pointbook_domain::{Category, CategoryId, CategoryTree};

use super::cell::Cell;
use super::fields::Fields;
use super::kind::{RowOutcome, Target};
use super::limits::MAX_CATEGORIES_BYTES;
use super::problems::Problems;
use super::{Format, ImportError, Input, Kind, Summary};

const CATEGORY_FIELDS: &[&str] = &["id", "label", "children"];

/// Replaces the tree with the one of the input.
pub(super) async fn import_tree(target: Target<'_>, input: Input) -> Result<Summary, ImportError> {
    let tree = parse_categories(&read_document(input)?).map_err(ImportError::Content)?;
    let outcome = target.tenant.data.replace_categories(&tree).await.map_err(ImportError::Store)?;
    let mut summary = Summary::new(Kind::Categories);
    tree.visit(&mut |_, _, _| summary.count(&RowOutcome::from(outcome)));
    Ok(summary)
}

fn read_document(input: Input) -> Result<Vec<u8>, ImportError> {
    let (format, text) = input.open().map_err(ImportError::Unreadable)?;
    match format {
        Some(Format::Json) => {}
        None => return Err(ImportError::Usage("the input is empty".to_owned())),
        Some(Format::Csv | Format::Jsonl) => {
            return Err(ImportError::Usage("categories are read from one JSON array".to_owned()));
        }
    }
    let mut document = Vec::new();
    text.take(MAX_CATEGORIES_BYTES as u64 + 1).read_to_end(&mut document).map_err(ImportError::Unreadable)?;
    if document.len() > MAX_CATEGORIES_BYTES {
        let rule = format!("the tree must not be longer than {MAX_CATEGORIES_BYTES} bytes");
        return Err(ImportError::Content(Problems::one("", rule)));
    }
    Ok(document)
}

/// Reads a category tree from its JSON.
///
/// # Errors
/// [`Problems`], each with its path in the tree.
pub fn parse_categories(document: &[u8]) -> Result<CategoryTree, Problems> {
    let json = Json::parse(document)
        .map_err(|error| Problems::one("", format!("the tree is not valid JSON: {error}")))?;
    if json.count_within("children") > MAX_CATEGORIES {
        return Err(Problems::one(
            "",
            format!("the tree must not have more than {MAX_CATEGORIES} categories"),
        ));
    }
    let roots = Cell::Json(&json).list(usize::MAX, read_category)?;
    CategoryTree::new(roots).map_err(|error| Problems::one("", error))
}

fn read_category(cell: Cell<'_>) -> Result<Category, Problems> {
    let mut fields = Fields::of_value(CATEGORY_FIELDS, cell)?;
    let id = fields.required("id", |cell| cell.parse(CategoryId::new));
    let label = fields.required("label", |cell| cell.title(MAX_TITLE_CHARS));
    let children = fields.nested("children", |cell| cell.list(usize::MAX, read_category));
    fields.finish(|| Some(Category { id: id?, label: label?, children: children.unwrap_or_default() }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> String {
        parse_categories(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_tree_keeps_the_order_given() {
        let text = r#"[{"id":"b","label":"B","children":[{"id":"c","label":"C"}]},{"id":"a","label":"A","children":[]}]"#;
        let mut ids = Vec::new();
        parse_categories(text.as_bytes()).unwrap().visit(&mut |category, parent, _| {
            ids.push((category.id.to_string(), parent.map(|parent| parent.id.to_string())));
        });
        let expected = [("b", None), ("c", Some("b")), ("a", None)];
        let expected = expected.map(|(id, parent)| (id.to_owned(), parent.map(str::to_owned)));
        assert_eq!(ids, expected);
    }

    #[test]
    fn every_problem_is_told_with_its_path() {
        let text = r#"[{"id":"a","label":"A","children":[{"id":"","labl":"B"},7]},{"label":"C"}]"#;
        assert_eq!(
            problems(text),
            "[0].children[0]: \"labl\" is not a known field; [0].children[0].id: must not be empty; \
             [0].children[0].label: is missing; [0].children[1]: must be an object with id, label, children; \
             [1].id: is missing"
        );
    }

    #[test]
    fn an_id_stands_once_in_the_tree() {
        let text = r#"[{"id":"a","label":"A","children":[{"id":"a","label":"B"}]}]"#;
        assert_eq!(problems(text), "category \"a\" stands twice in the tree");
    }

    #[test]
    fn a_tree_has_at_most_10_000_categories_at_all_its_levels() {
        let one = |id: usize| format!(r#"{{"id":"{id}","label":"x"}}"#);
        let tree = |count: usize| {
            let within: Vec<_> = (1..count).map(one).collect();
            format!(r#"[{{"id":"0","label":"x","children":[{}]}}]"#, within.join(","))
        };
        assert!(parse_categories(tree(10_000).as_bytes()).is_ok());
        assert_eq!(problems(&tree(10_001)), "the tree must not have more than 10000 categories");
    }

    #[test]
    fn a_tree_is_one_array() {
        assert_eq!(problems("{}"), "must be a list");
        assert!(problems("[{]").starts_with("the tree is not valid JSON"));
        assert!(problems(&"[".repeat(100_000)).contains("recursion limit"));
    }
}

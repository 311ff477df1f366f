//! Imports the category tree: it replaces the whole tree or changes nothing.

use std::io::Read;
use std::str::Utf8Error;

use pointbook_catalogue::categories::edit::{TreeChange, import_categories, try_categories};
use pointbook_domain::json::Json;
use pointbook_domain::{CategoryEntry, CategoryId, CategoryTree, EntryParent};
use pointbook_store::StoreResult;
use pointbook_store::background::in_background;
use pointbook_store::limits::{MAX_CATEGORIES, MAX_TITLE_CHARS};

use super::cell::Cell;
use super::fields::Fields;
use super::kind::{Columns, Target};
use super::problems::Problems;
use super::{Effect, Format, ImportError, Input, Kind, Rule, Summary};

/// The largest category file, in bytes. The whole file is in memory, because a tree is checked as a whole.
const MAX_CATEGORIES_BYTES: usize = 16 << 20;

/// The members of a category. Only an outermost one may name its parent: a nested one already has a parent.
pub(super) const COLUMNS: Columns =
    Columns { known: &["id", "label", "children", "parent_id"], required: &["id", "label"] };

pub(super) async fn import_tree(
    target: Target<'_>,
    input: Input,
    may_be_empty: bool,
    effect: Effect,
) -> Result<Summary, ImportError> {
    let tree = read_tree(input).await?;
    if tree.roots().is_empty() && !may_be_empty {
        return Err(ImportError::Input(Rule::TreeEmpty));
    }
    let TreeChange { created, replaced, unchanged, removed } = match effect {
        Effect::Try => try_categories(&target.context::<()>(), tree).await,
        Effect::Store => store(target, tree).await,
    }
    .map_err(ImportError::Store)?;
    let read = created + replaced + unchanged;
    Ok(Summary { read, created, replaced, unchanged, removed, ..Summary::new(Kind::Categories) })
}

/// Reads and checks the tree in the background, because a tree of many mistakes takes long.
async fn read_tree(input: Input) -> Result<CategoryTree, ImportError> {
    in_background(move || check_tree(input)).await.map_err(ImportError::Store)?
}

pub(super) fn check_tree(input: Input) -> Result<CategoryTree, ImportError> {
    parse_categories(&read_document(input)?).map_err(ImportError::Content)
}

async fn store(target: Target<'_>, tree: CategoryTree) -> StoreResult<TreeChange> {
    import_categories(&target.context(), tree).await?.without_key()
}

fn read_document(input: Input) -> Result<Vec<u8>, ImportError> {
    let opened = input.open().map_err(|error| match error {
        // No advice for tables.
        ImportError::Input(Rule::Spreadsheet | Rule::Binary) => ImportError::Input(Rule::TreeNotArray),
        other => other,
    });
    let (format, text) = opened?;
    if format != Some(Format::Json) {
        return Err(ImportError::Input(format.map_or(Rule::NoInput, |_| Rule::TreeNotArray)));
    }
    let mut document = Vec::new();
    text.take(MAX_CATEGORIES_BYTES as u64 + 1).read_to_end(&mut document).map_err(ImportError::Unreadable)?;
    if document.len() > MAX_CATEGORIES_BYTES {
        return Err(ImportError::Content(Rule::TreeTooLong { bytes: MAX_CATEGORIES_BYTES }.into()));
    }
    Ok(document)
}

fn parse_categories(document: &[u8]) -> Result<CategoryTree, Problems> {
    let text = str::from_utf8(document).map_err(|error| not_utf8(document, error))?;
    let json = Json::parse(text.as_bytes()).map_err(|error| not_json(&error))?;
    if json.count_within("children") > MAX_CATEGORIES {
        return Err(Rule::TooManyCategories { max: MAX_CATEGORIES }.into());
    }
    let given = Cell::Json(&json).list(usize::MAX, |cell| read_category(cell, COLUMNS.known))?;
    let mut entries = Vec::new();
    add_entries(given, None, &mut entries);
    CategoryTree::from_entries(entries).map_err(|errors| {
        let mut problems = Problems::default();
        for error in &errors {
            problems.add("", error);
        }
        problems
    })
}

fn not_utf8(document: &[u8], error: Utf8Error) -> Rule {
    let before = document.iter().take(error.valid_up_to());
    Rule::TreeNotUtf8 { line: 1 + before.filter(|byte| **byte == b'\n').count() }
}

fn not_json(error: &serde_json::Error) -> Rule {
    Rule::TreeNotJson { problem: error.to_string(), line: error.line(), column: error.column() }
}

struct GivenCategory {
    id: CategoryId,
    label: String,
    children: Vec<Self>,
    parent_id: Option<CategoryId>,
}

fn read_category(cell: Cell<'_>, known: &[&'static str]) -> Result<GivenCategory, Problems> {
    let mut fields = Fields::of_object(known, cell)?;
    let id = fields.required("id", |cell| cell.new_id(CategoryId::new));
    let label = fields.required("label", |cell| cell.title(MAX_TITLE_CHARS));
    let read_inner = |cell: Cell<'_>| read_category(cell, &["id", "label", "children"]);
    let children = fields.optional("children", |cell| cell.list(usize::MAX, read_inner));
    let parent_id = fields.optional("parent_id", |cell| cell.parse(CategoryId::new));
    fields.finish(|| {
        Some(GivenCategory { id: id?, label: label?, children: children.unwrap_or_default(), parent_id })
    })
}

/// Adds categories to `entries`, each before its children. `outer` is the index of the category that contains them.
fn add_entries(given: Vec<GivenCategory>, outer: Option<usize>, entries: &mut Vec<CategoryEntry>) {
    for GivenCategory { id, label, children, parent_id } in given {
        let parent = match (outer, parent_id) {
            (Some(outer), _) => EntryParent::Around(outer),
            (None, Some(parent)) => EntryParent::Named(parent),
            (None, None) => EntryParent::None,
        };
        let index = entries.len();
        entries.push(CategoryEntry { id, label, parent });
        add_entries(children, Some(index), entries);
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use super::*;

    /// An input that stores the name of the thread that reads it.
    struct Named(Arc<Mutex<Option<String>>>);

    impl Read for Named {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            *self.0.lock().unwrap() = std::thread::current().name().map(str::to_owned);
            Ok(0)
        }
    }

    #[tokio::test]
    async fn the_runtime_does_not_wait_for_a_tree() {
        let thread = Arc::default();
        let input = Input::reader(b"[]".chain(Named(Arc::clone(&thread))), Some(Format::Json));
        assert_eq!(read_tree(input).await.unwrap().roots().len(), 0);
        assert_eq!(thread.lock().unwrap().as_deref(), Some("pointbook-back"));
    }

    fn problems(text: &str) -> String {
        parse_categories(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn tree_keeps_order_of_input() {
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
    fn a_line_that_is_not_utf_8_is_named() {
        let problems = parse_categories(b"[\n{\"id\":\"\xfc\"}]").unwrap_err();
        assert_eq!(problems.to_string(), "line 2 is not UTF-8: save the file as UTF-8");
    }

    #[test]
    fn every_problem_has_a_path() {
        let text = r#"[{"id":"a","label":"A","children":[{"id":"","labl":"B"},7]},{"label":"C"}]"#;
        assert_eq!(
            problems(text),
            "[0].children[0]: \"labl\" is not a known field; [0].children[0].id: must not be empty; \
             [0].children[0].label: is required; [0].children[1]: must be an object with id, label, children; \
             [1].id: is required"
        );
    }

    #[test]
    fn repeated_id_is_refused() {
        let text = r#"[{"id":"a","label":"A","children":[{"id":"a","label":"B"}]}]"#;
        assert_eq!(problems(text), "category \"a\" stands twice");
    }

    #[test]
    fn outermost_category_may_name_parent_before_or_after_it() {
        let flat = r#"[{"id":"c","label":"C","parent_id":"b"},{"id":"a","label":"A"},{"id":"b","label":"B","parent_id":"a"}]"#;
        let nested = r#"[{"id":"a","label":"A","children":[{"id":"b","label":"B","children":[{"id":"c","label":"C"}]}]}]"#;
        assert_eq!(parse_categories(flat.as_bytes()), parse_categories(nested.as_bytes()));
        assert_eq!(
            problems(r#"[{"id":"a","label":"A","parent_id":"x"}]"#),
            "category \"a\" has an unknown parent"
        );
        let within = r#"[{"id":"a","label":"A","children":[{"id":"b","label":"B","parent_id":"a"}]}]"#;
        assert_eq!(problems(within), "[0].children[0]: \"parent_id\" is not a known field");
    }

    #[test]
    fn tree_has_at_most_10_000_categories_over_all_levels() {
        let one = |id: usize| format!(r#"{{"id":"{id}","label":"x"}}"#);
        let tree = |count: usize| {
            let within: Vec<_> = (1..count).map(one).collect();
            format!(r#"[{{"id":"0","label":"x","children":[{}]}}]"#, within.join(","))
        };
        assert!(parse_categories(tree(10_000).as_bytes()).is_ok());
        assert_eq!(problems(&tree(10_001)), "the tree must not have more than 10000 categories");
    }

    #[test]
    fn tree_must_be_one_array() {
        assert_eq!(problems("{}"), "must be a list");
        assert!(problems("[{]").starts_with("the tree is not valid JSON"));
        assert!(problems(&"[".repeat(100_000)).contains("recursion limit"));
    }
}

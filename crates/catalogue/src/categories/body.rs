//! A category tree from a back office: nested categories, categories that name their parent, or both.

use pointbook_domain::category::{EntryError, EntryFault, MAX_CATEGORY_DEPTH};
use pointbook_domain::errors::{FieldCode, FieldErrors, Rule};
use pointbook_domain::{CategoryEntry, CategoryId, CategoryTree, EntryParent};
use pointbook_http::body::{
    BodyFields, Reader, Value, choice, list, new_id, object, reader, schema_of, title,
};
use pointbook_http::describe::Schema;
use pointbook_store::limits::{MAX_CATEGORIES, MAX_TITLE_CHARS};

const CATEGORIES: &str = "categories";
const CHILDREN: &str = "children";

/// Reads a tree. It reports errors of the tree as a whole when every single category is valid.
pub fn read_category_tree(mut fields: BodyFields<'_>) -> Result<CategoryTree, FieldErrors> {
    let categories = fields.required(CATEGORIES, categories());
    let categories = fields.finish(|| categories)?;
    let mut given = GivenEntries::default();
    given.take(categories, None);
    let GivenEntries { entries, places } = given;
    CategoryTree::from_entries(entries).map_err(|errors| refuse(&errors, &places))
}

/// Counts the categories before it reads the first.
fn categories() -> impl Reader<Item = Vec<GivenCategory>> {
    let tree =
        list(MAX_CATEGORIES, object(read_outer)).about("At most 10,000 categories on all levels together.");
    let read = move |value: Value<'_>| {
        if value.json.count_within(CHILDREN) > MAX_CATEGORIES {
            return Err(value.refused(Rule::at_most_items(MAX_CATEGORIES)));
        }
        tree.read(value)
    };
    reader(read, move || tree.schema())
}

/// A category with its nested categories.
struct GivenCategory {
    id: CategoryId,
    label: String,
    children: Vec<GivenCategory>,
    parent_id: Option<CategoryId>,
}

/// Only a category of the top level may name its parent. A parent id that cannot exist is unknown.
fn read_outer(mut fields: BodyFields<'_>) -> Result<GivenCategory, FieldErrors> {
    let category = read_category(&mut fields);
    let parent_id = choice(|text| CategoryId::new(text).ok()).with_schema(Schema::id);
    let parent_id = fields.optional("parent_id", parent_id.about("The id of the category above it."));
    fields.finish(|| Some(GivenCategory { parent_id, ..category? }))
}

/// Reads a nested category, the schema `NewCategory`. Recursive, but never deep: the parser of the body bounds the depth.
fn read_inner(mut fields: BodyFields<'_>) -> Result<GivenCategory, FieldErrors> {
    let category = read_category(&mut fields);
    fields.finish(|| category)
}

/// The schema of a nested category.
pub fn new_category_schema() -> Schema {
    schema_of(read_inner)
}

fn read_category(fields: &mut BodyFields<'_>) -> Option<GivenCategory> {
    let id = fields.required("id", new_id(CategoryId::new));
    let label = fields.required("label", title(MAX_TITLE_CHARS));
    let child = object(read_inner).with_schema(|| Schema::named("NewCategory"));
    let children = list(MAX_CATEGORIES, child).about("The categories below it.");
    let children = fields.optional(CHILDREN, children);
    Some(GivenCategory { id: id?, label: label?, children: children.unwrap_or_default(), parent_id: None })
}

/// Categories one by one, each before its children, with their places in the body.
#[derive(Default)]
struct GivenEntries {
    entries: Vec<CategoryEntry>,
    places: Vec<BodyPlace>,
}

/// The place of a category in the body.
struct BodyPlace {
    /// The entry above it.
    around: Option<usize>,
    /// The index in the list, from 0.
    index: usize,
}

impl GivenEntries {
    fn take(&mut self, categories: Vec<GivenCategory>, around: Option<usize>) {
        for (index, category) in categories.into_iter().enumerate() {
            let GivenCategory { id, label, children, parent_id } = category;
            let place = self.entries.len();
            let parent = match (around, parent_id) {
                (Some(outer), _) => EntryParent::Around(outer),
                (None, Some(parent)) => EntryParent::Named(parent),
                (None, None) => EntryParent::None,
            };
            self.entries.push(CategoryEntry { id, label, parent });
            self.places.push(BodyPlace { around, index });
            self.take(children, Some(place));
        }
    }
}

fn refuse(faults: &[EntryError], places: &[BodyPlace]) -> FieldErrors {
    let mut errors = FieldErrors::default();
    for EntryError { place, id: _, fault } in faults {
        let key = key(*place, places);
        match fault {
            EntryFault::Duplicate => errors
                .refuse(&format!("{key}.id"), Rule::new(FieldCode::DuplicateValue, "has already been taken")),
            EntryFault::UnknownParent => {
                errors.refuse(&format!("{key}.parent_id"), Rule::choice(FieldCode::UnknownCategory));
            }
            EntryFault::Cycle => errors
                .refuse(&format!("{key}.parent_id"), Rule::new(FieldCode::CategoryCycle, "makes a cycle")),
            EntryFault::TooDeep => {
                let rule = format!("must not be deeper than {MAX_CATEGORY_DEPTH} levels");
                errors.refuse(&key, Rule::new(FieldCode::CategoryTooDeep, rule));
            }
        }
    }
    errors
}

/// `categories.2.children.0`.
fn key(place: usize, places: &[BodyPlace]) -> String {
    let (mut indexes, mut next) = (Vec::new(), places.get(place));
    while let Some(BodyPlace { around, index }) = next {
        indexes.push(index.to_string());
        next = around.and_then(|outer| places.get(outer));
    }
    indexes.reverse();
    format!("{CATEGORIES}.{}", indexes.join(&format!(".{CHILDREN}.")))
}

#[cfg(test)]
mod tests {
    use pointbook_testkit::read_text;

    use super::*;
    use crate::categories::managed_view::CategoriesView;

    fn read(categories: &str) -> Result<String, String> {
        let read = read_text(&format!(r#"{{"categories":{categories}}}"#), read_category_tree);
        read.map(|tree| serde_json::to_string(&CategoriesView::from(&tree)).unwrap())
            .map_err(|errors| serde_json::to_string(&errors).unwrap().replace("],", "],\n"))
    }

    const TREE: &str = r#"{"data":[{"id":"a","label":"A","children":[{"id":"b","label":"B","children":[{"id":"c","label":"C","children":[]}]}]},{"id":"d","label":"D","children":[]}]}"#;

    #[test]
    fn one_tree_can_be_written_in_many_ways() {
        for categories in [
            r#"[{"id":"a","label":"A","children":[{"id":"b","label":"B","children":[{"id":"c","label":"C"}]}]},{"id":"d","label":"D","children":[]}]"#,
            r#"[{"id":"a","label":"A"},{"id":"b","label":"B","parent_id":"a"},{"id":"c","label":"C","parent_id":"b"},{"id":"d","label":"D","parent_id":null}]"#,
            r#"[{"parent_id":"b","label":"C","id":"c"},{"parent_id":"a","label":"B","id":"b"},{"label":"A","id":"a"},{"label":"D","id":"d"}]"#,
            r#"[{"id":"c","label":"C","parent_id":"b"},{"id":"a","label":"A","children":[{"id":"b","label":"B"}]},{"id":"d","label":"D"}]"#,
            r#"[{"id":"b","label":"B","parent_id":"a","children":[{"id":"c","label":"C"}]},{"id":"a","label":"A"},{"id":"d","label":"D"}]"#,
        ] {
            assert_eq!(read(categories).as_deref(), Ok(TREE), "{categories}");
        }
        assert_eq!(read("[]").as_deref(), Ok(r#"{"data":[]}"#));
    }

    #[test]
    fn what_is_no_category_is_told_by_its_place() {
        let bad = r#"[{"id":"","label":7,"parent_id":""},{"id":"a","label":"A","children":[{"label":"B","parent_id":"a"},3]},[]]"#;
        insta::assert_snapshot!(read(bad).unwrap_err(), @r#"
        {"categories.0.id":["The categories.0.id field is required."],
        "categories.0.label":["The categories.0.label must be a string."],
        "categories.0.parent_id":["The selected categories.0.parent id is invalid."],
        "categories.1.children.0.id":["The categories.1.children.0.id field is required."],
        "categories.1.children.0.parent_id":["The categories.1.children.0.parent_id field is not known."],
        "categories.1.children.1":["The categories.1.children.1 must be an object."],
        "categories.2":["The categories.2 must be an object."]}
        "#);
        insta::assert_snapshot!(read("{}").unwrap_err(), @r#"{"categories":["The categories must be an array."]}"#);
        insta::assert_snapshot!(read("null").unwrap_err(), @r#"{"categories":["The categories field is required."]}"#);
    }

    #[test]
    fn what_does_not_fit_into_a_tree_is_told_by_its_place() {
        let bad = r#"[{"id":"a","label":"A","children":[{"id":"a","label":"A"}]},{"id":"b","label":"B","parent_id":"stranger"},
            {"id":"x","label":"X","parent_id":"y"},{"id":"y","label":"Y","parent_id":"x"},{"id":"a","label":"A"}]"#;
        insta::assert_snapshot!(read(bad).unwrap_err(), @r#"
        {"categories.0.children.0.id":["The categories.0.children.0.id has already been taken."],
        "categories.1.parent_id":["The selected categories.1.parent id is invalid."],
        "categories.2.parent_id":["The categories.2.parent id makes a cycle."],
        "categories.4.id":["The categories.4.id has already been taken."]}
        "#);
    }

    #[test]
    fn a_tree_has_at_most_10_000_categories_at_all_its_levels() {
        let one = |id: usize| format!(r#"{{"id":"{id}","label":"x"}}"#);
        let tree = |count: usize| {
            let within: Vec<_> = (2..count).map(one).collect();
            format!(r#"[{},{{"id":"1","label":"x","children":[{}]}}]"#, one(0), within.join(","))
        };
        assert!(read(&tree(10_000)).is_ok());
        assert_eq!(
            read(&tree(10_001)).unwrap_err(),
            r#"{"categories":["The categories must not have more than 10000 items."]}"#
        );
    }

    #[test]
    fn a_tree_has_at_most_32_levels_however_it_is_written() {
        let nested = |levels: usize| {
            let inner = (1..levels).fold(String::new(), |inner, level| {
                format!(r#"{{"id":"{level}","label":"x","children":[{inner}]}}"#)
            });
            format!(r#"[{{"id":"root","label":"x","children":[{inner}]}}]"#)
        };
        assert!(read(&nested(32)).is_ok());
        let place = format!("categories.0{}", ".children.0".repeat(32));
        assert_eq!(
            read(&nested(33)).unwrap_err(),
            format!(r#"{{"{place}":["The {place} must not be deeper than 32 levels."]}}"#)
        );
        let flat = |levels: usize| {
            let one =
                |level: usize| format!(r#",{{"id":"{level}","label":"x","parent_id":"{}"}}"#, level - 1);
            format!(r#"[{{"id":"0","label":"x"}}{}]"#, (1..levels).map(one).collect::<String>())
        };
        assert!(read(&flat(32)).is_ok());
        assert_eq!(
            read(&flat(40)).unwrap_err(),
            r#"{"categories.32":["The categories.32 must not be deeper than 32 levels."]}"#
        );
    }
}

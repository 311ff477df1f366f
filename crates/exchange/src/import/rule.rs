//! The rules that an input can break. Each is declared once: its kind, by which a page finds its own text, and its English text.

use pointbook_domain::attributes::MAX_ATTRIBUTES;
use pointbook_domain::category::{EntryError, EntryFault, MAX_CATEGORY_DEPTH};
use pointbook_domain::id::{IdError, MAX_ID_CHARS};
use pointbook_domain::points::OutOfRange;
use pointbook_domain::{AttributesError, BonusesError, rules};

use super::problems::quoted;

rules! {
    /// A broken rule. It displays the English text of the command line and of reject files.
    pub enum Rule;

    Required "required" "is required";
    Empty "empty" "must not be empty";
    TooLong { chars: usize } "too-long" "must not be longer than {chars} characters";
    NotWhole "not-whole" "must be a whole number";
    NotBoolean "not-boolean" "must be true or false";
    NotText "not-text" "must be a string";
    Nul "nul" "must not contain U+0000";
    Control "control" "must not contain control characters";
    OutOfRange { min: i64, max: i64 } "out-of-range" "must be between {min} and {max}";
    PointsOutOfRange { min: i64, max: i64 } "points-out-of-range" "with its bonuses must be between {min} and {max}";
    BonusesOutOfRange { min: i64, max: i64 } "bonuses-out-of-range" "in total must be between {min} and {max}";
    Negative "negative" "must not have negative points";
    TooManyItems { max: usize } "too-many" "must not have more than {max} items";
    TooManyNames { max: usize } "too-many" "must not have more than {max} names";
    NotAList "not-a-list" "must be a list";
    NotATime { got: String } "not-a-time"
        "must be a date-time such as 2024-02-29T12:34:56Z or 2024-02-29T13:34:56+01:00, got {got}";
    TimeNotText "time-not-text"
        "must be a date-time such as 2024-02-29T12:34:56Z or 2024-02-29T13:34:56+01:00, as a string";
    NoZone { time: String } "no-zone"
        "must say its zone: add Z for UTC, or an offset, as in {time}Z or {time}+01:00";
    NotADay { got: String } "not-a-day" "must be a date such as 1984-02-29 (YYYY-MM-DD), got {got}";
    DayNotText "day-not-text" "must be a date such as 1984-02-29 (YYYY-MM-DD), as a string";
    Future "future" "must not be in the future";
    NotAUrl "not-a-url" "must be an absolute URL that begins with http:// or https://";
    AboveRegular "above-regular" "must not be above regular_price";
    TooComplex { levels: usize, attributes: usize } "too-complex"
        "must not nest elements deeper than {levels} levels, give one more than {attributes} attributes, or leave formatting elements open in many blocks";
    NotALocale "not-a-locale" "a locale is a language tag such as en, de-AT or zh-Hant";
    NotAName "not-a-name" "must have 1 to 32 characters of a-z, 0-9, _ and -";
    NotAnObject { names: String } "not-an-object" "must be an object with {names}";
    NotStrings "not-strings" "must be an object with strings";
    NotJsonStrings "not-strings" "must be a JSON object with strings";
    NotJson { problem: String, column: usize } "not-json" "is not valid JSON: {problem}";
    NameTwice { name: String } "twice" "has the name {name} twice";
    ItemTwice { name: String } "twice" "{name} appears twice";
    FieldTwice "field-twice" "appears twice";
    UnknownField { name: String } "unknown-field" "{name} is not a known field";
    AttributeName { name: String } "attribute-name"
        "the name {name} must have 1 to 32 characters of a-z, 0-9, _ and -";
    AttributeValue { name: String } "attribute-value"
        "the value of {name} must have 1 to 200 characters, and no U+0000";
    AttributeNul { name: String } "attribute-nul" "the value of {name} must not contain U+0000";
    AttributeNotText { name: String } "attribute-not-text" "the value of {name} must be a string";
    UnknownType { name: String } "unknown-type" "the tenant has no activity type {name}";
    Recorded "recorded" "recorded before with other content";
    Balance "balance" "the balance would be out of range";
    /// A row without a problem gives no item. Nothing reaches this.
    Incomplete "incomplete" "is incomplete";

    Cells { cells: usize, columns: usize } "cells" "the row has {cells} cells but the header has {columns}";
    RowNotUtf8 "not-utf8"
        "the row is not UTF-8, perhaps it is Windows-1252: save the file as UTF-8 (in Excel: CSV UTF-8)";
    LostCharacter "lost-character" "the row has � in place of a lost character: put the right one there";
    RowNotJson { problem: String, column: usize } "row-not-json" "the row is not valid JSON: {problem}";
    RowTooLong { bytes: usize } "row-too-long"
        "the row is longer than {bytes} bytes: a reject file keeps only its beginning";
    OpenQuote "open-quote" "a quote is not closed, so the row includes everything after it";
    QuoteInCell { cell: u64 } "quote-in-cell"
        "cell {cell} continues after its closing quote: write a quote inside a quoted cell twice";

    NoInput "no-input" "the input is empty";
    NoHeader "no-header" "the input is empty: its first line must name the columns";
    Spreadsheet "spreadsheet"
        "the input is a spreadsheet (.xlsx, .xls) or a zip archive: save the sheet as CSV UTF-8";
    Utf16 "utf-16" "the input is UTF-16: save the file as UTF-8 (in Excel: CSV UTF-8)";
    Binary "binary" "the input is not a table but a picture or another binary file: choose a CSV or JSON file";
    RowsAsArray "rows-as-array"
        "a JSON array is only for categories: provide rows as CSV, or as JSONL with one object per line";
    UnknownColumn { name: String } "unknown-column" "unknown column {name}";
    MisspeltColumn { name: String, known: String } "misspelt-column"
        "unknown column {name} (did you mean {known}?)";
    KnownColumns { names: String } "known-columns" "the known columns are {names}";

    TreeNotUtf8 { line: usize } "tree-not-utf8" "line {line} is not UTF-8: save the file as UTF-8";
    TreeNotArray "tree-not-array" "categories must be one JSON array";
    TreeNotJson { problem: String, line: usize, column: usize } "tree-not-json" "the tree is not valid JSON: {problem}";
    TreeTooLong { bytes: usize } "tree-too-long" "the tree must not be longer than {bytes} bytes";
    /// More likely a failed export than a wish to remove all categories.
    TreeEmpty "tree-empty"
        "the list has no categories, and importing it would remove every category; to do that, send PUT /v1/manage/categories with {{\"categories\": []}}";
    TooManyCategories { max: usize } "too-many-categories" "the tree must not have more than {max} categories";
    CategoryTwice { id: String } "category-twice" "category {id} stands twice";
    UnknownParent { id: String } "unknown-parent" "category {id} has an unknown parent";
    CategoryCycle { id: String } "category-cycle" "category {id} is below itself";
    CategoryTooDeep { id: String, levels: usize } "category-too-deep" "category {id} is deeper than {levels} levels";
}

impl From<IdError> for Rule {
    fn from(error: IdError) -> Self {
        match error {
            IdError::Empty => Self::Empty,
            IdError::TooLong => Self::TooLong { chars: MAX_ID_CHARS },
            IdError::Nul => Self::Nul,
        }
    }
}

impl From<OutOfRange> for Rule {
    fn from(OutOfRange { min, max }: OutOfRange) -> Self {
        Self::OutOfRange { min, max }
    }
}

impl From<BonusesError> for Rule {
    fn from(error: BonusesError) -> Self {
        match error {
            BonusesError::Negative => Self::Negative,
            BonusesError::OutOfRange(OutOfRange { min, max }) => Self::BonusesOutOfRange { min, max },
        }
    }
}

impl From<AttributesError> for Rule {
    fn from(error: AttributesError) -> Self {
        match error {
            AttributesError::TooMany => Self::TooManyNames { max: MAX_ATTRIBUTES },
            AttributesError::Name(name, _) => Self::AttributeName { name: quoted(&name) },
            AttributesError::Value(name, _) => Self::AttributeValue { name: quoted(&name) },
            AttributesError::Duplicate(name) => Self::NameTwice { name: format!("{name:?}") },
        }
    }
}

impl From<&EntryError> for Rule {
    fn from(error: &EntryError) -> Self {
        let id = format!("{:?}", error.id.as_str());
        match error.fault {
            EntryFault::Duplicate => Self::CategoryTwice { id },
            EntryFault::UnknownParent => Self::UnknownParent { id },
            EntryFault::Cycle => Self::CategoryCycle { id },
            EntryFault::TooDeep => Self::CategoryTooDeep { id, levels: MAX_CATEGORY_DEPTH },
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_domain::{
        ActivityType, Attributes, Bonus, Bonuses, CategoryEntry, CategoryId, Points, UserId,
    };
    use pointbook_domain::{CategoryTree, EntryParent, Locale};

    use super::*;

    fn told(rule: impl Into<Rule>) -> String {
        rule.into().to_string()
    }

    #[test]
    fn rules_of_the_domain_have_its_texts() {
        for id in ["", "a\0", &"a".repeat(256)] {
            let error = UserId::new(id).unwrap_err();
            assert_eq!(told(error), error.to_string());
        }
        let range = Points::new(i64::MAX).unwrap_err();
        assert_eq!(told(range), range.to_string());
        for points in [vec![-1], vec![pointbook_domain::points::MAX_POINTS, 1]] {
            let bonus = |points| Bonus {
                kind: String::new(),
                points: Points::new(points).unwrap(),
                title: String::new(),
            };
            let error = Bonuses::new(points.into_iter().map(bonus).collect()).unwrap_err();
            assert_eq!(told(error), error.to_string());
        }
        assert_eq!(told(Rule::NotALocale), Locale::new("").unwrap_err().to_string());
        assert_eq!(told(Rule::NotAName), ActivityType::new("").unwrap_err().to_string());
        let (name, form) = (|| "x".to_owned(), |error: &dyn std::fmt::Display| error.to_string());
        let name_form = form(&Attributes::check_name("").unwrap_err());
        assert_eq!(told(Rule::AttributeName { name: name() }), format!("the name x {name_form}"));
        let value_form = form(&Attributes::check_value("").unwrap_err());
        assert_eq!(told(Rule::AttributeValue { name: name() }), format!("the value of x {value_form}"));
        let twice = Attributes::new([(name(), name()), (name(), name())]).unwrap_err();
        assert_eq!(told(twice.clone()), twice.to_string());
        let (levels, attributes) =
            (pointbook_catalogue::html::MAX_HTML_DEPTH, pointbook_catalogue::html::MAX_HTML_ATTRIBUTES);
        assert_eq!(
            told(Rule::TooComplex { levels, attributes }),
            pointbook_catalogue::html::complexity_rule()
        );
    }

    #[test]
    fn faults_of_a_tree_have_the_texts_of_the_domain() {
        let id = |number: usize| CategoryId::new(format!("\"{number}\"")).unwrap();
        let entry = |number, parent| CategoryEntry { id: id(number), label: String::new(), parent };
        let mut entries = vec![
            entry(0, EntryParent::None),
            entry(0, EntryParent::None),
            entry(1, EntryParent::Named(id(2))),
            entry(3, EntryParent::Named(id(3))),
        ];
        entries.extend((10..50).map(|number| {
            let parent = if number == 10 { EntryParent::None } else { EntryParent::Named(id(number - 1)) };
            entry(number, parent)
        }));
        let errors = CategoryTree::from_entries(entries).unwrap_err();
        for fault in
            [EntryFault::Duplicate, EntryFault::UnknownParent, EntryFault::Cycle, EntryFault::TooDeep]
        {
            let error = errors.iter().find(|error| error.fault == fault).unwrap();
            assert_eq!(told(error), error.to_string());
        }
    }

    #[test]
    fn a_rule_has_its_kind_and_the_values_that_differ() {
        let rule = Rule::OutOfRange { min: -5, max: 7 };
        assert_eq!(
            (rule.kind(), rule.parts()),
            ("out-of-range", vec![("min", "-5".into()), ("max", "7".into())])
        );
        assert_eq!((Rule::Required.kind(), Rule::Required.parts()), ("required", Vec::new()));
    }

    #[test]
    fn the_text_of_an_empty_tree_has_its_braces() {
        assert!(told(Rule::TreeEmpty).ends_with("send PUT /v1/manage/categories with {\"categories\": []}"));
    }
}

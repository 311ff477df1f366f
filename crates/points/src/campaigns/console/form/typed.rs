//! What is typed in the form.

use std::collections::BTreeMap;

use pointbook_http::pages::Form;

/// The periods of limits per member.
pub(super) const PERIODS: [&str; 5] = ["day", "week", "month", "year", "ever"];

pub(super) const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// The fields with one value.
pub(super) const SINGLE: [&str; 29] = [
    "id",
    "title",
    "titles",
    "kind",
    "starts_at",
    "ends_at",
    "prefixes",
    "min_points",
    "ordinal",
    "ordinal_number",
    "ordinal_of",
    "member_since",
    "member_before",
    "members",
    "birthday",
    "birthday_pays",
    "unit",
    "number",
    "at_most",
    "budget_awards",
    "budget_points",
    "on_points_limit",
    "group",
    "wins",
    "priority",
    "control_percent",
    "takes_over_at",
    "version",
    "json",
];

/// The fields with several values. Those of the rows of a table have one value for each row.
pub(super) const SEVERAL: [&str; 10] = [
    "types",
    "weekdays",
    "hours_from",
    "hours_until",
    "windows_from",
    "windows_until",
    "attribute_name",
    "attribute_values",
    "limit_awards",
    "limit_points",
];

/// The tables of fields.
const TABLES: [[&str; 2]; 3] = [
    ["hours_from", "hours_until"],
    ["windows_from", "windows_until"],
    ["attribute_name", "attribute_values"],
];

/// The values of the fields, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Typed(BTreeMap<&'static str, Vec<String>>);

impl Typed {
    pub(in super::super) fn of(form: &Form) -> Self {
        let names = SINGLE.into_iter().chain(SEVERAL);
        let values = |name: &'static str| form.all(name).map(|value| value.replace("\r\n", "\n")).collect();
        let mut typed = Self(names.map(|name| (name, values(name))).collect());
        for names in TABLES {
            typed.close_gaps(names);
        }
        typed
    }

    /// Removes empty rows of a table, so that its rows are those of the definition.
    fn close_gaps(&mut self, names: [&'static str; 2]) {
        let rows: Vec<[String; 2]> = self.rows(names).into_iter().map(|row| row.map(str::to_owned)).collect();
        for (place, name) in names.into_iter().enumerate() {
            let column = rows.iter().filter_map(|row| row.get(place)).cloned().collect();
            self.0.insert(name, column);
        }
    }

    /// The first value; empty without one.
    pub(in super::super) fn get(&self, name: &str) -> &str {
        self.all(name).first().map_or("", |value| value.trim())
    }

    /// The first value as it was typed, with the lines that an error of JSON counts.
    pub(in super::super) fn raw(&self, name: &str) -> &str {
        self.all(name).first().map_or("", String::as_str)
    }

    pub(super) fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    pub(super) fn at(&self, name: &str, row: usize) -> &str {
        self.all(name).get(row).map_or("", |value| value.trim())
    }

    pub(in super::super) fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.insert(name, vec![value.into()]);
    }

    pub(super) fn push(&mut self, name: &'static str, value: impl Into<String>) {
        self.0.entry(name).or_default().push(value.into());
    }

    /// The rows of a table of two fields, without those in which nothing is typed.
    pub(super) fn rows(&self, names: [&str; 2]) -> Vec<[&str; 2]> {
        let count = names.iter().map(|name| self.all(name).len()).max().unwrap_or_default();
        let rows = (0..count).map(|row| names.map(|name| self.at(name, row)));
        rows.filter(|row| row.iter().any(|value| !value.is_empty())).collect()
    }

    /// The lines of a text, without empty ones.
    pub(super) fn lines(text: &str) -> Vec<&str> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }
}

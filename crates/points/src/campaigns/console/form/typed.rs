//! What is typed in the form.

use std::collections::BTreeMap;

use pointbook_http::pages::Form;

/// The periods of limits per member.
pub(super) const PERIODS: [&str; 5] = ["day", "week", "month", "year", "ever"];
/// In place of a period: the limit is of all members together.
pub(super) const ALL: &str = "all";

pub(super) const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// The fields with one value.
const SINGLE: [&str; 27] = [
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
    "on_points_limit",
    "group",
    "wins",
    "priority",
    "control_percent",
    "takes_over_at",
    "version",
    "json",
];

/// The boxes of which several may be ticked.
const BOXES: [&str; 2] = ["types", "weekdays"];

/// The tables of fields. Each row has one value of each field.
pub(super) const HOURS: [&str; 2] = ["hours_from", "hours_until"];
pub(super) const WINDOWS: [&str; 2] = ["windows_from", "windows_until"];
pub(super) const ATTRIBUTES: [&str; 2] = ["attribute_name", "attribute_values"];
pub(super) const LIMITS: [&str; 3] = ["limit_number", "limit_unit", "limit_per"];

/// The fields of a table that a person chooses. A row with nothing else is empty.
const CHOSEN: [&str; 2] = ["limit_unit", "limit_per"];

/// The values of the fields, by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in super::super) struct Typed(BTreeMap<&'static str, Vec<String>>);

impl Typed {
    pub(in super::super) fn of(form: &Form) -> Self {
        let tables = [&HOURS[..], &WINDOWS, &ATTRIBUTES, &LIMITS].concat();
        let names = SINGLE.into_iter().chain(BOXES).chain(tables);
        let values = |name: &'static str| form.all(name).map(|value| value.replace("\r\n", "\n")).collect();
        let mut typed = Self(names.map(|name| (name, values(name))).collect());
        for names in [HOURS, WINDOWS, ATTRIBUTES] {
            typed.close_gaps(names);
        }
        typed.close_gaps(LIMITS);
        typed
    }

    /// Takes a condition away: all of its fields, or one row of its table.
    pub(super) fn remove(&mut self, fields: &[&'static str], row: Option<usize>) {
        for name in fields {
            match (self.0.get_mut(name), row) {
                (Some(values), Some(row)) if row < values.len() => drop(values.remove(row)),
                (_, Some(_)) => {}
                (_, None) => drop(self.0.remove(name)),
            }
        }
    }

    /// Removes empty rows of a table, so that its rows are those of the definition.
    fn close_gaps<const N: usize>(&mut self, names: [&'static str; N]) {
        let rows: Vec<[String; N]> = self.rows(names).into_iter().map(|row| row.map(str::to_owned)).collect();
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

    /// The rows of a table, without those in which nothing is typed.
    pub(super) fn rows<const N: usize>(&self, names: [&str; N]) -> Vec<[&str; N]> {
        let count = names.iter().map(|name| self.all(name).len()).max().unwrap_or_default();
        let is_typed =
            |row: &usize| names.iter().any(|name| !CHOSEN.contains(name) && !self.at(name, *row).is_empty());
        (0..count).filter(is_typed).map(|row| names.map(|name| self.at(name, row))).collect()
    }

    /// The lines of a text, without empty ones.
    pub(super) fn lines(text: &str) -> Vec<&str> {
        text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
    }
}

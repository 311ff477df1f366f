//! The fields of one row or object. Each field is checked, and every problem is kept, not only the first.

use pointbook_domain::json::Json;

use super::Rule;
use super::cell::Cell;
use super::problems::{Problems, quoted};

#[derive(Debug, Default)]
pub(super) struct Fields<'r> {
    /// The cell is `None` when it is empty or null.
    cells: Vec<(&'static str, Option<Cell<'r>>)>,
    problems: Problems,
}

impl<'r> Fields<'r> {
    /// Takes CSV cells with the names of their columns. An empty cell is an absent field.
    pub(super) fn of_csv(cells: impl Iterator<Item = (&'static str, &'r str)>) -> Self {
        let cells = cells.map(|(name, text)| (name, (!text.is_empty()).then_some(Cell::Csv(text))));
        Self { cells: cells.collect(), problems: Problems::default() }
    }

    /// Takes the members of a JSON object. Null is an absent field. An unknown or repeated name is a problem.
    pub(super) fn of_object(known: &[&'static str], value: Cell<'r>) -> Result<Self, Problems> {
        let Cell::Json(Json::Object(members)) = value else {
            return Err(Rule::NotAnObject { names: known.join(", ") }.into());
        };
        let mut fields = Self::default();
        for (key, value) in members {
            match known.iter().find(|name| *name == key) {
                None => fields.problems.add("", Rule::UnknownField { name: quoted(key) }),
                Some(name) if fields.contains(name) => fields.add(name, Rule::FieldTwice),
                Some(name) => {
                    fields.cells.push((name, (*value != Json::Null).then_some(Cell::Json(value))));
                }
            }
        }
        Ok(fields)
    }

    /// Reads a field. An absent field is a problem.
    pub(super) fn required<T, E: Into<Problems>>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Cell<'r>) -> Result<T, E>,
    ) -> Option<T> {
        if self.cell(name).is_none() && !self.problems.has_path(name) {
            self.add(name, Rule::Required);
        }
        self.optional(name, read)
    }

    /// Reads a field. Returns `None` when it is absent or invalid. An invalid value is a problem.
    pub(super) fn optional<T, E: Into<Problems>>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(Cell<'r>) -> Result<T, E>,
    ) -> Option<T> {
        read(self.cell(name)?).map_err(|inner| self.problems.add_within(name, inner.into())).ok()
    }

    /// The value of a field; `None` when it is absent, empty or null.
    pub(super) fn cell(&self, name: &str) -> Option<Cell<'r>> {
        self.cells.iter().find(|(known, _)| *known == name).and_then(|(_, cell)| *cell)
    }

    /// Whether the row has the field, even as an empty cell or null.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.cells.iter().any(|(known, _)| *known == name)
    }

    pub(super) fn add(&mut self, name: &'static str, rule: Rule) {
        self.problems.add(name, rule);
    }

    /// Builds the item when there are no problems.
    pub(super) fn finish<T>(mut self, item: impl FnOnce() -> Option<T>) -> Result<T, Problems> {
        if self.problems.is_empty() {
            if let Some(item) = item() {
                return Ok(item);
            }
            self.problems.add("", Rule::Incomplete);
        }
        Err(self.problems)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(mut fields: Fields<'_>) -> Result<(String, Option<i64>), String> {
        let title = fields.required("title", |cell| cell.title(5));
        let stock = fields.optional("stock", |cell| cell.integer(Ok::<_, Rule>));
        fields.finish(|| Some((title?, stock))).map_err(|problems| problems.to_string())
    }

    fn check_json(text: &str) -> Result<(String, Option<i64>), String> {
        let json = Json::parse(text.as_bytes()).unwrap();
        check(Fields::of_object(&["title", "stock"], Cell::Json(&json)).unwrap())
    }

    #[test]
    fn csv_and_json_follow_same_rules() {
        let csv = [("title", "Mug"), ("stock", "5")];
        assert_eq!(check(Fields::of_csv(csv.into_iter())), Ok(("Mug".to_owned(), Some(5))));
        assert_eq!(check_json(r#"{"title":"Mug","stock":5}"#), Ok(("Mug".to_owned(), Some(5))));
    }

    #[test]
    fn empty_cell_and_null_are_absent() {
        let csv = [("title", "Mug"), ("stock", "")];
        assert_eq!(check(Fields::of_csv(csv.into_iter())), Ok(("Mug".to_owned(), None)));
        assert_eq!(check_json(r#"{"title":"Mug","stock":null}"#), Ok(("Mug".to_owned(), None)));
    }

    #[test]
    fn row_contains_empty_field_but_not_absent_one() {
        let csv = Fields::of_csv([("title", "Mug"), ("stock", "")].into_iter());
        assert!(csv.contains("title") && csv.contains("stock") && !csv.contains("price"));
        let json = Json::Object(vec![("stock".to_owned(), Json::Null)]);
        let json = Fields::of_object(&["title", "stock"], Cell::Json(&json)).unwrap();
        assert!(json.contains("stock") && json.cell("stock").is_none() && !json.contains("title"));
    }

    #[test]
    fn all_problems_are_listed_together() {
        let problems = check_json(r#"{"stock":"5","colour":"red"}"#).unwrap_err();
        assert_eq!(
            problems,
            "\"colour\" is not a known field; title: is required; stock: must be a whole number"
        );
    }

    #[test]
    fn repeated_member_is_refused() {
        assert_eq!(check_json(r#"{"title":"a","title":"b"}"#), Err("title: appears twice".to_owned()));
        assert_eq!(check_json(r#"{"title":null,"title":null}"#), Err("title: appears twice".to_owned()));
    }
}

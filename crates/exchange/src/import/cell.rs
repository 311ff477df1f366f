//! One value of a row. The same rules apply to a CSV cell and a JSON member.

use std::borrow::{Borrow, Cow};

use pointbook_domain::id::has_control_characters;
use pointbook_domain::json::Json;
use pointbook_domain::zones::timestamp_text::{parse_day, parse_timestamp};
use pointbook_domain::{Day, Timestamp};

use super::Rule;
use super::problems::{Problems, quoted, within_line};

/// A value that is present: a cell that is not empty, or a member that is not null.
#[derive(Debug, Clone, Copy)]
pub(super) enum Cell<'r> {
    Csv(&'r str),
    Json(&'r Json),
}

impl<'r> Cell<'r> {
    /// Reads a string with `parse`. Refuses U+0000, which PostgreSQL cannot store.
    pub(super) fn parse<T, E: Into<Rule>>(
        self,
        parse: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<T, Rule> {
        let text = match self {
            Self::Csv(text) => text,
            Self::Json(Json::Text(text)) => text,
            Self::Json(_) => return Err(Rule::NotText),
        };
        if text.contains('\0') {
            return Err(Rule::Nul);
        }
        parse(text).map_err(Into::into)
    }

    /// Reads an ISO 8601 date-time with `Z` or an offset.
    pub(super) fn timestamp(self) -> Result<Timestamp, Rule> {
        self.date(Rule::TimeNotText, |text| match parse_timestamp(text) {
            Some(time) => Ok(time),
            // A time without a zone is ambiguous, so the message asks for one.
            None if parse_timestamp(&format!("{text}Z")).is_some() => {
                Err(Rule::NoZone { time: text.to_owned() })
            }
            None => Err(Rule::NotATime { got: quoted(text) }),
        })
    }

    /// The id of what the row may create.
    pub(super) fn new_id<T: Borrow<str>, E: Into<Rule>>(
        self,
        new: impl FnOnce(&'r str) -> Result<T, E>,
    ) -> Result<T, Rule> {
        self.parse(new).and_then(visible)
    }

    /// Reads a title without control characters.
    pub(super) fn visible(self, max_chars: usize) -> Result<String, Rule> {
        self.title(max_chars).and_then(visible)
    }

    /// Reads a text without control characters, which may be blank.
    pub(super) fn line(self, max_chars: usize) -> Result<String, Rule> {
        self.text(max_chars).and_then(visible)
    }

    /// Reads a date. In CSV, it may be one as spreadsheets of Germany, Turkey or Japan write it.
    pub(super) fn day(self) -> Result<Day, Rule> {
        let is_csv = matches!(self, Self::Csv(_));
        self.date(Rule::DayNotText, |text| {
            let day = parse_day(text).or_else(|| spreadsheet_day(text).filter(|_| is_csv));
            day.ok_or_else(|| Rule::NotADay { got: quoted(text) })
        })
    }

    /// Refuses a JSON number, because its unit and its start are unknown.
    fn date<T>(self, not_text: Rule, parse: impl FnOnce(&str) -> Result<T, Rule>) -> Result<T, Rule> {
        match self {
            Self::Csv(_) | Self::Json(Json::Text(_)) => self.trimmed().parse(parse),
            Self::Json(_) => Err(not_text),
        }
    }

    /// Removes the outer spaces of a CSV cell, for values where spaces have no meaning. Strings and ids keep theirs, so
    /// that an export that is imported again gives the same data.
    fn trimmed(self) -> Self {
        match self {
            Self::Csv(text) => Self::Csv(text.trim()),
            Self::Json(_) => self,
        }
    }

    pub(super) fn text(self, max_chars: usize) -> Result<String, Rule> {
        self.parse(|text| {
            // A string has at least as many bytes as characters, so most strings pass without counting.
            if text.len() > max_chars && text.chars().count() > max_chars {
                return Err(Rule::TooLong { chars: max_chars });
            }
            Ok(text.to_owned())
        })
    }

    /// Reads a string that has more than spaces.
    pub(super) fn title(self, max_chars: usize) -> Result<String, Rule> {
        let text = self.text(max_chars)?;
        if text.trim().is_empty() { Err(Rule::Empty) } else { Ok(text) }
    }

    /// Reads a whole number and checks it with `parse`. A number in CSV beyond 64 bits becomes the nearest
    /// `i64`, which every amount refuses as out of range.
    pub(super) fn integer<T, E: Into<Rule>>(
        self,
        parse: impl FnOnce(i64) -> Result<T, E>,
    ) -> Result<T, Rule> {
        let number = match self.trimmed() {
            Self::Csv(text) => whole_number(text),
            Self::Json(Json::Integer(number)) => Some(*number),
            Self::Json(_) => None,
        };
        parse(number.ok_or(Rule::NotWhole)?).map_err(Into::into)
    }

    /// Reads true or false. In CSV the case does not matter, because spreadsheets write `TRUE`, or the word of their language.
    pub(super) fn boolean(self) -> Result<bool, Rule> {
        match self.trimmed() {
            Self::Json(Json::Bool(value)) => Ok(*value),
            Self::Csv(text) => match &*text.to_lowercase() {
                "true" | "wahr" | "doğru" => Ok(true),
                // The capital of a Turkish ı is I, which becomes an i.
                "false" | "falsch" | "yanlış" | "yanliş" => Ok(false),
                _ => Err(Rule::NotBoolean),
            },
            Self::Json(_) => Err(Rule::NotBoolean),
        }
    }

    /// Reads a list of at most `max_items`, each with `read`. In a CSV cell, a list is a JSON
    /// array or strings separated by `|`.
    pub(super) fn list<T, E: Into<Problems>>(
        self,
        max_items: usize,
        read: impl Fn(Cell<'_>) -> Result<T, E>,
    ) -> Result<Vec<T>, Problems> {
        let items = self.items()?;
        if items.len() > max_items {
            return Err(Rule::TooManyItems { max: max_items }.into());
        }
        let mut problems = Problems::default();
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            match read(Cell::Json(item)) {
                Ok(item) => list.push(item),
                Err(inner) => problems.add_within(&format!("[{index}]"), inner.into()),
            }
        }
        if problems.is_empty() { Ok(list) } else { Err(problems) }
    }

    /// Reads an object whose names are data. In a CSV cell, it is a JSON object.
    pub(super) fn members(self) -> Result<Cow<'r, [(String, Json)]>, Rule> {
        match self {
            Self::Json(Json::Object(members)) => Ok(Cow::Borrowed(members)),
            Self::Json(_) => Err(Rule::NotStrings),
            Self::Csv(text) => match Json::parse(text.as_bytes()) {
                Ok(Json::Object(members)) => Ok(Cow::Owned(members)),
                Ok(_) => Err(Rule::NotJsonStrings),
                Err(error) => Err(not_json(&error)),
            },
        }
    }

    fn items(self) -> Result<Cow<'r, [Json]>, Rule> {
        match self {
            Self::Json(Json::List(items)) => Ok(Cow::Borrowed(items)),
            Self::Json(_) => Err(Rule::NotAList),
            Self::Csv(text) if text.trim_start().starts_with('[') => match Json::parse(text.as_bytes()) {
                Ok(Json::List(items)) => Ok(Cow::Owned(items)),
                Ok(_) => Err(Rule::NotAList),
                Err(error) => Err(not_json(&error)),
            },
            Self::Csv(text) => Ok(text.split('|').map(|part| Json::Text(part.to_owned())).collect()),
        }
    }
}

fn visible<T: Borrow<str>>(text: T) -> Result<T, Rule> {
    if has_control_characters(text.borrow()) { Err(Rule::Control) } else { Ok(text) }
}

fn not_json(error: &serde_json::Error) -> Rule {
    Rule::NotJson { problem: within_line(error), column: error.column() }
}

/// A date as `29.2.1984` or `1984/2/29`. With slashes, a day or month at the beginning would be ambiguous.
fn spreadsheet_day(text: &str) -> Option<Day> {
    let parts =
        |separator| -> Option<[&str; 3]> { text.split(separator).collect::<Vec<_>>().try_into().ok() };
    let [year, month, day] =
        parts('.').map(|[day, month, year]| [year, month, day]).or_else(|| parts('/'))?;
    let is_short = |digits: &str| (1..=2).contains(&digits.len());
    if year.len() != 4 || !is_short(month) || !is_short(day) {
        return None;
    }
    parse_day(&format!("{year}-{month:0>2}-{day:0>2}"))
}

fn whole_number(text: &str) -> Option<i64> {
    let (digits, bound) = text.strip_prefix('-').map_or((text, i64::MAX), |digits| (digits, i64::MIN));
    let is_whole = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_whole.then(|| text.parse().unwrap_or(bound))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn integer(text: &str) -> Result<i64, Rule> {
        Cell::Csv(text).integer(Ok::<_, Rule>)
    }

    #[test]
    fn whole_number_is_digits_with_optional_minus() {
        assert_eq!((integer("007"), integer("-12")), (Ok(7), Ok(-12)));
        assert_eq!(integer("-99999999999999999999"), Ok(i64::MIN));
        assert_eq!((integer(" 5"), integer("5\t")), (Ok(5), Ok(5)));
        for bad in ["12.0", "1e3", "+5", "5 0", "-", "1,000", "0x10", "٣"] {
            assert_eq!(integer(bad), Err(Rule::NotWhole), "{bad}");
        }
    }

    #[test]
    fn outer_spaces_stay_in_strings_and_ids_only() {
        let cell = Cell::Csv(" true ");
        assert_eq!((cell.boolean(), cell.text(9)), (Ok(true), Ok(" true ".to_owned())));
        assert_eq!(cell.parse(|text| Ok::<_, Rule>(text.len())), Ok(6));
        assert!(Cell::Csv(" 2024-02-29 ").day().is_ok());
        assert!(Cell::Csv("2024-02-29T12:34:56Z ").timestamp().is_ok());
        assert!(Cell::Json(&Json::Text(" 2024-02-29".to_owned())).day().is_err());
    }

    #[test]
    fn time_without_zone_asks_for_zone() {
        let rule = |text| Cell::Csv(text).timestamp().unwrap_err().to_string();
        assert_eq!(
            rule("2026-01-01T10:00:00"),
            "must say its zone: add Z for UTC, or an offset, as in 2026-01-01T10:00:00Z or 2026-01-01T10:00:00+01:00"
        );
    }

    #[test]
    fn invalid_date_error_quotes_format_and_value() {
        let time = "must be a date-time such as 2024-02-29T12:34:56Z or 2024-02-29T13:34:56+01:00";
        for wrong in ["2026-01-01", "2026-01-31 10:00:00", "2026-02-30T00:00:00Z", "31.01.2026 10:00"] {
            let rule = Cell::Csv(wrong).timestamp().unwrap_err();
            assert_eq!(rule.to_string(), format!("{time}, got {wrong:?}"));
        }
        let day = "must be a date such as 1984-02-29 (YYYY-MM-DD)";
        let told = |cell: Cell<'_>| cell.day().unwrap_err().to_string();
        for wrong in
            ["02/29/1984", "29.02.84", "31.02.1984", "1984.02.29", "29.2", "1984/2/29/1", "29.+2.1984"]
        {
            assert_eq!(told(Cell::Csv(wrong)), format!("{day}, got {wrong:?}"));
        }
        let text = Json::Text("29.02.1984".to_owned());
        assert_eq!(told(Cell::Json(&text)), format!("{day}, got \"29.02.1984\""));
        let number = Json::Integer(1_767_225_600);
        assert_eq!(Cell::Json(&number).timestamp(), Err(Rule::TimeNotText));
        assert_eq!(Rule::TimeNotText.to_string(), format!("{time}, as a string"));
        assert_eq!(told(Cell::Json(&number)), format!("{day}, as a string"));
    }

    #[test]
    fn a_cell_may_be_as_a_spreadsheet_writes_it() {
        let day = Cell::Csv("1984-02-29").day();
        for text in ["29.02.1984", "29.2.1984", " 1984/02/29", "1984/2/29"] {
            assert_eq!(Cell::Csv(text).day(), day, "{text}");
        }
        for (text, value) in [
            ("TRUE", true),
            ("WAHR", true),
            ("DOĞRU", true),
            ("FALSCH", false),
            ("YANLIŞ", false),
            ("yanlış", false),
        ] {
            assert_eq!(Cell::Csv(text).boolean(), Ok(value), "{text}");
        }
        for bad in ["1", "yes", "ja", ""] {
            assert_eq!(Cell::Csv(bad).boolean(), Err(Rule::NotBoolean), "{bad}");
        }
        assert_eq!(Cell::Json(&Json::Text("WAHR".to_owned())).boolean(), Err(Rule::NotBoolean));
    }

    #[test]
    fn string_with_nul_is_refused() {
        let nul = Json::Text("a\0b".to_owned());
        assert_eq!(Cell::Json(&nul).text(10), Err(Rule::Nul));
    }

    #[test]
    fn length_limit_counts_characters_not_bytes() {
        assert!(Cell::Csv("ééé").text(3).is_ok());
        assert_eq!(Cell::Csv("éééé").text(3), Err(Rule::TooLong { chars: 3 }));
    }

    #[test]
    fn list_in_csv_cell_is_json_or_separated_by_bars() {
        let texts = |text| Cell::Csv(text).list(2, |item| item.title(9));
        assert_eq!(texts("a|b c").unwrap(), ["a", "b c"]);
        assert_eq!(texts(r#"["a|b"]"#).unwrap(), ["a|b"]);
        assert_eq!(texts("a|").unwrap_err().to_string(), "[1]: must not be empty");
        assert_eq!(texts("[1,2]").unwrap_err().to_string(), "[0]: must be a string; [1]: must be a string");
        assert_eq!(texts("a|b|c").unwrap_err().to_string(), "must not have more than 2 items");
        assert!(texts("[").unwrap_err().to_string().starts_with("is not valid JSON"));
    }
}

//! What a campaign compared, in the language of the page.

use pointbook_access::console_kit::components::activity_type;
use pointbook_campaigns::{Fact, Period, PeriodKey, Phrase, Value, time_of_day};
use pointbook_domain::{CivilDate, Day, Timestamp};
use pointbook_http::pages::{Words, date, number};

/// Says facts. `at` says a time in the zone of the tenant.
pub(super) struct Comparison<'w> {
    pub(super) words: &'w Words,
    pub(super) at: &'w dyn Fn(Timestamp) -> String,
}

impl Comparison<'_> {
    pub(super) fn say(&self, fact: &Fact) -> String {
        match fact {
            Fact::One(value) => self.value(value),
            Fact::List(values, more) => self.list(values, *more),
            Fact::Phrase(phrase, values) => self.phrase(*phrase, values),
        }
    }

    fn list(&self, values: &[Value], more: usize) -> String {
        let values: Vec<String> = values.iter().map(|value| self.value(value)).collect();
        let values = values.join(&self.words.say("campaign-comma"));
        if more == 0 {
            return values;
        }
        let count = number(i64::try_from(more).unwrap_or(i64::MAX), self.words);
        self.words.with_all("compared-and-more", [("values", values), ("count", count)])
    }

    fn phrase(&self, phrase: Phrase, values: &[Value]) -> String {
        let value = |place: usize| values.get(place).map(|value| self.value(value)).unwrap_or_default();
        let values = [("first", value(0)), ("second", value(1)), ("third", value(2))];
        self.words.with_all(&format!("compared-{}", phrase.name()), values)
    }

    fn value(&self, value: &Value) -> String {
        let words = self.words;
        let pair = |from: String, until: String| {
            words.with_all("campaign-from-until", [("from", from), ("until", until)])
        };
        match value {
            Value::Text(text) => text.clone(),
            Value::Kind(kind) => activity_type(kind, words).into_owned(),
            Value::Number(value) => match i64::try_from(*value) {
                Ok(value) => number(value, words),
                Err(_) => value.to_string(),
            },
            Value::Time(at) => (self.at)(*at),
            Value::Day(day) => date(*day, words),
            Value::Weekday(day) => words.say(&format!("weekday-{}", day.as_str())).into_owned(),
            Value::Days(from, until) => {
                let last = Day::from_days(until.as_days() - 1).unwrap_or(*until);
                let days = [("from", date(*from, words)), ("until", date(last, words))];
                words.with_all("campaign-days-from-until", days)
            }
            Value::TimeOfDay(minute) => time_of_day(*minute),
            Value::Hours(from, until) => pair(time_of_day(*from), time_of_day(*until)),
            Value::Birthday(month, day) => {
                let month = words.say(&format!("month-{month}")).into_owned();
                words.with_all("day-of-month", [("day", day.to_string()), ("month", month)])
            }
            Value::State(state) => words.say(&format!("state-{}", state.as_str())).into_owned(),
            Value::Period(period) => self.period(*period),
        }
    }

    fn period(&self, period: PeriodKey) -> String {
        let (words, (first, _)) = (self.words, period.days());
        let CivilDate { year, month, .. } = first.into();
        let month = words.say(&format!("month-{month}")).into_owned();
        match period.period() {
            Period::Day => date(first, words),
            Period::Week => words.with_all("compared-week", [("day", date(first, words))]),
            Period::Month => words.with_all("report-month", [("month", month), ("year", year.to_string())]),
            Period::Year => year.to_string(),
            Period::Ever => words.say("compared-ever").into_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use pointbook_access::console_kit::shared::SOURCES;
    use pointbook_campaigns::Weekday;
    use pointbook_http::pages::Languages;

    use super::*;

    fn say(fact: &Fact) -> String {
        let languages = Languages::new(SOURCES);
        Comparison { words: languages.english(), at: &|_| "noon".to_owned() }.say(fact)
    }

    fn value(value: Value) -> String {
        say(&value.into())
    }

    #[test]
    fn every_phrase_has_its_text_and_says_its_values() {
        for phrase in Phrase::ALL {
            let values = vec![Value::Number(71), Value::Number(72), Value::Number(73)];
            let english = Fact::Phrase(*phrase, values.clone()).to_string();
            let said = say(&Fact::Phrase(*phrase, values));
            assert!(!said.is_empty() && !said.contains("compared-"), "{said}");
            for number in ["71", "72", "73"] {
                assert_eq!(said.contains(number), english.contains(number), "{said} / {english}");
            }
        }
    }

    #[test]
    fn values_are_said_as_people_read_them() {
        let day = |day: i32| Day::from_days(day).unwrap();
        assert_eq!(value(Value::Kind("code".to_owned())), "QR code");
        assert_eq!(value(Value::Kind("stamp".to_owned())), "stamp");
        assert_eq!(value(Value::Number(12_345)), "12,345");
        assert_eq!(value(Value::Time(Timestamp::MIN)), "noon");
        assert_eq!(value(Value::Weekday(Weekday::Sunday)), "Sunday");
        assert_eq!(value(Value::Days(day(0), day(31))), "1 January 1970 to 31 January 1970");
        assert_eq!(value(Value::Hours(485, 1_440)), "08:05 to 24:00");
        assert_eq!(value(Value::Birthday(6, 14)), "14 June");
        let period = |period| value(Value::Period(PeriodKey::of(period, day(20))));
        let periods = [Period::Day, Period::Week, Period::Month, Period::Year, Period::Ever].map(period);
        let expected = ["21 January 1970", "week from 19 January 1970", "January 1970", "1970", "in all"];
        assert_eq!(periods, expected);
        let kinds = |more| Fact::List(["code", "quiz"].map(|kind| Value::Kind(kind.to_owned())).into(), more);
        assert_eq!([say(&kinds(0)), say(&kinds(3))], ["QR code, Quiz", "QR code, Quiz and 3 more"]);
    }
}

//! Generates the activities of a sample user. The same user and day always give the same activities with the same source
//! ids, so that an interrupted seeding can run again.

use pointbook_domain::{Day, Timestamp};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::sample::goods::SampleProduct;
use crate::sample::people::Person;
use crate::sample::result::SampleResult;

/// Sample activities to choose from: type, title, subtitle, points.
const EARNINGS: &str = include_str!("earnings.csv");

#[derive(Deserialize)]
struct Earning {
    r#type: String,
    title: String,
    subtitle: String,
    points: i64,
}

/// The activities of a person until the day before `today`, oldest first, as rows of an import. `goods` gives the titles
/// and prices of orders.
pub fn activities(person: &Person, goods: &[SampleProduct], today: Day) -> SampleResult<Vec<Value>> {
    let earnings: Vec<Earning> =
        csv::Reader::from_reader(EARNINGS.as_bytes()).deserialize().collect::<Result<_, _>>()?;
    let of_type = |kind: &str| earnings.iter().filter(|earning| earning.r#type == kind).collect::<Vec<_>>();
    let by_type = ["code", "video", "quiz"].map(of_type);
    let mut diary = Diary { person, day: today, on_this_day: 0, entries: Vec::new() };
    let mut visits = person.visits.iter().cycle();
    for days_ago in (1..=person.since_days_ago).rev() {
        (diary.day, diary.on_this_day) = (today.start().minus_days(days_ago).day(), 0);
        if person.comes(days_ago) || diary.is_birthday() {
            for (times, earnings) in visits.next().into_iter().flatten().zip(&by_type) {
                (0..*times).for_each(|_| diary.earn(earnings));
            }
        }
        for (_, product_id) in person.orders.iter().filter(|(ordered, _)| *ordered == days_ago) {
            let good = goods.iter().find(|good| good.id == *product_id);
            diary.order(
                good.ok_or_else(|| format!("{} orders the unknown product {product_id:?}", person.id))?,
            );
        }
    }
    Ok(diary.entries)
}

struct Diary<'p> {
    person: &'p Person,
    /// The current day, and how many entries it has.
    day: Day,
    on_this_day: usize,
    entries: Vec<Value>,
}

impl Diary<'_> {
    fn is_birthday(&self) -> bool {
        let day = self.day.to_string();
        let month_and_day = day.get(4..).unwrap_or_default();
        self.person.birth_date.as_ref().is_some_and(|born| born.ends_with(month_and_day))
    }

    /// Adds an entry with the next earning of this list. Wraps around at its end.
    fn earn(&mut self, earnings: &[&Earning]) {
        let next = self.entries.len() % earnings.len().max(1);
        if let Some(Earning { r#type, title, subtitle, points }) = earnings.get(next) {
            self.write(r#type, *points, (title, subtitle));
        }
    }

    fn order(&mut self, good: &SampleProduct) {
        let number = self.entries.len() + 1;
        let title = format!("Gift store order ACM-{}-{number:04}", self.person.id.to_uppercase());
        self.write("order", -good.price(), (&title, &good.title));
    }

    fn write(&mut self, kind: &str, points: i64, (title, subtitle): (&str, &str)) {
        let (id, number) = (&self.person.id, self.entries.len() + 1);
        self.entries.push(json!({
            "user_id": id, "type": kind, "source_id": format!("demo-{id}-{number:04}"), "points": points, "title": title, "subtitle": subtitle,
            "created_at": self.time_of_day(number).to_string(),
        }));
        self.on_this_day += 1;
    }

    /// Starts at 08:00 UTC and adds 53 minutes per entry plus up to 50, so that the times of a day ascend.
    fn time_of_day(&self, number: usize) -> Timestamp {
        let minutes = 8 * 60 + self.on_this_day * 53 + number * 37 % 50;
        let seconds = minutes * 60 + number * 17 % 60;
        let micros = seconds * 1_000_000 + number * 104_729 % 1_000_000;
        let start = self.day.start();
        let time =
            i64::try_from(micros).ok().and_then(|micros| Timestamp::from_micros(start.as_micros() + micros));
        time.unwrap_or(start)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use pointbook_domain::zones::timestamp_text::parse_timestamp;

    use super::*;
    use crate::sample::goods::goods;
    use crate::sample::people::people;

    /// 21 November 2026.
    fn today() -> Day {
        Day::from_days(20_778).unwrap()
    }

    /// The points that an entry adds to the balance, with the weekend bonus: the others are small.
    fn points(entry: &Value) -> i64 {
        let (points, kind) = (entry["points"].as_i64().unwrap(), entry["type"].as_str().unwrap());
        // Weeks count from Monday, 29 December 1969.
        let is_weekend = (time(entry).day().as_days() + 3).rem_euclid(7) >= 5;
        if is_weekend && ["code", "video"].contains(&kind) { 2 * points } else { points }
    }

    fn time(entry: &Value) -> Timestamp {
        parse_timestamp(entry["created_at"].as_str().unwrap()).unwrap()
    }

    fn diary_of(id: &str) -> Vec<Value> {
        let person = people().unwrap().into_iter().find(|person| person.id == id).unwrap();
        activities(&person, &goods().unwrap(), today()).unwrap()
    }

    #[test]
    fn balances_stay_positive_and_times_ascend() {
        // Weekends, quiz months and birthdays depend on the day, so the test covers a whole year.
        let goods = goods().unwrap();
        for later in 0..366 {
            let today = Day::from_days(today().as_days() + later).unwrap();
            for person in &people().unwrap() {
                let entries = activities(person, &goods, today).unwrap();
                let mut balance = 0;
                for pair in entries.windows(2) {
                    assert!(time(&pair[0]) < time(&pair[1]));
                }
                for entry in &entries {
                    balance += points(entry);
                    assert!(balance > 0, "{} on {}", person.id, time(entry));
                    assert!(time(entry).day() < today);
                }
            }
        }
    }

    #[test]
    fn ordinary_user_has_about_forty_transactions_in_three_months() {
        let entries = diary_of("ben");
        assert!((38..=45).contains(&entries.len()), "{}", entries.len());
        let first = time(entries.first().unwrap()).day();
        assert!((85..=92).contains(&(today().as_days() - first.as_days())));
    }

    #[test]
    fn heavy_user_has_every_type() {
        let entries = diary_of("aiko");
        let mut counts: HashMap<String, usize> = HashMap::new();
        for entry in &entries {
            *counts.entry(entry["type"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        for kind in ["code", "video", "quiz", "order"] {
            assert!(counts.get(kind).is_some_and(|times| *times >= 2), "{kind}: {counts:?}");
        }
    }

    #[test]
    fn products_were_in_the_store_when_they_were_ordered() {
        let goods = goods().unwrap();
        for person in &people().unwrap() {
            for (days_ago, id) in &person.orders {
                let good = goods.iter().find(|good| good.id == *id).unwrap();
                assert!(good.published_days_ago > i64::from(*days_ago), "{id}");
            }
        }
    }
}

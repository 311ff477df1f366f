//! What one person did, made up by rule: the same person and the same day always give the same
//! activities under the same source ids, so that a broken seeding can simply be run again.

use pointbook_app::NewActivity;
use pointbook_domain::{Activity, ActivityType, Bonus, Bonuses, Day, Points, SourceId, Timestamp, UserId};

use super::content::{CODES, QUIZZES, VIDEOS, in_turn};
use super::goods::Good;
use super::people::Person;
use super::result::SampleResult;

/// Everything a person did until yesterday, oldest first. Counted back from `today`; the goods
/// tell what was ordered and what it costs.
pub(super) fn activities(person: &Person, goods: &[Good], today: Day) -> SampleResult<Vec<NewActivity>> {
    let mut diary = Diary { person, today, days_ago: 0, on_this_day: 0, entries: Vec::new() };
    let habit = &person.habit;
    let mut visit = 0;
    for days_ago in (1..=habit.since_days_ago).rev() {
        diary.turn_to(days_ago);
        if (habit.comes_by)(days_ago) || diary.is_birthday()? {
            diary.visit(visit)?;
            visit += 1;
        }
        for (_, product_id) in habit.orders.iter().filter(|(ordered, _)| *ordered == days_ago) {
            let good = goods.iter().find(|good| good.id == *product_id);
            diary.order(good.ok_or_else(|| format!("no product {product_id:?} to be ordered"))?)?;
        }
    }
    Ok(diary.entries)
}

struct Diary<'p> {
    person: &'p Person,
    today: Day,
    days_ago: u32,
    /// How many entries the open day has.
    on_this_day: i64,
    entries: Vec<NewActivity>,
}

impl Diary<'_> {
    fn turn_to(&mut self, days_ago: u32) {
        (self.days_ago, self.on_this_day) = (days_ago, 0);
    }

    fn day(&self) -> SampleResult<Day> {
        let days = i64::from(self.today.as_days()) - i64::from(self.days_ago);
        let day = i32::try_from(days).ok().and_then(Day::from_days);
        Ok(day.ok_or("a day before the calendar")?)
    }

    /// Whether the open day has the month and day of the birth date.
    fn is_birthday(&self) -> SampleResult<bool> {
        let day = self.day()?.to_string();
        let month_and_day = day.get(4..).unwrap_or_default();
        Ok(self.person.birth_date.is_some_and(|born| born.ends_with(month_and_day)))
    }

    fn visit(&mut self, visit: u32) -> SampleResult<()> {
        let habit = &self.person.habit;
        for _ in 0..(habit.codes)(visit) {
            self.earn("code", "QR code scan", &CODES)?;
        }
        for _ in 0..(habit.videos)(visit) {
            self.earn("video", "Video watched", &VIDEOS)?;
        }
        for _ in 0..(habit.quizzes)(visit) {
            self.earn("quiz", "Quiz answered", &QUIZZES)?;
        }
        Ok(())
    }

    fn earn(&mut self, kind: &str, title: &str, items: &[(&'static str, i64)]) -> SampleResult<()> {
        let (item, points) = in_turn(items, self.entries.len());
        let bonuses = self.bonuses(kind, points)?;
        self.write(kind, points, bonuses, title.to_owned(), item.to_owned())
    }

    /// A birthday present on the first entry of a birthday, double points on every sixth weekend,
    /// and more for quizzes in March and October.
    fn bonuses(&self, kind: &str, points: i64) -> SampleResult<Bonuses> {
        let day = self.day()?;
        let mut bonuses = Vec::new();
        if self.on_this_day == 0 && self.is_birthday()? {
            bonuses.push(bonus("birthday", 200, "Happy birthday!")?);
        }
        if is_double_weekend(day) {
            bonuses.push(bonus("campaign", points, "Double points weekend")?);
        }
        let is_quiz_month = ["-03-", "-10-"].iter().any(|month| day.to_string().contains(month));
        if kind == "quiz" && is_quiz_month {
            bonuses.push(bonus("campaign", 25, "Quiz month")?);
        }
        Ok(Bonuses::new(bonuses)?)
    }

    fn order(&mut self, good: &Good) -> SampleResult<()> {
        let number = self.entries.len() + 1;
        let title = format!("Gift store order ACM-{}-{number:04}", self.person.id.to_uppercase());
        self.write("order", -good.price, Bonuses::default(), title, good.title.clone())
    }

    fn write(
        &mut self,
        kind: &str,
        points: i64,
        bonuses: Bonuses,
        title: String,
        subtitle: String,
    ) -> SampleResult<()> {
        let number = self.entries.len() + 1;
        let activity = Activity {
            kind: ActivityType::new(kind)?,
            source_id: SourceId::new(format!("demo-{}-{number:04}", self.person.id))?,
            points: Points::new(points)?,
            bonuses,
            title,
            subtitle,
            created_at: self.time_of_day(i64::try_from(number)?)?,
        };
        self.entries.push(NewActivity { user_id: UserId::new(self.person.id)?, activity });
        self.on_this_day += 1;
        Ok(())
    }

    /// From 08:00 UTC on, every 53 minutes and a little, so that a day's entries ascend.
    fn time_of_day(&self, number: i64) -> SampleResult<Timestamp> {
        let minutes = 8 * 60 + self.on_this_day * 53 + number * 37 % 50;
        let seconds = minutes * 60 + number * 17 % 60;
        let micros = seconds * 1_000_000 + number * 104_729 % 1_000_000;
        let start = self.day()?.start().as_micros();
        Ok(Timestamp::from_micros(start + micros).ok_or("a time after the calendar")?)
    }
}

fn bonus(kind: &str, points: i64, title: &str) -> SampleResult<Bonus> {
    Ok(Bonus { kind: kind.to_owned(), points: Points::new(points)?, title: title.to_owned() })
}

/// Saturday or Sunday of every sixth week, weeks counted from Monday, 29 December 1969.
fn is_double_weekend(day: Day) -> bool {
    let days_since_monday = i64::from(day.as_days()) + 3;
    let (week, weekday) = (days_since_monday.div_euclid(7), days_since_monday.rem_euclid(7));
    week % 6 == 0 && weekday >= 5
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use crate::demo::goods::goods;
    use crate::demo::people::PEOPLE;

    /// 21 November 2026.
    fn today() -> Day {
        Day::from_days(20_778).unwrap()
    }

    fn diary_of(id: &str) -> Vec<NewActivity> {
        let person = PEOPLE.iter().find(|person| person.id == id).unwrap();
        activities(person, &goods().unwrap(), today()).unwrap()
    }

    #[test]
    fn nobody_ever_owes_points_and_time_only_ascends() {
        // Weekends, quiz months and birthdays move along with the day, so a whole year is tried.
        let goods = goods().unwrap();
        for later in 0..366 {
            let today = Day::from_days(today().as_days() + later).unwrap();
            for person in &PEOPLE {
                let entries = activities(person, &goods, today).unwrap();
                let mut balance = 0;
                for pair in entries.windows(2) {
                    assert!(pair[0].activity.created_at < pair[1].activity.created_at);
                }
                for entry in &entries {
                    balance += entry.activity.net_points().unwrap().get();
                    assert!(balance > 0, "{} on {}", person.id, entry.activity.created_at);
                    assert!(entry.activity.created_at.day() < today);
                }
            }
        }
    }

    #[test]
    fn the_ordinary_user_has_about_forty_transactions_in_three_months() {
        let entries = diary_of("ben");
        assert!((38..=45).contains(&entries.len()), "{}", entries.len());
        let first = entries.first().unwrap().activity.created_at.day();
        assert!((85..=92).contains(&(today().as_days() - first.as_days())));
    }

    #[test]
    fn the_heavy_user_has_every_type_and_both_bonuses() {
        let entries = diary_of("aiko");
        let mut seen: HashMap<String, usize> = HashMap::new();
        for entry in &entries {
            *seen.entry(entry.activity.kind.to_string()).or_default() += 1;
            for bonus in entry.activity.bonuses.breakdown() {
                *seen.entry(bonus.kind.clone()).or_default() += 1;
            }
        }
        for what in ["code", "video", "quiz", "order", "birthday", "campaign"] {
            assert!(seen.get(what).is_some_and(|times| *times >= 2), "{what}: {seen:?}");
        }
    }

    #[test]
    fn products_were_in_the_store_when_they_were_ordered() {
        let goods = goods().unwrap();
        for person in &PEOPLE {
            for (days_ago, id) in person.habit.orders {
                let good = goods.iter().find(|good| good.id == *id).unwrap();
                assert!(good.published_days_ago > i64::from(*days_ago), "{id}");
            }
        }
    }
}

use proptest::prelude::*;

use super::*;

fn day(days: i32) -> Day {
    Day::from_days(days).unwrap()
}

fn lots(lots: &[(i32, i64)]) -> Lots {
    lots.iter().map(|(last_day, points)| (day(*last_day), *points)).collect()
}

fn moves(moves: &[(i32, i64)]) -> Moves {
    lots(moves).0
}

fn debt(points: i64) -> Lots {
    Lots::from_iter([(owed(), -points)])
}

#[test]
fn what_ends_first_is_spent_first_and_what_never_ends_last() {
    let mut mine = lots(&[(30, 100), (10, 50), (20, 70)]);
    mine.give(40, never());
    assert_eq!(mine.take(130, &[]), moves(&[(10, -50), (20, -70), (30, -10)]));
    assert_eq!(mine.next_last_day(), day(30));
    assert_eq!(mine.take(100, &[]).to_string(), "1970-01-31:-90,9999-12-31:-10");
    assert_eq!((mine.next_last_day(), mine.balance()), (never(), 30));
}

#[test]
fn new_points_pay_a_debt_first() {
    let mut mine = lots(&[(10, 50)]);
    let overdrawn = mine.take(80, &[]);
    assert_eq!(overdrawn.to_string(), "0001-01-01:-30,1970-01-11:-50");
    assert_eq!((mine.to_string().as_str(), mine.next_last_day()), ("0001-01-01:-30", never()));
    assert_eq!(mine.give(20, day(40)).to_string(), "0001-01-01:20");
    assert_eq!(mine.give(25, day(40)).to_string(), "0001-01-01:10,1970-02-10:15");
    assert_eq!(mine, lots(&[(40, 15)]));
    // Points that paid a debt ended some day, so they do not come back as points that never end.
    assert_eq!(mine.give_back((80, 0), &overdrawn, grace(5, 60)), moves(&[(10, 50), (60, 30)]));
}

#[test]
fn a_lot_ends_after_its_last_day() {
    let mut mine = lots(&[(10, 50), (20, 70)]);
    assert_eq!(mine.due(day(10)).count(), 0);
    assert_eq!(mine.due(day(11)).collect::<Vec<_>>(), [(day(10), 50)]);
    assert_eq!(mine.end(day(10)), moves(&[(10, -50)]));
    assert_eq!(mine.end(day(10)), moves(&[]));
    // Neither a debt ends, nor what has the last day.
    let owes = debt(30);
    assert_eq!(owes.due(never()).count(), 0);
    mine.give(5, never());
    assert_eq!(mine.due(never()).collect::<Vec<_>>(), [(day(20), 70)]);
}

#[test]
fn a_refund_goes_back_to_its_lots_or_gets_days_of_grace() {
    let mut mine = lots(&[(10, 50), (20, 70)]);
    let spent = mine.take(60, &[]);
    assert_eq!(mine.clone().give_back((60, 0), &spent, grace(10, 40)), moves(&[(10, 50), (20, 10)]));
    assert_eq!(mine.clone().give_back((60, 0), &spent, grace(11, 40)), moves(&[(20, 10), (40, 50)]));
    // A part of it: what ends last comes first.
    assert_eq!(mine.give_back((15, 0), &spent, grace(10, 40)), moves(&[(10, 5), (20, 10)]));
    // A row from before there were lots.
    assert_eq!(mine.give_back((7, 0), &Moves::default(), grace(10, 40)), moves(&[(40, 7)]));
}

#[test]
fn a_reversal_takes_from_the_lot_of_its_award_first() {
    let mut mine = lots(&[(10, 50)]);
    let award = mine.give(30, day(20));
    assert_eq!(mine.clone().take_back(30, &award), moves(&[(20, -30)]));
    assert_eq!(mine.clone().take_back(12, &award), moves(&[(20, -12)]));
    // 20 of the 30 were spent meanwhile, for example before the other points came.
    mine.take(20, &[day(20)]);
    assert_eq!(mine.take_back(30, &award), moves(&[(10, -20), (20, -10)]));
}

#[test]
fn points_are_postponed_and_never_end_sooner() {
    let mut mine = lots(&[(10, 50), (20, 70), (40, 5)]);
    mine.give(3, never());
    assert_eq!(mine.postpone(day(30)), moves(&[(10, -50), (20, -70), (30, 120)]));
    assert_eq!(mine.postpone(day(30)), moves(&[]));
    assert_eq!(mine.to_string(), "1970-01-31:120,1970-02-10:5,9999-12-31:3");
    assert_eq!((debt(30).postpone(day(30)), debt(30).balance()), (moves(&[]), -30));
}

#[test]
fn lots_have_one_text() {
    for text in ["", "2027-01-31:5", "0001-01-01:-3", "2027-01-31:9007199254740991,2027-02-28:1,9999-12-31:2"]
    {
        assert_eq!(Lots::parse(text).unwrap().to_string(), text);
    }
    for text in [
        ",",
        "2027-01-31",
        "2027-01-31:",
        "2027-01-31:0",
        "2027-01-31:05",
        "2027-01-31:+5",
        "2027-02-28:1,2027-01-31:5",
        "2027-01-31:5,2027-01-31:5",
        "2027-02-29:5",
        "2027-1-31:5",
        "2027-01-31:9007199254740992",
    ] {
        assert!(Lots::parse(text).is_err(), "{text}");
    }
}

/// A lot that ended before `today` gets the day `instead`.
fn grace(today: i32, instead: i32) -> impl Fn(Option<Day>) -> Day {
    move |lot| lot.filter(|lot| *lot >= day(today)).unwrap_or(day(instead))
}

/// What a member or the time does.
#[derive(Debug, Clone)]
enum Step {
    /// Without days, the points never end.
    Earn {
        points: i64,
        days: Option<i32>,
    },
    Spend {
        points: i64,
    },
    /// The reversal of one of the rows so far.
    Undo {
        row: usize,
    },
    Wait {
        days: i32,
    },
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (1..200i64, prop::option::weighted(0.8, 0..60i32)).prop_map(|(points, days)| Step::Earn { points, days }),
        4 => (1..300i64).prop_map(|points| Step::Spend { points }),
        1 => (0..64usize).prop_map(|row| Step::Undo { row }),
        2 => (1..20i32).prop_map(|days| Step::Wait { days }),
    ]
}

/// Single points in a bag, each with its last day, and a debt.
#[derive(Default)]
struct Bag {
    points: Vec<Day>,
    debt: i64,
}

impl Bag {
    fn earn(&mut self, points: i64, last_day: Day) {
        for _ in 0..points {
            if self.debt > 0 {
                self.debt -= 1;
            } else {
                self.points.push(last_day);
            }
        }
    }

    /// Takes the point that ends first: of those that end on these days, if there is one, or else of all.
    fn spend(&mut self, own: &[Day]) {
        let first = |is_own: bool| {
            let places = 0..self.points.len();
            places
                .filter(|place| !is_own || own.contains(&self.points[*place]))
                .min_by_key(|place| self.points[*place])
        };
        match first(true).or_else(|| first(false)) {
            Some(place) => drop(self.points.swap_remove(place)),
            None => self.debt += 1,
        }
    }

    fn counted(&self) -> Lots {
        let debt = (owed(), -self.debt);
        self.points.iter().map(|last_day| (*last_day, 1)).chain([debt]).collect()
    }
}

const GRACE: i32 = 30;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn lots_are_what_single_points_would_be(steps in prop::collection::vec(step(), 1..40)) {
        let (mut lots, mut bag, mut today) = (Lots::default(), Bag::default(), 1_000);
        let mut rows: Vec<Moves> = Vec::new();
        for step in steps {
            let before = lots.balance();
            let (moves, expected) = match step {
                Step::Wait { days } => {
                    today += days;
                    let gone = bag.points.extract_if(.., |last_day| *last_day < day(today)).count();
                    let due: Vec<_> = lots.due(day(today)).collect();
                    let mut moves = Moves::default();
                    for (last_day, _) in due {
                        moves.extend(&lots.end(last_day));
                    }
                    (moves, -i64::try_from(gone).unwrap())
                }
                Step::Earn { points, days } => {
                    let last_day = days.map_or_else(never, |days| day(today + days));
                    bag.earn(points, last_day);
                    let moves = lots.give(points, last_day);
                    rows.push(moves.clone());
                    (moves, points)
                }
                Step::Spend { points } => {
                    (0..points).for_each(|_| bag.spend(&[]));
                    let moves = lots.take(points, &[]);
                    rows.push(moves.clone());
                    (moves, -points)
                }
                Step::Undo { row } if row < rows.len() => {
                    // A row is reversed once.
                    let row = rows.swap_remove(row);
                    let own: Vec<Day> = row.iter().filter(|one| one.points > 0).map(|one| one.last_day).collect();
                    let undone = -row.total();
                    (0..-undone).for_each(|_| bag.spend(&own));
                    let took: Vec<Move> = row.iter().filter(|one| one.points < 0).collect();
                    let (owed, of_lots): (Vec<Move>, Vec<Move>) = took.into_iter().partition(|one| one.last_day == owed());
                    for one in of_lots.into_iter().rev() {
                        bag.earn(-one.points, grace(today, today + GRACE)(Some(one.last_day)));
                    }
                    for one in owed {
                        bag.earn(-one.points, day(today + GRACE));
                    }
                    let moves = match undone {
                        ..0 => lots.take_back(-undone, &row),
                        0.. => lots.give_back((undone, 0), &row, grace(today, today + GRACE)),
                    };
                    (moves, undone)
                }
                Step::Undo { .. } => (Moves::default(), 0),
            };
            prop_assert_eq!(&lots, &bag.counted());
            prop_assert_eq!(lots.balance() - before, expected);
            prop_assert_eq!(moves.total(), expected);
            prop_assert_eq!(Moves::parse(&moves.to_string()).unwrap(), moves);
            let (debt, own): (Vec<_>, Vec<_>) = lots.iter().partition(|(last_day, _)| *last_day == owed());
            prop_assert!(own.iter().all(|(last_day, points)| *points > 0 && *last_day >= day(today)));
            prop_assert!(debt.is_empty() || own.is_empty());
        }
    }
}
